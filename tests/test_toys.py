"""What users write themselves works on every device: a problem, a move, a fourth wrapper, a part and a loop."""

from typing import Any

import pytest

from metaheur import HillClimbing, IteratedLocalSearch, Neighborhood, Permutation, Scan, Search, TabuSearch, Trial
from metaheur.device.device import Device
from metaheur.neighborhoods import Insertion, Restricted, Sampled, Swap, TwoOpt, Union
from metaheur.parts import RandomMoves
from metaheur.problems import TSP
from metaheur.testing import check_neighborhood, check_problem, check_search
from tests.toys import HALVES, Adjacent, InTurn, Inversions, LateAcceptance, Reversed, Rotations, linear_ordering

NEAR = TSP.random(8, 1).nearest(3)
REVERSED: dict[str, Neighborhood] = {
    "swaps": Reversed(Swap()),
    "moves of one's own": Reversed(Adjacent()),
    "itself": Reversed(Reversed(TwoOpt())),
    "a union": Reversed(Union(Swap(), Insertion())),
    "candidates": Reversed(Restricted(TwoOpt(), NEAR)),
    "in a union": Union(Reversed(Swap()), Reversed(Insertion())),
    "among candidates": Restricted(Reversed(TwoOpt()), NEAR),
}
"""A wrapper of one's own around shipped neighborhoods and other wrappers, and inside them."""
SAMPLE = Sampled(Reversed(Swap()), 20)


@pytest.mark.parametrize("name", REVERSED)
def test_a_fourth_wrapper_is_numbered_in_both_halves(name: str, compiling: Device) -> None:
    check_neighborhood(REVERSED[name], Permutation(8), devices=[compiling.name])


@pytest.mark.thorough
@pytest.mark.parametrize("name", [*REVERSED, "in a sample"])
def test_problems_know_the_moves_in_a_fourth_wrapper(name: str, compiling: Device) -> None:
    check_problem(TSP.random(8, 1), REVERSED.get(name, SAMPLE), devices=[compiling.name])


@pytest.mark.parametrize("name", ["a union", "candidates", "in a union", "among candidates", "in a sample"])
def test_searches_move_in_a_fourth_wrapper(name: str, compiling: Device) -> None:
    check_search(HillClimbing(REVERSED.get(name, SAMPLE)), TSP.random(8, 1), devices=[compiling.name])


def test_what_is_reversed_twice_is_as_it_was() -> None:
    space = Permutation(8)
    assert list(Reversed(Reversed(Swap())).moves(space)) == list(Swap().moves(space))
    assert next(Reversed(Swap()).moves(space)) == Swap().move(space, 27)


@pytest.mark.parametrize("n", [1, 2, 3, 8])
def test_moves_of_ones_own_are_numbered_in_both_halves(n: int, compiling: Device) -> None:
    check_neighborhood(Adjacent(), Permutation(n), devices=[compiling.name])


@pytest.mark.parametrize("neighborhood", [Adjacent(), Swap(), Union(Adjacent(), TwoOpt())], ids=repr)
def test_a_problem_that_names_a_move_of_ones_own_serves_every_neighborhood(
    neighborhood: Neighborhood, compiling: Device
) -> None:
    check_problem(Inversions(7), neighborhood, devices=[compiling.name])


def test_searches_make_moves_of_ones_own(compiling: Device) -> None:
    check_search(TabuSearch(Adjacent()), Inversions(9), iterations=80, devices=[compiling.name])


@pytest.mark.parametrize("half", HALVES)
@pytest.mark.parametrize("dtype", ["int32", "int64", "float64"])
def test_any_members_of_a_cpp_half_will_do(half: str, dtype: str, compiling: Device) -> None:
    check_problem(linear_ordering(half, dtype, delta=True), Swap(), devices=[compiling.name])


def test_a_neighborhood_in_python_only_needs_no_more_than_what_is_abstract() -> None:
    check_neighborhood(Rotations(), Permutation(7), devices=[])
    check_problem(linear_ordering(), Rotations())


SEARCHES: dict[str, Search[Any]] = {
    "a part": Trial(Swap(), LateAcceptance()),
    "a part of a scan": Scan(Swap(), acceptance=LateAcceptance(3)),
    "a loop": InTurn(Union(Adjacent(), Insertion())),
    "a loop in another": IteratedLocalSearch(InTurn(Swap()), RandomMoves(Swap(), 3), LateAcceptance(3)),
}


@pytest.mark.parametrize("name", SEARCHES)
def test_parts_and_loops_of_ones_own_walk_the_same_way_on_every_device(name: str, compiling: Device) -> None:
    check_search(SEARCHES[name], linear_ordering("what is kept"), iterations=80, devices=[compiling.name])
