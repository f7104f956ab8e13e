"""The table of a symmetric matrix in files of quadratic 0-1 problems, which OR-Library and Biq Mac share.

A table is ``n m``, then m times ``i j q`` with indices from 1, each pair of a symmetric matrix once. The objective of x
is the sum over all entries of the matrix of q x[i] x[j], so that entries off the diagonal count twice.
"""

from __future__ import annotations

import numpy as np

from metaheur.errors import InputError
from metaheur.problems.formats.numbers import LARGEST, decimals, integer
from metaheur.problems.formats.qubo_instance import QUBOInstance
from metaheur.problems.formats.tokens import Tokens
from metaheur.problems.formats.weighted_pairs import read_pairs

__all__ = ["read_symmetric", "symmetric_lines"]


def read_symmetric(tokens: Tokens, *, maximise: bool) -> QUBOInstance:
    """Take a table; the weights off the diagonal are twice those of the file.

    `tokens`: the tokens of the file, taken up to the table. `maximise`: whether the format is one of problems to be
    maximised. Raises InputError if the table is truncated, or holds a token that is not a number, an index outside 1
    ... n, a pair twice, or a weight that is not in -2**61 ... 2**61.
    """
    n = integer(tokens, "the number of variables n", 1, LARGEST)
    m = integer(tokens, "the number of entries m", 0, LARGEST)
    i, j, w, factor = read_pairs(tokens, m, (1, n), "entry")
    return QUBOInstance(n, i - 1, j - 1, np.where(i == j, w, 2 * w), maximise=maximise, factor=factor)


def symmetric_lines(instance: QUBOInstance, *, maximise: bool) -> list[str]:
    """Return the lines of a table, which `read_symmetric` reads back.

    `instance`: its weights change their signs if it is not of the sense of the format. `maximise`: whether the format
    is one of problems to be maximised. Raises InputError if a weight off the diagonal is odd: the file holds half of
    it.
    """
    i, j = instance.i, instance.j
    w = instance.w if instance.maximise == maximise else -instance.w
    if (odd := (i < j) & (w % 2 != 0)).any():
        k = int(np.argmax(odd))
        raise InputError(
            f"The weight of the variables {i[k]} and {j[k]} must be even, as the file holds half of it, but is "
            f"{instance.w[k]}.",
            "use write_qubo, whose format holds weights as they are.",
        )
    weights = decimals(np.where(i == j, w, w // 2), instance.factor)
    entries = zip((i + 1).tolist(), (j + 1).tolist(), weights, strict=True)
    return [f"{instance.n} {len(w)}", *(f"{a} {b} {weight}" for a, b, weight in entries)]
