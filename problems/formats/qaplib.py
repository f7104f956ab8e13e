"""Quadratic assignment problems of QAPLIB and their solutions, and Taillard's generator of some of them.

A `.dat` file holds n, perhaps the value of a solution, and two n x n matrices A and B; the cost of a permutation p is
the sum over i and j of A[i][j] · B[p[i]][p[j]]. A `.sln` file holds n, a cost and a permutation. Both hold integers in
free format, separated by white space or commas.

Source: R. E. Burkard, S. E. Karisch and F. Rendl, "QAPLIB - a quadratic assignment problem library", Journal of Global
Optimization 10, 1997.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from itertools import islice
from types import MappingProxyType
from typing import Any, Final, SupportsIndex

import numpy as np
import numpy.typing as npt

from metaheur.errors import InputError
from metaheur.problems.formats.files import write_lines
from metaheur.problems.formats.numbers import integer, integers
from metaheur.problems.formats.permutations import permutation
from metaheur.problems.formats.taillard_generator import uniform
from metaheur.problems.formats.tokens import Tokens
from metaheur.representation import Permutation
from metaheur.validate import whole

__all__ = ["BEST_KNOWN", "read_dat", "read_sln", "taillard", "write_dat", "write_sln"]

BEST_KNOWN: Final[Mapping[int, int]] = MappingProxyType(
    {
        12: 224416,
        15: 388214,
        17: 491812,
        20: 703482,
        25: 1167256,
        30: 1818146,
        35: 2422002,
        40: 3139370,
        50: 4938796,
        60: 7205962,
        80: 13499184,
        100: 21044752,
    }
)
"""The lowest known cost of each of Taillard's instances tai<n>a, by n; proven optimal up to n = 25.

For n = 100 QAPLIB's file holds a permutation of cost 21052466; the lower cost is from the literature (A. Misevicius,
2008), which states no permutation to check it with.
"""

_LARGEST_SIZE: Final = 100_000
_INT64: Final = np.iinfo(np.int64)


def read_dat(path: str | os.PathLike[str]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Read an instance.

    Returns `a, b`, int64, shape (n, n): the first and the second matrix of the file. Raises InputError if the file
    cannot be read, or does not hold exactly 1 + 2n² 64-bit integers with n in 1 ... 100,000, or one more with n and a
    value on the first line.
    """
    tokens = Tokens.read(path, commas=True)
    n = integer(tokens, "the size n", 1, _LARGEST_SIZE)
    if tokens.on_first_line == 2 and tokens.left == 1 + 2 * n * n and max(tokens.widths[1:]) <= n:
        integer(tokens, "the value of a solution")
    places = tokens.take(2 * n * n, f"numbers: two matrices of {n} rows and columns")
    a, b = integers(tokens, places, "an entry").reshape(2, n, n)
    tokens.finish("the second matrix")
    return a, b


def write_dat(path: str | os.PathLike[str], a: npt.NDArray[np.integer[Any]], b: npt.NDArray[np.integer]) -> None:
    """Write an instance, which `read_dat` reads back.

    `path`: a file there is replaced. `a`, `b`, integers, shape (n, n): the first and the second matrix of the file, of
    64-bit values. Raises InputError if a matrix is not as described, or the file cannot be written.
    """
    n = len(np.atleast_1d(a))
    for name, matrix in (("a", a), ("b", b)):
        if matrix.dtype.kind not in "iu" or matrix.shape != (n, n) or not 0 < n <= _LARGEST_SIZE:
            raise InputError(
                f"`{name}` must be a matrix of integers of shape (n, n), the same as the other, with n in "
                f"1 ... {_LARGEST_SIZE}, but is one of {matrix.dtype} of shape {matrix.shape}."
            )
        if int(matrix.max()) > _INT64.max:
            raise InputError(f"`{name}` holds {matrix.max()}, which does not fit into 64 bits.")
    first, second = ([" ".join(map(str, row)) for row in matrix.tolist()] for matrix in (a, b))
    write_lines(path, [str(n), "", *first, "", *second])


def read_sln(path: str | os.PathLike[str]) -> tuple[int, npt.NDArray[np.int32]]:
    """Read a solution.

    QAPLIB counts from 1, but some of its files, such as tai40a.sln, from 0: a permutation that holds a 0 is read as one
    of these. In some files, such as tai60a.sln, the cost is that of the inverse permutation; the one that the file
    lists is returned.

    Returns `cost`: the cost that the file states; it is not checked. `solution`, int32, shape (n,): the permutation,
    numbered from 0. Raises InputError if the file cannot be read, or does not hold exactly n in 1 ... 100,000, a 64-bit
    integer and a permutation of n numbers.
    """
    tokens = Tokens.read(path, commas=True)
    n = integer(tokens, "the size n", 1, _LARGEST_SIZE)
    cost = integer(tokens, "the cost")
    places = tokens.take(n, f"numbers: a permutation of {n}")
    first = 0 if 0 in integers(tokens, places, "a location") else 1
    solution = permutation(tokens, places, "a location", first).astype(np.int32)
    tokens.finish("the permutation")
    return cost, solution


def write_sln(path: str | os.PathLike[str], cost: SupportsIndex, solution: npt.NDArray[np.integer[Any]]) -> None:
    """Write a solution, counting from 1 as QAPLIB does; `read_sln` reads it back.

    `path`: a file there is replaced. `cost`: a 64-bit integer; it is not checked against the permutation. `solution`,
    integers, shape (n,): a permutation of 0 ... n - 1 with n in 1 ... 100,000. Raises InputError if `cost` or
    `solution` is not as described, or the file cannot be written.
    """
    number = whole(cost, "cost", _INT64.min, _INT64.max)
    if solution.dtype.kind not in "iu" or solution.ndim != 1 or not 0 < len(solution) <= _LARGEST_SIZE:
        raise InputError(
            f"`solution` must be an array of integers of shape (n,) with n in 1 ... {_LARGEST_SIZE}, but is one of "
            f"{solution.dtype} of shape {solution.shape}."
        )
    places = solution.astype(np.int64)
    if reason := Permutation(len(places)).violation(places):
        raise InputError(f"`solution` must be a permutation: {reason}", "count from 0.")
    write_lines(path, [f"{len(places)} {number}", " ".join(map(str, (places + 1).tolist()))])


def taillard(n: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Generate Taillard's instance tai<n>a, equal to QAPLIB's file entry by entry.

    Source: É. Taillard, "Robust taboo search for the quadratic assignment problem", Parallel Computing 17, 1991.

    `n`: one of the sizes of `BEST_KNOWN`. Returns `a, b`, int64, shape (n, n): symmetric, with values in 0 ... 99 and a
    diagonal of zeros. Raises InputError if there is no instance of this size.
    """
    known = f"use one of n = {', '.join(map(str, BEST_KNOWN))}."
    n = whole(n, "n", min(BEST_KNOWN), max(BEST_KNOWN), maybe=known)
    if n not in BEST_KNOWN:
        raise InputError(f"There is no instance tai{n}a.", known)
    values = uniform(123456789, 0, 99)
    first, second = _symmetric(n, values), _symmetric(n, values)
    return (first, second) if n in (50, 100) else (second, first)  # the order of these two files


def _symmetric(n: int, values: Iterator[int]) -> npt.NDArray[np.int64]:
    upper = np.zeros((n, n), np.int64)
    upper[np.triu_indices(n, 1)] = list(islice(values, n * (n - 1) // 2))
    return upper + upper.T
