"""ArcMemory: two items that traded their order must not trade it back within the tenure."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from metaheur import BitString, Key, Neighborhood, Permutation, Problem, Random, Repeated, Solution, TabuSearch
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.neighborhoods import AdjacentSwap, Hamming, Insertion, OnEach, OrOpt, Sampled, Swap, Union
from metaheur.parts import ArcMemory, ReactiveTenure, Tenure
from metaheur.problems import QAP, JobShopByMachines
from metaheur.testing import check_search

N, COPIES = 5, 3
TENURE = Tenure(0, 0, low_plus=2, high_plus=9)
MOVES = (Swap(), Insertion(), AdjacentSwap())
Arcs = dict[tuple[int, int, int], int]


def arcs(x: Solution) -> set[tuple[int, int, int]]:
    """A copy, and two of its items in their order, for all pairs."""
    return {(c, int(a), int(b)) for c, row in enumerate(x.reshape(-1, N)) for a, b in combinations(row, 2)}


def slow_expiry(left: Arcs, x: Solution, move: Any) -> int:
    return max((left.get(arc, 0) for arc in arcs(move.apply(x)) - arcs(x)), default=0)


@pytest.mark.parametrize("copies", [1, COPIES])
def test_expiries_are_those_of_the_arcs_that_a_move_turns_back(copies: int) -> None:
    space = Repeated(copies, Permutation(N)) if copies > 1 else Permutation(N)
    memory, left, draws, seen = ArcMemory(TENURE), Arcs(), np.random.default_rng(5), 0
    kept = {name: np.zeros(array.shape, array.dtype) for name, array in memory.state(space).items()}
    x = np.tile(np.arange(N, dtype=np.int32), copies)
    for iteration in range(1, 60):
        inner = MOVES[iteration % len(MOVES)]
        moves = OnEach(inner) if copies > 1 else inner
        many = memory.expiry(kept, x, moves.batch(space, np.arange(moves.size(space))))
        slow = [slow_expiry(left, x, move) for move in moves.moves(space)]
        assert many.tolist() == slow
        seen += max(slow) >= iteration
        move = moves.move(space, int(draws.integers(moves.size(space))))
        assert memory.expiry(kept, x, move) == slow_expiry(left, x, move)
        random = Random(Key(3), 1, iteration)
        memory.remember(kept, x, move, random)
        left |= dict.fromkeys(arcs(x) - arcs(move.apply(x)), iteration + TENURE.draw(random.bits(0), len(x)))
        x = move.apply(x)
    assert seen > 10


def test_it_takes_insertions_and_swaps_of_permutations() -> None:
    with pytest.raises(InputError, match=r"ArcMemory knows .* OrOpt\(.*\) has other moves") as caught:
        TabuSearch(OrOpt(), memory=ArcMemory())
    assert "EdgeMemory()" in caught.value.maybe
    with pytest.raises(InputError, match="ArcMemory knows"):
        TabuSearch(Hamming(1), memory=ArcMemory())
    for space in (Permutation(4, cyclic=True), BitString(4), Repeated(2, BitString(4))):
        with pytest.raises(InputError, match="ArcMemory remembers which item comes first") as caught:
            ArcMemory().state(space)
        assert "PlacementMemory()" in caught.value.maybe


ORDER = np.array([[0, 1, 2], [1, 2, 0], [2, 1, 0], [0, 2, 1]])
SHOP = JobShopByMachines(ORDER, np.arange(12).reshape(4, 3) % 7 + 1)
ASSIGNMENT = QAP.random(6, 1)
CASES: dict[str, tuple[Neighborhood, ArcMemory, Problem]] = {
    "a sample of a union": (Sampled(Union(Swap(), Insertion()), 12), ArcMemory(ReactiveTenure(chaos=1)), ASSIGNMENT),
    "critical blocks": (OnEach(Insertion()), ArcMemory(TENURE), SHOP),
}


@pytest.mark.parametrize("name", CASES)
def test_both_halves_remember_the_same_arcs(name: str, compiling: Device) -> None:
    neighborhood, memory, problem = CASES[name]
    search = TabuSearch(neighborhood, memory=memory, random_ties=True)
    check_search(search, problem, iterations=30, devices=[compiling.name])
