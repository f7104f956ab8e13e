"""A representation as the how-to page teaches it, with a constraint in each row: it runs in every kind of search."""

# mypy: disable-error-code="no-untyped-def, untyped-decorator"
from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import pytest
from attrs import frozen

from metaheur import (
    GeneticAlgorithm,
    HillClimbing,
    IteratedLocalSearch,
    Problem,
    Representation,
    SimulatedAnnealing,
    TabuSearch,
    compiled,
    data,
    run,
    solve,
    stop,
)
from metaheur.device.device import Device
from metaheur.neighborhoods import Interchange, OnEach
from metaheur.parallel import Islands, Multistart
from metaheur.parts import EachCopy, RandomMoves, SwapPath
from metaheur.representations import Repeated
from metaheur.testing import check_problem, check_representation

ROWS, COLUMNS, ONES = 4, 7, 3


@frozen
class Shifts(Representation):
    """Rows of zeros and ones with a fixed sum."""

    length: int
    ones: int
    dtype: ClassVar[np.dtype[Any]] = np.dtype(np.uint8)
    values: ClassVar[int] = 2
    exchanges: ClassVar[bool] = True

    @compiled
    def draw(self, x, random):
        left = self.ones
        for k in range(len(x)):
            x[k] = 1 if random.index(k, len(x) - k) < left else 0
            left -= x[k]

    def random(self, random):
        self.draw(x := np.empty(self.length, np.uint8), random)
        return x

    def violation(self, x):
        return "" if set(x) <= {0, 1} and x.sum() == self.ones else f"there are {x.sum()} ones."

    def distance(self, x, y):
        return int((x != y).sum()) // 2


@frozen(eq=False)
class Staffing(Problem):
    """Ones in cells of great worth, as many in each column as in others, as far as that goes."""

    worth: np.ndarray = data("int32", ndim=2)

    representation = property(lambda self: Repeated(len(self.worth), Shifts(len(self.worth[0]), ONES)))

    @compiled
    def cost(self, x):
        total, width = 0, len(self.worth[0])
        for c in range(width):
            total += 9 * sum(x[r * width + c] for r in range(len(self.worth))) ** 2
        return total - sum(self.worth[k // width, k % width] * x[k] for k in range(self.n))


PROBLEM = Staffing(np.random.default_rng(1).integers(0, 30, (ROWS, COLUMNS)))
MOVES = OnEach(Interchange())
MUTATION = RandomMoves(MOVES, 1)
SEARCHES = {
    "hill climbing": HillClimbing(MOVES),
    "annealing": SimulatedAnnealing(MOVES, 20.0),
    "tabu search": TabuSearch(MOVES),
    "iterated local search": IteratedLocalSearch(HillClimbing(MOVES), RandomMoves(MOVES, 3)),
    "genetic algorithm": GeneticAlgorithm(EachCopy(SwapPath(), ROWS), MUTATION, size=8),
}


def test_both_halves_of_the_representation_and_of_the_problem_are_equal() -> None:
    check_representation(PROBLEM.representation)
    check_problem(PROBLEM, MOVES, devices=["host"])


def sums(x: np.ndarray) -> list[int]:
    """The sums of the rows."""
    return [int(each) for each in x.reshape(ROWS, -1).sum(axis=1)]


@pytest.mark.parametrize("name", SEARCHES)
def test_every_search_keeps_the_sums_of_rows_alike_on_every_device(name: str, compiling: Device) -> None:
    results = [
        run(SEARCHES[name], PROBLEM, stop=stop.iterations(150), seed=1, parallel=each)
        for each in ("numpy", compiling.name)
    ]
    for result in results:
        assert sums(result.solution) == [ONES] * ROWS
        assert result.cost == PROBLEM.cost(result.solution)
    assert np.array_equal(results[0].solution, results[1].solution)


def test_islands_of_many_walks_are_those_of_numpy(compiling: Device) -> None:
    models = [Islands(Multistart(64, device=each), every=20) for each in ("numpy", compiling.name)]
    results = [run(SEARCHES["annealing"], PROBLEM, stop=stop.iterations(60), seed=1, parallel=each) for each in models]
    assert np.array_equal(results[0].solution, results[1].solution)
    assert sums(results[1].solution) == [ONES] * ROWS


def test_the_front_door_finds_moves_by_the_rows() -> None:
    result = solve(PROBLEM, work=20_000, seed=1, report=False)
    assert result.cost == PROBLEM.cost(result.solution)
    assert sums(result.solution) == [ONES] * ROWS
