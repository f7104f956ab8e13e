"""Memory: a move is forbidden when it would put back all that it writes, for exactly as long as was drawn."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from metaheur import DiscreteVector, Key, Neighborhood, Permutation, Problem, Random, Scan, Solution
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.neighborhoods import Hamming, Substitution, Swap, SwapMove, TwoOpt, Union
from metaheur.parts import NoMemory, PlacementMemory, Tenure
from metaheur.problems import QAP, QUBO, GraphColoring
from metaheur.testing import check_search
from tests.toys import Adjacent, Inversions, Rotations

N = 6
X = np.array([3, 1, 4, 0, 5, 2], np.int32)


def empty(memory: PlacementMemory) -> dict[str, np.ndarray]:
    return {name: np.zeros(array.shape, array.dtype) for name, array in memory.state(Permutation(N)).items()}


def random(iteration: int) -> Random:
    return Random(Key(1), 1, iteration)


def forbidden(memory: PlacementMemory, kept: Mapping[str, np.ndarray], x: Solution, move: Any, iteration: int) -> bool:
    return bool(memory.expiry(kept, x, move) >= iteration)


def test_what_is_kept_is_an_expiry_for_every_position_and_value() -> None:
    (array,) = PlacementMemory().state(Permutation(N)).values()
    assert (array.shape, array.dtype) == ((N, N), "int64")
    (array,) = PlacementMemory().state(DiscreteVector(4, 7)).values()
    assert array.shape == (4, 7)


def test_nothing_is_forbidden_at_first() -> None:
    memory = PlacementMemory()
    kept = empty(memory)
    assert not any(forbidden(memory, kept, X, move, 1) for move in Swap().moves(Permutation(N)))


@pytest.mark.parametrize("tenure", [1, 2, 5])
def test_the_way_back_is_forbidden_for_exactly_its_tenure(tenure: int) -> None:
    memory = PlacementMemory(Tenure(tenure, tenure))
    kept, move = empty(memory), SwapMove(1, 4)
    memory.remember(kept, X, move, random(10))
    after = move.apply(X)
    ends = [iteration for iteration in range(11, 60) if forbidden(memory, kept, after, move, iteration)]
    assert ends == list(range(11, 11 + tenure * N))


def test_a_tenure_of_zero_forbids_nothing() -> None:
    memory = PlacementMemory(Tenure(0, 0))
    kept, move = empty(memory), SwapMove(1, 4)
    memory.remember(kept, X, move, random(10))
    assert not forbidden(memory, kept, move.apply(X), move, 11)


def test_a_swap_is_forbidden_only_if_both_items_would_return() -> None:
    memory = PlacementMemory(Tenure(1, 1))
    kept, move = empty(memory), SwapMove(0, 3)
    memory.remember(kept, X, move, random(1))
    after = move.apply(X)
    for other in Swap().moves(Permutation(N)):
        back = other.apply(after)
        both_return = back[0] == X[0] and back[3] == X[3]
        assert forbidden(memory, kept, after, other, 2) == both_return


def test_items_that_left_in_different_moves_are_forbidden_to_return_together() -> None:
    memory = PlacementMemory(Tenure(5, 5))
    kept, x = empty(memory), X
    left = set()
    for iteration, move in enumerate([SwapMove(0, 1), SwapMove(2, 3), SwapMove(0, 2), SwapMove(1, 3)], start=1):
        left |= {(position, int(x[position])) for position in (move.i, move.j)}
        memory.remember(kept, x, move, random(iteration))
        x = move.apply(x)
    forbidden_moves = [move for move in Swap().moves(Permutation(N)) if forbidden(memory, kept, x, move, 5)]
    returning = [
        move
        for move in Swap().moves(Permutation(N))
        if all((position, int(value)) in left for position, value in move.placements(x))
    ]
    assert forbidden_moves == returning
    assert SwapMove(0, 2) in returning
    assert len(returning) > 2


def test_each_item_draws_a_tenure_of_its_own() -> None:
    tenure = Tenure(1, 50)
    memory = PlacementMemory(tenure)
    kept, move = empty(memory), SwapMove(2, 5)
    memory.remember(kept, X, move, random(7))
    expected = [7 + tenure.draw(random(7).bits(draw), N) for draw in (0, 1)]
    assert [kept["expiries"][2, X[2]], kept["expiries"][5, X[5]]] == expected
    assert expected[0] != expected[1]
    assert np.count_nonzero(kept["expiries"]) == 2


def test_the_way_back_is_free_when_the_shorter_tenure_is_over() -> None:
    memory = PlacementMemory(Tenure(1, 50))
    kept, move = empty(memory), SwapMove(2, 5)
    memory.remember(kept, X, move, random(7))
    assert memory.expiry(kept, move.apply(X), move) == kept["expiries"][kept["expiries"] > 0].min()


def test_many_moves_have_the_expiry_of_each() -> None:
    memory, space = PlacementMemory(), Permutation(N)
    kept, x = empty(memory), X
    for iteration, k in enumerate([3, 7, 1, 14, 3, 9], start=1):
        move = Swap().move(space, k)
        memory.remember(kept, x, move, random(iteration))
        x = move.apply(x)
    expiries = memory.expiry(kept, x, Swap().batch(space, np.arange(Swap().size(space))))
    assert expiries.tolist() == [memory.expiry(kept, x, move) for move in Swap().moves(space)]
    assert expiries.any()


def test_without_memory_nothing_is_kept_or_forbidden() -> None:
    memory, moves = NoMemory(), Swap().batch(Permutation(N), np.arange(3))
    assert memory.state(Permutation(N)) == {}
    memory.remember({}, X, SwapMove(0, 1), random(1))
    assert np.max(memory.expiry({}, X, moves)) == 0
    assert not memory.forbids
    assert PlacementMemory().forbids


def test_moves_without_placements_cannot_be_remembered_by_them() -> None:
    for moves in (Rotations(), TwoOpt(), Union(Swap(), TwoOpt())):
        with pytest.raises(InputError, match=r"PlacementMemory needs moves that place a fixed number") as caught:
            Scan(moves, memory=PlacementMemory())
        assert "SolutionMemory()" in caught.value.maybe
    assert Scan(Rotations()).memory == NoMemory()


INSTANCES: dict[str, tuple[Problem, Neighborhood]] = {
    "swaps": (QAP.random(7, 1), Swap()),
    "flips": (QUBO(np.arange(64).reshape(8, 8) % 11 - 5), Hamming(2)),
    "substitutions": (GraphColoring.random(8, 4, density=0.6, seed=1), Substitution()),
    "moves of one's own": (Inversions(8), Adjacent()),
}


@pytest.mark.parametrize("tenure", [Tenure(0, 0), Tenure(0.2, 1.5), Tenure(1000, 1000)], ids=["none", "short", "long"])
@pytest.mark.parametrize("name", INSTANCES)
def test_both_halves_remember_the_same(name: str, tenure: Tenure, compiling: Device) -> None:
    problem, neighborhood = INSTANCES[name]
    check_search(Scan(neighborhood, PlacementMemory(tenure)), problem, iterations=50, devices=[compiling.name])
