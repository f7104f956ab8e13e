"""Local optima networks: which local optima lead to which others, and how often."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from os import PathLike
from typing import Any, Self, final

import numpy as np
from attrs import evolve, field, frozen

from metaheur.errors import InputError
from metaheur.landscape import exports
from metaheur.landscape.graph import EdgeColumns
from metaheur.landscape.optima import OPTIMA, Optima, read_columns, write_columns

__all__ = ["Funnels", "Network"]


@final
@frozen(eq=False)
class Funnels:
    """The funnels of a network: sinks, and the optima that reach each along edges to optima that are not worse.

    Parameters
    ----------
    sinks : numpy.ndarray of int64, shape (k,)
        The optima that no edge leaves, in ascending order.
    sizes : numpy.ndarray of int64, shape (k,)
        How many optima reach each sink, itself included. Funnels overlap.
    deepest : numpy.ndarray of int64, shape (m,)
        For each optimum, the place in `sinks` of the best sink that it reaches.
    reached : numpy.ndarray of int64, shape (m,)
        How many sinks each optimum reaches.
    """

    sinks: np.ndarray
    sizes: np.ndarray
    deepest: np.ndarray
    reached: np.ndarray


@final
@frozen(eq=False)
class Network:
    """Local optima, and weighted edges between them; loops are edges, too.

    Parameters
    ----------
    optima : Optima
        The nodes.
    sources, targets : numpy.ndarray of int64, shape (e,)
        The nodes that each edge leads from and to, in lexicographic order.
    weights : numpy.ndarray of int64, shape (e,)
        How often: pairs of neighbors of transition edges; solutions of escape edges; kicks of perturbation edges.
    kind : str
        "transition", "escape" or "perturbation".
    sizes : numpy.ndarray of int64, shape (m,)
        The sizes of the basins; where these are not known, how often a run came to the optimum, or 1.
    trace : numpy.ndarray of int64, shape (k, 3)
        Of sampled networks: the run, the source and the target of every step, run by run; empty for others.
    merged : int
        How many optima were contracted into others; see `compressed`.

    Notes
    -----
    G. Ochoa, M. Tomassini, S. Verel and C. Darabos, "A study of NK landscapes' basins and local optima networks", GECCO
    2008; S. Verel, G. Ochoa and M. Tomassini, "Local optima networks of NK landscapes with neutrality", IEEE
    Transactions on Evolutionary Computation 15(6), 2011.
    """

    optima: Optima
    sources: np.ndarray
    targets: np.ndarray
    weights: np.ndarray
    kind: str
    sizes: np.ndarray
    trace: np.ndarray = field(factory=lambda: np.zeros((0, 3), np.int64))
    merged: int = 0

    def __repr__(self) -> str:
        """How large it is, rather than millions of numbers."""
        return f"<Network of {len(self.optima):,} local optima, {len(self.sources):,} edges by {self.kind}>"

    @classmethod
    def of_counts(cls, optima: Optima, counts: np.ndarray, kind: str, sizes: np.ndarray) -> Self:
        """The network of a matrix of counts.

        Parameters
        ----------
        optima : Optima
            The nodes.
        counts : numpy.ndarray of int64, shape (m, m)
            The weight of each edge; 0 where there is none.
        kind : str
            See `Network`.
        sizes : numpy.ndarray of int64, shape (m,)
            See `Network`.
        """
        sources, targets = np.nonzero(counts)
        return cls(optima, sources, targets, counts[sources, targets], kind, sizes)

    @classmethod
    def of_pairs(cls, optima: Optima, pairs: tuple[Any, Any], kind: str, sizes: np.ndarray) -> Self:
        """The network of many pairs of nodes; the weight of an edge is the number of equal pairs.

        Parameters
        ----------
        optima : Optima
            The nodes.
        pairs : tuple of two array_like of int, shape (k,)
            Sources and targets.
        kind : str
            See `Network`.
        sizes : numpy.ndarray of int64, shape (m,)
            See `Network`.
        """
        count = max(1, len(optima))
        cells, weights = np.unique(np.asarray(pairs[0], np.int64) * count + pairs[1], return_counts=True)
        return cls(optima, cells // count, cells % count, weights, kind, sizes)

    def __len__(self) -> int:
        """The number of nodes."""
        return len(self.optima)

    @property
    def _graph(self) -> EdgeColumns:
        return EdgeColumns(len(self), self.sources, self.targets, self.weights)

    @property
    def probabilities(self) -> np.ndarray:
        """The weight of each edge, divided by the weights of all edges that leave its source; float64, shape (e,)."""
        out = np.bincount(self.sources, self.weights, len(self))
        found: np.ndarray = self.weights / out[self.sources]
        return found

    def monotonic(self) -> Network:
        """The network of those edges that lead to optima that are not worse, without loops."""
        heights = self.optima.heights
        keep = (heights[self.targets] <= heights[self.sources]) & (self.sources != self.targets)
        return self._only(keep)

    def _only(self, keep: np.ndarray) -> Network:
        return evolve(self, sources=self.sources[keep], targets=self.targets[keep], weights=self.weights[keep])

    def compressed(self) -> Network:
        """The monotonic network, in which optima of equal cost that edges connect are one node.

        The node stands for the optimum of the lowest index; basin sizes and weights are sums.
        """
        monotonic, heights = self.monotonic(), self.optima.heights
        equal = heights[monotonic.sources] == heights[monotonic.targets]
        leader = EdgeColumns(len(self), monotonic.sources[equal], monotonic.targets[equal]).components()
        kept, place = np.unique(leader, return_inverse=True)
        sources, targets = place[monotonic.sources], place[monotonic.targets]
        apart = sources != targets
        cells = sources[apart] * len(kept) + targets[apart]
        unique, where = np.unique(cells, return_inverse=True)
        weights = np.bincount(where, monotonic.weights[apart], len(unique)).astype(np.int64)
        optima = Optima(
            self.optima.solutions[kept],
            self.optima.costs[kept],
            self.optima.strict[kept],
            self.optima.maximise,
            self.optima.complete,
            self.optima.nodes,
        )
        sizes = np.bincount(place, self.sizes, len(kept)).astype(np.int64)
        trace = self.trace.copy()
        trace[:, 1:] = place[trace[:, 1:]]
        return Network(
            optima, unique // len(kept), unique % len(kept), weights, self.kind, sizes, trace, len(self) - len(kept)
        )

    def funnels(self) -> Funnels:
        """The sinks of the monotonic network, and what reaches them.

        In a `compressed` network this is the literature's meaning; in others, optima of equal cost that lead to each
        other are no sink.
        """
        graph, heights = self.monotonic()._graph, self.optima.heights
        sinks = graph.sinks()
        sizes, reached = np.zeros(len(sinks), np.int64), np.zeros(len(self), np.int64)
        deepest = np.full(len(self), -1)
        for place in np.argsort(heights[sinks], kind="stable").tolist():
            members = graph.ancestors(int(sinks[place]))
            sizes[place] = members.sum()
            reached += members
            deepest[members & (deepest < 0)] = place
        return Funnels(sinks, sizes, deepest, reached)

    def metrics(self, best: float | None = None) -> dict[str, float]:
        """Metrics under the names that lonkit gives them; loops do not count.

        Parameters
        ----------
        best : float, optional
            The cost of the global optimum; by default that of the best node.

        Returns
        -------
        dict of str to float
            ``n_optima``, the nodes; ``n_funnels``, nodes that no edge leaves; ``n_global_funnels``, those of the best
            cost; ``neutral``, the share of nodes with an edge to or from a node of equal cost, or, after `compressed`,
            the share of nodes that were contracted; ``global_strength``, the share of the weights of all edges that
            lead to a global optimum; ``sink_strength``, the share that leads to global ones, of the edges that lead to
            sinks; ``global_funnel_proportion``, the share of nodes from which edges lead to a global optimum;
            ``success`` and ``deviation``, of sampled networks: the share of runs that ended at the best cost, and the
            mean distance of their last costs from it.
        """
        heights = self.optima.heights
        if not len(heights):
            raise InputError("A network without optima has no metrics.")
        target = heights.min() if best is None else -best if self.optima.maximise else best
        graph = self._only(self.sources != self.targets)._graph
        sinks = graph.sinks()
        is_best, is_sink = heights == target, np.isin(np.arange(len(self)), sinks)
        into = np.bincount(graph.targets, graph.weights, len(self))
        equal = heights[graph.sources] == heights[graph.targets]
        flat = np.union1d(graph.sources[equal], graph.targets[equal])
        found = {
            "n_optima": len(self),
            "n_funnels": len(sinks),
            "n_global_funnels": int((is_best & is_sink).sum()),
            "neutral": self.merged / (self.merged + len(self)) if self.merged else len(flat) / max(1, len(self)),
            "global_strength": _share(into[is_best].sum(), into.sum()),
            "sink_strength": _share(into[is_best & is_sink].sum(), into[is_sink].sum()),
            "global_funnel_proportion": _share(graph.ancestors(*np.flatnonzero(is_best).tolist()).sum(), len(self)),
        }
        if len(self.trace):
            ends = self._ends()
            found["success"] = float((ends == target).mean())
            found["deviation"] = float(abs(ends - target).mean())
        return found

    def _ends(self) -> np.ndarray:
        """The heights at which the runs ended: the lowest ones, since no run goes on from a worse optimum."""
        first = np.flatnonzero(np.append(True, self.trace[1:, 0] != self.trace[:-1, 0]))
        ends: np.ndarray = np.minimum.reduceat(self.optima.heights[self.trace[:, 1:]].min(axis=1), first)
        return ends

    def structure(self) -> dict[str, float]:
        """Statistics of the whole network.

        Returns
        -------
        dict of str to float
            ``density``, the share of ordered pairs of different nodes with an edge; ``loops``, the mean probability to
            stay; ``fitness_correlation``, of the costs of both ends of an edge, weighted by its probability;
            ``disparity``, the mean over nodes of the sum of squares of the probabilities of their edges, loops left
            out; ``best_pagerank``, the PageRank of all global optima together, with damping 0.85.
        """
        loops, each, count = self.sources == self.targets, self.probabilities, len(self)
        others = self._only(~loops)
        stay = np.bincount(self.sources[loops], each[loops], count)
        costs = self.optima.costs.astype(np.float64)
        squares = np.bincount(others.sources, others.probabilities**2, count)
        leaves = np.bincount(others.sources, minlength=count) > 0
        x, y = costs[others.sources], costs[others.targets]
        return {
            "density": len(others.sources) / max(1, count * (count - 1)),
            "loops": float(stay.mean()) if count else 0.0,
            "fitness_correlation": _weighted_correlation(x, y, others.probabilities),
            "disparity": float(squares[leaves].mean()) if leaves.any() else 0.0,
            "best_pagerank": float(self._graph.pagerank()[self.optima.best].sum()),
        }

    # ---- files -------------------------------------------------------------------------------------------------------

    def names(self) -> list[str]:
        """A name for each node: 16 hexadecimal digits of a hash of its solution."""
        rows = np.ascontiguousarray(self.optima.solutions, "<i4")
        return [sha256(row.tobytes()).hexdigest()[:16] for row in rows]

    def to_npz(self, path: str | PathLike[str]) -> None:
        """Write the network to a file of columns.

        Parameters
        ----------
        path : path-like
            The file, which is replaced.
        """
        own = {name: getattr(self, name) for name in OWN}
        write_columns(path, own | {f"optima_{name}": value for name, value in self.optima.columns().items()})

    @classmethod
    def from_npz(cls, path: str | PathLike[str]) -> Self:
        """Read the network that `to_npz` wrote.

        Parameters
        ----------
        path : path-like
            The file.

        Raises
        ------
        InputError
            If `to_npz` did not write the file.
        """
        columns = read_columns(path, OWN + tuple(f"optima_{name}" for name in OPTIMA))
        optima = Optima.of_columns({name: columns[f"optima_{name}"] for name in OPTIMA})
        sources, targets, weights, sizes, trace = (
            columns[name] for name in ("sources", "targets", "weights", "sizes", "trace")
        )
        return cls(optima, sources, targets, weights, str(columns["kind"]), sizes, trace, int(columns["merged"]))

    def to_graphml(self, path: str | PathLike[str]) -> None:
        """Write the network as GraphML, which igraph, networkx, Gephi and Cytoscape read.

        Parameters
        ----------
        path : path-like
            The file, which is replaced. Nodes have cost, size and solution, edges have weight and probability.
        """
        exports.write_graphml(self, path)

    def to_parquet(self, folder: str | PathLike[str]) -> None:
        """Write nodes and edges as Parquet files.

        Parameters
        ----------
        folder : path-like
            Where ``nodes.parquet`` and ``edges.parquet`` are written.

        Raises
        ------
        InputError
            If pyarrow is not installed.
        """
        exports.write_parquet(self, folder)

    def to_trace(self, path: str | PathLike[str]) -> None:
        """Write the accepted steps of all runs, as lonkit and Ochoa's R scripts read them.

        A row is run, fit1, node1, fit2, node2; the nodes have the names of `names`.

        Parameters
        ----------
        path : path-like
            The file of comma-separated values, with a header.

        Raises
        ------
        InputError
            If the network is not a sampled one, so that there are no runs.
        """
        if not len(self.trace):
            raise InputError("Only a sampled network has a trace of runs.", "use Landscape.sampled_network.")
        exports.write_trace(self, path)

    def rows(self) -> Iterator[Sequence[Any]]:
        """The accepted steps of all runs: run, fit1, node1, fit2, node2."""
        names, costs, heights = self.names(), self.optima.costs.tolist(), self.optima.heights
        accepted = heights[self.trace[:, 2]] <= heights[self.trace[:, 1]]
        for run, source, target in self.trace[accepted].tolist():
            yield run, costs[source], names[source], costs[target], names[target]

    def plot(self, *, dimensions: int = 2, most: int = 300, ax: Any = None) -> Any:
        """Draw the best nodes and the edges between them.

        Parameters
        ----------
        dimensions : {2, 3}, default 2
            With 3, the height is the cost.
        most : int, default 300
            The most nodes, of which the best ones are drawn.
        ax : matplotlib.axes.Axes, optional
            By default new ones.

        Returns
        -------
        matplotlib.axes.Axes
            Nodes of one funnel have one color; their areas tell basin sizes.
        """
        from metaheur.pictures.networks import draw_network

        return draw_network(self, dimensions, most, ax)


OWN = ("sources", "targets", "weights", "kind", "sizes", "trace", "merged")
"""The columns of a network in a file, besides those of its optima."""


def _share(part: Any, whole: Any) -> float:
    return float(part / whole) if whole else 0.0


def _weighted_correlation(x: np.ndarray, y: np.ndarray, weights: np.ndarray) -> float:
    """Pearson's correlation with weights; NaN where one of both does not vary."""
    if not len(x):
        return float("nan")
    share = weights / weights.sum()
    dx, dy = x - (share * x).sum(), y - (share * y).sum()
    scale = ((share * dx**2).sum() * (share * dy**2).sum()) ** 0.5
    return float((share * dx * dy).sum() / scale) if scale else float("nan")
