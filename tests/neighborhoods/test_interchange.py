"""Interchanges keep how often each value occurs, and say so where two values are equal."""

from typing import Any, ClassVar, final

import numpy as np
import pytest
from attrs import frozen

from metaheur import (
    BitString,
    DiscreteVector,
    HillClimbing,
    IteratedLocalSearch,
    Permutation,
    Problem,
    Random,
    Representation,
    Search,
    SimulatedAnnealing,
    Source,
    TabuSearch,
    data,
    run,
    stop,
)
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.neighborhoods import FlipMove, Hamming, Interchange, InterchangeMove, Swap, SwapMove, Union
from metaheur.parts import MoveMemory, RandomMoves
from metaheur.searches import FirstImprovement
from metaheur.testing import check_corners, check_neighborhood, check_problem, check_search


@final
@frozen(eq=False)
class Weighted(Problem):
    """The sum of weights at entries, each times the entry's value; its formulas know swaps and flips."""

    space: Representation
    weights: np.ndarray = data("int32", ndim=1)

    source: ClassVar[Source] = Source("""struct Weighted : WeightedData {
    MH_FN Total cost(Team team, const Item* x) const {
        return team.sum(n, [&](int k) { return Total(weights(k)) * x[k]; });
    }
    MH_FN Cost delta(Team, const Item* x, SwapMove m) const {
        return Cost(weights(m.i) - weights(m.j)) * (int(x[m.j]) - int(x[m.i]));
    }
    MH_FN Cost delta(Team, const Item* x, FlipMove<1> m) const {
        return Cost(weights(m.at[0])) * (1 - 2 * int(x[m.at[0]]));
    }
};""")

    @property
    def representation(self) -> Representation:
        return self.space

    def cost(self, x: Any) -> int:
        return int(self.weights @ x.astype(np.int64))

    def delta(self, x: Any, move: Any) -> Any:
        if isinstance(move, SwapMove):
            return (self.weights[move.i] - self.weights[move.j]) * (x[move.j].astype(np.int64) - x[move.i])
        if isinstance(move, FlipMove):
            return self.weights[move.at[0]] * (1 - 2 * x[move.at[0]].astype(np.int64))
        return NotImplemented


WEIGHTS = np.array([5, -3, 8, 2, -7, 4], np.int32)
BITS, DIGITS = Weighted(BitString(6), WEIGHTS), Weighted(DiscreteVector(6, 3), WEIGHTS)


@pytest.mark.parametrize("space", [BitString(6), DiscreteVector(5, 3), Permutation(4), BitString(1)])
def test_pairs_are_numbered_as_swaps_and_equal_values_are_infeasible(space: Representation, compiling: Device) -> None:
    check_neighborhood(Interchange(), space, devices=[compiling.name])


def test_a_union_has_interchanges_too(compiling: Device) -> None:
    check_neighborhood(Union(Interchange(), Hamming(1)), BitString(5), devices=[compiling.name])


def test_the_numbering_is_exact_for_many_entries(compiling: Device) -> None:
    check_corners(Interchange(), BitString(10**6), samples=20, devices=[compiling.name])


def test_two_equal_values_cannot_be_traded() -> None:
    x = np.array([1, 0, 1], np.uint8)
    assert InterchangeMove(0, 2).resolve(x) is None
    assert InterchangeMove(0, 1).resolve(x) == SwapMove(0, 1)
    with pytest.raises(InputError, match=r"does not have the move"):
        Interchange().index(BitString(3), InterchangeMove(2, 2))


def test_what_cannot_trade_is_not_supported() -> None:
    assert not Interchange().supports(Uneven())
    assert Swap().supports(Permutation(3))
    assert not Swap().supports(BitString(3))


@pytest.mark.parametrize("problem", [BITS, DIGITS])
def test_formulas_of_swaps_serve_interchanges(problem: Problem, compiling: Device) -> None:
    check_problem(problem, Interchange(), devices=[compiling.name])


@pytest.mark.parametrize(
    "search",
    [
        TabuSearch(Interchange()),
        TabuSearch(Interchange(), long_term=None, memory=MoveMemory()),
        SimulatedAnnealing(Interchange(), 5.0),
        IteratedLocalSearch(HillClimbing(Interchange(), FirstImprovement()), RandomMoves(Interchange(), 2)),
        TabuSearch(Union(Interchange(), Hamming(1))),
    ],
)
def test_searches_walk_the_same_way_and_keep_the_number_of_ones(search: Search[Any], compiling: Device) -> None:
    check_search(search, BITS, devices=[compiling.name])
    if "Union" not in repr(search):
        found = run(search, BITS, stop=stop.iterations(20), seed=1, start=[1, 1, 0, 0, 0, 0], parallel="numpy")
        assert found.solution.sum() == 2
        assert found.cost == -10


@final
@frozen
class Uneven(Representation):
    """Digits that grow."""

    length = 3
    values = 4

    def random(self, random: Random) -> Any:
        return np.arange(3, dtype=np.int32) + random.index(0, 2)

    def violation(self, x: Any) -> str:
        return "" if (np.diff(x) > 0).all() else "the digits do not grow."

    def distance(self, x: Any, y: Any) -> int:
        return int((x != y).sum())
