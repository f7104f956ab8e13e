"""Substitution: every other value at every position once, and its moves do what they say, up to the largest values."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.neighborhoods.substitution import Substitution, SubstitutionMove
from metaheur.random import Key, Random
from metaheur.representation import BitString, DiscreteVector, Permutation
from metaheur.testing import check_neighborhood

LARGEST = 2**31 - 1
lengths = st.integers(1, LARGEST) | st.sampled_from([1, 2, 65_536, 100_000, LARGEST])
counts = st.integers(2, LARGEST) | st.sampled_from([2, 3, 65_536, LARGEST])
spaces = st.builds(DiscreteVector, lengths, counts)
small = pytest.mark.parametrize("space", [DiscreteVector(n, k) for n, k in product([1, 2, 5], [2, 3, 4])])


@small
def test_every_shift_at_every_position_is_a_move(space: DiscreteVector) -> None:
    moves = list(Substitution().moves(space))
    assert moves == [SubstitutionMove(at, s, space.k) for at in range(space.n) for s in range(1, space.k)]


@small
def test_substitution_keeps_every_promise_of_a_neighborhood(compiling: Device, space: DiscreteVector) -> None:
    check_neighborhood(Substitution(), space, devices=[compiling.name])


@small
def test_the_neighbors_are_all_vectors_at_distance_one_each_once(space: DiscreteVector) -> None:
    x = space.random(Random(Key(1), 0, 0))
    reached = sorted(tuple(move.apply(x).tolist()) for move in Substitution().moves(space))
    vectors = product(range(space.k), repeat=space.n)
    assert reached == sorted(vector for vector in vectors if space.distance(x, np.array(vector)) == 1)


@given(spaces, st.data())
def test_the_index_of_a_move_counts_the_shifts_before_it(space: DiscreteVector, data: st.DataObject) -> None:
    at, shift = data.draw(st.integers(0, space.n - 1)), data.draw(st.integers(1, space.k - 1))
    k = Substitution().index(space, SubstitutionMove(at, shift, space.k))
    assert k == at * (space.k - 1) + shift - 1
    assert Substitution().move(space, k) == SubstitutionMove(at, shift, space.k)
    batch = Substitution().batch(space, np.array([k]))
    assert [each.tolist() for each in (batch.at, batch.shift)] == [[at], [shift]]
    assert batch.at.dtype == batch.shift.dtype == np.int64


@given(st.integers(2, LARGEST), st.data())
def test_a_shift_leads_to_another_value_and_its_inverse_back(k: int, data: st.DataObject) -> None:
    x = np.array([data.draw(st.integers(0, k - 1)), data.draw(st.integers(0, k - 1))], np.int32)
    move = SubstitutionMove(1, data.draw(st.integers(1, k - 1)), k)
    moved = move.apply(x)
    assert moved.tolist() == [x[0], (int(x[1]) + move.shift) % k]
    assert moved[1] != x[1]
    assert moved.dtype == x.dtype
    assert move.inverse().apply(moved).tolist() == x.tolist()


@small
def test_many_substitutions_at_once_give_a_row_each(space: DiscreteVector) -> None:
    x = space.random(Random(Key(2), 0, 0))
    rows = Substitution().batch(space, np.arange(Substitution().size(space))).apply(x)
    assert rows.tolist() == [move.apply(x).tolist() for move in Substitution().moves(space)]
    assert rows.dtype == x.dtype


@pytest.mark.parametrize("numbers", [(5, 1, 4), (-1, 1, 4), (0, 0, 4), (0, 4, 4), (0, 1, 3)])
def test_what_is_no_move_has_no_index(numbers: tuple[int, int, int]) -> None:
    with pytest.raises(InputError, match=r"Substitution\(\) on DiscreteVector.* does not have the move"):
        Substitution().index(DiscreteVector(5, 4), SubstitutionMove(*numbers))


def test_permutations_are_not_supported() -> None:
    assert not Substitution().supports(Permutation(5))


def test_bits_are_digits_with_two_values() -> None:
    check_neighborhood(Substitution(), BitString(4))
