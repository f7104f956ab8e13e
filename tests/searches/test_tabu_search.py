"""Tabu search finds a memory that fits its moves, and says what does not fit."""

from itertools import permutations

import numpy as np
import pytest

from metaheur import Neighborhood, TabuSearch, run, stop
from metaheur.errors import InputError
from metaheur.neighborhoods import (
    AdjacentSwap,
    Hamming,
    Insertion,
    OrOpt,
    Restricted,
    Sampled,
    Substitution,
    Swap,
    ThreeOpt,
    TwoOpt,
    Union,
)
from metaheur.parts import (
    AspirationPlus,
    BestSoFar,
    EdgeMemory,
    LongTerm,
    Memory,
    NoAspiration,
    PlacementMemory,
    ReactiveTenure,
    SolutionMemory,
    Tenure,
)
from metaheur.problems import TSP
from metaheur.representation import Permutation
from metaheur.searches.tabu_search import fitting_memory
from tests.toys import Adjacent, Rotations

NEAR = TSP.random(9, 1).nearest(3)
FITTING: list[tuple[Neighborhood, type[Memory]]] = [
    (Swap(), PlacementMemory),
    (AdjacentSwap(), PlacementMemory),
    (Hamming(2), PlacementMemory),
    (Substitution(), PlacementMemory),
    (Insertion(), PlacementMemory),
    (Union(Swap(), Insertion()), PlacementMemory),
    (Union(Hamming(1), Hamming(2)), PlacementMemory),
    (Adjacent(), PlacementMemory),
    (TwoOpt(), EdgeMemory),
    (OrOpt(), EdgeMemory),
    (ThreeOpt(), EdgeMemory),
    (Union(Swap(), TwoOpt()), EdgeMemory),
    (Union(Restricted(TwoOpt(), NEAR), Restricted(OrOpt(), NEAR)), EdgeMemory),
    (Sampled(TwoOpt(), 9), EdgeMemory),
    (Rotations(), SolutionMemory),
]


@pytest.mark.parametrize(("neighborhood", "memory"), FITTING, ids=str)
def test_the_memory_fits_the_moves(neighborhood: Neighborhood, memory: type[Memory]) -> None:
    tenure = Tenure(0.5, 0.7)
    found = fitting_memory(neighborhood, tenure)
    assert isinstance(found, memory)
    assert TabuSearch(neighborhood, tenure).loop.memory == found


def test_a_given_memory_and_aspiration_are_taken() -> None:
    memory = EdgeMemory(Tenure.fixed(4))
    loop = TabuSearch(Swap(), memory=memory, aspiration=NoAspiration()).loop
    assert (loop.memory, loop.aspiration) == (memory, NoAspiration())
    assert TabuSearch(Swap(), long_term=9).loop.aspiration == LongTerm(9)


def test_swaps_with_their_usual_memory_aspire_after_five_times_n_squared_iterations() -> None:
    rule = TabuSearch(Swap(), (0.5, 1)).loop.aspiration
    assert rule == LongTerm(0, squares=5)
    assert rule.fitted(Permutation(9)) == LongTerm(405)
    assert rule.fitted(Permutation(100_000)) == LongTerm(2**30)


@pytest.mark.parametrize(
    "search",
    [
        TabuSearch(Swap(), long_term=None),
        TabuSearch(Swap(), ReactiveTenure()),
        TabuSearch(Swap(), memory=PlacementMemory()),
        TabuSearch(Swap(), aspiration=BestSoFar()),
        TabuSearch(Swap(), examine=AspirationPlus()),
        TabuSearch(Sampled(Swap(), 5)),
        TabuSearch(Insertion()),
    ],
    ids=repr,
)
def test_other_tabu_searches_have_no_long_term_rule(search: TabuSearch) -> None:
    assert search.loop.aspiration == BestSoFar()


def test_what_contradicts_itself_is_refused() -> None:
    with pytest.raises(InputError, match="but the given memory has a tenure of its own"):
        TabuSearch(Swap(), (0.5, 1), memory=PlacementMemory())
    with pytest.raises(InputError, match="`long_term` is 9 and `aspiration` is BestSoFar"):
        TabuSearch(Swap(), long_term=9, aspiration=BestSoFar())
    with pytest.raises(InputError, match="`memory` must be a Memory, but is 3"):
        TabuSearch(Swap(), memory=3)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="`aspiration` must be an Aspiration, but is 3"):
        TabuSearch(Swap(), aspiration=3)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="`examine` must be an AspirationPlus, but is 3"):
        TabuSearch(Swap(), examine=3)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="`least_tabu` and `random_ties` choose among all moves"):
        TabuSearch(Swap(), examine=AspirationPlus(), least_tabu=True)


def test_a_tour_is_found_by_tabu_search() -> None:
    tsp = TSP.from_coordinates([[0, 0], [0, 3], [4, 3], [4, 0], [2, -1], [2, 4], [-1, 1]])
    result = run(TabuSearch(Union(TwoOpt(), OrOpt())), tsp, stop=stop.iterations(200), seed=1, parallel="numpy")
    assert result.cost == min(tsp.cost(np.array((0, *rest))) for rest in permutations(range(1, 7)))
