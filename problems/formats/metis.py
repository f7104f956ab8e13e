"""Graphs of METIS's form, which Chaco and the archive of graph partitioning have, too.

The first line is ``n m``, and perhaps a code of three digits: whether vertices have sizes, vertices have weights, edges
have weights; and how many weights a vertex has. A line follows for each vertex: its size, its weights, and its
neighbors, counted from 1, each with the weight of the edge. Lines that begin with % are comments.

Source: G. Karypis and V. Kumar, "METIS: a software package for partitioning unstructured graphs", University of
Minnesota, 1998.
"""

from __future__ import annotations

import os

import numpy as np

from metaheur.errors import InputError
from metaheur.problems.formats.files import read_text
from metaheur.problems.formats.numbers import LARGEST, integer, integers
from metaheur.problems.formats.tokens import Tokens

__all__ = ["read_metis"]


def read_metis(path: str | os.PathLike[str]) -> tuple[int, np.ndarray, np.ndarray]:
    """Read an instance: `n`, the number of vertices, `edges` and `weights`, int64.

    `edges`, shape (m, 2): the two vertices of each edge, from 0, the smaller one first, in order. `weights`, shape
    (m,): 1 where the file has none. Refused are weights of vertices other than 1, and edges that are listed in one
    direction alone.
    """
    head, *rows = _lines(path)
    n, m = integer(head, "the number of vertices", 1, LARGEST), integer(head, "the number of edges", 0, LARGEST)
    code = integer(head, "the code of weights", 0, 111) if head.left else 0
    sized, heavy = code // 100, code % 10
    count = sized + (integer(head, "the number of weights", 0, 100) if head.left else code // 10 % 10)
    head.finish("the first line")
    while len(rows) > n and not rows[-1].left:
        rows.pop()
    if len(rows) != n:
        raise InputError(f"{path} has {len(rows)} lines of vertices, but its first line says {n}.", "it is truncated.")
    found = dict[tuple[int, int], int]()
    for v, row in enumerate(rows):
        own = integers(row, row.take(count, "weights of a vertex"), "a weight of a vertex", 0, LARGEST)[sized:]
        if (own != 1).any():
            raise InputError(f"{path} weighs vertex {v + 1} by {own.tolist()}, but all vertices must weigh 1.")
        for u, weight in _neighbors(row, n, 1 + heavy):
            if u == v or (v, u) in found:
                raise InputError(f"{path} lists edge ({v + 1}, {u + 1}) twice, or joins a vertex to itself.")
            found[v, u] = weight
    for (v, u), weight in found.items():
        if found.get((u, v)) != weight:
            raise InputError(f"{path} lists edge ({v + 1}, {u + 1}) in the line of vertex {v + 1} alone.")
    edges = sorted(each for each in found if each[0] < each[1])
    if len(edges) != m:
        raise InputError(f"{path} has {len(edges)} edges, but its first line says {m}.", "it is truncated.")
    return n, np.array(edges, np.int64).reshape(-1, 2), np.array([found[each] for each in edges], np.int64)


def _lines(path: str | os.PathLike[str]) -> list[Tokens]:
    """The lines from the first one with a number on, without comments; blank ones are vertices without neighbors."""
    text, begin, lines = read_text(path), 0, list[Tokens]()
    for line in text.splitlines(keepends=True):
        if not line.lstrip().startswith("%") and (lines or line.strip()):
            lines.append(Tokens.within(path, text, (begin, begin + len(line))))
        begin += len(line)
    if not lines:
        raise InputError(f"{path} is empty, except for comments.", "it was not downloaded or written to its end.")
    return lines


def _neighbors(row: Tokens, n: int, pair: int) -> list[tuple[int, int]]:
    """The neighbors in the rest of a line, and the weights of the edges: 1 each, or in pairs with the neighbors."""
    places = row.rest()
    if len(places) % pair:
        raise row.error(places[-1], "a vertex has no weight behind it", "its line must have pairs.")
    others = integers(row, places[::pair], "a vertex", 1, n) - 1
    weights = integers(row, places[1::2], "a weight", 0, LARGEST).tolist() if pair == 2 else [1] * len(others)
    return [*zip(others.tolist(), weights, strict=True)]
