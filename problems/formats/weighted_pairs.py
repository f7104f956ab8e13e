"""Weighted pairs of indices: the terms of a quadratic 0-1 problem, or the edges of a graph."""

from __future__ import annotations

from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from metaheur.errors import InputError
from metaheur.problems.formats.numbers import integers, scaled
from metaheur.problems.formats.tokens import Tokens

__all__ = ["WeightedPairs", "check_pairs", "read_pairs"]

_HEAVIEST: Final = 2**61  # in a file: twice as much, and its negative, are still 64-bit integers
_DIVIDE: Final = "divide all weights by one factor."
_Vector = npt.NDArray[np.int64]


class WeightedPairs(Protocol):
    """An object with weighted pairs: n, the vectors i, j and w, and the factor by which w was multiplied."""

    @property
    def n(self) -> int:
        """The number of indices."""

    @property
    def i(self) -> np.ndarray:
        """The first index of each pair, numbered from 0."""

    @property
    def j(self) -> np.ndarray:
        """The second index of each pair, numbered from 0."""

    @property
    def w(self) -> np.ndarray:
        """The weight of each pair, times `factor`."""

    @property
    def factor(self) -> int:
        """A power of ten."""


def read_pairs(tokens: Tokens, count: int, bounds: tuple[int, int], kind: str) -> tuple[_Vector, _Vector, _Vector, int]:
    """Take the table of a file whose lines ``i j w`` give the weights of pairs: `i`, `j`, `w` and `factor`.

    `count`: how many lines. `bounds`: the smallest and the largest index. `kind`: what messages call a line: "term",
    "entry", or "edge", which joins two different indices. `i`, `j`, `w`, int64, shape (count,): the columns with i <=
    j, indices as the file numbers them, and w times `factor`, the smallest power of ten that makes all weights
    integers. Refused are weights that are not in -2**61 ... 2**61, and a pair that is listed twice.
    """
    places = tokens.take(3 * count, f"numbers in {count} lines 'i j q'")
    first = integers(tokens, places[0::3], "an index", *bounds)
    second = integers(tokens, places[1::3], "an index", *bounds)
    w, factor = scaled(tokens, places[2::3], "the weight")
    heavy = (w < -_HEAVIEST) | (w > _HEAVIEST)
    if heavy.any():
        place = places[2::3][int(np.argmax(heavy))]
        reason = f"the weight must be in -2**61 ... 2**61, but is {tokens.shown(place)}"
        raise tokens.error(place, reason, _DIVIDE)
    i, j = np.minimum(first, second), np.maximum(first, second)
    if kind == "edge" and (loops := i == j).any():
        k = int(np.argmax(loops))
        reason = f"an edge joins vertex {i[k]} to itself, which no cut contains"
        raise tokens.error(places[3 * k], reason, "leave it out, or the file is of another problem.")
    if pair := _twice(i, j):
        place = places[3 * pair[1]]
        raise tokens.error(
            place,
            f"the {kind} ({first[pair[1]]}, {second[pair[1]]}) is listed twice",
            "leave out one of the triangles of a symmetric matrix.",
        )
    return i, j, w, factor


def check_pairs(pairs: WeightedPairs, *, equal: bool) -> None:
    """Refuse weighted pairs that no file can hold.

    `pairs`: its n and factor are whole numbers, its i, j and w vectors of int64. `equal`: whether i = j is allowed.
    Raises InputError if the vectors differ in length, not all indices have 0 <= i <= j < n (or i < j), a pair is listed
    twice, a weight is not in -2**62 ... 2**62, or `factor` is not a power of ten.
    """
    n, i, j, w, factor = pairs.n, pairs.i, pairs.j, pairs.w, pairs.factor
    if 10 ** (len(str(factor)) - 1) != factor:
        raise InputError(f"`factor` must be a power of ten, but is {factor}.")
    if not len(i) == len(j) == len(w):
        raise InputError(f"i, j and w must have the same length, but have {len(i)}, {len(j)} and {len(w)}.")
    wrong = (i > j if equal else i >= j) | (i < 0) | (j >= n)
    if wrong.any():
        k = int(np.argmax(wrong))
        order = "i <= j" if equal else "i < j"
        raise InputError(
            f"(i[{k}], j[{k}]) must have 0 <= {order} < n = {n}, but is ({i[k]}, {j[k]}).", "count the indices from 0."
        )
    heavy = (w < -2 * _HEAVIEST) | (w > 2 * _HEAVIEST)
    if heavy.any():
        raise InputError(f"w must be in -2**62 ... 2**62, but holds {w[heavy][0]}.", _DIVIDE)
    if pair := _twice(i, j):
        raise InputError(f"The pair ({i[pair[0]]}, {j[pair[0]]}) is listed twice, as numbers {pair[0]} and {pair[1]}.")


def _twice(i: _Vector, j: _Vector) -> tuple[int, int] | None:
    """Where a pair is listed first and again: of all repetitions, the one that comes first; None without one."""
    keys = (i << 31) + j  # both are below 2**31
    order = np.argsort(keys, kind="stable")
    same = keys[order][1:] == keys[order][:-1]
    if not same.any():
        return None
    again = np.flatnonzero(same)
    k = again[int(np.argmin(order[again + 1]))]
    return int(order[k]), int(order[k + 1])
