"""Alpha-nearness: how much dearer the cheapest spanning tree becomes when it must contain an edge."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from metaheur.device.device import CompiledUnit
from metaheur.device.generator.launch import Launch
from metaheur.device.generator.plain import plain_unit
from metaheur.device.generator.record import Record
from metaheur.device.names import device_of
from metaheur.device.session import Session
from metaheur.errors import InputError
from metaheur.machine.memory import require
from metaheur.problems.formats import tsplib
from metaheur.problems.formats.tsplib import TSPInstance
from metaheur.problems.tsp_candidates import has_compiler, nearest, quadrants

__all__ = ["alpha_nearest", "alphas", "plain_alphas"]

Floats = npt.NDArray[np.float64]

FIRST_STEP: Final = 0.2
"""The first step of the ascent, in mean edges of the first tree."""

LEAST_WIDTH: Final = 10
"""Neighbors of a city in the sparse graph, at least."""

ROWS: Final = 1 << 14
"""Cities whose lengths of edges are computed at a time."""

COMPILED_FROM: Final = 1000
"""Cities from which a compiled unit is worth its time."""

ARGUMENTS: Final = Record(
    "Arguments",
    {
        **dict.fromkeys(("near", "edges", "keys", "order", "above", "sizes", "degrees"), "i32*"),
        **dict.fromkeys(("lengths", "price", "best", "before"), "double*"),
        **dict.fromkeys(("joined", "alphas"), "float*"),
        **dict.fromkeys(("n", "k"), "i64"),
        "first": "double",
    },
)
"""The arguments of the entry."""


def alpha_nearest(instance: TSPInstance, k: int, ascents: int) -> np.ndarray:
    """The k cities of lowest alpha for each city, of a few near ones; among equals the nearest.

    `instance`: with symmetric distances. `k`: 1 ... n - 1. `ascents`: steps of the subgradient ascent that leads to
    prices of cities; 0 for none. Returns int32, shape (n, k): the nearest first.
    """
    n = instance.dimension
    if not instance.symmetric:
        raise InputError(f"{instance.name} has other distances there and back, and no spanning trees.", "use nearest.")
    width = min(n - 1, max(LEAST_WIDTH, 2 * k))
    near = nearest(instance, width) if width < 4 or instance.coordinates is None else quadrants(instance, width)
    lengths, chosen = np.empty(near.shape), np.empty((n, k), near.dtype)
    for rows in _slices(n):
        cities = np.arange(rows.start, rows.stop)[:, None]
        lengths[rows] = tsplib.distances(instance, *np.broadcast_arrays(cities, near[rows]))
    found = alphas if n >= COMPILED_FROM and has_compiler() else plain_alphas
    values = found(near, lengths, ascents)
    for rows in _slices(n):
        ranks = np.argsort(values[rows], axis=1, kind="stable")[:, :k]
        chosen[rows] = np.take_along_axis(near[rows], np.sort(ranks, axis=1), axis=1)
    return chosen


def _slices(n: int) -> Iterator[slice]:
    """The rows of a table in parts, so that what is computed on the way takes little memory."""
    return (slice(first, min(first + ROWS, n)) for first in range(0, n, ROWS))


@lru_cache(maxsize=1)
def _compiled() -> CompiledUnit:
    return device_of("host").compile(plain_unit("problems/tsp_alpha.cuh", ARGUMENTS, "float64", Launch(threads=1)))


def alphas(near: np.ndarray, lengths: Floats, ascents: int) -> npt.NDArray[np.float32]:
    """Return how much dearer the cheapest spanning tree becomes by each edge of a graph, shape (n, k), compiled.

    Prices of cities are added to the lengths of their edges first. Each step of an ascent raises the prices of cities
    with more than two edges in the tree, and lowers the prices of cities with one edge, so that the tree is nearly a
    tour. Prices are those with the highest lower bound. An edge between two trees of a forest has minus infinity.

    `near`, int32, shape (n, k): neighbors of each city in the graph. `lengths`, float64, shape (n, k): of these edges.
    `ascents`: how many steps, each smaller than the one before; 0 for no prices.

    Notes
    -----
    K. Helsgaun, "An effective implementation of the Lin-Kernighan traveling salesman heuristic", European Journal of
    Operational Research 126, 2000, takes 1-trees. M. Held and R. M. Karp, "The traveling-salesman problem and minimum
    spanning trees: part II", Mathematical Programming 1, 1971; the direction is mixed with the one before, as T.
    Volgenant and R. Jonker do (European Journal of Operational Research 9, 1982).
    """
    n, k = near.shape
    require(24 * n * k, f"A graph of {n} cities and {k} neighbors of each", "ask for fewer candidates.")
    found = np.empty((n, k), np.float32)
    floats, numbers = np.zeros((3, n)), np.empty((3, n), np.int32)
    session = Session(_compiled(), device_of("host"))
    session.set(
        near=near, lengths=lengths, alphas=found, n=n, k=k, first=FIRST_STEP,
        price=floats[0], best=floats[1], before=floats[2], joined=np.empty(n, np.float32),
        above=numbers[0], sizes=numbers[1], degrees=numbers[2],
        edges=np.empty(n * k, np.int32), keys=np.empty(2 * n * k, np.int32), order=np.empty(2 * n * k, np.int32),
    )  # fmt: skip
    session.launch("ascend", ascents)
    return found


def plain_alphas(near: np.ndarray, lengths: Floats, ascents: int) -> npt.NDArray[np.float32]:
    """The same in Python, number by number."""
    n, k = near.shape
    rows = [set(row) for row in near.tolist()]
    ends = [(edge // k, other) for edge, other in enumerate(near.ravel().tolist())]
    once = np.array([edge for edge, (city, other) in enumerate(ends) if city < other or city not in rows[other]])
    price, best, before = np.zeros(n), np.zeros(n), np.zeros(n)
    bound, step = -np.inf, 0.0
    for ascent in range(ascents):
        costs = _costs(near, lengths, price)
        tree = _tree(ends, costs, once, n)
        total = float(np.cumsum(costs[tree], dtype=np.float64)[-1])
        paid = float(np.cumsum(price)[-1])
        step = step if ascent else FIRST_STEP * total / n
        if total - 2 * paid > bound:
            bound, best = total - 2 * paid, price.copy()
        surplus = np.bincount([end for edge in tree for end in ends[edge]], minlength=n) - 2.0
        before = 0.7 * surplus + 0.3 * (before if ascent else surplus)
        price = price + step * (1 - ascent / ascents) * before
    costs = _costs(near, lengths, best)
    beside: list[list[tuple[int, np.float32]]] = [[] for _ in range(n)]
    for edge in _tree(ends, costs, once, n):
        for one, other in (ends[edge], ends[edge][::-1]):
            beside[one].append((other, costs[edge]))
    dearest = np.array([_dearest(beside, city)[near[city]] for city in range(n)])
    found: npt.NDArray[np.float32] = costs.reshape(n, k) - dearest
    return found


def _costs(near: np.ndarray, lengths: Floats, price: Floats) -> npt.NDArray[np.float32]:
    """The lengths of edges and the prices of their ends, shape (n * k,)."""
    costs: npt.NDArray[np.float32] = (lengths + price[:, None] + price[near]).astype(np.float32)
    return costs.ravel()


def _tree(ends: list[tuple[int, int]], costs: np.ndarray, once: np.ndarray, n: int) -> list[int]:
    """The edges of a cheapest spanning tree, or a forest, in the order of their costs (Kruskal)."""
    above, tree = list(range(n)), []

    def root(city: int) -> int:
        while above[city] != city:
            above[city] = above[above[city]]
            city = above[city]
        return city

    for edge in once[np.argsort(costs[once], kind="stable")].tolist():
        one, other = map(root, ends[edge])
        if one != other:
            above[one] = other
            tree.append(edge)
    return tree


def _dearest(beside: list[list[tuple[int, np.float32]]], city: int) -> npt.NDArray[np.float32]:
    """The dearest edge on the way from a city to each other one in a tree; infinite for those in other trees."""
    found = np.full(len(beside), np.inf, np.float32)
    left = [(city, -1, np.float32(-np.inf))]
    while left:
        here, before, dearest = left.pop()
        found[here] = dearest
        left += [(other, here, max(dearest, cost)) for other, cost in beside[here] if other != before]
    return found
