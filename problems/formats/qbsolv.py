"""Quadratic 0-1 problems in the `.qubo` files of the solver qbsolv, which are minimised.

The objective of x is the sum over all terms of q x[i] x[j]: a term off the diagonal counts once. Variables are numbered
from 0. Decimal numbers become integers by a power of ten that the instance names.

Source: the description of `.qubo` files that comes with D-Wave's qbsolv.
"""

from __future__ import annotations

import os

from metaheur.problems.formats.files import write_lines
from metaheur.problems.formats.numbers import LARGEST, decimals, integer
from metaheur.problems.formats.qubo_instance import QUBOInstance
from metaheur.problems.formats.tokens import Tokens
from metaheur.problems.formats.weighted_pairs import read_pairs

__all__ = ["read_qubo", "write_qubo"]


def read_qubo(path: str | os.PathLike[str]) -> QUBOInstance:
    """Read an instance: comments (c), a line ``p qubo topology n diagonals couplers``, then lines ``i j q``.

    The topology is ignored. Linear terms and couplers may be in any order. Linear terms of weight 0 are left out: they
    only say that a variable exists.

    Returns a QUBOInstance, to be minimised, with the weights of the file. Raises InputError if the file cannot be read,
    is truncated or too long, or does not begin with a line p; if it holds a token that is not a number, more or fewer
    linear terms than it states, an index outside 0 ... n - 1, a pair twice, or a weight that is not in -2**61 ...
    2**61.
    """
    tokens = Tokens.read(path, comments="c#")
    start = tokens.take(3, "tokens: p, qubo and the topology")
    tokens.keyword(start[:1], "p")
    tokens.keyword(start[1:2], "qubo")
    n = integer(tokens, "the number of variables n", 1, LARGEST)
    linear = integer(tokens, "the number of linear terms", 0, n)
    couplers = integer(tokens, "the number of couplers", 0, LARGEST)
    place = start[0]
    i, j, w, factor = read_pairs(tokens, linear + couplers, (0, n - 1), "term")
    tokens.finish("the last coupler")
    if (found := int((i == j).sum())) != linear:
        raise tokens.error(place, f"{linear} linear terms are stated, but {found} listed", "an index is wrong.")
    kept = (i < j) | (w != 0)
    return QUBOInstance(n, i[kept], j[kept], w[kept], maximise=False, factor=factor)


def write_qubo(path: str | os.PathLike[str], instance: QUBOInstance) -> None:
    """Write an instance, which `read_qubo` reads back; the weights of one to be maximised change their signs.

    The format demands a linear term for every variable that a coupler names: where there is none, it has the weight 0.

    Raises InputError if the file cannot be written.
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
