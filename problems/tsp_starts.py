"""Constructive heuristics for tours: nearest neighbour, greedy edge, space-filling curve."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from metaheur.device.device import CompiledUnit
from metaheur.device.generator.launch import Launch
from metaheur.device.generator.plain import plain_unit
from metaheur.device.generator.record import Record
from metaheur.device.names import device_of
from metaheur.device.session import Session
from metaheur.errors import InputError
from metaheur.machine.processors import cores
from metaheur.neighborhoods.by_candidates import require_candidates
from metaheur.problems.formats import tsplib
from metaheur.problems.formats.tsplib import TSPInstance
from metaheur.problems.tsp_candidates import has_grid, nearest
from metaheur.problems.tsp_near import METRICS, CellGrid, near_cities
from metaheur.problems.tsp_paths import CompiledPaths, Paths, PlainPaths

__all__ = ["NEAR", "greedy_edge", "nearest_neighbour", "nearest_neighbours", "space_filling_curve"]

NEAR: Final = 10
"""Nearest cities that are looked at first."""

_TOGETHER: Final = 1 << 18
"""Edges whose lengths are computed at once."""

_ORDER: Final = 16
"""Bits of a coordinate on the curve."""


ARGUMENTS: Final = Record(
    "Arguments",
    {
        **dict.fromkeys(("places", "low"), "double*"),
        **dict.fromkeys(("near", "tours", "left", "at", "counts", "order", "cells"), "i32*"),
        "starts": "i64*",
        **dict.fromkeys(("n", "k", "threads", "columns", "rows"), "i64"),
        "side": "double",
    },
)
"""The arguments of the entry `nearest_neighbours`."""


@lru_cache(maxsize=len(METRICS))
def _compiled(metric: int) -> CompiledUnit:
    launch = Launch(threads=1, openmp=True)
    pieces, constants = "problems/tsp_metric.cuh problems/tsp_tours.cuh", f"constexpr int METRIC = {metric};"
    return device_of("host").compile(plain_unit(pieces, ARGUMENTS, "float64", launch, constants))


def nearest_neighbours(instance: TSPInstance, firsts: Sequence[int], near: np.ndarray | None = None) -> np.ndarray:
    """The tours of `nearest_neighbour` from several cities, shape (w, n).

    Compiled code makes them for many cities in the plane.

    `firsts`: the first city of each tour. `near`, int32, shape (n, k): the nearest cities of each city; by default ten
    are found.
    """
    n = instance.dimension
    if not has_grid(instance, n):
        return np.array([nearest_neighbour(instance, first) for first in firsts])
    tours, threads = np.empty((len(firsts), n), np.int32), min(cores(), len(firsts))
    tours[:, 0] = firsts
    near = nearest(instance, NEAR) if near is None else near
    session = Session(_compiled(METRICS.index(instance.kind)), device_of("host"))
    scratch = np.empty((2, threads, n), np.int32)
    places = np.ascontiguousarray(instance.coordinates, np.float64)
    grid = CellGrid.of(places)
    session.set(
        low=grid.low,
        side=grid.side,
        columns=grid.columns,
        rows=grid.rows,
        starts=grid.starts,
        order=grid.order.astype(np.int32),
        cells=grid.cells.astype(np.int32),
        counts=np.empty((threads, grid.columns * grid.rows), np.int32),
        places=places,
        near=near,
        tours=tours,
        left=scratch[0],
        at=scratch[1],
        n=n,
        k=near.shape[1],
        threads=threads,
    )
    session.launch("nearest_neighbours", len(firsts))
    return tours


def nearest_neighbour(instance: TSPInstance, first: int) -> np.ndarray:
    """A tour that goes on to the nearest city that it has not visited yet, the one with the lowest number among equals.

    D. J. Rosenkrantz, R. E. Stearns and P. M. Lewis, "An analysis of several heuristics for the traveling salesman
    problem", SIAM Journal on Computing 6, 1977.
    """
    n = instance.dimension
    near = nearest(instance, min(NEAR, n - 1)).tolist() if n > 1 else []
    tour, left = [first], np.ones(n, bool)
    left[first] = False
    while len(tour) < n:
        here = tour[-1]
        there = next((city for city in near[here] if left[city]), -1)
        if there < 0:
            rest = np.flatnonzero(left)
            there = int(rest[np.argmin(tsplib.distances(instance, np.full(len(rest), here), rest))])
        tour.append(there)
        left[there] = False
    return np.array(tour, np.int32)


def greedy_edge(instance: TSPInstance, near: np.ndarray | None = None) -> np.ndarray:
    """A tour of the shortest edges that join two paths: to candidates at first, then between ends of paths.

    `near`, numpy.ndarray of int, shape (n, k): the candidates of each city; by default the 10 nearest cities.

    J. L. Bentley, "Fast algorithms for geometric traveling salesman problems", ORSA Journal on Computing 4, 1992.
    """
    if not instance.symmetric:
        raise InputError(f"{instance.name} is not symmetric, but greedy edge has no directions.", "use construct.")
    n = instance.dimension
    if near is not None:
        _require_near(near, n)
    paths: Paths = CompiledPaths(n) if has_grid(instance, n) else PlainPaths(n)
    if n > 1:
        k = min(NEAR, n - 1) if near is None else near.shape[1]
        others = _near(instance, k) if near is None else near.ravel()
        paths.join(_by_length(instance, _pairs(np.repeat(np.arange(n, dtype=np.int32), k), others, n)))
        del others
    while paths.count > 1:  # of the paths that are left, again the nearest of their ends
        ends = paths.ends()
        paths.join(_by_length(instance, _near_pairs(instance, ends, paths.roots(ends))))
    return paths.tour()


def _require_near(near: np.ndarray, n: int) -> None:
    """Refuse an array that is not a candidate list of n cities."""
    if near.ndim != 2 or len(near) != n:
        raise InputError(
            f"`near` must have a row of candidates for each of {n} cities, but has the shape {near.shape}.",
            "use problem.quadrants(6).",
        )
    require_candidates(near)


def _near(instance: TSPInstance, k: int) -> np.ndarray:
    """The k nearest cities of the first city, of the second one, ..."""
    return nearest(instance, k).ravel()


def _near_pairs(instance: TSPInstance, ends: np.ndarray, roots: np.ndarray) -> np.ndarray:
    """Pairs of ends of different paths: for each end the 8 nearest."""
    n, keep = instance.dimension, min(8, len(ends) - 1)
    if has_grid(instance, len(ends)):
        near = near_cities(np.asarray(instance.coordinates)[ends], instance.kind, keep, groups=roots)
        row, column = np.nonzero(near >= 0)
        return _pairs(ends[row], ends[near[row, column]], n)
    pairs = []
    rows = max(1, 2**21 // len(ends))
    for begin in range(0, len(ends), rows):
        some = slice(begin, begin + rows)
        apart = tsplib.distances(instance, *np.broadcast_arrays(ends[some][:, None], ends)).astype(np.float64)
        apart[roots[some][:, None] == roots] = np.inf
        chosen = np.argsort(apart, axis=1, kind="stable")[:, :keep]
        known = np.isfinite(np.take_along_axis(apart, chosen, axis=1))
        row, column = np.nonzero(known)
        pairs.append(np.column_stack([ends[some][row], ends[chosen[row, column]]]))
    both = np.concatenate(pairs)
    return _pairs(both[:, 0], both[:, 1], n)


def _pairs(a: np.ndarray, b: np.ndarray, n: int) -> np.ndarray:
    """Pairs of cities, the lower number first, each pair once, in order; int32, shape (m, 2)."""
    numbers = np.minimum(a, b).astype(np.int64)
    numbers *= n
    numbers += np.maximum(a, b)
    del a, b  # what is not needed any more gives its memory to the next arrays
    numbers.sort()
    once = np.ones(len(numbers), bool)
    np.not_equal(numbers[1:], numbers[:-1], out=once[1:])
    numbers = numbers[once]
    found = np.empty((len(numbers), 2), np.int32)
    np.floor_divide(numbers, n, out=found[:, 0], casting="unsafe")
    np.remainder(numbers, n, out=found[:, 1], casting="unsafe")
    return found


def _by_length(instance: TSPInstance, edges: np.ndarray) -> np.ndarray:
    """The edges by length, equal ones in the order in which they are."""
    lengths = np.empty(len(edges), np.int64)
    for begin in range(0, len(edges), _TOGETHER):  # so that little memory is needed
        some = edges[begin : begin + _TOGETHER]
        lengths[begin : begin + len(some)] = tsplib.distances(instance, some[:, 0], some[:, 1])
    return edges.take(np.argsort(lengths, kind="stable"), axis=0)  # 10 times faster than [order]


def space_filling_curve(instance: TSPInstance) -> np.ndarray:
    """In the order of Hilbert's curve, the lowest number first among cities at one place of its 2**16 x 2**16.

    L. K. Platzman and J. J. Bartholdi, "Spacefilling curves and the planar travelling salesman problem", Journal of the
    ACM 36, 1989.
    """
    if instance.coordinates is None:
        raise InputError(f"{instance.name} has no coordinates, so that no curve visits them.", "use construct.")
    places = np.asarray(instance.coordinates)
    spread = max(float(np.ptp(places, axis=0).max(initial=0.0)), 1e-300)
    x, y = ((places - places.min(axis=0)) / spread * (2**_ORDER - 1)).astype(np.int64).T
    along = np.zeros(len(places), np.int64)
    for bit in range(_ORDER - 1, -1, -1):
        right, up = x >> bit & 1, y >> bit & 1
        along = along << 2 | (3 * right ^ up)
        low = 2**bit - 1
        x, y = x & low, y & low
        flipped = (up == 0) & (right == 1)
        x, y = np.where(flipped, low - x, x), np.where(flipped, low - y, y)
        x, y = np.where(up == 0, y, x), np.where(up == 0, x, y)
    return np.argsort(along, kind="stable").astype(np.int32)
