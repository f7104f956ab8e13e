"""Maximum cut of a weighted graph."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, partial
from itertools import combinations
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.fields import Array, data
from metaheur.lazy import expressible
from metaheur.machine.memory import require, square
from metaheur.move import Move
from metaheur.neighborhoods.hamming import FlipMove, Hamming
from metaheur.problem import Problem
from metaheur.problems.formats.edge_lists import read_edges
from metaheur.problems.formats.gset import read_gset
from metaheur.problems.formats.matrix_market import read_matrix_market
from metaheur.problems.formats.numbers import LARGEST
from metaheur.problems.formats.recognition import by_layout
from metaheur.problems.formats.weighted_pairs import check_pairs
from metaheur.random import Random
from metaheur.representation import BitString, Representation, Solution
from metaheur.validate import instance_field, whole_field

if TYPE_CHECKING:
    from metaheur.searches.recommendation import Recommendation

__all__ = ["MaxCut", "WeightedGraph"]

_LIMIT = 2**55


@final
@frozen(eq=False)
class WeightedGraph:
    """An undirected graph with a weight on each edge.

    `n`: number of vertices, 1 ... 2**31 - 1. `i`, `j`, `w`, array_like, shape (m,): the edges: whole numbers with 0 <=
    i < j < n, no edge twice, and w in -2**62 ... 2**62. `factor`: a power of ten: w is the weights of the file times
    `factor`.
    """

    n: int = whole_field(1, LARGEST)
    i: np.ndarray = data("int64", ndim=1)
    j: np.ndarray = data("int64", ndim=1)
    w: np.ndarray = data("int64", ndim=1)
    factor: int = whole_field(1, 10**18, default=1)

    def __attrs_post_init__(self) -> None:
        check_pairs(self, equal=False)

    def matrix(self) -> np.ndarray:
        """Return the symmetric matrix of the weights, 0 where there is no edge; int64, shape (n, n)."""
        dense = square(self.n, "a graph")
        dense[self.i, self.j] = dense[self.j, self.i] = self.w
        return dense


def _of_edges(path: str | Path) -> WeightedGraph:
    n, edges = read_edges(path)
    return WeightedGraph(n, edges[:, 0], edges[:, 1], np.ones(len(edges), np.int64))


@final
@frozen(eq=False)
class MaxCut(Problem):
    """Divide the vertices of a graph into two sides: maximise the weight of the edges between them.

    Parameters
    ----------
    graph : WeightedGraph
        The graph, with weights of any sign; see also `from_edges`.

    Raises
    ------
    InputError
        If the sum of the absolute weights is 2**55 or more, or there is no memory for as many vertices.

    Notes
    -----
    The graph is stored as adjacency lists (compressed sparse rows), whose memory is proportional to vertices and edges:
    20,000 vertices of G-set fit as well as a complete graph. The change of cost of every single flip is kept beside
    each walk; a move updates it in time proportional to the degrees of its vertices (U. Benlic and J.-K. Hao, "Breakout
    local search for the max-cut problem", Engineering Applications of Artificial Intelligence 26, 2013, section 2.3).
    Moves of several flips find the edges between them by bisection.
    """

    graph: WeightedGraph = instance_field(WeightedGraph, "use MaxCut.from_file, or pass WeightedGraph(n, i, j, w).")

    maximise: ClassVar[bool] = True
    source: ClassVar[str] = "max_cut.cuh"

    def __attrs_post_init__(self) -> None:
        require(
            40 * self.graph.n, f"A graph of {self.graph.n} vertices", "a number in the header of its file is wrong."
        )
        about = np.abs(self.graph.w).sum(dtype=np.float64)
        total = sum(abs(w) for w in self.graph.w.tolist()) if about >= _LIMIT / 2 else 0
        if total >= _LIMIT:
            raise InputError(
                f"The absolute weights add up to {total}, which overflows int64 (2**55 = {_LIMIT} is the limit).",
                "divide the weights by a common factor.",
            )

    @classmethod
    @expressible
    def from_edges(cls, n: int, edges: Any, weights: Any = None) -> Self:
        """Make the problem of a graph with n vertices and given edges.

        Parameters
        ----------
        n : int
            Number of vertices, 1 ... 2**31 - 1.
        edges : array_like, shape (m, 2)
            Pairs of different vertices 0 ... n-1, in any order, no pair twice.
        weights : array_like, shape (m,), optional
            Whole numbers; 1 for every edge by default.

        Raises
        ------
        InputError
            If `n`, `edges` or `weights` is not as described.
        """
        try:
            pairs = np.asarray(edges) if np.size(edges) else np.zeros((0, 2), np.int64)
        except ValueError:
            raise InputError("`edges` is ragged: each edge must be a pair of vertices.") from None
        if pairs.ndim != 2 or pairs.shape[1] != 2:
            raise InputError(f"`edges` must have the shape (m, 2), a row for each edge, but has {pairs.shape}.")
        w = np.ones(len(pairs), np.int64) if weights is None else weights
        return cls(WeightedGraph(n, pairs.min(axis=1), pairs.max(axis=1), w))

    @classmethod
    def from_file(cls, path: str | Path, *, layout: str | None = None) -> Self:
        """Read a graph.

        Decimal weights are multiplied by the smallest power of ten that makes them all integers.

        Parameters
        ----------
        path : path-like
            The file.
        layout : {"gset", "edges", "matrix market"}, optional
            G-set, Biq Mac and rudy; ``n m`` and m edges, of weight 1; or Matrix Market. By default, what the
            file says.

        Raises
        ------
        InputError
            If the reader in `metaheur.problems.formats` refuses the file.
        """
        readers = {
            "gset": lambda path: WeightedGraph(*read_gset(path)),
            "edges": _of_edges,
            "matrix market": lambda path: WeightedGraph(*read_matrix_market(path)),
        }
        return cls(by_layout(path, layout, readers))

    @property
    def cost_factor(self) -> int:
        return self.graph.factor

    @cached_property
    def representation(self) -> BitString:
        """Strings of n bits: the side of each vertex."""
        return BitString(self.graph.n)

    def cost(self, x: Solution) -> int:
        """The negative of the weight of the edges whose ends are on different sides."""
        graph = self.graph
        return -int(graph.w[x[graph.i] != x[graph.j]].sum())

    def costs(self, xs: np.ndarray) -> Any:
        graph = self.graph
        return -(graph.w * (xs[:, graph.i] != xs[:, graph.j])).sum(axis=1)

    def delta(self, x: Solution, move: Any) -> Any:
        """The changes of cost of the single flips, corrected by the edges between the flipped vertices."""
        if not isinstance(move, FlipMove):
            return NotImplemented
        begin, neighbors, weights = self.adjacency
        sign = 1 - 2 * x.astype(np.int64)
        sums = np.concatenate([[0], np.cumsum(weights * sign[neighbors])])
        single = -sign * (sums[begin[1:]] - sums[begin[:-1]])
        total = sum(single[i] for i in move.at)
        return total + sum(2 * sign[i] * sign[j] * self.weight(i, j) for i, j in combinations(move.at, 2))

    def construct(self, random: Random) -> Solution:
        """Place the vertices in random order, each on the side where it adds more weight; on the first one if equal.

        Notes
        -----
        S. Sahni and T. Gonzalez, "P-complete approximation problems", Journal of the ACM 23, 1976.
        """
        begin, neighbors, weights = self.adjacency
        side = np.zeros(self.graph.n, np.int64)  # -1 or 1 once it is decided
        for vertex in random.permutation(self.graph.n):
            near = slice(begin[vertex], begin[vertex + 1])
            side[vertex] = 1 if int(weights[near] @ side[neighbors[near]]) < 0 else -1
        return (side > 0).astype(np.uint8)

    def weight(self, i: Any, j: Any) -> Any:
        """Return the weight of the edge between two vertices, 0 without an edge; for arrays, an array of them."""
        keys, weights = self._keys, self.adjacency[2]
        if not len(keys):
            return np.zeros_like(i, dtype=np.int64)
        wanted = np.asarray(i, np.int64) * self.graph.n + j
        place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        return np.where(keys[place] == wanted, weights[place], 0)

    @cached_property
    def adjacency(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Where the neighbors of each vertex begin, shape (n + 1,); the neighbors of all vertices; their weights."""
        graph = self.graph
        source, neighbors = np.concatenate([graph.i, graph.j]), np.concatenate([graph.j, graph.i])
        order = np.lexsort((neighbors, source))
        begin = np.concatenate([[0], np.cumsum(np.bincount(source, minlength=graph.n))])
        return begin, neighbors[order], np.concatenate([graph.w, graph.w])[order]

    @cached_property
    def _keys(self) -> np.ndarray:
        """Vertex times n plus neighbor, for each entry of the adjacency; increasing."""
        begin, neighbors, _ = self.adjacency
        source = np.repeat(np.arange(self.graph.n), np.diff(begin))
        keys: np.ndarray = source * self.graph.n + neighbors
        return keys

    def recommended(self) -> tuple[Recommendation, ...]:
        """Annealing over single flips, within a second or two of a core."""
        from metaheur.searches.suited import suited

        found = self.recommended_within(10**8, 1)
        return suited(self) if found is None else (found,)

    def recommended_within(self, steps: int, cores: int) -> Recommendation | None:
        """Annealing over single flips within so many trials on each core."""
        return self._cooled(cores, steps) if self.graph.n >= 20 and len(self.graph.w) else None

    def _cooled(self, walks: int, length: int) -> Recommendation:
        """As many schedules of one length as so many trials pay for; if there is time for more, the same again.

        A schedule of more than four times n sweeps gains less than another one. Weights of few edges add up to small
        changes of cost, so that vertices of low degrees anneal from lower temperatures.
        """
        from metaheur.parts import Geometric, InSweeps
        from metaheur.searches import SimulatedAnnealing
        from metaheur.searches.recommendation import Recommendation
        from metaheur.searches.suited import FLIP

        n, mean = self.graph.n, self._mean
        schedules = max(1, round(length / (4 * n * n)))
        sweeps = max(2, length // (n * schedules))
        hot = mean * max(0.5, min(2.0, round(sqrt(len(self.graph.w) / (2 * n)), 2)))
        schedule = Geometric.between(hot, 0.12 * mean, sweeps * n, min(sweeps, 2000))
        search = SimulatedAnnealing(Hamming(1), hot, schedule, reheats=schedules + 60, order=InSweeps())
        again = partial(self._cooled, walks)
        return Recommendation(
            "annealing", search, walks=walks, price=FLIP, length=schedules * sweeps * n, of_length=again
        )

    @property
    def _mean(self) -> float:
        """The mean absolute weight."""
        return float(f"{np.abs(self.graph.w).mean():.3g}")

    @cached_property
    def cost_type(self) -> str:
        """Type of a change of cost under any move: "int32" where twice the sum of all weights and a flip's sums fit."""
        return "int32" if 2 * int(np.abs(self.graph.w).sum()) < 2**31 and self._narrow_flips else "int64"

    def change_type(self, moves: tuple[type[Move], ...]) -> str:
        """Under up to four flips: "int32" where every partial sum of it and of its update fits, else "int64".

        The sum of the absolute weights at a vertex bounds the change of cost of its flip, and each of the weights. A
        delta adds at most 4 single flips and 6 weights twice, an update 4 times 4 weights twice.
        """
        if not moves or not set(moves) <= {FlipMove}:
            return self.cost_type
        return "int32" if self._narrow_flips else "int64"

    @cached_property
    def _narrow_flips(self) -> bool:
        begin, _, weight = self.adjacency
        sums = np.concatenate([[0], np.cumsum(np.abs(weight))])
        return 64 * int((sums[begin[1:]] - sums[begin[:-1]]).max()) < 2**31

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """The change of cost of every single flip, and by how much the last move changed it."""
        n = self.graph.n
        return {"flip": Array((n,)), "change": Array((n,))}

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        """The adjacency: `begin`, `neighbors` and `weights`. Without edges they have one entry, which is not used."""
        begin, neighbors, weights = self.adjacency
        unused = np.zeros(1, np.int64)
        return {
            "begin": begin,
            "neighbors": neighbors if len(weights) else unused,
            "weights": weights if len(weights) else unused,
        }
