"""Alpha-nearness: how much dearer the cheapest 1-tree becomes when it must contain an edge."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from metaheur.errors import InputError
from metaheur.machine.memory import square
from metaheur.problems.formats import tsplib
from metaheur.problems.formats.tsplib import TSPInstance

__all__ = ["alpha_nearest", "alphas", "prices"]

Floats = npt.NDArray[np.float64]

_FIRST_STEP: Final = 0.05
"""The first step of the ascent, in mean edges of the first 1-tree."""


def alpha_nearest(instance: TSPInstance, k: int, ascents: int) -> np.ndarray:
    """The k cities of lowest alpha for each city; among equals the nearest, then those of the lowest numbers.

    `instance`: with symmetric distances. `k`: 1 ... n - 1. `ascents`: steps of the subgradient ascent that leads to
    prices of cities; 0 for none. Returns int32, shape (n, k): the nearest first.
    """
    n = instance.dimension
    if not instance.symmetric:
        raise InputError(f"{instance.name} has other distances there and back, and no 1-trees.", "use nearest.")
    square(n, "alphas")  # refuses what there is no memory for
    lengths = tsplib.distance_matrix(instance).astype(np.float64)
    values = alphas(lengths, prices(lengths, ascents) if ascents else np.zeros(n))
    np.fill_diagonal(values, np.inf)
    cities = np.arange(n)
    chosen = np.array([np.lexsort((cities, lengths[city], values[city]))[:k] for city in range(n)])
    order = np.argsort(np.take_along_axis(lengths, chosen, axis=1) * n + chosen, axis=1, kind="stable")
    return np.take_along_axis(chosen, order, axis=1).astype(np.int32)


def alphas(lengths: Floats, price: Floats) -> Floats:
    """Return how much dearer the cheapest 1-tree becomes by each edge, shape (n, n); symmetric, the diagonal is 0.

    A 1-tree is a tree of the cities 1 ... n-1, and two edges of city 0.

    `lengths`, float64, shape (n, n): symmetric distances of three cities or more. `price`, float64, shape (n,): of each
    city, added to the lengths of its edges.

    Notes
    -----
    K. Helsgaun, "An effective implementation of the Lin-Kernighan traveling salesman heuristic", European Journal of
    Operational Research 126, 2000: an edge between two cities of the tree replaces the longest one of the path between.
    """
    costs = lengths + price[:, None] + price
    parents, order = _tree(costs)
    longest = np.full_like(costs, -np.inf)  # edges of the paths between two cities
    for place, city in enumerate(order[1:], start=1):
        parent, before = parents[city], order[:place]
        longest[city, before] = np.maximum(longest[parent, before], costs[parent, city])
        longest[before, city] = longest[city, before]
    found: Floats = costs - longest
    second = np.partition(costs[0, 1:], 1)[1]
    found[0] = found[:, 0] = np.maximum(0.0, costs[0] - second)
    np.fill_diagonal(found, 0.0)
    return found


def prices(lengths: Floats, ascents: int) -> Floats:
    """Return prices of cities under which the cheapest 1-tree is nearly a tour, shape (n,).

    Each step of the ascent raises the prices of cities with more than two edges in the 1-tree, and lowers the prices of
    cities with one edge. The result is the prices with the highest lower bound.

    `lengths`, float64, shape (n, n): symmetric distances of three cities or more. `ascents`: how many steps, each
    smaller than the one before.

    Notes
    -----
    M. Held and R. M. Karp, "The traveling-salesman problem and minimum spanning trees: part II", Mathematical
    Programming 1, 1971; the direction is mixed with the one before, as T. Volgenant and R. Jonker do (European Journal
    of Operational Research 9, 1982).
    """
    n = len(lengths)
    price, best, bound = np.zeros(n), np.zeros(n), -np.inf
    direction, step = np.zeros(n), 0.0
    for ascent in range(ascents):
        costs = lengths + price[:, None] + price
        parents, order = _tree(costs)
        ends = np.argsort(costs[0, 1:], kind="stable")[:2] + 1
        edges = np.vstack([np.column_stack([order[1:], parents[order[1:]]]), np.column_stack([[0, 0], ends])])
        total = costs[edges[:, 0], edges[:, 1]].sum()
        step = step or _FIRST_STEP * total
        if total - 2 * price.sum() > bound:
            best, bound = price.copy(), total - 2 * price.sum()
        surplus = np.bincount(edges.ravel(), minlength=n) - 2.0
        if not surplus.any():
            break  # a tour
        direction = 0.7 * surplus + 0.3 * (direction if ascent else surplus)
        price = price + step * (1 - ascent / ascents) / n * direction
    return best


def _tree(costs: Floats) -> tuple[np.ndarray, np.ndarray]:
    """The cheapest tree of the cities 1 ... n-1: the parent of each, and the order in which they are added (Prim)."""
    n = len(costs)
    parents, near = np.ones(n, np.int64), costs[1].copy()
    near[:2] = np.inf
    order, left = [1], np.ones(n, bool)
    left[:2] = False
    for _ in range(n - 2):
        city = int(np.argmin(near))
        order.append(city)
        left[city] = False
        closer = left & (costs[city] < near)
        near[closer], parents[closer] = costs[city, closer], city
        near[city] = np.inf
    return parents, np.array(order)
