"""Graphs of METIS's form, which Chaco and the archive of graph partitioning have, too.

The first line is ``n m``, and perhaps a code of three digits: whether vertices have sizes, vertices have weights, edges
have weights; and how many weights a vertex has. A line follows for each vertex: its size, its weights, and its
neighbors, counted from 1, each with the weight of the edge. Lines that begin with % are comments.

Source: G. Karypis and V. Kumar, "METIS: a software package for partitioning unstructured graphs", University of
Minnesota, 1998.
"""

from __future__ import annotations

import os
from typing import Final, NamedTuple

import numpy as np

from metaheur.errors import InputError
from metaheur.problems.formats.files import read_text
from metaheur.problems.formats.numbers import LARGEST, integer, integers
from metaheur.problems.formats.tokens import Tokens

__all__ = ["read_metis"]


_TRUNCATED: Final = "it is truncated."


def read_metis(path: str | os.PathLike[str]) -> tuple[int, np.ndarray, np.ndarray]:
    """Read an instance: `n`, the number of vertices, `edges` and `weights`, int64.

    `edges`, shape (m, 2): the two vertices of each edge, from 0, the smaller one first, in order. `weights`, shape
    (m,): 1 where the file has none. Refused are weights of vertices other than 1, and edges that are listed in one
    direction alone.
    """
    text, spans, widths = _lines(path)
    head = Tokens.within(path, text, spans[0])
    n, m = integer(head, "the number of vertices", 1, LARGEST), integer(head, "the number of edges", 0, LARGEST)
    code = integer(head, "the code of weights", 0, 111) if head.left else 0
    sized = code // 100
    count = sized + (integer(head, "the number of weights", 0, 100) if head.left else code // 10 % 10)
    head.finish("the first line")
    while len(widths) > n + 1 and not widths[-1]:
        widths.pop()
    if len(widths) != n + 1:
        raise InputError(f"{path} has {len(widths) - 1} lines of vertices, but its first line says {n}.", _TRUNCATED)
    rows = _Rows(n, sized, count, 1 + code % 10)
    body = Tokens.within(path, text, (spans[0][1], len(text)))
    values = integers(body, body.rest(), "a number")
    for v in rows.wrong(values, np.array(widths[1:]))[:1].tolist():
        rows.require(Tokens.within(path, text, spans[v + 1]), v)
    edges, weights = _edges(path, n, *rows.listed(values, np.array(widths[1:])))
    if len(edges) != m:
        raise InputError(f"{path} has {len(edges)} edges, but its first line says {m}.", _TRUNCATED)
    return n, edges, weights


def _lines(path: str | os.PathLike[str]) -> tuple[str, list[tuple[int, int]], list[int]]:
    """The text with empty lines in place of comments; where each line lies, and how many numbers it has.

    The first line is the first one with a number. Blank lines are vertices without neighbors; comments do not count.
    """
    lines = read_text(path).splitlines(keepends=True)
    said = [not line.lstrip().startswith("%") for line in lines]
    lines = [line if says else "\n" * line.endswith("\n") for line, says in zip(lines, said, strict=True)]
    spans, widths, begin = list[tuple[int, int]](), list[int](), 0
    for line, says in zip(lines, said, strict=True):
        width, end = len(line.split()), begin + len(line)
        if says and (spans or width):
            spans.append((begin, end))
            widths.append(width)
        begin = end
    if not spans:
        raise InputError(f"{path} is empty, except for comments.", "it was not downloaded or written to its end.")
    return "".join(lines), spans, widths


class _Rows(NamedTuple):
    """The lines of `n` vertices: `before` weights of a vertex, of which `sized` is its size, then its neighbors.

    `pair`: 2 where the weight of an edge follows each neighbor, else 1.
    """

    n: int
    sized: int
    before: int
    pair: int

    def wrong(self, values: np.ndarray, widths: np.ndarray) -> np.ndarray:
        """The lines that `require` refuses, for the numbers of all lines, and how many there are in each."""
        line, column = self._places(widths)
        own, rest = column < self.before, (column - self.before) % self.pair
        low = np.select([own & (column < self.sized), own, rest == 0], [0, 1, 1], 0)
        high = np.select([own & (column < self.sized), own, rest == 0], [LARGEST, 1, self.n], LARGEST)
        bad = (widths < self.before) | ((widths - self.before) % self.pair > 0)
        bad[line[(values < low) | (values > high)]] = True
        return np.flatnonzero(bad)

    def require(self, row: Tokens, v: int) -> None:
        """Refuse the line of vertex v."""
        own = integers(row, row.take(self.before, "weights of a vertex"), "a weight of a vertex", 0, LARGEST)
        if (own[self.sized :] != 1).any():
            raise InputError(
                f"{row.path} weighs vertex {v + 1} by {own[self.sized :].tolist()}, but all vertices must weigh 1."
            )
        places = row.rest()
        if len(places) % self.pair:
            raise row.error(places[-1], "a vertex has no weight behind it", "its line must have pairs.")
        integers(row, places[:: self.pair], "a vertex", 1, self.n)
        integers(row, places[1::2], "a weight", 0, LARGEST)

    def listed(self, values: np.ndarray, widths: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Each neighbor in the order of the file: the vertex of its line, itself, and the weight of the edge."""
        line, column = self._places(widths)
        places = np.flatnonzero((column >= self.before) & ((column - self.before) % self.pair == 0))
        weights = values[places + 1] if self.pair == 2 else np.ones(len(places), np.int64)
        return line[places], values[places] - 1, weights

    def _places(self, widths: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The line and the column of each number."""
        line = np.repeat(np.arange(self.n), widths)
        return line, np.arange(len(line)) - np.repeat(np.cumsum(widths) - widths, widths)


def _edges(
    path: str | os.PathLike[str], n: int, v: np.ndarray, u: np.ndarray, weights: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The edges and their weights, of those that each vertex v lists with a neighbor u."""
    there, back = v * n + u, u * n + v
    order = np.argsort(there, kind="stable")
    numbers = there[order]
    again = order[1:][numbers[1:] == numbers[:-1]]
    for k in np.sort(np.concatenate([np.flatnonzero(u == v), again]))[:1].tolist():
        raise InputError(f"{path} lists edge ({v[k] + 1}, {u[k] + 1}) twice, or joins a vertex to itself.")
    found = np.minimum(np.searchsorted(numbers, back), len(numbers) - 1)
    alone = (numbers[found] != back) | (weights[order[found]] != weights)
    for k in np.flatnonzero(alone)[:1].tolist():
        raise InputError(f"{path} lists edge ({v[k] + 1}, {u[k] + 1}) in the line of vertex {v[k] + 1} alone.")
    once = order[v[order] < u[order]]
    return np.column_stack([v[once], u[once]]), weights[once]
