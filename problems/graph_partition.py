"""The balanced partition of a graph: groups of given sizes, between which few edges run."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Self, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.fields import Array, data
from metaheur.lazy import expressible
from metaheur.neighborhoods.swap import SwapMove
from metaheur.problem import Problem
from metaheur.problems.formats.metis import read_metis
from metaheur.problems.formats.recognition import explained
from metaheur.representation import Representation, Solution
from metaheur.representations.multiset import Multiset
from metaheur.translator.decorator import compiled
from metaheur.validate import real, whole

if TYPE_CHECKING:
    from metaheur.searches.recommendation import Recommendation

__all__ = ["GraphPartition"]


@final
@frozen(eq=False)
class GraphPartition(Problem):
    """Divide the vertices of a graph into groups of given sizes: minimise the weight of the edges between groups.

    A solution has the group of each vertex. Moves exchange two vertices, so that the sizes cannot be wrong.

    Parameters
    ----------
    sizes : array_like of int32, shape (groups,)
        How many vertices each group has, 1 or more; their sum is the number of vertices.
    edges : array_like of int32, shape (m, 2)
        The two vertices of each edge, from 0. Edges that are listed twice count twice.
    weights : array_like of int64, shape (m,)
        Whole numbers: the weight of each edge.

    Raises
    ------
    InputError
        If the shapes do not fit, a size is less than 1, an edge names another vertex or joins a vertex to itself, or
        costs could reach 2**60.

    Notes
    -----
    B. W. Kernighan and S. Lin, "An efficient heuristic procedure for partitioning graphs", Bell System Technical
    Journal 49, 1970. The weight of the edges from each vertex to each group is kept beside a walk, so that the change
    of cost of an exchange takes as long as an edge between two vertices is looked for among sorted neighbors.

    Examples
    --------
    >>> square = GraphPartition([2, 2], [[0, 1], [1, 2], [2, 3], [3, 0]], [5, 1, 5, 1])
    >>> square.cost(np.array([0, 0, 1, 1])), square.cost(np.array([0, 1, 0, 1]))
    (2, 12)
    """

    sizes: np.ndarray = data("int32", ndim=1)
    edges: np.ndarray = data("int32", ndim=2)
    weights: np.ndarray = data("int64", ndim=1)

    def __attrs_post_init__(self) -> None:
        if self.edges.shape != (len(self.weights), 2):
            raise InputError(
                f"`edges` must have a row of two vertices for each of {len(self.weights)} weights, but has the shape "
                f"{self.edges.shape}."
            )
        if not len(self.sizes) or self.sizes.min() < 1:
            raise InputError(f"`sizes` must be 1 or more, for each group, but are {self.sizes.tolist()[:20]}.")
        n = int(self.sizes.sum(dtype=np.int64))
        first, second = self.edges.T
        wrong = np.flatnonzero((self.edges.min(axis=1) < 0) | (self.edges.max(axis=1) >= n) | (first == second))
        if len(wrong):
            raise InputError(
                f"`edges` must join two different vertices in 0 ... {n - 1}, but row {wrong[0]} is "
                f"{self.edges[wrong[0]].tolist()}.",
                "the sizes do not add up to the number of vertices, or count the vertices from 0.",
            )
        most = sum(map(abs, self.weights.tolist()))
        if most >= 2**60:
            raise InputError(f"Costs could reach {most}, which overflows int64 (2**60 is the limit).")

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], k: int) -> Self:
        """Read a graph of METIS's form, to be divided into k groups whose sizes differ by 1 at most.

        See `read_metis` for the errors it raises.
        """
        with explained(path, "metis"):
            n, edges, weights = read_metis(path)
        return cls(_even(n, k), edges, weights)

    @classmethod
    @expressible
    def random(cls, n: int, k: int, *, density: float = 0.1, seed: int) -> Self:
        """Draw a graph of n vertices, each pair of which is joined with the probability `density`, by weight 1.

        Parameters
        ----------
        n : int
            Number of vertices.
        k : int
            Number of groups, whose sizes differ by 1 at most.
        density : float, default 0.1
            In [0, 1].
        seed : int
            Seed of the random numbers.
        """
        sizes = _even(n, k)
        chosen = np.random.default_rng(seed).random(n * (n - 1) // 2) < real(density, "density", 0, 1)
        edges = np.stack(np.triu_indices(n, 1), axis=1)[chosen]
        return cls(sizes, edges, np.ones(len(edges), np.int64))

    @cached_property
    def representation(self) -> Multiset:
        """The group of each vertex."""
        return Multiset(self.sizes.tolist())

    @compiled
    def cost(self, x: Solution) -> Any:
        """The weight of the edges between groups."""
        return sum(self.weights[e] for e in range(len(self.weights)) if x[self.edges[e, 0]] != x[self.edges[e, 1]])

    @compiled
    def init(self: Any, x: Any, s: Any) -> None:
        """Add up the edges from each vertex to each group."""
        for v in range(self.n):
            for g in range(len(self.sizes)):
                s.link[v, g] = 0
            for e in range(self.first[v], self.first[v + 1]):
                s.link[v, x[self.neighbor[e]]] += self.weight[e]

    @compiled
    def between(self: Any, v: Any, u: Any) -> Any:
        """The weight of the edge between two vertices; 0 if there is none."""
        low, high = self.first[v], self.first[v + 1]
        while low < high:
            middle = (low + high) // 2
            if self.neighbor[middle] < u:
                low = middle + 1
            else:
                high = middle
        return self.weight[low] if low < self.first[v + 1] and self.neighbor[low] == u else 0

    @compiled
    def delta(self: Any, x: Any, s: Any, m: SwapMove) -> Any:
        """The change of cost where two vertices trade their groups."""
        a, b = x[m.i], x[m.j]
        if a == b:
            return 0
        apart = s.link[m.i, a] - s.link[m.i, b] + s.link[m.j, b] - s.link[m.j, a]
        return apart + 2 * self.between(m.i, m.j)

    @compiled
    def commit(self: Any, x: Any, s: Any, m: SwapMove) -> None:
        """Add up the edges to both vertices in their new groups."""
        new, old = x[m.i], x[m.j]
        for e in range(self.first[m.i], self.first[m.i + 1]):
            s.link[self.neighbor[e], old] -= self.weight[e]
            s.link[self.neighbor[e], new] += self.weight[e]
        for e in range(self.first[m.j], self.first[m.j + 1]):
            s.link[self.neighbor[e], new] -= self.weight[e]
            s.link[self.neighbor[e], old] += self.weight[e]

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        """The `neighbor` of each vertex in order, the `weight` of each edge, and where each vertex begins: `first`."""
        n, (one, other) = representation.length, self.edges.T.astype(np.int64)
        found, places = np.unique(np.concatenate([one * n + other, other * n + one]), return_inverse=True)
        weight = np.zeros(max(1, len(found)), np.int64)
        np.add.at(weight, places, np.concatenate([self.weights, self.weights]))
        first = np.searchsorted(found, np.arange(n + 1, dtype=np.int64) * n)
        neighbor = np.zeros(len(weight), np.int32)
        neighbor[: len(found)] = found % n
        return {"neighbor": neighbor, "weight": weight, "first": first.astype(np.int32)}

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`link`: the weight of the edges from each vertex to each group."""
        return {"link": Array((representation.length, len(self.sizes)))}

    @cached_property
    def cost_type(self) -> str:
        """Type of a change of cost: "int32" if eight times the weights of all edges fit, otherwise "int64"."""
        return "int32" if 8 * sum(map(abs, self.weights.tolist())) < 2**31 else "int64"

    def recommended(self) -> tuple[Recommendation, ...]:
        """Annealing over exchanges, within a second or two of a core."""
        from metaheur.searches.suited import suited

        found = self.recommended_within(5_000_000, 1)
        return suited(self) if found is None else (found,)

    def recommended_within(self, steps: int, cores: int) -> Recommendation | None:
        """The same within so many trials on each core; None for fewer than four vertices, and without edges."""
        n, weight = self.representation.length, float(np.abs(self.weights).sum())
        return self._cooled(cores, steps) if n > 3 and len(self.sizes) > 1 and weight else None

    def _cooled(self, walks: int, length: int) -> Recommendation:
        """Annealing that falls once within so many trials, to a twentieth of the first temperature.

        The first one is 0.6 times the mean weight of an edge and the square root of a vertex's mean number of edges.
        Measured with 4 groups of 200, 500 and 1,000 vertices with 10 edges each, after 1 second: half and 1.7 times as
        hot are 0.5 to 2 % behind.
        """
        from metaheur.parts import Geometric
        from metaheur.searches import SimulatedAnnealing
        from metaheur.searches.recommendation import Recommendation
        from metaheur.searches.usual import usual_neighborhoods

        (moves,) = usual_neighborhoods(self.representation)
        degree = 2 * len(self.weights) / self.representation.length
        hot, length = float(f"{0.6 * np.abs(self.weights).mean() * degree**0.5:.3g}"), max(1000, length)
        search = SimulatedAnnealing(moves, hot, Geometric.between(hot, hot / 20, length, 1000), reheats=60)
        again = partial(self._cooled, walks)
        return Recommendation("annealing", search, walks=walks, length=length, of_length=again)


def _even(n: int, k: int) -> np.ndarray:
    """The sizes of k groups of n vertices in all, which differ by 1 at most, the larger ones first."""
    whole(k, "k", 1, whole(n, "n"))
    return (n + np.arange(k)[::-1]) // k
