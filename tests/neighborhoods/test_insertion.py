"""Insertion: every permutation that moving one item gives, once, in a known order."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.neighborhoods.insertion import Insertion, InsertionMove
from metaheur.random import Key, Random
from metaheur.representation import BitString, Permutation
from metaheur.testing import check_neighborhood

LARGEST = 2**31 - 1
sizes = st.integers(2, LARGEST) | st.sampled_from([2, 3, 4, 46_341, 46_342, 65_537, 100_000, LARGEST])


def moved_by_hand(x: Any, i: int, j: int) -> list[int]:
    items = [int(item) for item in x]
    items.insert(j, items.pop(i))
    return items


@pytest.mark.parametrize("n", range(1, 10))
def test_every_permutation_that_moving_one_item_gives_is_reached_once(n: int) -> None:
    x = Permutation(n).random(Random(Key(n), 0, 0))
    reached = [tuple(move.apply(x).tolist()) for move in Insertion().moves(Permutation(n))]
    expected = {tuple(moved_by_hand(x, i, j)) for i in range(n) for j in range(n) if i != j}
    assert set(reached) == expected
    assert len(reached) == len(expected) == (n - 1) ** 2 == Insertion().size(Permutation(n))


@pytest.mark.parametrize("n", [1, 2, 3, 4, 9])
def test_insertion_keeps_every_promise_of_a_neighborhood(compiling: Device, n: int) -> None:
    check_neighborhood(Insertion(), Permutation(n), devices=[compiling.name])


@given(sizes, st.data())
def test_the_index_of_a_move_counts_the_moves_before_it(n: int, data: st.DataObject) -> None:
    i = data.draw(st.integers(0, n - 1) | st.sampled_from([0, n - 1]))
    places = [
        j for j in {0, i - 2, i + 1, n - 1, data.draw(st.integers(0, n - 1))} if 0 <= j < n and j not in (i, i - 1)
    ]
    for j in places:
        earlier_items = 0 if i == 0 else (n - 1) + (i - 1) * (n - 2)
        earlier_places = j - sum(skipped < j for skipped in {i, i - 1} if skipped >= 0)
        move = InsertionMove(i, j)
        k = Insertion().index(Permutation(n), move)
        assert k == earlier_items + earlier_places
        assert Insertion().move(Permutation(n), k) == move


@pytest.mark.parametrize(("i", "j"), [(-1, 2), (2, 5), (5, 0), (2, -1), (3, 3)])
def test_a_move_between_no_positions_is_refused(i: int, j: int) -> None:
    with pytest.raises(InputError, match=r"Insertion\(\) on Permutation.* does not have the move"):
        Insertion().index(Permutation(5), InsertionMove(i, j))


def test_the_second_name_of_an_exchange_of_neighbors_is_refused_and_the_first_one_shown() -> None:
    x = np.arange(5)
    assert InsertionMove(3, 2).apply(x).tolist() == InsertionMove(2, 3).apply(x).tolist()
    with pytest.raises(InputError, match=r"Maybe .* InsertionMove\(i - 1, i\)"):
        Insertion().index(Permutation(5), InsertionMove(3, 2))


@pytest.mark.parametrize(("i", "j"), [(0, 4), (4, 0), (1, 2), (2, 1), (1, 3), (3, 1)])
def test_the_item_stands_where_the_move_says(i: int, j: int) -> None:
    x = np.array([3, 1, 4, 0, 2], np.int32)
    move = InsertionMove(i, j)
    moved = move.apply(x)
    assert moved.tolist() == moved_by_hand(x, i, j)
    assert moved[j] == x[i]
    assert moved.dtype == x.dtype


def test_many_insertions_at_once_give_a_row_each() -> None:
    space = Permutation(7)
    x = space.random(Random(Key(1), 0, 0))
    rows = Insertion().batch(space, np.arange(Insertion().size(space))).apply(x)
    assert rows.tolist() == [move.apply(x).tolist() for move in Insertion().moves(space)]


def test_an_insertion_places_and_takes_away_the_item_that_it_moves() -> None:
    x = np.array([3, 1, 4, 0, 2], np.int32)
    assert Insertion().writes is None  # how many positions shift is another for each move
    assert InsertionMove(0, 3).placements(x) == ((3, x[0]),)
    assert InsertionMove(0, 3).departures(x) == ((0, x[0]),)


def test_insertion_acts_on_permutations_only() -> None:
    assert Insertion().supports(Permutation(5))
    assert not Insertion().supports(BitString(5))
