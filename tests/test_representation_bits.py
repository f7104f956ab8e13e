"""Bit strings and discrete vectors drawn, validated and compared, and how far permutations are apart."""

from collections import deque
from itertools import combinations, pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaheur.errors import InputError
from metaheur.random import Key, Random
from metaheur.representation import BitString, DiscreteVector, Permutation, Representation

KEYS = st.builds(
    lambda seed, walk, stream, iteration: Random(Key(seed, walk), stream, iteration),
    *(st.integers(0, 2**bits - 1) for bits in (32, 32, 32, 64)),
)
SPACES = st.one_of(
    st.builds(BitString, st.integers(1, 50)),
    st.builds(DiscreteVector, st.integers(1, 50), st.integers(2, 2**31 - 1)),
)


@given(SPACES, KEYS)
def test_entries_are_the_integers_that_their_draws_give(space: Representation, random: Random) -> None:
    drawn = space.random(random)
    assert drawn.dtype == space.dtype
    assert drawn.tolist() == [random.integer(i, 0, space.values - 1) for i in range(space.length)]


@given(SPACES, KEYS)
def test_what_is_drawn_is_a_solution(space: Representation, random: Random) -> None:
    drawn = space.random(random)
    valid = space.validate(drawn)
    assert valid.tolist() == drawn.tolist()
    assert valid.dtype == space.dtype
    assert not valid.flags.writeable


@pytest.mark.parametrize("space", [BitString(30_000), DiscreteVector(30_000, 3), DiscreteVector(30_000, 7)])
def test_each_value_is_drawn_equally_often(space: Representation) -> None:
    count = np.bincount(space.random(Random(Key(1), 0, 0)), minlength=space.values)
    expected = space.length / space.values
    chi_squared = ((count - expected) ** 2 / expected).sum()
    assert len(count) == space.values
    assert chi_squared < 30  # with six degrees of freedom, one seed in 25,000 exceeds it


def test_the_types_are_those_of_the_devices() -> None:
    assert (BitString(3).dtype.name, BitString(3).device_type) == ("uint8", "unsigned char")
    assert (DiscreteVector(3, 4).dtype.name, DiscreteVector(3, 4).device_type) == ("int32", "int")
    assert (BitString(3).length, BitString(3).values) == (3, 2)
    assert (DiscreteVector(3, 4).length, DiscreteVector(3, 4).values) == (3, 4)


def test_representations_are_equal_by_value() -> None:
    assert BitString(3) == BitString(3) != BitString(4)
    assert DiscreteVector(3, 2) == DiscreteVector(3, 2) != DiscreteVector(3, 3)
    assert len({BitString(3), BitString(3), DiscreteVector(3, 2), Permutation(3)}) == 3
    assert repr(DiscreteVector(3, 2)) == "DiscreteVector(n=3, k=2)"


@given(SPACES, KEYS, KEYS)
def test_the_distance_counts_the_positions_that_differ(space: Representation, one: Random, other: Random) -> None:
    x, y = space.random(one), space.random(other)
    assert space.distance(x, y) == sum(a != b for a, b in zip(x.tolist(), y.tolist(), strict=True))
    assert space.distance(x, x) == 0


@pytest.mark.parametrize("x", [[0, 1, 1], [False, True, True], [0.0, 1.0, 1.0], np.array([0, 1, 1], np.int8)])
def test_whole_numbers_of_any_type_are_bits(x: object) -> None:
    assert BitString(3).validate(x).tolist() == [0, 1, 1]


@pytest.mark.parametrize(
    ("space", "x", "reason"),
    [
        (
            BitString(3),
            [0, 1, 2],
            r"no solution of BitString\(n=3\): position 2 holds 2, but the values are 0 \.\.\. 1",
        ),
        (BitString(3), [0, -1, 0], r"Entry 1 of the solution is -1, beyond the values of BitString\(n=3\): 0 \.\.\. 1"),
        (BitString(3), np.array([0, -1, 0], np.int8), "Entry 1 of the solution is -1"),
        (BitString(3), [0, 1, 256], "Entry 2 of the solution is 256"),
        (BitString(3), [0, 1], r"has the shape \(3,\), but this one has \(2,\)"),
        (BitString(3), [[0, 1, 1]], r"this one has \(1, 3\)"),
        (BitString(3), [0, 1, 0.5], "whole numbers"),
        (BitString(3), [0, 1, float("nan")], "whole numbers"),
        (BitString(3), [0, 1, float("inf")], "Entry 2 of the solution is inf"),
        (BitString(3), ["0", "1", "1"], "whole numbers"),
        (DiscreteVector(3, 4), [0, 3, 4], r"position 2 holds 4, but the values are 0 \.\.\. 3"),
        (DiscreteVector(3, 4), [0, -1, 9], "position 1 holds -1"),
        (DiscreteVector(3, 4), np.array([0, 2**32 - 1, 0], np.uint32), "Entry 1 of the solution is 4294967295"),
        (DiscreteVector(3, 4), [0, 2**40, 0], "Entry 1 of the solution is 1099511627776"),
        (Permutation(3), np.array([0, 1, 2**32 - 2], np.uint32), "Entry 2 of the solution is 4294967294"),
    ],
)
def test_what_is_no_solution_is_refused_and_the_first_offence_named(
    space: Representation, x: object, reason: str
) -> None:
    with pytest.raises(InputError, match=reason):
        space.validate(x)


@pytest.mark.parametrize("n", [0, -1, 2**31, 1.5, "3", None, True])
def test_lengths_that_make_no_solutions_are_refused(n: int) -> None:
    with pytest.raises(InputError, match="n is the length of a solution"):
        BitString(n)
    with pytest.raises(InputError, match="n is the length of a solution"):
        DiscreteVector(n, 2)


@pytest.mark.parametrize("k", [1, 0, -1, 2**31, 2.0, "3", None, True])
def test_numbers_of_values_that_leave_no_choice_are_refused(k: int) -> None:
    with pytest.raises(InputError, match="k is the number of values of an entry"):
        DiscreteVector(3, k)


def swaps_away(x: tuple[int, ...]) -> dict[tuple[int, ...], int]:
    """The fewest swaps from x to every permutation, by breadth-first search."""
    far, queue = {x: 0}, deque([x])
    while queue:
        y = queue.popleft()
        for i, j in combinations(range(len(x)), 2):
            z = list(y)
            z[i], z[j] = z[j], z[i]
            if tuple(z) not in far:
                far[tuple(z)] = far[y] + 1
                queue.append(tuple(z))
    return far


@pytest.mark.parametrize("x", [(0,), (1, 0), (2, 0, 1), (2, 0, 4, 3, 1)])
def test_the_swap_distance_is_the_fewest_swaps(x: tuple[int, ...]) -> None:
    for cyclic in (False, True):
        space = Permutation(len(x), cyclic)
        for y, swaps in swaps_away(x).items():
            assert space.distance(np.array(x, np.int32), np.array(y, np.int32)) == swaps


def adjacencies(x: tuple[int, ...], cyclic: bool) -> list[frozenset[int]]:
    closed = x + x[:1] if cyclic else x
    return [frozenset(pair) for pair in pairwise(closed)]


@pytest.mark.parametrize("cyclic", [False, True])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_the_bond_distance_counts_the_adjacencies_that_are_lost(n: int, cyclic: bool) -> None:
    space = Permutation(n, cyclic)
    x = tuple(np.random.default_rng(n).permutation(n).tolist())
    for y in permutations(range(n)):
        kept = adjacencies(y, cyclic)
        lost = sum(pair not in kept for pair in adjacencies(x, cyclic))
        assert space.bond_distance(np.array(x, np.int32), np.array(y, np.int32)) == lost


@given(st.integers(1, 30), st.integers(0, 29), KEYS)
def test_a_tour_is_no_bonds_away_from_its_rotations_and_reversals(n: int, shift: int, random: Random) -> None:
    space = Permutation(n, cyclic=True)
    x = space.random(random)
    assert space.bond_distance(x, np.roll(x, shift)) == space.bond_distance(x, np.roll(x, shift)[::-1]) == 0


def test_a_hundred_thousand_items_are_validated_and_compared() -> None:
    space = Permutation(100_000, cyclic=True)
    x = np.arange(100_000, dtype=np.int32)
    y = np.roll(x, 1)
    assert space.validate(y).tolist() == y.tolist()
    assert space.distance(x, y) == 99_999
    assert space.bond_distance(x, y) == 0
    assert space.bond_distance(x, np.concatenate((x[::2], x[1::2]))) == 99_999  # 99999 and 0 alone stay together
