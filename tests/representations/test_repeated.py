"""Repeated spaces: copies are drawn apart from each other, and moves stay in a copy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from metaheur import (
    BitString,
    DiscreteVector,
    Domains,
    GeneticAlgorithm,
    HillClimbing,
    IteratedLocalSearch,
    Multiset,
    Permutation,
    Repeated,
    Representation,
    Search,
    SimulatedAnnealing,
    Subset,
    TabuSearch,
    run,
    solve,
    stop,
)
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.neighborhoods import (
    AcrossCopies,
    Hamming,
    Insertion,
    Interchange,
    OnEach,
    Restricted,
    Shift,
    Substitution,
    Swap,
    SwapMove,
    TwoOpt,
    Union,
)
from metaheur.parallel import Islands, Multistart
from metaheur.parts import EachCopy, OrderCrossover, RandomMoves, RandomSolution, SubsetCrossover, UniformCopies
from metaheur.testing import check_neighborhood, check_problem, check_recombination, check_representation, check_search
from tests.neighborhoods.test_interchange import Weighted
from tests.representations.test_own import Compiled, InPython

MATRIX = Repeated(3, Compiled(5, 2))
"""Matrices of 0 and 1 with 2 ones in a row."""

WEIGHTS = np.random.default_rng(6).integers(-9, 9, 15).astype(np.int32)


@pytest.mark.parametrize(
    "space",
    [
        Repeated(2, Permutation(3)),
        Repeated(1, Multiset((1, 2))),
        Repeated(2, Domains((2, 1, 3))),
        Repeated(3, BitString(2)),
        MATRIX,
    ],
    ids=repr,
)
def test_draws_facts_and_distances(space: Representation, compiling: Device) -> None:
    check_representation(space, devices=[compiling.name])


def test_copies_of_a_space_without_a_half_are_drawn_by_python() -> None:
    check_representation(Repeated(3, InPython(4, 2)))


@pytest.mark.parametrize(
    ("neighborhood", "space"),
    [
        (OnEach(Swap()), Repeated(2, Permutation(4))),
        (OnEach(Insertion()), Repeated(3, Permutation(3))),
        (OnEach(Interchange()), Repeated(2, Multiset((2, 1)))),
        (OnEach(Interchange()), MATRIX),
        (OnEach(Hamming(2)), Repeated(2, BitString(3))),
        (OnEach(Substitution()), Repeated(2, Domains((2, 3)))),
        (Substitution(), Repeated(2, Domains((2, 3)))),
        (Substitution(), Repeated(2, DiscreteVector(2, 3))),
        (Interchange(), Repeated(2, DiscreteVector(2, 3))),
        (OnEach(Interchange()), Repeated(2, Subset(4, 1))),
        (AcrossCopies(), Repeated(4, DiscreteVector(2, 3))),
        (AcrossCopies(), Repeated(2, BitString(3))),
        (AcrossCopies(), Repeated(1, BitString(2))),
        (OnEach(Shift()), Repeated(2, Multiset((2, 1)))),
        (OnEach(Swap()), Repeated(2, Permutation(1))),
    ],
    ids=repr,
)
def test_moves(neighborhood: Any, space: Representation, compiling: Device) -> None:
    check_neighborhood(neighborhood, space, devices=[compiling.name])


def test_moves_have_positions_in_the_whole_solution() -> None:
    space = Repeated(2, Permutation(3))
    assert [OnEach(Swap()).move(space, k) for k in (0, 3, 5)] == [SwapMove(0, 1), SwapMove(3, 4), SwapMove(4, 5)]
    with pytest.raises(InputError, match="its positions lie in one copy"):
        OnEach(Swap()).index(space, SwapMove(2, 3))


def test_what_does_not_fit_is_refused() -> None:
    assert not OnEach(Swap()).supports(Permutation(3))
    assert not Swap().supports(Repeated(2, Permutation(3)))
    assert not Interchange().supports(MATRIX)
    assert not AcrossCopies().supports(MATRIX)
    with pytest.raises(InputError, match="the same place of two copies"):
        AcrossCopies().index(Repeated(2, BitString(3)), SwapMove(0, 4))
    for wrong in (TwoOpt(), Union(Swap(), Insertion()), Restricted(Swap(), np.array([[1], [0]]))):
        with pytest.raises(InputError, match="OnEach takes moves of positions"):
            OnEach(wrong)
    with pytest.raises(InputError, match=r"Repeated\.space. must be of the type Representation"):
        Repeated(2, 3)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"is repeated itself.\n.*write Repeated\(6, Permutation"):
        Repeated(2, Repeated(3, Permutation(2)))
    with pytest.raises(InputError, match=r"in copy 1, there are 3 ones, not 2"):
        MATRIX.validate([1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 1, 1])


@pytest.mark.parametrize(
    ("crossover", "space"),
    [
        (UniformCopies(3), Repeated(3, BitString(2))),
        (EachCopy(OrderCrossover(), 2), Repeated(2, Permutation(3))),
        (EachCopy(SubsetCrossover(1), 2), Repeated(2, Subset(3, 1))),
    ],
    ids=repr,
)
def test_children_by_copies_are_solutions(crossover: Any, space: Representation, compiling: Device) -> None:
    check_recombination(crossover, space, devices=[compiling.name])
    assert not crossover.supports(Repeated(4, BitString(2)))


def test_formulas_of_swaps_serve(compiling: Device) -> None:
    check_problem(Weighted(MATRIX, WEIGHTS), OnEach(Interchange()), devices=[compiling.name])


SEARCHES: dict[str, Search[Any]] = {
    "tabu search": TabuSearch(OnEach(Interchange())),
    "annealing": SimulatedAnnealing(OnEach(Interchange()), 5.0),
    "restarts": IteratedLocalSearch(HillClimbing(OnEach(Interchange())), RandomSolution()),
    "genetic": GeneticAlgorithm(UniformCopies(3), RandomMoves(OnEach(Interchange()), 1), size=6),
}


@pytest.mark.parametrize("name", SEARCHES)
def test_searches_of_matrices_walk_the_same_way(name: str, compiling: Device) -> None:
    check_search(SEARCHES[name], Weighted(MATRIX, WEIGHTS), devices=[compiling.name])


def test_solve_finds_the_best_matrix() -> None:
    best = sum(int(np.sort(row)[:2].sum()) for row in WEIGHTS.reshape(3, 5))
    assert solve(Weighted(MATRIX, WEIGHTS), work=20_000, seed=1).cost == best


@pytest.mark.parametrize("name", ["annealing", "genetic"])
def test_islands_of_64_walks_are_the_same(name: str, compiling: Device) -> None:
    def found(device: str) -> Any:
        model = Islands(Multistart(walks=64, device=device), every=10)
        result = run(SEARCHES[name], Weighted(MATRIX, WEIGHTS), stop=stop.iterations(30), seed=3, parallel=model)
        return result.walks.costs.tolist(), result.solution.tolist()

    assert found(compiling.name) == found("numpy")
