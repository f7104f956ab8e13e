"""Candidate lists of cities: the nearest ones, and the nearest ones in every direction."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.problems.formats import tsplib
from metaheur.problems.formats.tsplib import TSPInstance
from metaheur.validate import whole_field

__all__ = ["CityGrid", "nearest", "quadrants"]

_METRICS: Final = ("EUC_2D", "CEIL_2D", "MAN_2D", "MAX_2D")
"""Where cities are no nearer than they are apart in x or in y, but for rounding."""

Choose = Callable[[np.ndarray, np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]
"""(cities, others, ranks): the chosen others, a row a city, and how far the farthest must be looked for."""


@final
@frozen
class CityGrid:
    """A grid over the plane: the candidates of a city are looked for in its cell and the eight around it.

    Parameters
    ----------
    least : int, default 4096
        Cities from which there is a grid; of fewer cities all are looked at.
    cell : int, default 100
        Cities of a cell, about.
    """

    least: int = whole_field(default=4096)
    cell: int = whole_field(default=100)


def nearest(instance: TSPInstance, k: int, grid: CityGrid = CityGrid()) -> np.ndarray:
    """The k cities nearest to each city; among equals those of the lowest numbers.

    Parameters
    ----------
    instance : TSPInstance
    k : int
        1 ... n - 1.
    grid : CityGrid, optional
        It changes the time, not the result.

    Returns
    -------
    numpy.ndarray of int32, shape (n, k)
        The nearest first.
    """

    def choose(cities: np.ndarray, others: np.ndarray, ranks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        found = _lowest(ranks, k)
        return found % instance.dimension, found[:, -1] // instance.dimension

    return _chosen(instance, k, choose, grid)


def quadrants(instance: TSPInstance, k: int, grid: CityGrid = CityGrid()) -> np.ndarray:
    """For each city the k // 4 nearest ones in each of four quadrants around it, and the nearest of the others.

    Parameters
    ----------
    instance : TSPInstance
        With coordinates.
    k : int
        4 ... n - 1.
    grid : CityGrid, optional
        It changes the time, not the result.

    Returns
    -------
    numpy.ndarray of int32, shape (n, k)
        The nearest first; a quadrant that has fewer cities leaves room for others.

    Raises
    ------
    InputError
        If there are no coordinates.

    Notes
    -----
    D. S. Johnson and L. A. McGeoch, "Experimental analysis of heuristics for the STSP", 2002: quadrant neighbors hold
    the clusters of a clustered instance together, where nearest neighbors do not.
    """
    places, n = instance.coordinates, instance.dimension
    if places is None:
        raise InputError(f"{instance.name} has no coordinates, so that its cities have no quadrants.", "use nearest.")

    def choose(cities: np.ndarray, others: np.ndarray, ranks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        right, up = (places[others, axis] - places[cities, axis][:, None] for axis in (0, 1))
        parts = ((right >= 0) & (up > 0), (right < 0) & (up >= 0), (right <= 0) & (up < 0), (right > 0) & (up <= 0))
        first = np.hstack([_lowest(np.where(part, ranks, _NOWHERE), k // 4) for part in parts])
        reach = np.where((first == _NOWHERE).any(axis=1), _NOWHERE, first.max(axis=1, initial=0) // n)
        rest = ranks.copy()
        for column in first.T:
            rest[ranks == column[:, None]] = _NOWHERE
        return _filled(first, rest, k) % n, reach

    return _chosen(instance, k, choose, grid)


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


def _chosen(instance: TSPInstance, k: int, choose: Choose, grid: CityGrid) -> np.ndarray:
    """The choice for each city: among the cities around it where that is certain to be right, else among all."""
    n = instance.dimension
    found = np.empty((n, k), np.int32)
    everywhere = np.arange(n)
    left = np.ones(n, bool)
    if n >= grid.least and instance.kind in _METRICS:
        for cities, others, gaps in _cells(np.asarray(instance.coordinates), grid.cell):
            if len(others) > k + 1:
                chosen, reach = choose(cities, others, _ranks(instance, cities, others))
                certain = reach < gaps - 1
                found[cities[certain]] = chosen[certain]
                left[cities[certain]] = False
    uncertain = np.flatnonzero(left)
    rows = max(1, 2**21 // n)
    for begin in range(0, len(uncertain), rows):
        cities = uncertain[begin : begin + rows]
        found[cities], _ = choose(cities, everywhere, _ranks(instance, cities, everywhere))
    return found


def _ranks(instance: TSPInstance, cities: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Distance times n plus the number of the other city, so that all differ; the largest number for a city itself."""
    apart = tsplib.distances(instance, *np.broadcast_arrays(cities[:, None], others))
    ranks: np.ndarray = apart * instance.dimension + others
    ranks[cities[:, None] == others] = _NOWHERE
    return ranks


def _cells(places: np.ndarray, size: int) -> Iterator[tuple[np.ndarray, np.ndarray, Any]]:
    """For each cell of a grid: its cities, those of the nine cells around, and how far away all others are at least."""
    low, spans = places.min(axis=0), np.maximum(np.ptp(places, axis=0), 1e-9)
    side = float(np.sqrt(spans[0] * spans[1] * size / len(places)))
    side = max(side, float(spans.max()) / 4096)
    cells = ((places - low) / side).astype(np.int64)
    columns = int(cells[:, 0].max()) + 3
    number = (cells[:, 1] + 1) * columns + cells[:, 0] + 1
    order = np.argsort(number, kind="stable")
    used, starts = np.unique(number[order], return_index=True)
    members = dict(zip(used.tolist(), np.split(order, starts[1:]), strict=True))
    none = np.empty(0, np.int64)
    for here, cities in members.items():
        around = (here + dy * columns + dx for dy in (-1, 0, 1) for dx in (-1, 0, 1))
        others = np.sort(np.concatenate([members.get(cell, none) for cell in around]))
        corner = low + side * (np.array([here % columns - 1, here // columns - 1]) - 1)
        inside = places[cities] - corner
        yield np.sort(cities), others, np.minimum(inside, 3 * side - inside).min(axis=1)[np.argsort(cities)]
