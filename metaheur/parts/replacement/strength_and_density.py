"""Replacement by strength and density, for several objectives."""

from __future__ import annotations

from collections.abc import Mapping
from math import isqrt
from typing import ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.fields import Array
from metaheur.parts.replacement.ordered import OrderedReplacement
from metaheur.parts.replacement.ranks import dominance, repeated, squares_between, truncated
from metaheur.validate import whole_field

__all__ = ["StrengthAndDensity"]


@final
@frozen
class StrengthAndDensity(OrderedReplacement):
    """Solutions survive that few strong solutions dominate; among equals, those in less dense regions.

    The strength of a solution is how many others it dominates. Its fitness is the sum of the strengths of all that
    dominate it, 0 for the front. Of equal ones, the solution that is farther from its k-th nearest neighbor is better,
    then the first one; k is the square root of the number of all, rounded down. If the front is larger than
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
