"""Graph colouring: as few edges as possible between vertices of one colour."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar, Self, final

import numpy as np
from attrs import field, frozen

from metaheur.errors import InputError
from metaheur.neighborhoods.substitution import SubstitutionMove
from metaheur.problem import Kept, Problem, data
from metaheur.problems.dimacs import read_col
from metaheur.representation import DiscreteVector, Solution

__all__ = ["GraphColoring"]


def _edges(value: Any) -> np.ndarray:
    """Pairs of whole numbers, read-only int32."""
    try:
        array = np.asarray(value)
    except ValueError:
        raise InputError("edges is ragged: each edge is a pair of vertices.") from None
    if not array.size:
        array = np.empty((0, 2), np.int32)
    if array.ndim != 2 or array.shape[1] != 2:
        raise InputError(f"edges has the shape (m, 2), a row for each edge, but here it has {array.shape}.")
    if array.dtype.kind not in "iu":
        raise InputError(f"edges is made of whole numbers, but here of {array.dtype}.", "convert it to int.")
    if (array < 0).any() or (array >= 2**31).any():
        outside = array[(array < 0) | (array >= 2**31)][0]
        raise InputError(f"edges holds {outside}, which is no vertex.", "number the vertices from 0.")
    array = np.array(array, np.int32)
    array.flags.writeable = False
    return array


@final
@frozen(eq=False)
class GraphColoring(Problem):
    """Colour n vertices with k colours: minimise the number of edges whose ends have one colour.

    A solution of cost 0 is a proper k-colouring; the chromatic number is the least k that has one.

    Parameters
    ----------
    n : int
        Number of vertices, 1 ... 2**31 - 2.
    edges : array_like of int, shape (m, 2)
        The vertices, numbered from 0, that each edge joins; each edge once, in either direction.
    k : int
        Number of colours, 2 ... 2**31 - 1.

    Raises
    ------
    InputError
        If n or k is out of range, an edge has an end that is no vertex, joins a vertex to itself or is there twice.

    Notes
    -----
    A. Hertz and D. de Werra, "Using tabu search techniques for graph coloring", Computing 39, 1987. Beside each walk
    is kept the table of how many neighbours of each vertex have each colour, n k numbers, so that a change of cost
    costs O(1), and a move the degree of its vertex.
    """

    n: int = data("int32")
    edges: np.ndarray = field(converter=_edges)  # type: ignore[misc, unused-ignore]
    k: int = data("int32")

    source: ClassVar[str] = "graph_coloring.cuh"

    def __attrs_post_init__(self) -> None:
        """Refuse what is no instance."""
        if not 1 <= self.n <= 2**31 - 2:
            raise InputError(f"n is the number of vertices, a whole number in 1 ... 2**31 - 2, but it is {self.n}.")
        if self.k < 2:
            raise InputError(f"k is the number of colours, a whole number in 2 ... 2**31 - 1, but it is {self.k}.")
        if len(self.edges) >= 2**30:
            raise InputError(f"A graph has fewer than 2**30 edges here, but this one has {len(self.edges)}.")
        outside = self.edges >= self.n
        if outside.any():
            raise InputError(
                f"edges holds {self.edges[outside][0]}, but the vertices are 0 ... {self.n - 1}.",
                "number the vertices from 0.",
            )
        low, high = np.sort(self.edges, axis=1).astype(np.int64).T
        if (low == high).any():
            raise InputError(f"An edge joins vertex {low[low == high][0]} to itself: no colouring is proper.")
        numbers, times = np.unique(low * self.n + high, return_counts=True)
        if (times > 1).any():
            twice = divmod(int(numbers[times > 1][0]), self.n)
            raise InputError(f"The edge between {twice[0]} and {twice[1]} is there twice.", "leave one out.")

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], k: int) -> Self:
        """Read a DIMACS `.col` file, to be coloured with k colours; see `read_col` for what is refused."""
        n, edges = read_col(path)
        return cls(n, edges, k)

    @classmethod
    def random(cls, n: int, k: int, *, density: float = 0.5, seed: int) -> Self:
        """A random graph in which each pair of vertices is joined with the same probability, as the DSJC graphs are.

        Parameters
        ----------
        n : int
            Number of vertices, 1 ... 20000.
        k : int
            Number of colours.
        density : float, default 0.5
            The probability, 0 ... 1.
        seed : int
            Seed of NumPy's PCG64, not negative; the same seed gives the same instance.

        Notes
        -----
        D. S. Johnson, C. R. Aragon, L. A. McGeoch and C. Schevon, "Optimization by simulated annealing: an
        experimental evaluation; part II, graph coloring and number partitioning", Operations Research 39, 1991.
        """
        if isinstance(n, bool) or not isinstance(n, int | np.integer) or not 1 <= n <= 20_000:
            raise InputError(f"The size of a random graph is a whole number in 1 ... 20000, but it is {n!r}.")
        if isinstance(density, bool) or not isinstance(density, int | float) or not 0 <= density <= 1:
            raise InputError(f"The density of a random graph is a number in 0 ... 1, but it is {density!r}.")
        if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
            raise InputError(f"The seed of a random graph is a whole number from 0 on, but it is {seed!r}.")
        generator = np.random.Generator(np.random.PCG64(seed))
        rows = [np.flatnonzero(generator.random(n - 1 - i) < density) + i + 1 for i in range(n)]
        low = np.repeat(np.arange(n), [len(row) for row in rows])
        return cls(n, np.stack((low, np.concatenate(rows)), axis=1), k)

    @cached_property
    def representation(self) -> DiscreteVector:
        """Vectors of n colours 0 ... k-1."""
        return DiscreteVector(self.n, self.k)

    def cost(self, x: Solution) -> int:
        """Number of edges whose ends have one colour."""
        return int(np.count_nonzero(x[self.edges[:, 0]] == x[self.edges[:, 1]]))

    def costs(self, xs: np.ndarray) -> Any:
        """The same for each row of xs."""
        return (xs[:, self.edges[:, 0]] == xs[:, self.edges[:, 1]]).sum(axis=1)

    def delta(self, x: Solution, move: Any) -> Any:
        """The change of cost of a substitution: neighbours of the new colour less neighbours of the old one."""
        if not isinstance(move, SubstitutionMove):
            return NotImplemented
        begin, neighbours = self.tables["begin"], self.tables["neighbours"]
        if np.ndim(move.at) == 0:
            colours = x[neighbours[begin[move.at] : begin[move.at + 1]]]
            return np.count_nonzero(colours == move.value(x)) - np.count_nonzero(colours == x[move.at])
        gamma = np.zeros((self.n, self.k), np.int64)
        np.add.at(gamma, (self.edges[:, 0], x[self.edges[:, 1]]), 1)
        np.add.at(gamma, (self.edges[:, 1], x[self.edges[:, 0]]), 1)
        return gamma[move.at, move.value(x)] - gamma[move.at, x[move.at]]

    @property
    def cost_type(self) -> str:
        """Type of a change of cost: "int32", as it is at most the largest degree, below n."""
        return "int32"

    @property
    def state(self) -> Mapping[str, Kept]:
        """`gamma[v, c]`: how many neighbours of vertex v have colour c."""
        return {"gamma": Kept((self.n, self.k), "int32")}

    @cached_property
    def tables(self) -> Mapping[str, np.ndarray]:
        """The neighbours of vertex v: entries `begin[v]` ... `begin[v + 1]` - 1 of `neighbours`, ascending."""
        ends = np.concatenate((self.edges, self.edges[:, ::-1]))
        ends = ends[np.lexsort((ends[:, 1], ends[:, 0]))]
        begin = np.searchsorted(ends[:, 0], np.arange(self.n + 1)).astype(np.int32)
        return {"begin": begin, "neighbours": np.append(ends[:, 1], np.int32(0)).astype(np.int32)}
