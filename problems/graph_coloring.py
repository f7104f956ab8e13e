"""Graph coloring: as few edges as possible between vertices of the same color."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self, final

import numpy as np
from attrs import field, frozen

from metaheur.errors import InputError
from metaheur.fields import Array, data
from metaheur.lazy import expressible
from metaheur.machine.memory import require
from metaheur.neighborhoods.substitution import SubstitutionMove
from metaheur.problem import Problem, repeated
from metaheur.problems.formats.dimacs import read_col
from metaheur.problems.formats.edge_lists import read_edges
from metaheur.problems.formats.matrix_market import read_matrix_market
from metaheur.problems.formats.recognition import by_layout
from metaheur.random import Random
from metaheur.representation import DiscreteVector, Representation, Solution
from metaheur.validate import real, whole

if TYPE_CHECKING:
    from metaheur.searches.recommendation import Recommendation


__all__ = ["GraphColoring"]

_FROM_0 = "count the vertices from 0."

IN_CONFLICT = 3
"""A move of a vertex in conflict takes as long as so many moves of a scan of all vertices: measured were 2 to 4."""


def _edges(value: Any) -> np.ndarray:
    """Pairs of whole numbers, read-only int32."""
    try:
        array = np.asarray(value)
    except ValueError:
        raise InputError("`edges` is ragged: each edge must be a pair of vertices.") from None
    if not array.size:
        array = np.empty((0, 2), np.int32)
    if array.ndim != 2 or array.shape[1] != 2:
        raise InputError(f"`edges` must have the shape (m, 2), a row for each edge, but has {array.shape}.")
    if array.dtype.kind not in "iu":
        raise InputError(f"`edges` must hold whole numbers, but holds {array.dtype}.", "convert them to int.")
    if (array < 0).any() or (array >= 2**31).any():
        outside = array[(array < 0) | (array >= 2**31)][0]
        raise InputError(f"The vertices of `edges` must be 0 or more, and less than n, but one is {outside}.", _FROM_0)
    array = np.array(array, np.int32)
    array.flags.writeable = False
    return array


def _of_matrix_market(path: str | os.PathLike[str]) -> tuple[int, np.ndarray]:
    n, i, j, _, _ = read_matrix_market(path)
    return n, np.stack([i, j], axis=1)


@final
@frozen(eq=False)
class GraphColoring(Problem):
    """Color n vertices with k colors: minimise the number of edges whose ends have the same color.

    A solution of cost 0 is a proper k-coloring; the chromatic number is the least k for which there is one.

    Parameters
    ----------
    n : int
        Number of vertices, 1 ... 2**31 - 2.
    edges : array_like of int, shape (m, 2)
        The two vertices of each edge, numbered from 0; each edge once, in either direction.
    k : int
        Number of colors, 2 ... 2**31 - 1.

    Raises
    ------
    InputError
        If n or k is out of range, there is no memory for n k numbers, or an edge has an end outside 0 ... n - 1, joins
        a vertex to itself or is listed twice.

    Notes
    -----
    A. Hertz and D. de Werra, "Using tabu search techniques for graph coloring", Computing 39, 1987. A table of how many
    neighbors of each vertex have each color, n k numbers, is kept beside each walk, so that a change of cost takes
    O(1), and a move time in proportion to the degree of its vertex.
    """

    n: int = data("int32")
    edges: np.ndarray = field(converter=_edges)  # type: ignore[misc, unused-ignore]
    k: int = data("int32")

    source: ClassVar[str] = "graph_coloring.cuh"

    def __attrs_post_init__(self) -> None:
        whole(self.n, "n", 1, 2**31 - 2)
        whole(self.k, "k", 2, 2**31 - 1)
        require(
            (20 + 4 * self.k) * self.n,
            f"A table of {self.n} vertices and {self.k} colors",
            "a number in the header of the graph's file is wrong.",
        )
        if len(self.edges) >= 2**30:
            raise InputError(f"`edges` must hold fewer than 2**30 edges, but holds {len(self.edges)}.")
        outside = self.edges >= self.n
        if outside.any():
            raise InputError(
                f"The vertices of `edges` must be in 0 ... {self.n - 1}, but one is {self.edges[outside][0]}.", _FROM_0
            )
        low, high = np.sort(self.edges, axis=1).astype(np.int64).T
        if (low == high).any():
            raise InputError(
                f"An edge must join two different vertices, but one joins vertex {low[low == high][0]} to itself."
            )
        numbers, times = np.unique(low * self.n + high, return_counts=True)
        if (times > 1).any():
            twice = divmod(int(numbers[times > 1][0]), self.n)
            raise InputError(f"The edge ({twice[0]}, {twice[1]}) is listed twice.", "leave it out once.")

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], k: int, *, layout: str | None = None) -> Self:
        """Read a graph, to be colored with k colors.

        Parameters
        ----------
        path : path-like
            The file.
        k : int
            Number of colors.
        layout : {"dimacs", "edges to color", "matrix market to color"}, optional
            DIMACS's `.col`; ``n m`` and m edges; or Matrix Market. By default, what the file says.

        Raises
        ------
        InputError
            If the reader in `metaheur.problems.formats` refuses the file.
        """
        readers = {
            "dimacs": read_col,
            "edges to color": read_edges,
            "matrix market to color": _of_matrix_market,
        }
        n, edges = by_layout(path, layout, readers)
        return cls(n, edges, k)

    @classmethod
    @expressible
    def random(cls, n: int, k: int, *, density: float = 0.5, seed: int) -> Self:
        """Make a random graph in which each pair of vertices is joined with the same probability, like the DSJC graphs.

        Parameters
        ----------
        n : int
            Number of vertices, 1 ... 20000.
        k : int
            Number of colors.
        density : float, default 0.5
            The probability, 0 ... 1.
        seed : int
            Seed of NumPy's PCG64, not negative; the same seed gives the same instance.

        Notes
        -----
        D. S. Johnson, C. R. Aragon, L. A. McGeoch and C. Schevon, "Optimization by simulated annealing: an
        experimental evaluation; part II, graph coloring and number partitioning", Operations Research 39, 1991.
        """
        n = whole(n, "n", 1, 20_000)
        density = real(density, "density", 0, 1)
        generator = np.random.Generator(np.random.PCG64(whole(seed, "seed", 0)))
        rows = [np.flatnonzero(generator.random(n - 1 - i) < density) + i + 1 for i in range(n)]
        low = np.repeat(np.arange(n), [len(row) for row in rows])
        return cls(n, np.stack((low, np.concatenate(rows)), axis=1), k)

    @cached_property
    def representation(self) -> DiscreteVector:
        """Vectors of n colors 0 ... k-1."""
        return DiscreteVector(self.n, self.k)

    def cost(self, x: Solution) -> int:
        """The number of edges whose ends have the same color."""
        return int(np.count_nonzero(x[self.edges[:, 0]] == x[self.edges[:, 1]]))

    def costs(self, xs: np.ndarray) -> Any:
        return (xs[:, self.edges[:, 0]] == xs[:, self.edges[:, 1]]).sum(axis=1)

    def delta(self, x: Solution, move: Any) -> Any:
        """The change of cost of a substitution: the neighbors of the new color minus those of the old one."""
        if not isinstance(move, SubstitutionMove):
            return NotImplemented
        begin, neighbors = self.adjacency
        if np.ndim(move.at) == 0:
            colors = x[neighbors[begin[move.at] : begin[move.at + 1]]]
            return np.count_nonzero(colors == move.value(x)) - np.count_nonzero(colors == x[move.at])
        gamma = np.zeros((self.n, self.k), np.int64)
        np.add.at(gamma, (self.edges[:, 0], x[self.edges[:, 1]]), 1)
        np.add.at(gamma, (self.edges[:, 1], x[self.edges[:, 0]]), 1)
        return gamma[move.at, move.value(x)] - gamma[move.at, x[move.at]]

    def construct(self, random: Random) -> Solution:
        """Color vertices by decreasing saturation, each with the first color that the fewest of its neighbors have.

        The saturation of a vertex is how many colors its neighbors have; among equals the vertex of the highest degree
        comes first, then the one with the lowest number. It draws nothing.

        Notes
        -----
        D. Brélaz, "New methods to color the vertices of a graph", Communications of the ACM 22, 1979 (DSATUR), for a
        fixed number of colors.
        """
        begin, neighbors = self.adjacency
        degree, gamma = np.diff(begin), np.zeros((self.n, self.k), np.int64)
        urgency = degree.astype(np.int64)  # saturation * n + degree; -1 once a vertex has its color
        x = np.zeros(self.n, np.int32)
        for _ in range(self.n):
            vertex = int(np.argmax(urgency))
            x[vertex] = color = int(np.argmin(gamma[vertex]))
            urgency[vertex] = -1
            near = neighbors[begin[vertex] : begin[vertex + 1]]
            gamma[near, color] += 1
            urgency[near] += np.where((urgency[near] >= 0) & (gamma[near, color] == 1), self.n, 0)
        return x

    construct_many = repeated

    def conflicting(self, x: Solution) -> np.ndarray:
        """Whether each vertex has a neighbor of its own color."""
        found = np.zeros(self.n, bool)
        found[self.edges[x[self.edges[:, 0]] == x[self.edges[:, 1]]]] = True
        return found

    @property
    def least_cost(self) -> int:
        """0: a coloring."""
        return 0

    def recommended(self) -> tuple[Recommendation, ...]:
        """The hybrid evolutionary algorithm with two members, from the solution of `construct` on.

        Phases and tenures grow with the number of vertices. Most colorings are found by the tabu search of the first
        member.
        """
        from metaheur.parts import Tenure
        from metaheur.searches import HybridEvolutionaryAlgorithm
        from metaheur.searches.recommendation import Recommendation

        least = max(4, self.n // 50)
        tenure = Tenure(0, 0, low_plus=least, high_plus=least + 9)
        hybrid = HybridEvolutionaryAlgorithm(128 * self.n, size=2, tenure=tenure)
        name = "hybrid evolutionary algorithm"
        return (Recommendation(name, hybrid, "construct", price=IN_CONFLICT),)

    @property
    def cost_type(self) -> str:
        """Type of a change of cost: "int32", as it is at most the number of edges, below 2**30."""
        return "int32"

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`gamma[v, c]`: how many neighbors of vertex v have color c."""
        return {"gamma": Array((self.n, self.k), "int32")}

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        """The adjacency: `begin` and `neighbors`."""
        begin, neighbors = self.adjacency
        return {"begin": begin, "neighbors": neighbors}

    @cached_property
    def adjacency(self) -> tuple[np.ndarray, np.ndarray]:
        """The neighbors of vertex v: entries begin[v] ... begin[v + 1] - 1 of the second array, ascending."""
        ends = np.concatenate((self.edges, self.edges[:, ::-1]))
        ends = ends[np.lexsort((ends[:, 1], ends[:, 0]))]
        begin = np.searchsorted(ends[:, 0], np.arange(self.n + 1)).astype(np.int32)
        return begin, np.append(ends[:, 1], np.int32(0)).astype(np.int32)
