"""Files of quadratic 0-1 problems: OR-Library's bqp, Biq Mac's, and qbsolv's .qubo.

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
Society 41, 1990; A. Wiegele, "Biq Mac Library", 2007; the description of .qubo files that comes with D-Wave's qbsolv.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

import numpy as np

from metaheur.errors import InputError
from metaheur.problems.files import write_lines
from metaheur.problems.numbers import LARGEST, decimals, integer
from metaheur.problems.weighted_pairs import Quadratic, read_pairs
from metaheur.problems.words import Words

__all__ = ["read_biqmac", "read_bqp", "read_qubo", "write_biqmac", "write_bqp", "write_qubo"]


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
    words = Words.read(path, comments="#")
    count = integer(words, "the number of instances", 1, LARGEST) if words.on_first_line == 1 else 1
    instances = tuple(_symmetric(words, maximise=True) for _ in range(count))
    words.finish("the last entry")
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
    words = Words.read(path, comments="#")
    instance = _symmetric(words, maximise=False)
    words.finish("the last entry")
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
    words = Words.read(path, comments="c#")
    start = words.take(3, "words: p, qubo and the topology")
    words.keyword(start[:1], "p")
    words.keyword(start[1:2], "qubo")
    n = integer(words, "the number of variables n", 1, LARGEST)
    linear = integer(words, "the number of linear terms", 0, n)
    couplers = integer(words, "the number of couplers", 0, LARGEST)
    place = start[0]
    i, j, w, factor = read_pairs(words, linear + couplers, (0, n - 1), "term")
    words.finish("the last coupler")
    if (found := int((i == j).sum())) != linear:
        raise words.error(place, f"{linear} linear terms are stated, but {found} follow", "a term has a wrong index.")
    kept = (i < j) | (w != 0)
    return Quadratic(n, i[kept], j[kept], w[kept], maximise=False, factor=factor)


def write_bqp(path: str | os.PathLike[str], instances: Sequence[Quadratic]) -> None:
    """Write instances, which `read_bqp` reads back; the signs of those to be minimised are turned.

    Raises
    ------
    InputError
        If there are none, a weight off the diagonal is odd, or the file cannot be written.
    """
    if not instances:
        raise InputError("There are no instances to write, but a bqp file holds at least one.")
    write_lines(
        path, [str(len(instances)), *(line for it in instances for line in _symmetric_lines(it, maximise=True))]
    )


def write_biqmac(path: str | os.PathLike[str], instance: Quadratic) -> None:
    """Write an instance, which `read_biqmac` reads back; the signs of one to be maximised are turned.

    Raises
    ------
    InputError
        If a weight off the diagonal is odd, or the file cannot be written.
    """
    write_lines(path, _symmetric_lines(instance, maximise=False))


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
    write_lines(path, [start, *(f"{i} {i} {w}" for i, w in linear.items()), *couplers])


def _symmetric(words: Words, *, maximise: bool) -> Quadratic:
    n = integer(words, "the number of variables n", 1, LARGEST)
    m = integer(words, "the number of entries m", 0, LARGEST)
    i, j, w, factor = read_pairs(words, m, (1, n), "entry")
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
