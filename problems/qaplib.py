"""QAPLIB's files of quadratic assignment instances and solutions, and Taillard's generator of some of them.

A `.dat` file holds n and two n x n matrices A and B; the cost of a permutation p is the sum over i and j of
A[i][j] · B[p[i]][p[j]]. A `.sln` file holds n, a cost and a permutation. Both are integers in free format: any white
space, commas and line ends of any system. Files compressed with gzip are read as they are, whatever their name.

Source: R. E. Burkard, S. E. Karisch and F. Rendl, "QAPLIB - a quadratic assignment problem library", Journal of Global
Optimization 10, 1997.
"""

from __future__ import annotations

import operator
import os
from collections.abc import Iterator, Mapping
from itertools import islice
from types import MappingProxyType
from typing import Any, Final, SupportsIndex

import numpy as np
import numpy.typing as npt

from metaheur.errors import InputError
from metaheur.problems.files import write_lines
from metaheur.problems.numbers import integer, whole
from metaheur.problems.permutations import permutation
from metaheur.problems.taillard import uniform
from metaheur.problems.words import Words
from metaheur.representation import Permutation

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
"""The lowest cost known for each of Taillard's instances tai<n>a, by n; proven optimal up to n = 25.

For n = 100 QAPLIB's file holds a permutation of cost 21052466; the lower cost is reported in the literature
(A. Misevicius, 2008) without a permutation to check it by.
"""

_LARGEST_SIZE: Final = 100_000
_INT64: Final = np.iinfo(np.int64)


def read_dat(path: str | os.PathLike[str]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Read an instance.

    Returns
    -------
    a, b : ndarray of int64, shape (n, n)
        The first and the second matrix of the file.

    Raises
    ------
    InputError
        If the file cannot be read, holds a token that is no 64-bit integer, a size outside 1 ... 100,000, or not
        exactly 1 + 2n² numbers.
    """
    words = Words.read(path, commas=True)
    n = integer(words, "the size n", 1, _LARGEST_SIZE)
    places = words.take(2 * n * n, f"numbers: two matrices of {n} rows and columns")
    a, b = whole(words, places, "an entry").reshape(2, n, n)
    words.finish("the second matrix")
    return a, b


def write_dat(path: str | os.PathLike[str], a: npt.NDArray[np.integer[Any]], b: npt.NDArray[np.integer]) -> None:
    """Write an instance, which `read_dat` reads back.

    Parameters
    ----------
    path : path-like
        A file there is replaced.
    a, b : ndarray of integers, shape (n, n)
        The first and the second matrix of the file, of 64-bit values.

    Raises
    ------
    InputError
        If a matrix is not as described, or the file cannot be written.
    """
    n = len(np.atleast_1d(a))
    for name, matrix in (("a", a), ("b", b)):
        if matrix.dtype.kind not in "iu" or matrix.shape != (n, n) or not 0 < n <= _LARGEST_SIZE:
            raise InputError(
                f"{name} is a matrix of {matrix.dtype} of shape {matrix.shape}, but a .dat file holds two of integers "
                f"of shape (n, n) with n in 1 ... {_LARGEST_SIZE}."
            )
        if int(matrix.max()) > _INT64.max:
            raise InputError(f"{name} holds {matrix.max()}, which lies beyond 64-bit integers.")
    first, second = ([" ".join(map(str, row)) for row in matrix.tolist()] for matrix in (a, b))
    write_lines(path, [str(n), "", *first, "", *second])


def read_sln(path: str | os.PathLike[str]) -> tuple[int, npt.NDArray[np.int32]]:
    """Read a solution.

    QAPLIB numbers from 1, but some of its files, such as tai40a.sln, number from 0: a file whose permutation holds a 0
    is read as one of these. For some files, such as tai60a.sln, the cost is not that of the permutation but of its
    inverse: the permutation is returned as it stands.

    Returns
    -------
    cost : int
        The cost that the file states; it is not checked.
    solution : ndarray of int32, shape (n,)
        The permutation, numbered from 0.

    Raises
    ------
    InputError
        If the file cannot be read, holds a token that is no 64-bit integer, a size outside 1 ... 100,000, not exactly
        2 + n numbers, or no permutation.
    """
    words = Words.read(path, commas=True)
    n = integer(words, "the size n", 1, _LARGEST_SIZE)
    cost = integer(words, "the cost")
    places = words.take(n, f"numbers: a permutation of {n}")
    first = 0 if 0 in whole(words, places, "a location") else 1
    solution = permutation(words, places, "a location", first).astype(np.int32)
    words.finish("the permutation")
    return cost, solution


def write_sln(path: str | os.PathLike[str], cost: SupportsIndex, solution: npt.NDArray[np.integer[Any]]) -> None:
    """Write a solution, numbered from 1 as QAPLIB does, which `read_sln` reads back.

    Parameters
    ----------
    path : path-like
        A file there is replaced.
    cost : int
        A 64-bit integer; it is not checked against the permutation.
    solution : ndarray of integers, shape (n,)
        A permutation of 0 ... n - 1 with n in 1 ... 100,000.

    Raises
    ------
    InputError
        If cost or solution is not as described, or the file cannot be written.
    """
    try:
        number = operator.index(cost)
    except TypeError:
        raise InputError(f"cost = {cost!r} is not an integer.") from None
    if not _INT64.min <= number <= _INT64.max:
        raise InputError(f"cost = {number} lies beyond 64-bit integers.")
    if solution.dtype.kind not in "iu" or solution.ndim != 1 or not 0 < len(solution) <= _LARGEST_SIZE:
        raise InputError(
            f"solution is an array of {solution.dtype} of shape {solution.shape}, but a .sln file holds integers of "
            f"shape (n,) with n in 1 ... {_LARGEST_SIZE}."
        )
    places = solution.astype(np.int64)
    if reason := Permutation(len(places)).offence(places):
        raise InputError(f"solution is no permutation: {reason}", "it counts from 1 where 0 is meant.")
    write_lines(path, [f"{len(places)} {number}", " ".join(map(str, (places + 1).tolist()))])


def taillard(n: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Generate Taillard's instance tai<n>a, equal to QAPLIB's file entry by entry.

    Source: É. Taillard, "Robust taboo search for the quadratic assignment problem", Parallel Computing 17, 1991.

    Parameters
    ----------
    n : int
        One of the sizes of `BEST_KNOWN`.

    Returns
    -------
    a, b : ndarray of int64, shape (n, n)
        Symmetric, with values in 0 ... 99 and a diagonal of zeros.

    Raises
    ------
    InputError
        If there is no instance of this size.
    """
    if n not in BEST_KNOWN:
        raise InputError(f"tai{n}a is not known.", f"use one of n = {', '.join(map(str, BEST_KNOWN))}.")
    values = uniform(123456789, 0, 99)
    first, second = _symmetric(n, values), _symmetric(n, values)
    return (first, second) if n in (50, 100) else (second, first)  # these two files have them in order


def _symmetric(n: int, values: Iterator[int]) -> npt.NDArray[np.int64]:
    upper = np.zeros((n, n), np.int64)
    upper[np.triu_indices(n, 1)] = list(islice(values, n * (n - 1) // 2))
    return upper + upper.T
