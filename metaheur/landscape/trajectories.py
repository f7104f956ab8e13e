"""Search trajectory networks: where runs of any searches go, and where they meet."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from itertools import pairwise
from typing import Any, Self, final

import numpy as np
from attrs import define, field, frozen

from metaheur.errors import InputError
from metaheur.landscape.graph import EdgeColumns
from metaheur.running.view import View
from metaheur.validate import whole_field
from metaheur.watch.watcher import Watcher, require_one_objective

__all__ = ["SearchTrajectoryNetwork", "Trajectories"]

Location = Callable[[np.ndarray], Hashable]
"""From a solution to its location."""


@final
@define(eq=False)
class Trajectories(Watcher):
    """Keeps the representative solution of every walk, every so many iterations: its best one so far.

    Parameters
    ----------
    every : int, default 1
        Iterations from one look to the next.
    current : bool, default False
        Whether the current solution represents a walk, instead of the best one so far.

    Attributes
    ----------
    solutions : list of numpy.ndarray, shape (W, n)
        The solutions at each look, the starts first.
    costs : list of numpy.ndarray, shape (W,)
        Their costs, as they are minimised.
    """

    every: int = whole_field(default=1)
    current: bool = field(default=False, kw_only=True)
    solutions: list[np.ndarray] = field(factory=list, init=False, repr=False)
    costs: list[np.ndarray] = field(factory=list, init=False, repr=False)

    def begin(self, view: View) -> None:
        require_one_objective(self, view)
        if view.walks.follows:
            raise InputError("Trajectories are those of walks, but new walks replace ended ones.", "use follow=False.")
        self.solutions, self.costs = [], []
        self.look(view)

    def next_look(self, view: View) -> int:
        return view.iterations - view.iterations % self.every + self.every

    def look(self, view: View) -> None:
        walks = view.walks
        self.solutions.append((walks.solutions_now() if self.current else walks.best_solutions()).copy())
        self.costs.append((walks.costs if self.current else walks.best_costs).copy())


@final
@frozen(eq=False)
class SearchTrajectoryNetwork:
    """Locations that runs visit, and the steps between them.

    Parameters
    ----------
    costs : numpy.ndarray, shape (m,)
        The lowest cost seen at each location, as it is minimised.
    visits : numpy.ndarray of int64, shape (m, s)
        How often each of the s searches came to each location.
    sources, targets, weights : numpy.ndarray of int64, shape (e,)
        The steps from location to location, and how often they were made.
    starts, ends : numpy.ndarray of bool, shape (m,)
        Where some run began, and where some run ended.
    searches : tuple of str
        The names of the searches.
    length : float
        The mean number of different locations that follow each other in a run.

    Notes
    -----
    G. Ochoa, K. M. Malan and C. Blum, "Search trajectory networks: a tool for analysing and visualising the behaviour
    of metaheuristics", Applied Soft Computing 109, 2021.
    """

    costs: np.ndarray
    visits: np.ndarray
    sources: np.ndarray
    targets: np.ndarray
    weights: np.ndarray
    starts: np.ndarray
    ends: np.ndarray
    searches: tuple[str, ...]
    length: float

    @classmethod
    def of(cls, trajectories: Mapping[str, Trajectories], location: Location | None = None) -> Self:
        """The network of the trajectories of searches on one problem.

        Parameters
        ----------
        trajectories : mapping of str to Trajectories
            The watcher of each search's runs, by the name of the search.
        location : callable, optional
            From a solution to its location, any hashable value, such as ``lambda x: bytes(x[:5])``; by default each
            solution is a location of its own.
        """
        where = location or (lambda x: x.tobytes())
        number: dict[Hashable, int] = {}
        paths: list[tuple[int, list[int]]] = []
        costs: dict[int, Any] = {}
        for s, each in enumerate(trajectories.values()):
            if not each.solutions:
                raise InputError("Trajectories must have watched a run.", "run(..., watch=[trajectories]).")
            for w in range(len(each.solutions[0])):
                path: list[int] = []
                for xs, heights in zip(each.solutions, each.costs, strict=True):
                    place = number.setdefault(where(xs[w]), len(number))
                    costs[place] = min(costs.get(place, heights[w]), heights[w])
                    if not path or path[-1] != place:
                        path.append(place)
                paths.append((s, path))
        count = len(number)
        visits = np.zeros((count, len(trajectories)), np.int64)
        starts, ends = np.zeros((2, count), bool)
        steps: dict[tuple[int, int], int] = {}
        for s, path in paths:
            np.add.at(visits[:, s], path, 1)
            starts[path[0]] = ends[path[-1]] = True
            for step in pairwise(path):
                steps[step] = steps.get(step, 0) + 1
        order = sorted(steps)
        pairs = np.array(order, np.int64).reshape(-1, 2)
        weights = np.array([steps[each] for each in order], np.int64)
        length = float(np.mean([len(path) for _, path in paths]))
        heights = np.array([costs[place] for place in range(count)])
        sources, targets = pairs.T
        return cls(heights, visits, sources, targets, weights, starts, ends, tuple(trajectories), length)

    @property
    def shared(self) -> np.ndarray:
        """Whether several searches came to each location; bool, shape (m,)."""
        found: np.ndarray = (self.visits > 0).sum(axis=1) > 1
        return found

    def metrics(self) -> dict[str, float]:
        """Metrics of the network.

        Returns
        -------
        dict of str to float
            ``nodes``, ``edges``, ``shared_nodes``; ``best_strength``, the weights of the steps to locations of the best
            cost, divided by those of all steps; ``path_length``, the mean number of locations of a run; ``components``.
        """
        best = self.costs == self.costs.min()
        into = np.bincount(self.targets, self.weights, len(self.costs))
        leaders = EdgeColumns(len(self.costs), self.sources, self.targets).components()
        return {
            "nodes": len(self.costs),
            "edges": len(self.sources),
            "shared_nodes": int(self.shared.sum()),
            "best_strength": float(into[best].sum() / into.sum()) if into.sum() else 0.0,
            "path_length": self.length,
            "components": len(np.unique(leaders)),
        }

    def plot(self, *, ax: Any = None) -> Any:
        """Draw the locations and the steps.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            By default new ones.

        Returns
        -------
        matplotlib.axes.Axes
            Squares are starts, triangles ends, stars best locations; grey locations are shared.
        """
        from metaheur.pictures.networks import draw_trajectories

        return draw_trajectories(self, ax)
