"""Files of quadratic 0-1 problems (OR-Library's bqp, Biq Mac's, qbsolv's .qubo) and of graphs for max-cut (G-set).

The formats differ in what an entry off the diagonal means, in the sense and in the first index:

============  ============================================  ===========  ===========
format        objective of the entries (i, j, q)            sense        first index
============  ============================================  ===========  ===========
bqp           sum of q x[i] x[j], counted twice if i != j   maximise     1
Biq Mac       sum of q x[i] x[j], counted twice if i != j   minimise     1
.qubo         sum of q x[i] x[j]                            minimise     0
============  ============================================  ===========  ===========

The first two list each pair of a symmetric matrix once. All are read as a `Quadratic`, in which every term counts once.
Decimal numbers become integers by a power of ten that the instance names.

Sources: J. E. Beasley, "OR-Library: distributing test problems by electronic mail", Journal of the Operational Research
Society 41, 1990; A. Wiegele, "Biq Mac Library", 2007; the description of .qubo files that comes with D-Wave's qbsolv;
C. Helmberg and F. Rendl, "A spectral bundle method for semidefinite programming", SIAM Journal on Optimization 10, 2000
(G-set, made by G. Rinaldi's generator).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Final, final

import numpy as np
import numpy.typing as npt
from attrs import field, frozen

from metaheur.errors import InputError
from metaheur.problem import data
from metaheur.problems.numbers import LARGEST, Numbers, decimals, write_text

__all__ = [
    "Quadratic",
    "WeightedGraph",
    "read_biqmac",
    "read_bqp",
    "read_gset",
    "read_qubo",
    "write_biqmac",
    "write_bqp",
    "write_gset",
    "write_qubo",
]

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


def read_bqp(path: str | os.PathLike[str]) -> tuple[Quadratic, ...]:
    """Read an OR-Library bqp file, of one instance or of several.

    A file of several begins with a line that holds their number alone; an instance is ``n m`` and m times ``i j q``.

    Returns
    -------
    tuple of Quadratic
        To be maximised; the weights off the diagonal are twice the file's.

    Raises
    ------
    InputError
        If the file cannot be read, is truncated or too long, holds what is no number, an index outside 1 ... n, a pair
        twice, or a weight beyond 2**61.
    """
    numbers = Numbers.read(path, comments="#")
    count = numbers.integer("the number of instances", 1, LARGEST) if numbers.on_first_line == 1 else 1
    instances = tuple(_symmetric(numbers, maximise=True) for _ in range(count))
    numbers.finish("the last entry")
    return instances


def read_biqmac(path: str | os.PathLike[str]) -> Quadratic:
    """Read a Biq Mac file of one instance: ``n m`` and m times ``i j q``; lines that begin with # are comments.

    Returns
    -------
    Quadratic
        To be minimised; the weights off the diagonal are twice the file's.

    Raises
    ------
    InputError
        As `read_bqp` does.
    """
    numbers = Numbers.read(path, comments="#")
    instance = _symmetric(numbers, maximise=False)
    numbers.finish("the last entry")
    return instance


def read_qubo(path: str | os.PathLike[str]) -> Quadratic:
    """Read a .qubo file of qbsolv: comments (c), ``p qubo topology n diagonals couplers``, then lines ``i j q``.

    The topology is not looked at; linear terms and couplers may be in any order; linear terms of weight 0, which only
    say that a variable exists, are left out.

    Returns
    -------
    Quadratic
        To be minimised, with the weights of the file.

    Raises
    ------
    InputError
        If the file cannot be read, is truncated or too long, holds no line p, what is no number, another number of
        linear terms than it says, an index outside 0 ... n - 1, a pair twice, or a weight beyond 2**61.
    """
    numbers = Numbers.read(path, comments="c#")
    start = numbers.take(3, "words: p, qubo and the topology")
    numbers.keyword(start[:1], "p")
    numbers.keyword(start[1:2], "qubo")
    n = numbers.integer("the number of variables n", 1, LARGEST)
    linear = numbers.integer("the number of linear terms", 0, n)
    couplers = numbers.integer("the number of couplers", 0, LARGEST)
    place = start[0]
    i, j, w, factor = _entries(numbers, linear + couplers, (0, n - 1), "term")
    numbers.finish("the last coupler")
    if (found := int((i == j).sum())) != linear:
        raise numbers.error(place, f"{linear} linear terms are stated, but {found} follow", "a term has a wrong index.")
    kept = (i < j) | (w != 0)
    return Quadratic(n, i[kept], j[kept], w[kept], maximise=False, factor=factor)


def read_gset(path: str | os.PathLike[str]) -> WeightedGraph:
    """Read a graph of G-set, Biq Mac or any file of rudy: ``n m`` and m times ``i j w``, # begins a comment.

    Raises
    ------
    InputError
        If the file cannot be read, is truncated or too long, holds what is no number, a vertex outside 1 ... n, a loop,
        an edge twice, or a weight beyond 2**61.
    """
    numbers = Numbers.read(path, comments="#")
    n, m = _sizes(numbers, "vertices", "edges")
    i, j, w, factor = _entries(numbers, m, (1, n), "edge")
    numbers.finish("the last edge")
    return WeightedGraph(n, i - 1, j - 1, w, factor)


def write_bqp(path: str | os.PathLike[str], instances: Sequence[Quadratic]) -> None:
    """Write instances, which `read_bqp` reads back; the signs of those to be minimised are turned.

    Raises
    ------
    InputError
        If there are none, a weight off the diagonal is odd, or the file cannot be written.
    """
    if not instances:
        raise InputError("There are no instances to write, but a bqp file holds at least one.")
    write_text(path, [str(len(instances)), *(line for it in instances for line in _symmetric_lines(it, maximise=True))])


def write_biqmac(path: str | os.PathLike[str], instance: Quadratic) -> None:
    """Write an instance, which `read_biqmac` reads back; the signs of one to be maximised are turned.

    Raises
    ------
    InputError
        If a weight off the diagonal is odd, or the file cannot be written.
    """
    write_text(path, _symmetric_lines(instance, maximise=False))


def write_qubo(path: str | os.PathLike[str], instance: Quadratic) -> None:
    """Write an instance, which `read_qubo` reads back; the signs of one to be maximised are turned.

    As the format asks, a linear term of weight 0 is written for every variable that only couplers name.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    weights = decimals(-instance.w if instance.maximise else instance.w, instance.factor)
    linear = dict.fromkeys(sorted({*instance.i.tolist(), *instance.j.tolist()}), "0")
    couplers = []
    for i, j, w in zip(instance.i.tolist(), instance.j.tolist(), weights, strict=True):
        if i == j:
            linear[i] = w
        else:
            couplers.append(f"{i} {j} {w}")
    start = f"p qubo 0 {instance.n} {len(linear)} {len(couplers)}"
    write_text(path, [start, *(f"{i} {i} {w}" for i, w in linear.items()), *couplers])


def write_gset(path: str | os.PathLike[str], graph: WeightedGraph) -> None:
    """Write a graph, which `read_gset` reads back.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    edges = zip((graph.i + 1).tolist(), (graph.j + 1).tolist(), decimals(graph.w, graph.factor), strict=True)
    write_text(path, [f"{graph.n} {len(graph.w)}", *(f"{i} {j} {w}" for i, j, w in edges)])


def _sizes(numbers: Numbers, variables: str, entries: str) -> tuple[int, int]:
    n = numbers.integer(f"the number of {variables} n", 1, LARGEST)
    return n, numbers.integer(f"the number of {entries} m", 0, LARGEST)


def _entries(numbers: Numbers, count: int, bounds: tuple[int, int], kind: str) -> tuple[_Vector, _Vector, _Vector, int]:
    """The columns i <= j and w of a table, as its file numbers them, and the factor of w."""
    places = numbers.take(3 * count, f"numbers in {count} lines 'i j q'")
    first = numbers.whole(places[0::3], "an index", *bounds)
    second = numbers.whole(places[1::3], "an index", *bounds)
    w, factor = numbers.scaled(places[2::3], f"the weight of a {kind}")
    heavy = (w < -_HEAVIEST) | (w > _HEAVIEST)
    if heavy.any():
        place = places[2::3][int(np.argmax(heavy))]
        raise numbers.error(place, f"the weight {numbers.shown(place)} lies beyond 2**61", "divide all by one factor.")
    i, j = np.minimum(first, second), np.maximum(first, second)
    if kind == "edge" and (loops := i == j).any():
        k = int(np.argmax(loops))
        raise numbers.error(places[3 * k], f"an edge joins vertex {i[k]} to itself, but no cut contains it")
    if pair := _twice(i, j):
        place = places[3 * pair[1]]
        raise numbers.error(
            place,
            f"the {kind} of {first[pair[1]]} and {second[pair[1]]} stands there for the second time",
            "the file lists both triangles of its matrix: one is enough.",
        )
    return i, j, w, factor


def _symmetric(numbers: Numbers, *, maximise: bool) -> Quadratic:
    n, m = _sizes(numbers, "variables", "entries")
    i, j, w, factor = _entries(numbers, m, (1, n), "entry")
    return Quadratic(n, i - 1, j - 1, np.where(i == j, w, 2 * w), maximise=maximise, factor=factor)


def _symmetric_lines(instance: Quadratic, *, maximise: bool) -> list[str]:
    i, j = instance.i, instance.j
    w = instance.w if instance.maximise == maximise else -instance.w
    if (odd := (i < j) & (w % 2 != 0)).any():
        k = int(np.argmax(odd))
        raise InputError(
            f"The weight {instance.w[k]} of variables {i[k]} and {j[k]} is odd, but the format holds half of it.",
            "use write_qubo, which holds weights as they are.",
        )
    weights = decimals(np.where(i == j, w, w // 2), instance.factor)
    entries = zip((i + 1).tolist(), (j + 1).tolist(), weights, strict=True)
    return [f"{instance.n} {len(w)}", *(f"{a} {b} {weight}" for a, b, weight in entries)]


def _twice(i: _Vector, j: _Vector) -> tuple[int, int] | None:
    """The places of the first pair that stands there again, in the order of its second place."""
    order = np.lexsort((j, i))
    same = (i[order][1:] == i[order][:-1]) & (j[order][1:] == j[order][:-1])
    if not same.any():
        return None
    again = np.flatnonzero(same)
    k = again[int(np.argmin(order[again + 1]))]
    return int(order[k]), int(order[k + 1])


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
