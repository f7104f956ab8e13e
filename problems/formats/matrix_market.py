"""Graphs in files of Matrix Market: the entries of a sparse symmetric matrix, as the SuiteSparse collection holds them.

The first line is ``%%MatrixMarket matrix coordinate FIELD SYMMETRY``, comments begin with %, then come ``n n m`` and m
times ``i j``, and the weight unless FIELD is "pattern".

Source: R. F. Boisvert, R. Pozo and K. Remington, "The Matrix Market exchange formats: initial design", NISTIR 5935,
1996.
"""

from __future__ import annotations

import os

import numpy as np

from metaheur.errors import InputError
from metaheur.problems.formats.files import read_text
from metaheur.problems.formats.numbers import LARGEST, integer, integers, scaled
from metaheur.problems.formats.tokens import Tokens

__all__ = ["read_matrix_market"]


def read_matrix_market(path: str | os.PathLike[str]) -> tuple[int, np.ndarray, np.ndarray, np.ndarray, int]:
    """Read a graph: an edge for each entry off the diagonal.

    Returns `n`: number of vertices. `i, j, w`, int64, shape (m,): the vertices i < j of each edge, numbered from 0,
    sorted, and its weight times `factor`; 1 in a pattern. An entry on the diagonal, and an edge whose weight is 0, is
    left out. `factor`: the smallest power of ten that makes all weights integers. Raises InputError if the file cannot
    be read, is truncated or too long, or is not of a sparse, square and symmetric matrix of real numbers; if a token is
    not a number, an index is outside 1 ... n, or both triangles hold unlike weights.
    """
    text = read_text(path)
    head, _, rest = text.partition("\n")
    words = head.lower().split()
    if len(words) != 5 or words[0] != "%%matrixmarket" or words[1:3] != ["matrix", "coordinate"]:
        raise InputError(f"{path} must begin with %%MatrixMarket matrix coordinate, but begins with {head[:60]!r}.")
    if words[3] not in ("pattern", "integer", "real") or words[4] not in ("symmetric", "general"):
        raise InputError(f"{path} is a {words[4][:20]} matrix of {words[3][:20]} numbers, which is not a graph.")
    body = "\n" + "\n".join("" if line.lstrip().startswith("%") else line for line in rest.split("\n"))
    tokens = Tokens.within(path, body, (0, len(body)))
    n, columns = (integer(tokens, what, 1, LARGEST) for what in ("the number of rows", "the number of columns"))
    m = integer(tokens, "the number of entries", 0, LARGEST)
    if n != columns:
        raise InputError(f"{path} is a matrix of {n} rows and {columns} columns, which is not a graph.")
    width = 2 if words[3] == "pattern" else 3
    places = tokens.take(width * m, f"numbers: {m} entries of {width} each")
    ends = np.stack([integers(tokens, places[axis::width], "an index", 1, n) - 1 for axis in (0, 1)], axis=1)
    w, factor = (np.ones(m, np.int64), 1) if width == 2 else scaled(tokens, places[2::3], "a weight")
    tokens.finish("the last entry")
    return n, *_graph(path, ends, w), factor


def _graph(path: str | os.PathLike[str], ends: np.ndarray, w: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Each edge once, sorted; both triangles of a matrix must agree."""
    kept = (ends[:, 0] != ends[:, 1]) & (w != 0)
    ends, w = np.sort(ends[kept], axis=1), w[kept]
    order = np.lexsort((ends[:, 1], ends[:, 0]))
    ends, w = ends[order], w[order]
    again = np.flatnonzero((ends[1:] == ends[:-1]).all(axis=1))
    if (w[again] != w[again + 1]).any():
        raise InputError(f"{path} is not symmetric: two weights of an edge differ.", "make its matrix symmetric.")
    first = np.delete(np.arange(len(w)), again + 1)
    return ends[first, 0], ends[first, 1], w[first]
