"""Car sequencing: costs against windows that are counted, exact moves, optima of all orders, files of CSPLib."""

from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaheur import run, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.neighborhoods import Interchange, Shift
from metaheur.problems import CarSequencing, problem_from_file
from metaheur.problems.formats.car_sequencing import read_cars
from metaheur.testing import check_problem

FILE = "10 5 6\n1 2 1 2 1\n2 3 3 5 5\n" + "".join(
    f"{line}\n"
    for line in ("0 1 1 0 1 1 0", "1 1 0 0 0 1 0", "2 2 0 1 0 0 1", "3 2 0 1 0 1 0", "4 2 1 0 1 0 0", "5 2 1 1 0 0 0")
)
"""The first example of CSPLib's problem 1, which has an order of cost 0."""


def excess(problem: CarSequencing, x: np.ndarray) -> int:
    """The cost by lists of the cars of each block."""
    total = 0
    for o, (limit, block) in enumerate(zip(problem.limits.tolist(), problem.blocks.tolist(), strict=True)):
        needing = [int(problem.needs[car, o]) for car in x]
        blocks = [needing[w : w + block] for w in range(len(needing)) if w + block <= len(needing)]
        total += sum(max(0, sum(each) - limit) for each in blocks)
    return total


@pytest.mark.parametrize("blocks", [[2, 3], [1, 7], [5, 9]])
def test_moves_have_exact_changes_of_a_cost_that_counts_windows(blocks: Any, compiling: Device) -> None:
    fields = ([2, 3, 1, 2], [[1, 0], [1, 1], [0, 1], [0, 0]], [1, 2], blocks)
    problem = CarSequencing(*map(np.array, fields))
    random = np.random.default_rng(1)
    for _ in range(50):
        x = random.permutation(np.repeat(np.arange(4), problem.counts))
        assert problem.cost(x) == excess(problem, x)
    check_problem(problem, Interchange(), Shift(), devices=[compiling.name])


def test_the_recommended_searches_find_the_best_of_all_orders() -> None:
    problem = CarSequencing.random(8, classes=4, seed=3)
    cars = np.repeat(np.arange(len(problem.counts)), problem.counts).tolist()
    best = min(excess(problem, np.array(x)) for x in set(permutations(cars)))
    assert best > 0
    for each in problem.recommended():
        limit = stop.iterations(3000) | stop.target(best)
        assert run(each.search, problem, stop=limit, seed=1, parallel="numpy").cost == best


def test_the_example_of_csplib_is_read_and_solved(tmp_path: Path) -> None:
    path = tmp_path / "cars.txt"
    path.write_text(FILE)
    problem = problem_from_file(path)
    assert isinstance(problem, CarSequencing)
    assert problem.counts.tolist() == [1, 1, 2, 2, 2, 2]
    limit = stop.iterations(500) | stop.target(0)
    assert run(problem.recommended()[0].search, problem, stop=limit, seed=1, parallel="numpy").cost == 0


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("10 5 6", "11 5 6", "has 10 cars in its classes, but its first line says 11"),
        ("1 1 0 0 0 1 0", "2 1 0 0 0 1 0", "the number of class 1 must be .*1, but is 2"),
        ("0 1 1 0 1 1 0", "0 1 2 0 1 1 0", "whether a class needs an option must be in 0 ... 1, but is 2"),
        ("5 2 1 1 0 0 0\n", "5 2 1 1 0 0\n", "is truncated"),
    ],
)
def test_broken_files_are_refused_in_words(tmp_path: Path, old: str, new: str, reason: str) -> None:
    assert old in FILE
    (tmp_path / "cars").write_text(FILE.replace(old, new, 1))
    with pytest.raises(InputError, match=reason):
        read_cars(tmp_path / "cars")


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        (([1], [[1, 0]], [1], [2]), "must have a row for each of 1 counts, and a column for each of 1 limits"),
        (([0], [[1]], [1], [2]), "`counts` must be 1 or more, but one is 0"),
        (([1], [[2]], [1], [2]), "`needs` must be 0 or 1, but one is 2"),
        (([1], [[1]], [1], [0]), "`blocks` must be 1 or more, but one is 0"),
        (([2**20], [[1]], [1], [2**10]), "overflows int32"),
    ],
)
def test_what_is_no_instance_is_refused(fields: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        CarSequencing(*fields)
