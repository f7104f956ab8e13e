"""Maximum diversity: costs against loops, changes of cost in both halves, and optima of all subsets."""

from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaheur import run, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.neighborhoods import Interchange, Swap
from metaheur.problems import MaximumDiversity, problem_from_file
from metaheur.testing import check_problem
from tests.problems.test_p_median import opened

HALF = np.triu(np.random.default_rng(1).integers(-9, 50, (9, 9)), 1)
DISTANCES = HALF + HALF.T


def by_loops(items: Any) -> int:
    return sum(int(DISTANCES[i, j]) for i, j in combinations(items, 2))


def test_the_cost_is_the_negative_of_the_sum_of_the_distances() -> None:
    problem = MaximumDiversity(DISTANCES, 4)
    for items in combinations(range(9), 4):
        assert problem.cost(opened(9, items)) == -by_loops(items)


@pytest.mark.parametrize(("p", "factor", "kind"), [(1, 1, "int32"), (4, 1, "int32"), (4, 2**40, "int64")])
def test_both_halves_have_every_change_of_cost(p: int, factor: int, kind: str, compiling: Device) -> None:
    problem = MaximumDiversity(DISTANCES * factor, p)
    assert problem.cost_type == kind
    check_problem(problem, Interchange(), Swap(), devices=[compiling.name])


def test_the_first_recommended_search_finds_the_optimum() -> None:
    problem = MaximumDiversity(DISTANCES, 4)
    first = problem.recommended()[0]
    found = run(first.search, problem, stop=stop.iterations(60), seed=1, parallel="numpy")
    assert found.cost == max(map(by_loops, combinations(range(9), 4)))


def test_files_of_mdplib_are_read_in_their_units(tmp_path: Path) -> None:
    (tmp_path / "mdp").write_text("3 2\n0 1 1.5\n0 2 2\n1 2 0.25\n")
    problem = problem_from_file(tmp_path / "mdp")
    assert isinstance(problem, MaximumDiversity)
    assert problem.displayed(problem.cost(opened(3, [0, 1]))) == 1.5


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (([[0, 1], [2, 0]], 1), "must be a symmetric matrix"),
        (([[1, 1], [1, 0]], 1), "must be 0 on the diagonal"),
        (([[0, 1], [1, 0]], 3), "must be in 1 ... 2"),
        (([[0, 2**60], [2**60, 0]], 1), "overflows int64"),
    ],
)
def test_what_is_no_instance_is_refused(arguments: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        MaximumDiversity(*arguments)
