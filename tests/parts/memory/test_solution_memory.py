"""SolutionMemory and MoveMemory: what was visited, or made, is not again for its tenure, whatever the moves are."""

from typing import Any

import numpy as np
import pytest

from metaheur import Key, Neighborhood, Permutation, Problem, Random, Scan, TabuSearch
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.neighborhoods import Hamming, Insertion, OrOpt, Restricted, Sampled, Substitution, Swap, TwoOpt, Union
from metaheur.parts import Memory, MoveMemory, SolutionMemory, Tenure
from metaheur.problems import QAP, QUBO, TSP, GraphColoring
from metaheur.testing import check_search
from tests.helpers import evaluated, facts, solution_of, started, stepped
from tests.toys import Rotations

TENURE = Tenure(0.5, 2)


def random(iteration: int) -> Random:
    return Random(Key(3), 1, iteration)


def canonical(x: np.ndarray, *, cyclic: bool) -> tuple[int, ...]:
    """One form for all that is the same tour."""
    forms = [tuple(x.tolist())]
    if cyclic:
        forms = [tuple(np.roll(y, shift).tolist()) for shift in range(len(x)) for y in (x, x[::-1])]
    return min(forms)


@pytest.mark.parametrize("cyclic", [False, True])
def test_a_move_is_forbidden_while_its_solution_was_left_within_its_tenure(cyclic: bool) -> None:
    space, memory, n = Permutation(5, cyclic=cyclic), SolutionMemory(TENURE), 5
    x = np.arange(n, dtype=np.int32)
    qap = TSP.random(n, 1) if cyclic else QAP.random(n, 1)
    kept: Any = {**memory.init(evaluated(qap, x)), "tenure": {}}
    left, draws, seen = dict[tuple[int, ...], int](), np.random.default_rng(5), 0
    for iteration in range(1, 60):
        for neighborhood in (Swap(), Insertion()):
            many = memory.expiry(kept, x, neighborhood.batch(space, np.arange(neighborhood.size(space))))
            slow = [left.get(canonical(move.apply(x), cyclic=cyclic), 0) for move in neighborhood.moves(space)]
            assert many.tolist() == slow
            seen += max(slow) >= iteration
        move = Swap().move(space, int(draws.integers(Swap().size(space))))
        memory.remember(kept, x, move, random(iteration))
        left[canonical(x, cyclic=cyclic)] = iteration + TENURE.draw(random(iteration).bits(0), n)
        x = move.apply(x)
    assert seen > 20


def test_what_takes_the_place_of_another_is_remembered_alone() -> None:
    memory, space, x = SolutionMemory(Tenure.fixed(9), capacity=1), Permutation(4), np.arange(4, dtype=np.int32)
    kept: Any = {**memory.init(evaluated(QAP.random(4, 1), x)), "tenure": {}}
    for iteration, k in enumerate((0, 3), start=1):
        memory.remember(kept, x, Swap().move(space, k), random(iteration))
        x = Swap().move(space, k).apply(x)
    assert memory.expiry(kept, x, Swap().move(space, 3)) == 11
    assert memory.expiry(kept, Swap().move(space, 3).apply(x), Swap().move(space, 0)) == 0


def test_moves_are_forbidden_by_their_index() -> None:
    memory, x = MoveMemory(Tenure.fixed(4), capacity=100), np.arange(6, dtype=np.int32)
    kept = {name: np.zeros(array.shape, array.dtype) for name, array in memory.state(Permutation(6)).items()}
    memory.remember(kept, x, 7, random(10))
    assert memory.expiry(kept, x, np.array([6, 7, 107])).tolist() == [0, 14, 0]


def test_the_move_back_is_forbidden_where_the_inverse_has_an_index() -> None:
    coloring = GraphColoring.random(6, 4, density=0.6, seed=1)
    search = TabuSearch(Substitution(), memory=MoveMemory(Tenure.fixed(3), undo=True))
    state = started(search, coloring, x=solution_of(coloring))
    before = state.walk.current.solution
    state, _ = stepped(search, coloring, state, 1)
    after, kept = state.walk.current.solution, facts(state)["kept"]["memory"]
    (k,) = [k for k in kept["moves"] if k]
    back = Substitution().move(coloring.representation, k)
    assert (before != after).any()
    assert back.apply(after).tolist() == before.tolist()


def test_moves_without_an_index_of_their_own_are_refused() -> None:
    with pytest.raises(InputError, match=r"remembers the indices of moves, but Sampled"):
        TabuSearch(Sampled(Swap(), 9), memory=MoveMemory())
    for neighborhood in (OrOpt(), Union(Swap(), TwoOpt()), Rotations()):
        with pytest.raises(InputError, match=r"MoveMemory\(undo=True\) needs moves whose inverses have an index"):
            TabuSearch(neighborhood, memory=MoveMemory(undo=True))


TOUR = TSP.random(7, 1)
BITS = QUBO(np.arange(64).reshape(8, 8) % 11 - 5)
CASES: dict[str, tuple[Neighborhood, Memory, Problem]] = {
    "placements": (Union(Hamming(1), Hamming(2)), SolutionMemory(TENURE, capacity=50), BITS),
    "edges": (Union(TwoOpt(), OrOpt(2)), SolutionMemory(), TOUR),
    "in full": (Insertion(), SolutionMemory(), QAP.random(7, 1)),
    "in Python only": (Rotations(), SolutionMemory(Tenure.fixed(4)), QAP.random(7, 1)),
    "moves": (Restricted(TwoOpt(), TOUR.nearest(3)), MoveMemory(TENURE), TOUR),
    "undone": (Substitution(), MoveMemory(TENURE, undo=True), GraphColoring.random(8, 4, density=0.6, seed=1)),
}


@pytest.mark.parametrize("name", CASES)
def test_both_halves_remember_the_same_solutions(name: str, compiling: Device) -> None:
    neighborhood, memory, problem = CASES[name]
    check_search(Scan(neighborhood, memory), problem, iterations=12, devices=[compiling.name])
