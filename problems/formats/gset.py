"""Weighted graphs for max-cut of G-set, of the Biq Mac library, and all others of the generator rudy.

A file holds ``n m`` and, for each of m edges, ``i j w``: two vertices, numbered from 1, and the weight of their edge.
Decimal weights become integers by a power of ten that the graph names.

Source: C. Helmberg and F. Rendl, "A spectral bundle method for semidefinite programming", SIAM Journal on Optimization
10, 2000 (G-set, made by G. Rinaldi's generator).
"""

from __future__ import annotations

import os

import numpy as np

from metaheur.problems.formats.files import write_lines
from metaheur.problems.formats.numbers import LARGEST, decimals, integer
from metaheur.problems.formats.tokens import Tokens
from metaheur.problems.formats.weighted_pairs import WeightedPairs, read_pairs

__all__ = ["read_gset", "write_gset"]


def read_gset(path: str | os.PathLike[str]) -> tuple[int, np.ndarray, np.ndarray, np.ndarray, int]:
    """Read a graph; a line that begins with # is a comment.

    Returns `n`: number of vertices. `i, j, w`, int64, shape (m,): the vertices i < j of each edge, numbered from 0, and
    its weight times `factor`. `factor`: the smallest power of ten that makes all weights integers. Raises InputError if
    the file cannot be read, is truncated or too long, or holds a token that is not a number, a vertex outside 1 ... n,
    an edge twice or from a vertex to itself, or a weight that is not in -2**61 ... 2**61.
    """
    tokens = Tokens.read(path, comments="#")
    n = integer(tokens, "the number of vertices n", 1, LARGEST)
    m = integer(tokens, "the number of edges m", 0, LARGEST)
    i, j, w, factor = read_pairs(tokens, m, (1, n), "edge")
    tokens.finish("the last edge")
    return n, i - 1, j - 1, w, factor


def write_gset(path: str | os.PathLike[str], graph: WeightedPairs) -> None:
    """Write a graph, which `read_gset` reads back.

    `path`: a file there is replaced. `graph`: its edges, as a `metaheur.problems.max_cut.WeightedGraph` holds them.
    Raises InputError if the file cannot be written.
    """
    edges = zip((graph.i + 1).tolist(), (graph.j + 1).tolist(), decimals(graph.w, graph.factor), strict=True)
    write_lines(path, [f"{graph.n} {len(graph.w)}", *(f"{i} {j} {w}" for i, j, w in edges)])
