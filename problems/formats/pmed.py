"""p-median problems of OR-Library: ``n m p``, then ``i j d`` for each of m edges of a graph, vertices from 1.

The distance of two vertices is the length of a shortest path. Where an edge is listed twice, the last length counts.

Source: J. E. Beasley, "A note on solving large p-median problems", European Journal of Operational Research 21, 1985.
"""

from __future__ import annotations

import os

import numpy as np

from metaheur.errors import InputError
from metaheur.machine.memory import square
from metaheur.problems.formats.numbers import integer, integers
from metaheur.problems.formats.tokens import Tokens

__all__ = ["read_pmed"]

_FAR = 2**62


def read_pmed(path: str | os.PathLike[str]) -> tuple[np.ndarray, int]:
    """Read an instance.

    Returns `distances`, int64, shape (n, n): lengths of shortest paths; symmetric, with zeros on the diagonal. They
    take time in proportion to n³. `p`: how many places are opened. Raises InputError if the file cannot be read, is
    truncated or too long, or holds a token that is not an integer, a vertex outside 1 ... n or a negative length; if
    there are fewer vertices than places, or the graph is not connected.
    """
    tokens = Tokens.read(path)
    n = integer(tokens, "the number of vertices n", 1, 20_000)
    m = integer(tokens, "the number of edges m", 0)
    p = integer(tokens, "the number of places p", 1, n)
    places = tokens.take(3 * m, f"numbers: two vertices and a length, for {m} edges")
    i, j = (integers(tokens, places[axis::3], "a vertex", 1, n) - 1 for axis in (0, 1))
    lengths = integers(tokens, places[2::3], "a length", 0, 2**31)
    tokens.finish("the last edge")
    distances = square(n, "the distances")
    distances[...] = _FAR
    for a, b, length in zip(i.tolist(), j.tolist(), lengths.tolist(), strict=True):
        distances[a, b] = distances[b, a] = length
    np.fill_diagonal(distances, 0)
    for k in range(n):  # R. W. Floyd, 1962
        through = distances[k]
        reached = np.flatnonzero(through < _FAR)
        block = np.ix_(reached, reached)
        distances[block] = np.minimum(distances[block], through[reached][:, None] + through[reached])
    if distances.max() == _FAR:
        raise InputError(f"{path} is a graph of several parts.", "it was not downloaded or written to its end.")
    return distances, p
