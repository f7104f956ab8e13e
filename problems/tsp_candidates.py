"""Candidate lists of cities: the nearest ones, and the nearest ones in every direction."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from metaheur.device.host.compiler import find_compiler
from metaheur.errors import DeviceError, InputError
from metaheur.problems.formats import tsplib
from metaheur.problems.formats.tsplib import TSPInstance
from metaheur.problems.tsp_near import METRICS, near_cities

__all__ = ["has_compiler", "has_grid", "nearest", "quadrants"]

GRID_FROM: Final = 1000
"""Cities from which a grid is worth a compiled unit."""

Choose = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""(cities, ranks of all others): the ranks of the chosen others, a row a city."""


def nearest(instance: TSPInstance, k: int, *, grid_from: int = GRID_FROM) -> np.ndarray:
    """The k cities nearest to each city; among equals those of the lowest numbers.

    `k`: 1 ... n - 1. `grid_from`: cities in the plane from which compiled code finds them by a grid, where there is a
    compiler; where there are fewer, all are looked at. It changes the time, not the result. Returns int32, shape (n,
    k): the nearest first.
    """
    if has_grid(instance, instance.dimension, grid_from):
        return near_cities(np.asarray(instance.coordinates), instance.kind, k)
    return _chosen(instance, k, lambda cities, ranks: _lowest(ranks, k))


def quadrants(instance: TSPInstance, k: int, *, grid_from: int = GRID_FROM) -> np.ndarray:
    """For each city the k // 4 nearest ones in each of four quadrants around it, and the nearest of the others.

    `instance`: with coordinates. `k`: 4 ... n - 1. `grid_from`: cities in the plane from which compiled code finds them
    by a grid, where there is a compiler; where there are fewer, all are looked at. It changes the time, not the result.
    Returns int32, shape (n, k): the nearest first; a quadrant that has fewer cities leaves room for others.

    Notes
    -----
    D. S. Johnson and L. A. McGeoch, "Experimental analysis of heuristics for the STSP", 2002: quadrant neighbors hold
    the clusters of a clustered instance together, where nearest neighbors do not.
    """
    places = instance.coordinates
    if places is None:
        raise InputError(f"{instance.name} has no coordinates, so that its cities have no quadrants.", "use nearest.")

    if has_grid(instance, instance.dimension, grid_from):
        return near_cities(places, instance.kind, k, quarter=k // 4)

    def choose(cities: np.ndarray, ranks: np.ndarray) -> np.ndarray:
        right, up = (places[:, axis] - places[cities, axis][:, None] for axis in (0, 1))
        parts = ((right >= 0) & (up > 0), (right < 0) & (up >= 0), (right <= 0) & (up < 0), (right > 0) & (up <= 0))
        first = np.hstack([_lowest(np.where(part, ranks, _NOWHERE), k // 4) for part in parts])
        rest = ranks.copy()
        for column in first.T:
            rest[ranks == column[:, None]] = _NOWHERE
        return _filled(first, rest, k)

    return _chosen(instance, k, choose)


_NOWHERE: Final = np.iinfo(np.int64).max


def _filled(first: np.ndarray, rest: np.ndarray, k: int) -> np.ndarray:
    """The entries of `first`, filled up with the lowest of `rest`; sorted, shape (r, k)."""
    missing = k - (first != _NOWHERE).sum(axis=1)
    more = _lowest(rest, k)
    more[np.arange(k) >= missing[:, None]] = _NOWHERE
    return np.sort(np.hstack([first, more]), axis=1)[:, :k]


def _lowest(ranks: np.ndarray, k: int) -> np.ndarray:
    """The k lowest entries of each row, in order."""
    if ranks.shape[1] < k:
        ranks = np.pad(ranks, ((0, 0), (0, k - ranks.shape[1])), constant_values=_NOWHERE)
    return np.sort(np.partition(ranks, k - 1, axis=1)[:, :k], axis=1)


def has_grid(instance: TSPInstance, cities: int, grid_from: int = GRID_FROM) -> bool:
    """Whether compiled code finds the neighbors of so many cities by a grid."""
    return cities >= grid_from and instance.kind in METRICS and has_compiler()


def has_compiler() -> bool:
    """Whether there is a C++ compiler."""
    try:
        find_compiler()
    except DeviceError:
        return False
    return True


def _chosen(instance: TSPInstance, k: int, choose: Choose) -> np.ndarray:
    """The choice for each city among all others."""
    n = instance.dimension
    found = np.empty((n, k), np.int32)
    everywhere = np.arange(n)
    rows = max(1, 2**21 // n)
    for begin in range(0, n, rows):
        cities = everywhere[begin : begin + rows]
        ranks = tsplib.distances(instance, *np.broadcast_arrays(cities[:, None], everywhere)) * n + everywhere
        ranks[np.arange(len(cities)), cities] = _NOWHERE
        found[cities] = choose(cities, ranks) % n
    return found
