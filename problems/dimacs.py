"""DIMACS's .col files of graphs to be coloured.

A line begins with what it is: c, a comment; ``p edge n m``, the numbers of vertices and of edges; ``e i j``, an edge
between vertices numbered from 1. Lines n, d, v and x (weights and coordinates that generators add) are left out, like
comments. Some files, such as queen5_5.col, list every edge in both directions, and m counts both.

Source: "Clique and coloring problems graph format", second DIMACS implementation challenge, 1993.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import numpy.typing as npt

from metaheur.errors import InputError
from metaheur.problems.files import write_lines
from metaheur.problems.numbers import LARGEST, integer, whole
from metaheur.problems.words import Words

__all__ = ["read_col", "write_col"]


def read_col(path: str | os.PathLike[str]) -> tuple[int, npt.NDArray[np.int32]]:
    """Read a graph.

    Returns
    -------
    n : int
        Number of vertices.
    edges : ndarray of int32, shape (m, 2)
        The vertices i < j of each edge, numbered from 0, sorted; an edge that the file repeats or lists in both
        directions stands there once, so that m may be less than the file's.

    Raises
    ------
    InputError
        If the file cannot be read, does not begin with a line p, holds more or fewer edges than it says, a line of
        another kind, what is no integer, a vertex outside 1 ... n, or an edge from a vertex to itself.
    """
    words = Words.read(path, comments="cndvx")
    start = words.take(2, "words: p and edge")
    words.keyword(start[:1], "p")
    if words.word(start[1]) not in ("edge", "edges", "col"):
        raise words.error(
            start[1],
            f"{words.shown(start[1])} stands where 'edge' or 'col' is expected",
            "the file is of another problem.",
        )
    n = integer(words, "the number of vertices n", 1, LARGEST)
    m = integer(words, "the number of edges m", 0, LARGEST)
    places = words.take(3 * m, f"words: {m} lines 'e i j'")
    words.keyword(places[0::3], "e")
    ends = [whole(words, places[k::3], "a vertex", 1, n) - 1 for k in (1, 2)]
    if (loops := ends[0] == ends[1]).any():
        k = int(np.argmax(loops))
        reason = f"an edge joins vertex {ends[0][k] + 1} to itself: no colouring is proper"
        raise words.error(places[3 * k], reason, "the edge can be left out.")
    words.finish("the last edge")
    pairs = np.unique(np.minimum(*ends) * n + np.maximum(*ends))
    return n, np.stack((pairs // n, pairs % n), axis=1).astype(np.int32)


def write_col(path: str | os.PathLike[str], n: int, edges: npt.NDArray[np.integer[Any]]) -> None:
    """Write a graph, which `read_col` reads back if its edges are sorted with i < j.

    Parameters
    ----------
    path : path-like
        A file there is replaced.
    n : int
        Number of vertices, 1 ... 2**31 - 1.
    edges : ndarray of integers, shape (m, 2)
        The two vertices, different and numbered from 0, of each edge.

    Raises
    ------
    InputError
        If n or edges is not as described, or the file cannot be written.
    """
    if isinstance(n, bool) or not isinstance(n, int | np.integer) or not 1 <= n <= LARGEST:
        raise InputError(f"n is a number of vertices in 1 ... {LARGEST}, but it is {n!r}.")
    if edges.dtype.kind not in "iu" or edges.ndim != 2 or edges.shape[1] != 2:
        raise InputError(
            f"edges is an array of integers of shape (m, 2), but it is one of {edges.dtype} of shape {edges.shape}."
        )
    wrong = ((edges < 0) | (edges >= n)).any(axis=1) | (edges[:, 0] == edges[:, 1])
    if wrong.any():
        i, j = edges[int(np.argmax(wrong))].tolist()
        raise InputError(
            f"An edge joins {i} and {j}, but the vertices are two of 0 ... {n - 1}.", "they are numbered from 1."
        )
    write_lines(path, [f"p edge {n} {len(edges)}", *(f"e {i + 1} {j + 1}" for i, j in edges.tolist())])
