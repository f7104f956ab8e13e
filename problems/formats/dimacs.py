"""DIMACS's `.col` files of graphs to be colored.

A line begins with what it is: c, a comment; ``p edge n m``, the numbers of vertices and of edges; ``e i j``, an edge
between vertices numbered from 1. Lines n, d, v and x (weights and coordinates that generators add) are passed over,
like comments. The published files differ in what m counts and in what they list:

* mostly every edge once (DSJC125.1.col);
* every edge in both directions, and m counts both (queen5_5.col);
* every edge once, but m counts both directions (DSJC500.9.col);
* some edges from a vertex to itself, or twice (homer.col). They mean nothing for a coloring, and are left out.

Source: "Clique and coloring problems graph format", second DIMACS implementation challenge, 1993.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import numpy.typing as npt

from metaheur.errors import InputError
from metaheur.problems.formats.files import write_lines
from metaheur.problems.formats.numbers import LARGEST, integer, integers
from metaheur.problems.formats.tokens import Tokens
from metaheur.validate import whole

__all__ = ["read_col", "write_col"]


def read_col(path: str | os.PathLike[str]) -> tuple[int, npt.NDArray[np.int32]]:
    """Read a graph.

    Returns `n`: number of vertices. `edges`, int32, shape (m, 2): the vertices i < j of each edge, numbered from 0,
    sorted. Each edge is there once, however often the file lists it, and none joins a vertex to itself; so m may be
    less than in the file. Raises InputError if the file cannot be read, does not begin with a line p, or lists neither
    m edges nor half as many different ones; if it holds a line of another kind, a number that is not an integer, or a
    vertex outside 1 ... n.
    """
    tokens = Tokens.read(path, comments="cndvx")
    start = tokens.take(2, "tokens: p and edge")
    tokens.keyword(start[:1], "p")
    if tokens.token(start[1]) not in ("edge", "edges", "col"):
        raise tokens.error(
            start[1],
            f"'edge' or 'col' is expected, but {tokens.shown(start[1])} is found",
            "the file is of another problem.",
        )
    n = integer(tokens, "the number of vertices n", 1, LARGEST)
    m = integer(tokens, "the number of edges m", 0, LARGEST)
    half = 2 * tokens.left == 3 * m
    places = tokens.take(3 * m // 2 if half else 3 * m, f"tokens: {m} lines 'e i j'")
    tokens.keyword(places[0::3], "e")
    i, j = (integers(tokens, places[k::3], "a vertex", 1, n) - 1 for k in (1, 2))
    tokens.finish("the last edge")
    pairs = np.sort((np.minimum(i, j) * n + np.maximum(i, j))[i != j])
    pairs = pairs[np.append(True, pairs[1:] != pairs[:-1])[: len(pairs)]]
    if half and len(pairs) < m // 2:
        raise InputError(
            f"{path} is truncated: it states {m} edges and lists {m // 2}, not all of them different.",
            "it was not downloaded or written to its end.",
        )
    return n, np.stack((pairs // n, pairs % n), axis=1).astype(np.int32)


def write_col(path: str | os.PathLike[str], n: int, edges: npt.NDArray[np.integer[Any]]) -> None:
    """Write a graph, which `read_col` reads back if its edges are sorted with i < j.

    `path`: a file there is replaced. `n`: number of vertices, 1 ... 2**31 - 1. `edges`, integers, shape (m, 2): the two
    vertices, different and numbered from 0, of each edge. Raises InputError if n or edges is not as described, or the
    file cannot be written.
    """
    n = whole(n, "n", 1, LARGEST)
    if edges.dtype.kind not in "iu" or edges.ndim != 2 or edges.shape[1] != 2:
        raise InputError(
            f"`edges` must be an array of integers of shape (m, 2), but is one of {edges.dtype} of shape {edges.shape}."
        )
    wrong = ((edges < 0) | (edges >= n)).any(axis=1) | (edges[:, 0] == edges[:, 1])
    if wrong.any():
        i, j = edges[int(np.argmax(wrong))].tolist()
        raise InputError(
            f"An edge must join two different vertices in 0 ... {n - 1}, but one joins {i} and {j}.",
            "count the vertices from 0.",
        )
    write_lines(path, [f"p edge {n} {len(edges)}", *(f"e {i + 1} {j + 1}" for i, j in edges.tolist())])
