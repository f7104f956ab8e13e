"""Weighted pairs: the terms of a quadratic 0-1 problem, the edges of a graph, and the table that files hold them in."""

from __future__ import annotations

from typing import Final, final

import numpy as np
import numpy.typing as npt
from attrs import field, frozen

from metaheur.errors import InputError
from metaheur.problem import data
from metaheur.problems.numbers import LARGEST, scaled, whole
from metaheur.problems.words import Words

__all__ = ["Quadratic", "WeightedGraph", "read_pairs"]

_HEAVIEST: Final = 2**61  # in a file: twice as much, and its negative, are still 64-bit integers
_Vector = npt.NDArray[np.int64]


@final
@frozen(eq=False)
class Quadratic:
    """A quadratic 0-1 problem: the objective of x is the sum over k of w[k] x[i[k]] x[j[k]], divided by factor.

    Parameters
    ----------
    n : int
        Number of variables, 1 ... 2**31 - 1.
    i, j, w : array_like, shape (m,)
        The terms, linear if i = j: whole numbers with 0 <= i <= j < n, no pair twice; w in -2**62 ... 2**62.
    maximise : bool
        Whether the objective is to be maximised, or else minimised.
    factor : int, default 1
        A power of ten: w is this many times the weights meant.

    Raises
    ------
    InputError
        If a value is not as described.
    """

    n: int
    i: np.ndarray = data("int64", ndim=1)
    j: np.ndarray = data("int64", ndim=1)
    w: np.ndarray = data("int64", ndim=1)
    maximise: bool = field(kw_only=True)
    factor: int = 1

    def __attrs_post_init__(self) -> None:
        """Refuse what is no instance."""
        _check_terms(self, "i <= j", self.i > self.j)

    def matrix(self) -> _Vector:
        """The upper triangular matrix U for which x @ U @ x is the objective times factor; int64, shape (n, n)."""
        dense = np.zeros((self.n, self.n), np.int64)
        dense[self.i, self.j] = self.w
        return dense


@final
@frozen(eq=False)
class WeightedGraph:
    """An undirected graph with a weight on each edge.

    Parameters
    ----------
    n : int
        Number of vertices, 1 ... 2**31 - 1.
    i, j, w : array_like, shape (m,)
        The edges: whole numbers with 0 <= i < j < n, no edge twice; w in -2**62 ... 2**62.
    factor : int, default 1
        A power of ten: w is this many times the weights meant.

    Raises
    ------
    InputError
        If a value is not as described.
    """

    n: int
    i: np.ndarray = data("int64", ndim=1)
    j: np.ndarray = data("int64", ndim=1)
    w: np.ndarray = data("int64", ndim=1)
    factor: int = 1

    def __attrs_post_init__(self) -> None:
        """Refuse what is no graph."""
        _check_terms(self, "i < j", self.i >= self.j)

    def matrix(self) -> _Vector:
        """The symmetric matrix of the weights, 0 where there is no edge; int64, shape (n, n)."""
        dense = np.zeros((self.n, self.n), np.int64)
        dense[self.i, self.j] = dense[self.j, self.i] = self.w
        return dense


def read_pairs(words: Words, count: int, bounds: tuple[int, int], kind: str) -> tuple[_Vector, _Vector, _Vector, int]:
    """Take the table of a file whose lines ``i j w`` give the weights of pairs.

    Parameters
    ----------
    words : Words
        The words of the file, taken up to the table.
    count : int
        Number of lines.
    bounds : tuple of two int
        The smallest and the largest index.
    kind : str
        What a line is, as messages call it: "term", "entry", or "edge", which joins two different indices.

    Returns
    -------
    i, j, w : ndarray of int64, shape (count,)
        The columns with i <= j, indices as the file numbers them, and w times `factor`.
    factor : int
        The smallest power of ten that makes all weights integers.

    Raises
    ------
    InputError
        If lines are missing, or hold what is no number, an index out of bounds, a weight beyond 2**61, a pair that
        stands there before, or an edge from an index to itself.
    """
    places = words.take(3 * count, f"numbers in {count} lines 'i j q'")
    first = whole(words, places[0::3], "an index", *bounds)
    second = whole(words, places[1::3], "an index", *bounds)
    w, factor = scaled(words, places[2::3], f"the weight of a {kind}")
    heavy = (w < -_HEAVIEST) | (w > _HEAVIEST)
    if heavy.any():
        place = places[2::3][int(np.argmax(heavy))]
        raise words.error(place, f"the weight {words.shown(place)} lies beyond 2**61", "divide all by one factor.")
    i, j = np.minimum(first, second), np.maximum(first, second)
    if kind == "edge" and (loops := i == j).any():
        k = int(np.argmax(loops))
        reason = f"an edge joins vertex {i[k]} to itself, but no cut contains it"
        raise words.error(places[3 * k], reason, "the file is of another problem, or the edge can be left out.")
    if pair := _twice(i, j):
        place = places[3 * pair[1]]
        raise words.error(
            place,
            f"the {kind} of {first[pair[1]]} and {second[pair[1]]} stands there for the second time",
            "the file lists both triangles of its matrix: one is enough.",
        )
    return i, j, w, factor


def _check_terms(instance: Quadratic | WeightedGraph, order: str, disordered: np.ndarray) -> None:
    n, i, j, w, factor = instance.n, instance.i, instance.j, instance.w, instance.factor
    for name, value, high in (("n", n, LARGEST), ("factor", factor, 10**18)):
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or not 1 <= value <= high:
            raise InputError(f"{name} is a whole number in 1 ... {high}, but it is {value!r}.")
    if 10 ** (len(str(factor)) - 1) != factor:
        raise InputError(f"factor is a power of ten, but it is {factor}.")
    if not len(i) == len(j) == len(w):
        raise InputError(f"i, j and w have one length, but they have {len(i)}, {len(j)} and {len(w)}.")
    wrong = disordered | (i < 0) | (j >= n)
    if wrong.any():
        k = int(np.argmax(wrong))
        raise InputError(
            f"Term {k} is (i, j) = ({i[k]}, {j[k]}), but 0 <= {order} < n = {n}.", "the indices count from 1."
        )
    heavy = (w < -2 * _HEAVIEST) | (w > 2 * _HEAVIEST)
    if heavy.any():
        raise InputError(f"w holds {w[heavy][0]}, which lies beyond 2**62.", "divide all weights by one factor.")
    if pair := _twice(i, j):
        raise InputError(f"Terms {pair[0]} and {pair[1]} have the same (i, j) = ({i[pair[0]]}, {j[pair[0]]}).")


def _twice(i: _Vector, j: _Vector) -> tuple[int, int] | None:
    """The places of the first pair that stands there again, in the order of its second place."""
    order = np.lexsort((j, i))
    same = (i[order][1:] == i[order][:-1]) & (j[order][1:] == j[order][:-1])
    if not same.any():
        return None
    again = np.flatnonzero(same)
    k = again[int(np.argmin(order[again + 1]))]
    return int(order[k]), int(order[k + 1])
