"""Maximum diversity problems of MDPLIB: ``n p``, then ``i j d`` for each pair of items i < j, numbered from 0.

Source: R. Martí, A. Duarte, A. Martínez-Gavara and J. Sánchez-Oro, "The MDPLIB 2.0 library of benchmark instances for
diversity problems", Universitat de València, 2021.
"""

from __future__ import annotations

import os

import numpy as np

from metaheur.errors import InputError
from metaheur.machine.memory import square
from metaheur.problems.formats.numbers import integer, integers, scaled
from metaheur.problems.formats.tokens import Tokens

__all__ = ["read_mdp"]


def read_mdp(path: str | os.PathLike[str]) -> tuple[np.ndarray, int, int]:
    """Read an instance.

    Returns `distances`, int64, shape (n, n): times `factor`; symmetric, with zeros on the diagonal. `p`: how many items
    are chosen. `factor`: the smallest power of ten that makes all distances integers. Raises InputError if the file
    cannot be read, is truncated or too long, or holds a token that is not a number, an item outside 0 ... n - 1, a pair
    twice, or more items to choose than there are.
    """
    tokens = Tokens.read(path)
    n = integer(tokens, "the number of items n", 1, 100_000)
    p = integer(tokens, "the number of chosen items p", 1, n)
    pairs = n * (n - 1) // 2
    places = tokens.take(3 * pairs, f"numbers: two items and their distance, for {pairs} pairs")
    i, j = (integers(tokens, places[axis::3], "an item", 0, n - 1) for axis in (0, 1))
    w, factor = scaled(tokens, places[2::3], "a distance") if pairs else (np.zeros(0, np.int64), 1)
    tokens.finish("the last distance")
    if len(np.unique(np.minimum(i, j) * n + np.maximum(i, j))) < pairs or (i == j).any():
        raise InputError(f"{path} does not hold each pair of items once.", "its items are not numbered from 0.")
    distances = square(n, "the distances")
    distances[i, j] = distances[j, i] = w
    return distances, p, factor
