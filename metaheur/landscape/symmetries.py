"""Symmetries of a QAP: permutations of locations or facilities that change no cost."""

from __future__ import annotations

import numpy as np

__all__ = ["automorphisms"]

MOST = 5000
"""The most symmetries that are listed."""


def automorphisms(matrix: np.ndarray) -> np.ndarray:
    """The permutations p with ``matrix[p][:, p] == matrix``, a row each, the identity first; at most 5,000 of them."""
    n = len(matrix)
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
        for j in range(n):
            fits = j not in image and kinds[j] == kinds[i]
            if fits and (matrix[j, image] == matrix[i, :i]).all() and (matrix[image, j] == matrix[:i, i]).all():
                image.append(j)
                extend()
                image.pop()

    extend()
    return np.array(found, np.int64)
