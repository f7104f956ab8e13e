"""Constructive heuristic for vehicle routes: savings."""

from __future__ import annotations

import heapq
from typing import Protocol

import numpy as np

from metaheur.problems.apart import Distances, apart
from metaheur.problems.tsp_candidates import has_compiler
from metaheur.problems.tsp_paths import CompiledPaths, Paths, PlainPaths
from metaheur.random import Random

__all__ = ["SHAPES", "drawn_savings", "pairs_of", "savings", "united"]

SHAPES = (10, 22)
"""The least and the most sixteenths of a distance that a saving loses: Yellow's parameter of the shape of routes."""

COMPILED_FROM = 200
"""Customers from which compiled code joins routes, where there is a compiler; it changes the time, not the result."""


class HasLoads(Protocol):
    """Customers, their demands, and vehicles of one capacity; see `CVRP`."""

    @property
    def demands(self) -> np.ndarray:
        """What each customer demands."""

    @property
    def distances(self) -> Distances:
        """Between all places, the depot last."""

    @property
    def capacity(self) -> int:
        """What a vehicle holds."""

    @property
    def vehicles(self) -> int:
        """The most routes."""


def drawn_savings(problem: HasLoads, pairs: np.ndarray, random: Random) -> list[list[int]]:
    """Routes of `savings` for a random shape, at most as many as there are vehicles."""
    least, most = SHAPES
    shape = least + random.index(0, most - least + 1)
    routes = savings(problem.demands, problem.distances, problem.capacity, pairs, shape)
    return united(routes, problem.demands, problem.vehicles)


def pairs_of(near: np.ndarray) -> np.ndarray:
    """The pairs of customers of which one is near the other, the lower number first, in order; shape (m, 2)."""
    c, k = near.shape
    a, b = np.repeat(np.arange(c, dtype=np.int64), k), near.ravel().astype(np.int64)
    return np.column_stack(np.divmod(np.unique(np.minimum(a, b) * c + np.maximum(a, b)), c))


def savings(
    demands: np.ndarray, distances: Distances, capacity: int, pairs: np.ndarray, shape: int = 16
) -> list[list[int]]:
    """Routes that are joined in the order of what each junction saves, the lowest pair first among equals.

    `demands`, `distances`, `capacity`: as of `CVRP`. `pairs`, int, shape (m, 2): pairs of customers that may come one
    after the other. `shape`: a junction saves both ways to the depot, less so many sixteenths of the distance of the
    two customers.

    Notes
    -----
    G. Clarke and J. W. Wright, "Scheduling of vehicles from a central depot to a number of delivery points", Operations
    Research 12, 1964; P. C. Yellow, "A computational modification to the savings method of vehicle scheduling",
    Operational Research Quarterly 21, 1970.
    """
    c, (a, b) = len(demands), pairs.T
    home = apart(distances, c, np.arange(c))
    saved = 16 * (home[a] + home[b]) - shape * apart(distances, a, b)
    order = np.argsort(-saved, kind="stable")
    kind = CompiledPaths if c >= COMPILED_FROM and has_compiler() else PlainPaths
    routes: Paths = kind(c, demands, capacity)
    routes.join(pairs[order[: np.count_nonzero(saved > 0)]])
    return routes.paths()


def united(routes: list[list[int]], demands: np.ndarray, most: int) -> list[list[int]]:
    """At most so many routes: again and again the two of the smallest loads become one."""
    heap = [(int(demands[route].sum()), number, route) for number, route in enumerate(routes)]
    heapq.heapify(heap)
    while len(heap) > most:
        (load, number, first), (other, _, second) = heapq.heappop(heap), heapq.heappop(heap)
        heapq.heappush(heap, (load + other, number, first + second))
    return [route for _, _, route in sorted(heap, key=lambda each: each[1])]
