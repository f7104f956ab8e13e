"""p-median: costs against loops, changes of cost in both halves, and optima of all subsets."""

from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaheur import run, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.neighborhoods import Interchange, Swap
from metaheur.problems import PMedian, problem_from_file
from metaheur.testing import check_problem

GENERATOR = np.random.default_rng(1)
ANY = GENERATOR.integers(0, 9, (9, 9))  # with many ties


def opened(n: int, places: Any) -> np.ndarray:
    """The solution with some places, then all others."""
    return np.array([*places, *sorted(set(range(n)) - set(places))], np.int32)


def test_the_cost_is_the_sum_of_the_nearest_distances() -> None:
    problem = PMedian(ANY, 3)
    for places in combinations(range(9), 3):
        expected = sum(min(int(ANY[v, k]) for k in places) for v in range(9))
        assert problem.cost(opened(9, places)) == expected


@pytest.mark.parametrize(("p", "factor", "kind"), [(1, 1, "int32"), (4, 1, "int32"), (4, 2**45, "int64")])
def test_both_halves_have_every_change_of_cost(p: int, factor: int, kind: str, compiling: Device) -> None:
    problem = PMedian(ANY * factor, p)
    assert problem.cost_type == kind
    check_problem(problem, Interchange(), Swap(), devices=[compiling.name])


def test_the_first_recommended_search_finds_the_optimum() -> None:
    problem = PMedian(ANY, 3)
    best = min(problem.cost(opened(9, places)) for places in combinations(range(9), 3))
    first = problem.recommended()[0]
    assert run(first.search, problem, stop=stop.iterations(60), seed=1, parallel="numpy").cost == best


def test_files_of_or_library_are_read(tmp_path: Path) -> None:
    (tmp_path / "pmed").write_text("4 4 2\n1 2 7\n2 3 5\n3 4 2\n1 4 9\n")
    problem = problem_from_file(tmp_path / "pmed")
    assert isinstance(problem, PMedian)
    assert (problem.p, problem.cost(opened(4, [0, 2]))) == (2, 5 + 2)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (([[0, 1]], 1), "must be a square matrix"),
        (([[0, -1], [1, 0]], 1), "must be 0 or more, but one is -1"),
        (([[0, 1], [1, 0]], 3), "must be in 1 ... 2"),
        (([[0, 2**60], [1, 0]], 1), "overflows int64"),
    ],
)
def test_what_is_no_instance_is_refused(arguments: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        PMedian(*arguments)
