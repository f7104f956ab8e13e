"""Maximum cut of a weighted graph."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any, ClassVar, Self, final

import numpy as np
from attrs import field, frozen
from attrs.validators import instance_of

from metaheur.errors import InputError
from metaheur.neighborhoods.hamming import FlipMove
from metaheur.problem import Kept, Problem
from metaheur.problems.graph_files import read_gset
from metaheur.problems.weighted_pairs import WeightedGraph
from metaheur.representation import BitString, Solution

__all__ = ["MaxCut"]

_LIMIT = 2**55


@final
@frozen(eq=False)
class MaxCut(Problem):
    """Divide the vertices of a graph into two sides: maximise the weight of the edges between them.

    Parameters
    ----------
    graph : WeightedGraph
        The graph, with weights of any sign: see `metaheur.problems.weighted_pairs.WeightedGraph`, or `from_edges`.

    Raises
    ------
    InputError
        If the sum of the absolute weights is 2**55 or more.

    Notes
    -----
    The graph is stored as adjacency lists (compressed sparse rows), which take memory in proportion to vertices and
    edges, 20,000 vertices of G-set as well as a complete graph. Beside each walk is kept the change of cost of every
    single flip, which a move advances in the degrees of its vertices (U. Benlic and J.-K. Hao, "Breakout local search
    for the max-cut problem", Engineering Applications of Artificial Intelligence 26, 2013, section 2.3); moves of
    several flips look up the edges between them by bisection.
    """

    graph: WeightedGraph = field(validator=instance_of(WeightedGraph))

    maximise: ClassVar[bool] = True
    source: ClassVar[str] = "max_cut.cuh"

    def __attrs_post_init__(self) -> None:
        """Refuse weights that overflow."""
        total = sum(abs(w) for w in self.graph.w.tolist())
        if total >= _LIMIT:
            raise InputError(
                f"The absolute weights add up to {total}, which overflows int64 (2**55 = {_LIMIT} is the limit).",
                "divide the weights by a common factor.",
            )

    @classmethod
    def from_edges(cls, n: int, edges: Any, weights: Any = None) -> Self:
        """The graph of n vertices with given edges.

        Parameters
        ----------
        n : int
            Number of vertices, 1 ... 2**31 - 1.
        edges : array_like, shape (m, 2)
            Pairs of vertices 0 ... n-1, in any order, no pair twice.
        weights : array_like, shape (m,), optional
            Whole numbers; 1 for every edge by default.

        Raises
        ------
        InputError
            If edges are no such pairs, or weights no such numbers.
        """
        pairs = np.asarray(edges) if np.size(edges) else np.zeros((0, 2), np.int64)
        if pairs.ndim != 2 or pairs.shape[1] != 2:
            raise InputError(f"edges is a list of pairs, shape (m, 2), but its shape is {pairs.shape}.")
        w = np.ones(len(pairs), np.int64) if weights is None else weights
        return cls(WeightedGraph(n, pairs.min(axis=1), pairs.max(axis=1), w))

    @classmethod
    def from_file(cls, path: str | Path) -> Self:
        """Read a graph of G-set, Biq Mac or rudy.

        Decimal weights are multiplied by the smallest power of ten that makes all of them whole. See
        `metaheur.problems.graph_files.read_gset` for what is refused.
        """
        return cls(read_gset(path))

    @cached_property
    def representation(self) -> BitString:
        """Strings of n bits: the side of each vertex."""
        return BitString(self.graph.n)

    def cost(self, x: Solution) -> int:
        """The negative of the weight of the edges whose ends are on different sides."""
        graph = self.graph
        return -int(graph.w[x[graph.i] != x[graph.j]].sum())

    def costs(self, xs: np.ndarray) -> Any:
        """The same for each row of xs."""
        graph = self.graph
        return -(graph.w * (xs[:, graph.i] != xs[:, graph.j])).sum(axis=1)

    def delta(self, x: Solution, move: Any) -> Any:
        """The changes of cost of the single flips; an edge between two of them stays as it is."""
        if not isinstance(move, FlipMove):
            return NotImplemented
        begin, neighbor, weight = self.adjacency
        sign = 1 - 2 * x.astype(np.int64)
        sums = np.concatenate([[0], np.cumsum(weight * sign[neighbor])])
        single = -sign * (sums[begin[1:]] - sums[begin[:-1]])
        total = sum(single[i] for i in move.at)
        return total + sum(2 * sign[i] * sign[j] * self.weight(i, j) for i, j in combinations(move.at, 2))

    def weight(self, i: Any, j: Any) -> Any:
        """The weight of the edge between two vertices, 0 where there is none; arrays of them for arrays."""
        keys, weight = self._keys, self.adjacency[2]
        if not len(keys):
            return np.zeros_like(i, dtype=np.int64)
        wanted = np.asarray(i, np.int64) * self.graph.n + j
        place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        return np.where(keys[place] == wanted, weight[place], 0)

    @cached_property
    def adjacency(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Where each vertex's neighbors begin, shape (n + 1,), the neighbors, increasing, and their edges' weights."""
        graph = self.graph
        source, neighbor = np.concatenate([graph.i, graph.j]), np.concatenate([graph.j, graph.i])
        order = np.lexsort((neighbor, source))
        begin = np.concatenate([[0], np.cumsum(np.bincount(source, minlength=graph.n))])
        return begin, neighbor[order], np.concatenate([graph.w, graph.w])[order]

    @cached_property
    def _keys(self) -> np.ndarray:
        """Source times n plus neighbor of each entry of the adjacency, increasing."""
        begin, neighbor, _ = self.adjacency
        source = np.repeat(np.arange(self.graph.n), np.diff(begin))
        keys: np.ndarray = source * self.graph.n + neighbor
        return keys

    @cached_property
    def cost_type(self) -> str:
        """Type of a change of cost: "int32" where every partial sum of it and of its update fits, else "int64".

        A single flip's change of cost is bounded by the sum of a vertex's absolute weights, and so is a weight; a delta
        adds at most 4 single flips and 6 weights twice, an update 4 times 4 weights twice.
        """
        begin, _, weight = self.adjacency
        sums = np.concatenate([[0], np.cumsum(np.abs(weight))])
        return "int32" if 64 * int((sums[begin[1:]] - sums[begin[:-1]]).max()) < 2**31 else "int64"

    @property
    def state(self) -> Mapping[str, Kept]:
        """The change of cost of every single flip, and by how much the last move changed it."""
        n = self.graph.n
        return {"flip": Kept((n,)), "change": Kept((n,))}

    @cached_property
    def tables(self) -> Mapping[str, np.ndarray]:
        """The adjacency: `begin`, `neighbor` and `weight`; one entry that nobody reads where there is no edge."""
        begin, neighbor, weight = self.adjacency
        none = np.zeros(1, np.int64)
        return {
            "begin": begin,
            "neighbor": neighbor if len(weight) else none,
            "weight": weight if len(weight) else none,
        }
