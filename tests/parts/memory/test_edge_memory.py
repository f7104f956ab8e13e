"""EdgeMemory: a move is forbidden while the edges that it adds were removed within their tenure."""

from typing import Any

import numpy as np
import pytest

from metaheur import Key, Neighborhood, Permutation, Problem, Random, Scan, Solution, TabuSearch
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.neighborhoods import (
    Hamming,
    Insertion,
    OrOpt,
    Restricted,
    Sampled,
    Swap,
    ThreeOpt,
    TwoOpt,
    Union,
)
from metaheur.parts import EdgeMemory, ReactiveTenure, Tenure
from metaheur.problems import QAP, TSP
from metaheur.testing import check_search
from tests.test_move import neighbors_of

N = 8
TENURE = Tenure(0.5, 2)
MOVES = (Swap(), Insertion(), TwoOpt(), OrOpt(), ThreeOpt())


def random(iteration: int) -> Random:
    return Random(Key(3), 1, iteration)


def slow_expiry(removed: dict[frozenset[int], int], x: Solution, move: Any, *, cyclic: bool, strict: bool) -> int:
    """By lists of neighbors before and after the move."""
    added = neighbors_of(move.apply(x), cyclic=cyclic) - neighbors_of(x, cyclic=cyclic)
    ends = [removed.get(edge, 0) for edge in added]
    return (max(ends) if strict else min(ends)) if ends else 0


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("cyclic", [False, True])
def test_expiries_are_those_of_the_edges_that_a_move_adds(cyclic: bool, strict: bool) -> None:
    space, memory = Permutation(N, cyclic=cyclic), EdgeMemory(TENURE, strict=strict)
    kept = {name: np.zeros(array.shape, array.dtype) for name, array in memory.state(space).items()}
    x, removed, draws = np.arange(N, dtype=np.int32), dict[frozenset[int], int](), np.random.default_rng(5)
    seen = 0
    for iteration in range(1, 40):
        neighborhood = MOVES[iteration % len(MOVES)]
        many = memory.expiry(kept, x, neighborhood.batch(space, np.arange(neighborhood.size(space))))
        slow = [slow_expiry(removed, x, move, cyclic=cyclic, strict=strict) for move in neighborhood.moves(space)]
        assert many.tolist() == slow
        seen += max(slow) >= iteration
        move = neighborhood.move(space, int(draws.integers(neighborhood.size(space))))
        assert memory.expiry(kept, x, move) == slow_expiry(removed, x, move, cyclic=cyclic, strict=strict)
        before, after = neighbors_of(x, cyclic=cyclic), neighbors_of(move.apply(x), cyclic=cyclic)
        memory.remember(kept, x, move, random(iteration))
        drawn = {iteration + TENURE.draw(random(iteration).bits(draw), N) for draw in range(4)}
        written = {frozenset((int(a), int(b))): int(kept["expiries"][a, b]) for a, b in np.argwhere(kept["expiries"])}
        assert set(written) == set(removed) | (before - after)
        assert all(written[edge] in drawn for edge in before - after)
        removed, x = written, move.apply(x)
    assert seen > 10


def test_it_takes_moves_of_permutations_that_tell_their_edges() -> None:
    with pytest.raises(InputError, match=r"EdgeMemory needs moves of permutations .* Hamming") as caught:
        TabuSearch(Hamming(1), memory=EdgeMemory())
    assert "SolutionMemory()" in caught.value.maybe
    with pytest.raises(InputError, match=r"EdgeMemory.tenure` must be a Tenure or a ReactiveTenure, but is 3"):
        EdgeMemory(3)  # type: ignore[arg-type]


TOUR = TSP.random(7, 1)
NEAR = TOUR.nearest(3)
CASES: dict[str, tuple[Neighborhood, EdgeMemory, Problem]] = {
    "a union": (Union(Swap(), TwoOpt(), OrOpt(2)), EdgeMemory(Tenure(0.3, 0.6)), TOUR),
    "candidates": (Union(Restricted(TwoOpt(), NEAR), Restricted(OrOpt(2), NEAR)), EdgeMemory(strict=True), TOUR),
    "a sample": (Sampled(Union(TwoOpt(), Insertion()), 12), EdgeMemory(), TOUR),
    "3-opt": (ThreeOpt(), EdgeMemory(ReactiveTenure(repetitions=1, chaos=1)), TOUR),
    "with borders": (TwoOpt(), EdgeMemory(), QAP.random(8, 1)),
}


@pytest.mark.parametrize("name", CASES)
def test_both_halves_remember_the_same_edges(name: str, compiling: Device) -> None:
    neighborhood, memory, problem = CASES[name]
    check_search(Scan(neighborhood, memory), problem, iterations=20, devices=[compiling.name])
