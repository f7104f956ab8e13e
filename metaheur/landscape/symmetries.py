"""Symmetries of a QAP: permutations of locations or facilities that change no cost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import permutations
from math import factorial, prod

import numpy as np

__all__ = ["automorphisms", "copies_of", "exchanged", "in_order", "interchangeable"]

MOST = 5000
"""The most symmetries that are listed."""


def interchangeable(matrix: np.ndarray) -> list[list[int]]:
    """The groups of two or more indices, any two of which may be exchanged without changing the matrix."""
    left, groups = list(range(len(matrix))), []
    while left:
        group = [i for i in left if _exchange(matrix, left[0], i)]
        left = [i for i in left if i not in group]
        groups.append(group)
    return [group for group in groups if len(group) > 1]


def _exchange(matrix: np.ndarray, i: int, j: int) -> bool:
    """Whether the exchange of two indices leaves the matrix as it is."""
    order = np.arange(len(matrix))
    order[[i, j]] = j, i
    return bool((matrix[np.ix_(order, order)] == matrix).all())


def copies_of(groups: Iterable[Sequence[int]]) -> int:
    """In how many ways the members of all groups can be exchanged among each other."""
    return prod(factorial(len(group)) for group in groups)


def exchanged(rows: np.ndarray, groups: Iterable[Sequence[int]]) -> np.ndarray:
    """The rows with the entries of each group in every order."""
    for group in groups:
        rows = np.concatenate([_moved(rows, group, order) for order in permutations(group)])
    return rows


def in_order(rows: np.ndarray, groups: Iterable[Sequence[int]]) -> np.ndarray:
    """The rows with the entries of each group in ascending order."""
    found = rows.copy()
    for group in groups:
        found[:, group] = np.sort(rows[:, group], axis=1)
    return found


def _moved(rows: np.ndarray, group: Sequence[int], order: Sequence[int]) -> np.ndarray:
    found = rows.copy()
    found[:, list(group)] = rows[:, list(order)]
    return found


def automorphisms(matrix: np.ndarray, groups: Iterable[Sequence[int]] = ()) -> np.ndarray:
    """The permutations p with ``matrix[p][:, p] == matrix``, a row each, the identity first; at most 5,000 of them.

    `groups`: interchangeable indices, whose images are in ascending order: one permutation stands for all exchanges.
    """
    n = len(matrix)
    before = {member: group[k] for group in groups for k, member in enumerate(group[1:])}
    found: list[list[int]] = []
    kinds = [(matrix[i, i], tuple(sorted(matrix[i].tolist())), tuple(sorted(matrix[:, i].tolist()))) for i in range(n)]
    image: list[int] = []

    def extend() -> None:
        i = len(image)
        if len(found) >= MOST:
            return
        if i == n:
            found.append(image.copy())
            return
        for j in range(image[before[i]] + 1 if i in before else 0, n):
            fits = j not in image and kinds[j] == kinds[i]
            if fits and (matrix[j, image] == matrix[i, :i]).all() and (matrix[image, j] == matrix[:i, i]).all():
                image.append(j)
                extend()
                image.pop()

    extend()
    return np.array(found, np.int64)
