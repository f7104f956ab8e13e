"""Files of weighted graphs for max-cut: G-set's, Biq Mac's and all others of the generator rudy.

A file holds ``n m`` and, for each of m edges, ``i j w``: two vertices, numbered from 1, and the weight of their edge.
Decimal weights become integers by a power of ten that the graph names.

Source: C. Helmberg and F. Rendl, "A spectral bundle method for semidefinite programming", SIAM Journal on Optimization
10, 2000 (G-set, made by G. Rinaldi's generator).
"""

from __future__ import annotations

import os

from metaheur.problems.files import write_lines
from metaheur.problems.numbers import LARGEST, decimals, integer
from metaheur.problems.weighted_pairs import WeightedGraph, read_pairs
from metaheur.problems.words import Words

__all__ = ["read_gset", "write_gset"]


def read_gset(path: str | os.PathLike[str]) -> WeightedGraph:
    """Read a graph; a line that begins with # is a comment.

    Raises
    ------
    InputError
        If the file cannot be read, is truncated or too long, holds what is no number, a vertex outside 1 ... n, a loop,
        an edge twice, or a weight beyond 2**61.
    """
    words = Words.read(path, comments="#")
    n = integer(words, "the number of vertices n", 1, LARGEST)
    m = integer(words, "the number of edges m", 0, LARGEST)
    i, j, w, factor = read_pairs(words, m, (1, n), "edge")
    words.finish("the last edge")
    return WeightedGraph(n, i - 1, j - 1, w, factor)


def write_gset(path: str | os.PathLike[str], graph: WeightedGraph) -> None:
    """Write a graph, which `read_gset` reads back.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    edges = zip((graph.i + 1).tolist(), (graph.j + 1).tolist(), decimals(graph.w, graph.factor), strict=True)
    write_lines(path, [f"{graph.n} {len(graph.w)}", *(f"{i} {j} {w}" for i, j, w in edges)])
