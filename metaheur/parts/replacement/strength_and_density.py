"""Replacement by strength and density, for several objectives."""

from __future__ import annotations

from collections.abc import Mapping
from math import isqrt
from typing import ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.fields import Array
from metaheur.parts.replacement.ordered import OrderedReplacement
from metaheur.parts.replacement.ranks import dominance, repeated, scaled
from metaheur.validate import whole_field

__all__ = ["StrengthAndDensity"]


@final
@frozen
class StrengthAndDensity(OrderedReplacement):
    """Solutions that few strong ones dominate survive, and among equals the ones in less dense regions.

    The strength of a solution is how many others it dominates. Its fitness is the sum of the strengths of all that
    dominate it, 0 for the front. Among equals, a solution is better that is farther from its k-th nearest other one,
    where k is the root of the number of members and children, rounded down; then the first. If the front is larger than
    the population, its solutions leave one by one: first the solution with the nearest neighbor, among equals the one
    with the nearest second neighbor, and so on; if all are equal, the last one. Distances are Euclidean, objectives
    scaled to 0 ... 1 by their ranges among members and children. Parents are selected by the fitness. Solutions that
    are equal to an earlier one leave first.

    Parameters
    ----------
    count : int, optional
        How many children the members have before the members change; by default as many as there are members.

    Notes
    -----
    E. Zitzler, M. Laumanns and L. Thiele, "SPEA2: improving the strength Pareto evolutionary algorithm", TIK-Report
    103, ETH Zürich, 2001, section 3. Members and children together are the archive and the population there.
    """

    count: int | None = whole_field(1, 2**20, default=None)

    source: ClassVar[str] = "strength_and_density.cuh"

    def children(self, size: int) -> int:
        return self.count or size

    def scratch(self, size: int) -> Mapping[str, Array]:
        """The squares of the distances to the k-th nearest solution and, in the front, to the nearest one that left."""
        numbers = Array((size + self.children(size),), "float64")
        return {"densities": numbers, "nearest": numbers}

    def order(self, costs: np.ndarray, solutions: np.ndarray, size: int) -> np.ndarray:
        copies = repeated(solutions)
        left = np.flatnonzero(~copies)
        squares = squares_between(costs)[np.ix_(left, left)]
        np.fill_diagonal(squares, np.inf)
        dominates = dominance(costs[left])
        fitness = dominates.sum(axis=1) @ dominates
        near = min(isqrt(len(costs)), len(left) - 1) - 1
        apart = np.sort(squares, axis=1)[:, near] if near >= 0 else np.zeros(1)
        order = np.lexsort((-apart, fitness))
        leaving = truncated(squares, np.flatnonzero(fitness == 0), size)
        staying = order[~np.isin(order, leaving)]
        front = np.count_nonzero(fitness == 0) - len(leaving)
        ordered = np.concatenate([staying[:front], np.array(leaving[::-1], np.int64), staying[front:]])
        return np.concatenate([left[ordered], np.flatnonzero(copies)])


def squares_between(costs: np.ndarray) -> np.ndarray:
    """The squared distance of each pair of costs, objectives scaled to 0 ... 1; shape (N, N).

    Parameters
    ----------
    costs : numpy.ndarray, shape (N, K)
    """
    values = scaled(costs)
    found = np.zeros((len(costs), len(costs)))
    for column in values.T:  # one after the other, as a sum of floats depends on its order
        found += (column[:, None] - column[None]) ** 2
    return found


def truncated(squares: np.ndarray, front: np.ndarray, size: int) -> list[int]:
    """The solutions of a front that leave, in this order, until so many are left.

    Parameters
    ----------
    squares : numpy.ndarray, shape (N, N)
        Squared distances, infinite from a solution to itself.
    front : numpy.ndarray, shape (m,)
        The solutions of the front, ascending.
    size : int
        How many stay.
    """
    leaving: list[int] = []
    while len(front) > size:
        among = squares[np.ix_(front, front)]
        nearest = among.min(axis=1)
        rivals = np.flatnonzero(nearest == nearest.min()).tolist()
        worst = min(rivals, key=lambda place: (np.sort(among[place]).tolist(), -place))
        leaving.append(int(front[worst]))
        front = np.delete(front, worst)
    return leaving
