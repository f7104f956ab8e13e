"""Union: all moves of one neighborhood, then all of the next, in one index range and in both languages."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from metaheur import HillClimbing, run, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.neighborhood import Neighborhood
from metaheur.neighborhoods import (
    AdjacentSwap,
    Hamming,
    Insertion,
    InsertionMove,
    OrOpt,
    Sampled,
    Substitution,
    Swap,
    SwapMove,
    TwoOpt,
    TwoOptMove,
    Union,
    UnionMove,
)
from metaheur.problems import QAP, TSP
from metaheur.representation import BitString, DiscreteVector, Permutation, Representation
from metaheur.testing import check_neighborhood, check_search

SPACE = Permutation(6)
ANYWHERE = np.arange(SPACE.length)
THREE = Union(AdjacentSwap(), TwoOpt(), OrOpt())


def test_the_moves_of_the_first_come_before_those_of_the_second() -> None:
    moves = list(Union(Swap(), Insertion()).moves(SPACE))
    assert [move.resolve(ANYWHERE) for move in moves] == [*Swap().moves(SPACE), *Insertion().moves(SPACE)]
    assert [move.which for move in moves] == [0] * 15 + [1] * 25


def test_three_neighborhoods_follow_each_other() -> None:
    made = [move.resolve(ANYWHERE) for move in THREE.moves(SPACE)]
    assert made == [*AdjacentSwap().moves(SPACE), *TwoOpt().moves(SPACE), *OrOpt().moves(SPACE)]


def test_the_index_is_the_place_among_all_moves() -> None:
    moves = list(THREE.moves(SPACE))
    assert THREE.size(SPACE) == len(moves)
    assert [THREE.move(SPACE, k) for k in range(len(moves))] == moves
    assert [THREE.index(SPACE, move) for move in moves] == list(range(len(moves)))


def test_a_union_in_a_union_stands_for_its_neighborhoods() -> None:
    assert Union(Union(AdjacentSwap(), TwoOpt()), OrOpt()) == THREE
    assert Union(Union(Swap(), TwoOpt()), Union(OrOpt(), Insertion())) == Union(Swap(), TwoOpt(), OrOpt(), Insertion())


@pytest.mark.parametrize(
    ("union", "representation"),
    [
        (Union(Swap(), Insertion()), SPACE),
        (THREE, SPACE),
        (THREE, Permutation(8, cyclic=True)),
        (Union(Swap(), Swap()), SPACE),
        (Union(Union(Swap(), TwoOpt()), Union(OrOpt(1), OrOpt(2))), SPACE),
        (Union(Hamming(2), Hamming(1), Hamming(3)), BitString(6)),
        (Union(Substitution(), Substitution()), DiscreteVector(4, 3)),
    ],
    ids=str,
)
def test_a_union_keeps_every_promise_of_a_neighborhood(
    compiling: Device, union: Neighborhood, representation: Representation
) -> None:
    check_neighborhood(union, representation, devices=[compiling.name])


@pytest.mark.parametrize("union", [Union(TwoOpt(), OrOpt(), Swap()), Union(Swap(), OrOpt(), TwoOpt())], ids=str)
@pytest.mark.parametrize("n", range(1, 5))
def test_some_of_its_neighborhoods_may_be_empty(compiling: Device, union: Neighborhood, n: int) -> None:
    space = Permutation(n, cyclic=True)
    assert OrOpt().size(space) == 0
    made = [each.resolve(ANYWHERE) for each in union.moves(space)]
    assert [move for move in made if isinstance(move, SwapMove)] == list(Swap().moves(space))
    check_neighborhood(union, space, devices=[compiling.name])


def test_a_move_acts_as_the_move_that_it_stands_for() -> None:
    x = np.array([4, 1, 3, 0, 2, 5])
    move = UnionMove(1, UnionMove(0, InsertionMove(1, 4)))
    assert move.resolve(x) == InsertionMove(1, 4)
    assert move.apply(x).tolist() == [4, 3, 0, 2, 1, 5]
    assert move.inverse() == UnionMove(1, UnionMove(0, InsertionMove(4, 1)))


def test_a_sample_of_a_union_walks_the_same_way_on_every_device(compiling: Device) -> None:
    search = HillClimbing(Sampled(Union(Swap(), Insertion()), 30))
    check_search(search, QAP.taillard(12), iterations=40, devices=[compiling.name])


def test_a_local_optimum_of_a_union_is_one_of_each_neighborhood(device: str) -> None:
    tsp = TSP.random(9, 1)
    result = run(HillClimbing(THREE), tsp, stop=stop.iterations(100), seed=2, parallel=device)
    assert result.stopped_by == "local optimum"
    reached = [
        move.apply(result.solution)
        for each in (AdjacentSwap(), TwoOpt(), OrOpt())
        for move in each.moves(tsp.representation)
    ]
    assert min(tsp.costs(np.stack(reached))) >= result.cost


def test_it_supports_what_all_of_its_neighborhoods_support() -> None:
    assert Union(Swap(), Insertion()).supports(SPACE)
    assert not Union(Swap(), Hamming(1)).supports(SPACE)
    assert not Union(Hamming(1), Swap()).supports(SPACE)


@pytest.mark.parametrize("union", [Union(Swap(), Insertion()), Union(Hamming(1), Hamming(2))], ids=str)
def test_its_moves_write_no_fixed_number_of_positions(union: Neighborhood) -> None:
    assert union.writes is None


def test_it_is_shown_as_it_is_written() -> None:
    assert repr(THREE) == "Union(AdjacentSwap(), TwoOpt(), OrOpt(longest=3))"


@pytest.mark.parametrize("given", [(), (Swap(),)], ids=len)
def test_fewer_than_two_neighborhoods_are_refused(given: tuple[Neighborhood, ...]) -> None:
    with pytest.raises(InputError, match=f"two or more neighborhoods, but {len(given)} are given"):
        Union(*given)


@pytest.mark.parametrize("other", [Swap, "swap", None, SwapMove(0, 1)])
def test_what_is_no_neighborhood_is_refused(other: Any) -> None:
    with pytest.raises(InputError, match="A union is made of neighborhoods, but"):
        Union(Swap(), other)


@pytest.mark.parametrize("given", [(Sampled(Swap(), 5), Swap()), (Swap(), Sampled(Swap(), 5))], ids=str)
def test_a_sample_among_them_is_refused(given: tuple[Neighborhood, ...]) -> None:
    with pytest.raises(InputError, match=r"but Sampled.* has others in each"):
        Union(*given)


@pytest.mark.parametrize("move", [SwapMove(0, 1), UnionMove(0, SwapMove(3, 1)), UnionMove(1, TwoOptMove(2, 2))])
def test_a_move_that_it_does_not_have_is_refused(move: Any) -> None:
    with pytest.raises(InputError, match="does not have the move"):
        Union(Swap(), TwoOpt()).index(SPACE, move)
