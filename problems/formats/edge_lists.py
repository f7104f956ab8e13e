"""Graphs as lists of edges without weights: ``n m`` and, for each of m edges, ``i j``, vertices from 1."""

from __future__ import annotations

import os

import numpy as np

from metaheur.errors import InputError
from metaheur.problems.formats.numbers import LARGEST, integer, integers
from metaheur.problems.formats.tokens import Tokens

__all__ = ["read_edges"]


def read_edges(path: str | os.PathLike[str]) -> tuple[int, np.ndarray]:
    """Read a graph; a line that begins with # is a comment.

    Returns `n`: number of vertices. `edges`, int64, shape (m, 2): the vertices i < j of each edge, numbered from 0.
    Raises InputError if the file cannot be read, is truncated or too long, or holds a token that is not an integer, a
    vertex outside 1 ... n, or an edge twice or from a vertex to itself.
    """
    tokens = Tokens.read(path, comments="#")
    n = integer(tokens, "the number of vertices n", 1, LARGEST)
    m = integer(tokens, "the number of edges m", 0, LARGEST)
    places = tokens.take(2 * m, f"numbers: the two vertices of {m} edges")
    ends = np.sort(integers(tokens, places, "a vertex", 1, n).reshape(-1, 2) - 1, axis=1)
    tokens.finish("the last edge")
    loops = np.flatnonzero(ends[:, 0] == ends[:, 1])
    if len(loops):
        raise tokens.error(places[2 * loops[0]], f"an edge joins vertex {ends[loops[0], 0] + 1} to itself")
    if len(np.unique(ends, axis=0)) < m:
        raise InputError(f"{path} lists an edge twice.", "leave out one of the triangles of a symmetric matrix.")
    return n, ends
