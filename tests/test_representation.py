"""Permutations: what is drawn is one, what is none is refused in words, and how far two are apart."""

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaheur.errors import InputError
from metaheur.random import START, Key, Random
from metaheur.representation import Permutation

RANDOM = Random(Key(1), START, 0)


@given(st.integers(1, 50), st.integers(0, 2**32 - 1))
def test_what_is_drawn_is_a_permutation(n: int, seed: int) -> None:
    x = Permutation(n).random(Random(Key(seed), START, 0))
    assert x.dtype == Permutation.dtype == np.int32
    assert sorted(x.tolist()) == list(range(n))


def test_the_start_of_a_run_depends_on_seed_and_walk_alone() -> None:
    drawn = [tuple(Permutation(20).random(Random(Key(s, w), START, 0)).tolist()) for s in (1, 2) for w in (0, 1)]
    again = [tuple(Permutation(20).random(Random(Key(s, w), START, 0)).tolist()) for s in (1, 2) for w in (0, 1)]
    assert drawn == again
    assert len(set(drawn)) == 4


def test_a_permutation_of_n_has_n_entries_and_n_values() -> None:
    space = Permutation(7)
    assert (space.length, space.values, space.device_type) == (7, 7, "int")
    assert not space.cyclic


def test_permutations_of_one_size_and_kind_are_one_space() -> None:
    assert Permutation(3) == Permutation(np.int64(3)) != Permutation(4)
    assert Permutation(3) != Permutation(3, cyclic=True)
    assert len({Permutation(3), Permutation(3), Permutation(3, True)}) == 2


@pytest.mark.parametrize("n", [np.int8(100), np.int32(70_000), np.uint8(200)])
def test_a_size_of_a_narrow_type_does_not_overflow(n: Any) -> None:
    assert Permutation(n).length * 10**6 == int(n) * 10**6


@pytest.mark.parametrize("n", [0, -1, 2**31, 2.0, 2.5, "3", None, True, float("nan")])
def test_what_is_no_size_is_refused(n: Any) -> None:
    with pytest.raises(InputError, match=r"n is the length of a solution, a whole number in 1 \.\.\. 2\*\*31 - 1"):
        Permutation(n)


@pytest.mark.parametrize(
    "x",
    [
        [2, 0, 1],
        (2, 0, 1),
        [2.0, 0.0, 1.0],
        np.array([2, 0, 1], np.uint8),
        np.array([2, 0, 1], np.int64),
        np.array([2, 0, 1], np.uint64),
        np.array([2, 0, 1])[:],
    ],
)
def test_a_solution_is_a_read_only_copy_of_its_type(x: Any) -> None:
    solution = Permutation(3).validate(x)
    assert solution.tolist() == [2, 0, 1]
    assert solution.dtype == np.int32
    assert not solution.flags.writeable
    assert not np.shares_memory(solution, np.asarray(x))


def test_every_permutation_is_a_solution() -> None:
    for x in permutations(range(4)):
        assert Permutation(4).validate(x).tolist() == list(x)


@pytest.mark.parametrize(
    ("x", "reason"),
    [
        ([0, 1], r"has the shape \(3,\), but this one has \(2,\)"),
        ([[0, 1, 2]], r"\(1, 3\)"),
        (3, r"\(\)"),
        ([], r"\(0,\)"),
        ([0, 1, 1.5], "made of whole numbers, but this one has entries of type float64"),
        ([0, 1, float("nan")], "whole numbers"),
        ([0, 1, float("inf")], "Entry 2 of the solution is inf"),
        (["0", "1", "2"], "whole numbers, but this one has entries of type <U1"),
        ([0, 1, None], "whole numbers, but this one has entries of type object"),
        ([0, 1, 2j], "whole numbers, but this one has entries of type complex128"),
        ([[0], [1, 2], 3], r"has the shape \(3,\), but this one is ragged"),
        ([0, 1, 3], r"position 2 holds 3, but the (items|values) are 0 \.\.\. 2"),
        ([1, 2, 3], "position 2 holds 3"),
        ([-1, 1, 2], "position 0 holds -1"),
        ([0, 1, 2**40], "Entry 2 of the solution is 1099511627776"),
        ([0, 1, -(2**63)], "Entry 2 of the solution is -9223372036854775808"),
        (np.array([0, 1, 2**64 - 1], np.uint64), "Entry 2 of the solution is 18446744073709551615"),
        ([0, 1, 1e300], r"Entry 2 of the solution is 1e\+300"),
        ([2, 0, 2], "positions 0 and 2 both hold 2, and 1 is missing"),
        ([0, 0, 0], "positions 0 and 1 both hold 0, and 1 is missing"),
    ],
)
def test_what_is_no_solution_is_refused_in_words(x: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason) as caught:
        Permutation(3).validate(x)
    assert "Permutation(n=3" in caught.value.reason
    assert caught.value.maybe


def test_a_solution_that_counts_from_one_is_told_so() -> None:
    with pytest.raises(InputError, match="Maybe it counts from 1 where 0 is meant"):
        Permutation(3).validate([1, 2, 3])


def fewest_swaps(n: int) -> dict[tuple[int, ...], int]:
    """How many swaps lead from the identity to each permutation, by breadth-first search."""
    found = {tuple(range(n)): 0}
    border = list(found)
    while border:
        x = border.pop(0)
        for i in range(n):
            for j in range(i + 1, n):
                y = list(x)
                y[i], y[j] = y[j], y[i]
                if tuple(y) not in found:
                    found[tuple(y)] = found[x] + 1
                    border.append(tuple(y))
    return found


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_the_distance_is_the_fewest_swaps(n: int) -> None:
    space, identity = Permutation(n), np.arange(n, dtype=np.int32)
    for y, swaps in fewest_swaps(n).items():
        assert space.distance(identity, np.array(y, np.int32)) == swaps
        assert space.distance(np.array(y, np.int32), identity) == swaps


@given(st.integers(1, 30), st.integers(0, 99), st.integers(0, 99))
def test_the_distance_does_not_depend_on_the_names_of_the_items(n: int, one: int, other: int) -> None:
    space = Permutation(n)
    x, y, names = (space.random(Random(Key(seed), START, 1)) for seed in (one, other, 1000))
    assert space.distance(names[x], names[y]) == space.distance(x, y)
    assert space.distance(x, x) == 0
