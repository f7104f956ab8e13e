"""Philox4x32-10 against its published vectors, and what is drawn from it."""

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from attrs.exceptions import FrozenInstanceError
from hypothesis import given
from hypothesis import strategies as st

from metaheur.errors import InputError
from metaheur.random import START, Key, Random, first_words, philox4x32, philox4x32_array

WORD = 2**32 - 1
words = st.integers(0, WORD)
draws = words
randoms = st.builds(Random, st.builds(Key, words, words), words, st.integers(0, 2**64 - 1))

# Random123's file of known answers: counter, key, result of philox4x32-10
KNOWN_ANSWERS = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((WORD, WORD, WORD, WORD), (WORD, WORD), (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]


def uint32(values: object) -> np.ndarray:
    return np.array(values, np.uint32)


@pytest.mark.parametrize(("counter", "key", "result"), KNOWN_ANSWERS)
def test_known_answers(
    counter: tuple[int, int, int, int], key: tuple[int, int], result: tuple[int, int, int, int]
) -> None:
    assert philox4x32(counter, key) == result
    assert philox4x32_array(uint32(counter), uint32(key)).tolist() == list(result)


@given(st.lists(st.tuples(st.tuples(words, words, words, words), st.tuples(words, words)), min_size=1, max_size=5))
def test_arrays_equal_scalars(pairs: list[tuple[tuple[int, int, int, int], tuple[int, int]]]) -> None:
    counters, keys = uint32([counter for counter, _ in pairs]), uint32([key for _, key in pairs])
    result = philox4x32_array(counters, keys)
    assert result.dtype == np.uint32
    assert result.tolist() == [list(philox4x32(counter, key)) for counter, key in pairs]
    every = philox4x32_array(counters, keys[:, np.newaxis])
    assert every.tolist() == [[list(philox4x32(counter, key)) for counter, _ in pairs] for _, key in pairs]


def test_no_counters_give_no_words() -> None:
    assert philox4x32_array(np.empty((0, 4), np.uint32), uint32([1, 2])).shape == (0, 4)


@pytest.mark.parametrize(
    ("counter", "key", "reason"),
    [
        (np.zeros(4, np.int64), uint32([0, 0]), "counter has dtype int64"),
        (uint32([0, 0, 0]), uint32([0, 0]), r"counter has shape \(3,\)"),
        (uint32([0, 0, 0, 0]), uint32(0), r"key has shape \(\)"),
        (np.zeros((3, 4), np.uint32), np.zeros((2, 2), np.uint32), "cannot be broadcast"),
    ],
)
def test_unusable_arrays_are_refused(counter: np.ndarray, key: np.ndarray, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        philox4x32_array(counter, key)


@pytest.mark.parametrize("value", [-1, 2**32, 1.5, "7", None])
def test_a_key_refuses_what_is_no_word(value: int) -> None:
    with pytest.raises(InputError, match=f"seed = {value!r}"):
        Key(value)
    with pytest.raises(InputError, match=f"walk = {value!r}"):
        Key(0, value)


def test_a_random_refuses_what_is_out_of_range() -> None:
    with pytest.raises(InputError, match="stream = 4294967296"):
        Random(Key(1), 2**32, 0)
    with pytest.raises(InputError, match="iteration = -1"):
        Random(Key(1), START, -1)
    with pytest.raises(InputError, match="draw = -1"):
        Random(Key(1), START, 0).bits(-1)
    with pytest.raises(InputError, match="draw = 4294967296"):
        Random(Key(1), START, 0).uniform(2**32)


def test_values_are_frozen_and_compare() -> None:
    assert Random(Key(1, 2), START, 3) == Random(Key(1, 2), START, 3)
    assert Key(1) == Key(1, 0) != Key(1, 1)
    with pytest.raises(FrozenInstanceError):
        Key(1).seed = 2  # type: ignore[misc]


def test_numpy_integers_are_taken_as_integers() -> None:
    random = Random(Key(np.uint32(WORD)), np.int64(3), np.uint64(2**64 - 1))
    assert random.bits(np.int64(WORD)) == Random(Key(WORD), 3, 2**64 - 1).bits(WORD)  # type: ignore[arg-type]
    assert type(random.key.seed) is int
    assert random.index(0, np.int64(7)) == random.index(0, 7)  # type: ignore[arg-type]
    assert random.integer(0, np.int32(-3), np.int8(9)) == random.integer(0, -3, 9)  # type: ignore[arg-type]


@given(randoms, draws)
def test_the_counter_is_draw_stream_iteration(random: Random, draw: int) -> None:
    low, high = random.iteration % 2**32, random.iteration // 2**32
    first, second, _, _ = philox4x32((draw, random.stream, low, high), (random.key.seed, random.key.walk))
    assert random.bits(draw) == first
    assert random.uniform(draw) == first / 2**32
    assert random.integer(draw, 0, 2**32 - 1) == first
    assert random.index(draw, 2**64) == second * 2**32 + first


@pytest.mark.parametrize("seed", [True, False, np.True_, 1.0, "1", None])
def test_what_is_no_integer_is_no_seed(seed: Any) -> None:
    with pytest.raises(InputError, match=f"seed = {seed!r} is not an integer"):
        Key(seed)
    with pytest.raises(InputError, match="stream = True is not an integer"):
        Random(Key(1), True, 0)


@given(randoms, draws, st.integers(), st.integers(1, 2**32))
def test_integers_lie_in_their_range(random: Random, draw: int, low: int, count: int) -> None:
    assert low <= random.integer(draw, low, low + count - 1) < low + count


@given(randoms, draws, st.integers(1, 2**64))
def test_indices_lie_below_the_size(random: Random, draw: int, size: int) -> None:
    assert 0 <= random.index(draw, size) < size


@given(randoms, draws)
def test_uniform_lies_in_the_half_open_unit_interval(random: Random, draw: int) -> None:
    assert 0.0 <= random.uniform(draw) < 1.0


def test_both_ends_of_a_range_are_drawn() -> None:
    random = Random(Key(1), START, 0)
    assert {random.integer(draw, -1, 1) for draw in range(100)} == {-1, 0, 1}
    assert {random.index(draw, 3) for draw in range(100)} == {0, 1, 2}


@pytest.mark.parametrize(("low", "high"), [(1, 0), (0, 2**32)])
def test_ranges_without_a_draw_are_refused(low: int, high: int) -> None:
    with pytest.raises(InputError, match=rf"\[{low}, {high}\] holds"):
        Random(Key(1), START, 0).integer(0, low, high)


@pytest.mark.parametrize("size", [-1, 0, 2**64 + 1])
def test_sizes_without_an_index_are_refused(size: int) -> None:
    with pytest.raises(InputError, match=f"size = {size} "):
        Random(Key(1), START, 0).index(0, size)


@given(randoms, st.integers(0, 40))
def test_a_permutation_is_the_shuffle_of_single_draws(random: Random, n: int) -> None:
    order = list(range(n))
    for i in range(n - 1, 0, -1):
        j = random.integer(i, 0, i)
        order[i], order[j] = order[j], order[i]
    result = random.permutation(n)
    assert result.dtype == np.int32
    assert result.tolist() == order


def test_a_long_permutation_holds_every_number_once() -> None:
    assert np.array_equal(np.sort(Random(Key(1), START, 0).permutation(100_000)), np.arange(100_000))


@pytest.mark.parametrize("n", [-1, 2**31])
def test_lengths_without_a_permutation_are_refused(n: int) -> None:
    with pytest.raises(InputError, match=f"n = {n} "):
        Random(Key(1), START, 0).permutation(n)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_permutations_of_three_are_equally_frequent(seed: int) -> None:
    samples = 3_000
    counts = dict.fromkeys(permutations(range(3)), 0)
    for iteration in range(samples):
        counts[tuple(Random(Key(seed), START, iteration).permutation(3).tolist())] += 1
    expected = samples / 6
    chi_square = sum((count - expected) ** 2 / expected for count in counts.values())
    assert chi_square < 20.52  # the 0.1 % point for 5 degrees of freedom


def test_keys_streams_iterations_and_draws_give_other_numbers() -> None:
    drawn = {
        Random(Key(seed, walk), stream, iteration).bits(draw)
        for seed in range(3)
        for walk in range(3)
        for stream in range(3)
        for iteration in (0, 1, 2**32)
        for draw in range(3)
    }
    assert len(drawn) == 3**5


@pytest.mark.parametrize("first", [0, 1, 2**32 - 300, 2**64 - 700])
def test_words_of_iterations_that_follow_each_other_are_those_of_each(first: int) -> None:
    keys = [Key(7, walk) for walk in range(3)]
    for iteration in [*range(first, first + 600), first, first + 599, first + 5, first + 6, first + 7]:
        for key in keys:
            assert tuple(first_words(key, 4, iteration)) == Random(key, 4, iteration).words(0)


def test_words_of_many_walks_in_turn_are_those_of_each() -> None:
    for iteration in range(4):
        for walk in range(200):
            assert tuple(first_words(Key(1, walk), 4, iteration)) == Random(Key(1, walk), 4, iteration).words(0)
