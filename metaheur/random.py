"""Random numbers that do not depend on the device: Philox4x32-10, counter by counter.

A number is a pure function of where it is used, so that every device, any number of threads and any order of work draw
the same one:

* the key is ``(seed, walk)``: the run's seed and the number of the walk in it;
* the counter is ``(draw, stream, iteration's low word, iteration's high word)``.

A *stream* is a small integer constant that names the purpose of a draw, so that two parts of a composition never
share a number: see `Stream`. An inner search draws in other iterations than the search around it, so that one stream
serves both. A *draw* is the number, from 0 on, of a random number within its stream and iteration.

Source: J. K. Salmon, M. A. Moraes, R. O. Dror and D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from enum import IntEnum, unique
from functools import lru_cache
from typing import Final, SupportsIndex, cast, final

import numpy as np
import numpy.typing as npt
from attrs import Attribute, field, frozen

from metaheur.errors import InputError

__all__ = ["START", "Key", "Random", "Stream", "first_words", "philox4x32", "philox4x32_array"]


@unique
class Stream(IntEnum):
    """The purposes of random numbers: `start_stream` ... in C++. For searches of your own use 1000 and above."""

    START = 0
    MEMORY = 1
    SAMPLE = 2
    ACCEPTANCE = 3
    TRIAL = 4
    PERTURBATION = 5
    MIGRATION = 6
    SELECTION = 7
    EXPLORATION = 8
    ESCAPE = 10
    TIES = 11
    RESTART = 12
    CHOICE = 13
    ORDER = 14
    PARTITION = 15
    RECOMBINATION = 16
    SWEEP = 17


START: Final = Stream.START
"""The stream of random starts."""

_M0: Final = 0xD2511F53  # multipliers and key increments, named as in the paper
_M1: Final = 0xCD9E8D57
_W0: Final = 0x9E3779B9
_W1: Final = 0xBB67AE85
_WORD: Final = 0xFFFFFFFF
_ROUNDS: Final = 10


@lru_cache(maxsize=4096)
def _round_keys(key: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    return tuple(((key[0] + i * _W0) & _WORD, (key[1] + i * _W1) & _WORD) for i in range(_ROUNDS))


def philox4x32(counter: tuple[int, int, int, int], key: tuple[int, int]) -> tuple[int, int, int, int]:
    """Return the four random words of one counter under one key, by Philox4x32-10.

    `counter`: words in 0 ... 2**32 - 1. For speed they are not checked; they must be Python integers, since NumPy's
    overflow. `key`: words in the same range, under the same condition. Returns words in 0 ... 2**32 - 1.
    """
    c0, c1, c2, c3 = counter
    for k0, k1 in _round_keys(key):
        p0 = _M0 * c0
        p1 = _M1 * c2
        c0 = (p1 >> 32) ^ c1 ^ k0
        c1 = p1 & _WORD
        c2 = (p0 >> 32) ^ c3 ^ k1
        c3 = p0 & _WORD
    return c0, c1, c2, c3


def philox4x32_array(counter: npt.NDArray[np.uint32], key: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    """Return the random words of many counters at once: `philox4x32`, vectorised.

    `counter`: uint32, shape (..., 4). `key`, uint32, shape (..., 2): the leading dimensions of both are broadcast
    against each other. Returns uint32, shape (..., 4).
    """
    for name, words, width in (("counter", counter, 4), ("key", key, 2)):
        if words.dtype != np.uint32:
            raise InputError(
                f"{name} has dtype {words.dtype}, but Philox4x32 works on uint32.", f"use {name}.astype(np.uint32)."
            )
        if words.shape[-1:] != (width,):
            raise InputError(f"{name} has shape {words.shape}, but its last dimension must be {width}.")
    try:
        shape = np.broadcast_shapes(counter.shape[:-1], key.shape[:-1])
    except ValueError:
        raise InputError(
            f"counter of shape {counter.shape} and key of shape {key.shape} cannot be broadcast.",
            "one key belongs to all counters: give it the shape (2,).",
        ) from None
    word, half = np.uint64(_WORD), np.uint64(32)
    c0, c1, c2, c3 = (counter[..., i].astype(np.uint64) for i in range(4))
    k0, k1 = (key[..., i].astype(np.uint64) for i in range(2))
    for _ in range(_ROUNDS):
        p0 = np.uint64(_M0) * c0
        p1 = np.uint64(_M1) * c2
        c0, c1 = (p1 >> half) ^ c1 ^ k0, p1 & word
        c2, c3 = (p0 >> half) ^ c3 ^ k1, p0 & word
        k0 = (k0 + np.uint64(_W0)) & word
        k1 = (k1 + np.uint64(_W1)) & word
    result = np.empty((*shape, 4), np.uint32)
    for i, column in enumerate((c0, c1, c2, c3)):
        result[..., i] = column
    return result


_AHEAD: Final[dict[tuple[int, int, int], tuple[int, list[list[int]]]]] = {}
"""For the key and the stream of each of a few walks, the words of some iterations that follow each other."""

_MOST_AHEAD: Final = 256
_MOST_WALKS: Final = 64


def first_words(key: Key, stream: int, iteration: int) -> Sequence[int]:
    """Return the words of draw 0 at an iteration, as `Random.words` does.

    For iterations that follow each other the words of up to 256 iterations are computed at once, twice as many each
    time; so no more are computed than twice as many as are asked for.
    """
    place = (key.seed, key.walk, stream)
    first, rows = _AHEAD.get(place, (0, []))
    if 0 <= iteration - first < len(rows):
        return rows[iteration - first]
    count = min(2 * len(rows), _MOST_AHEAD) if rows and iteration == first + len(rows) else 1
    if count == 1:
        rows = [list(philox4x32((0, stream, iteration & _WORD, iteration >> 32), place[:2]))]
    else:
        counter = np.zeros((count, 4), np.uint32)
        iterations = np.arange(count, dtype=np.uint64) + np.uint64(iteration)
        counter[:, 1], counter[:, 2], counter[:, 3] = stream, iterations & np.uint64(_WORD), iterations >> np.uint64(32)
        rows = philox4x32_array(counter, np.array(place[:2], np.uint32)).tolist()
    if place not in _AHEAD and len(_AHEAD) >= _MOST_WALKS:
        _AHEAD.clear()
    _AHEAD[place] = iteration, rows
    return rows[0]


def _integer(value: SupportsIndex) -> int:
    try:
        return value if isinstance(value, bool) else operator.index(value)
    except TypeError:
        return cast("int", value)  # _check_range knows the field's name, and refuses the value


def _check_range(bits: int) -> Callable[[object, Attribute[int], int], None]:
    def check(_: object, attribute: Attribute[int], value: int) -> None:
        if not isinstance(value, int) or isinstance(value, bool):
            raise InputError(f"{attribute.name} = {value!r} is not an integer.")
        if value >> bits:
            raise InputError(f"{attribute.name} = {value} is not in 0 ... 2**{bits} - 1.")

    return check


def scaled(low: int, high: int, size: int) -> int:
    """Return an index in 0 ... size - 1: the high word of 64 random bits, given as two words, times size."""
    return ((high << 32) | low) * size >> 64


@final
@frozen
class Key:
    """The key of a walk's random numbers: the seed of its run, and its number in the run.

    Parameters
    ----------
    seed : int
        In 0 ... 2**32 - 1.
    walk : int, default 0
        In 0 ... 2**32 - 1.

    Raises
    ------
    InputError
        If either is not an integer in its range.
    """

    seed: int = field(converter=_integer, validator=_check_range(32))
    walk: int = field(converter=_integer, validator=_check_range(32), default=0)


@final
@frozen
class Random:
    """The random numbers of one stream at one iteration of one walk.

    The same draw gives the same number however often it is asked for; independent numbers need different draws.

    Parameters
    ----------
    key : Key
        The walk's key.
    stream : int
        The stream of the part that draws, in 0 ... 2**32 - 1.
    iteration : int
        In 0 ... 2**64 - 1.

    Raises
    ------
    InputError
        If stream or iteration is not an integer in its range. Each method raises it for a draw outside
        0 ... 2**32 - 1.
    """

    key: Key
    stream: int = field(converter=_integer, validator=_check_range(32))
    iteration: int = field(converter=_integer, validator=_check_range(64))

    def words(self, draw: int) -> tuple[int, int, int, int]:
        """Return four random words in 0 ... 2**32 - 1; `bits` and `integer` use the first, `index` the first two."""
        draw = operator.index(draw)
        if draw >> 32:
            raise InputError(f"draw = {draw} is not in 0 ... 2**32 - 1.")
        iteration = self.iteration
        return philox4x32((draw, self.stream, iteration & _WORD, iteration >> 32), (self.key.seed, self.key.walk))

    def bits(self, draw: int) -> int:
        """Return 32 random bits, an integer in 0 ... 2**32 - 1."""
        return self.words(draw)[0]

    def shared_word(self) -> int:
        """Return 32 random bits, where each iteration asks for one word: 32 iterations share the words of 8 counters.

        A CPU draws them together. Of the iteration 32 b + 8 w + k it is the word w of the draw 0 at the iteration 8 b +
        k; a stream of which these are asked is asked for nothing else.
        """
        block, place = divmod(self.iteration, 32)
        return Random(self.key, self.stream, 8 * block + place % 8).words(0)[place // 8]

    def integer(self, draw: int, low: int, high: int) -> int:
        """Return an integer in [low, high], both included: low + (bits · (high - low + 1) >> 32).

        Raises
        ------
        InputError
            If the range is empty or holds more than 2**32 integers.
        """
        low, high = operator.index(low), operator.index(high)
        count = high - low + 1
        if not 0 < count <= 1 << 32:
            raise InputError(f"[{low}, {high}] holds {max(count, 0)} integers, but a draw needs 1 to 2**32 of them.")
        return low + (self.words(draw)[0] * count >> 32)

    def index(self, draw: int, size: int) -> int:
        """Return an index in 0 ... size - 1: the high word of 64 random bits times size.

        Raises
        ------
        InputError
            If size is not in 1 ... 2**64.
        """
        size = operator.index(size)
        if not 0 < size <= 1 << 64:
            raise InputError(f"size = {size} is not in 1 ... 2**64.")
        low, high, _, _ = self.words(draw)
        return scaled(low, high, size)

    def uniform(self, draw: int) -> float:
        """Return a multiple of 2**-32 in [0, 1)."""
        return self.words(draw)[0] * 2.0**-32

    def permutation(self, n: int) -> npt.NDArray[np.int32]:
        """Return a random order of 0 ... n - 1 by Fisher and Yates' shuffle, from the top.

        For i = n - 1, ..., 1 the entries at i and at ``integer(i, 0, i)`` change places.

        Returns
        -------
        ndarray of int32, shape (n,)

        Raises
        ------
        InputError
            If n is not in 0 ... 2**31 - 1.
        """
        if not 0 <= n < 1 << 31:
            raise InputError(f"n = {n} is not in 0 ... 2**31 - 1.")
        counter = np.empty((n, 4), np.uint32)
        counter[:, 0] = np.arange(n)
        counter[:, 1:] = self.stream, self.iteration & _WORD, self.iteration >> 32
        bits = philox4x32_array(counter, np.array((self.key.seed, self.key.walk), np.uint32))[:, 0]
        partners = np.multiply(bits, np.arange(1, n + 1, dtype=np.uint64), dtype=np.uint64) >> np.uint64(32)
        order = list(range(n))
        for i, j in zip(range(n - 1, 0, -1), partners[:0:-1].tolist(), strict=True):
            order[i], order[j] = order[j], order[i]
        return np.array(order, np.int32)
