"""Replacement by rank and reference points, for many objectives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.fields import Array, data
from metaheur.parts.replacement.decomposition import require_weights
from metaheur.parts.replacement.ordered import OrderedReplacement
from metaheur.parts.replacement.ranks import ranks_of, repeated
from metaheur.problem import Problem
from metaheur.validate import whole_field

__all__ = ["RankAndReferencePoints"]


@final
@frozen(eq=False)
class RankAndReferencePoints(OrderedReplacement):
    """The members and children with the lowest ranks survive; of equal ranks, those in empty directions.

    The rank is 0 for the front, 1 for the front of the others, and so on. Objectives are scaled so that the values of
    the front are 0 ... 1. Each solution belongs to the reference point whose direction from the ideal point is nearest,
    by perpendicular distance. Rank by rank, solutions are taken one by one: from the reference point of which the
    fewest were taken, the one with the least distance. All ties are broken in order. Solutions that are equal to an
    earlier one come last. Parents are selected by the same order.

    Parameters
    ----------
    points : array_like, shape (R, K)
        Reference points, for each of K objectives a number of 0 or more, not all 0, such as `simplex_lattice` yields.
    count : int, optional
        How many children the members have before the members change; by default as many as there are members.

    Raises
    ------
    InputError
        If a reference point has a negative number, or zeros alone.

    Notes
    -----
    K. Deb and H. Jain, "An evolutionary many-objective optimization algorithm using reference-point-based
    nondominated sorting approach, part I", IEEE Transactions on Evolutionary Computation 18, 2014. There, objectives
    are scaled by the plane through extreme points, here by the ranges of the front; there, ties are broken at random,
    and so is the choice at a reference point of which a solution was taken.
    """

    points: np.ndarray = data("float64", ndim=2)
    count: int | None = whole_field(1, 2**20, default=None)

    source: ClassVar[str] = "rank_and_reference_points.cuh"

    def __attrs_post_init__(self) -> None:
        """Refuse points that have no direction."""
        wrong = self.points[(self.points < 0).any(axis=1) | ~(self.points > 0).any(axis=1)]
        if len(wrong) or not len(self.points):
            raise InputError(
                "A reference point must have numbers of 0 or more, not all 0, "
                f"but {f'one is {wrong[0].tolist()}' if len(wrong) else 'there is none'}.",
                "use simplex_lattice(12, 3).",
            )

    def require(self, problem: Problem) -> None:
        super().require(problem)
        require_weights(self.points, problem)

    def children(self, size: int) -> int:
        return self.count or size

    def scratch(self, size: int) -> Mapping[str, Array]:
        """The nearest reference points and their distances, and how many solutions were taken of each point."""
        everyone = (size + self.children(size),)
        return {
            "distances": Array(everyone, "float64"),
            "nearest": Array(everyone, "int64"),
            "taken": Array((len(self.points),), "int64"),
        }

    def order(self, costs: np.ndarray, solutions: np.ndarray, size: int) -> np.ndarray:
        left = np.flatnonzero(~repeated(solutions))
        ranks = ranks_of(costs[left])
        nearest, distances = self._associated(costs[left], costs[left[ranks == 0]])
        order, taken = [], [0] * len(self.points)
        for rank in range(int(ranks.max()) + 1):
            waiting = np.flatnonzero(ranks == rank).tolist()
            while waiting:
                best = min(waiting, key=lambda i: (taken[nearest[i]], nearest[i], distances[i], i))
                taken[nearest[best]] += 1
                waiting.remove(best)
                order.append(int(left[best]))
        return np.array([*order, *np.setdiff1d(np.arange(len(costs)), left)], np.int64)

    def _associated(self, costs: np.ndarray, front: np.ndarray) -> tuple[list[int], list[float]]:
        """For each cost the nearest reference point, and the square of its distance."""
        low = front.min(axis=0).astype(np.float64)
        spread = front.max(axis=0) - low
        values = (costs.astype(np.float64) - low) / np.where(spread > 0, spread, 1.0)
        along, length, norm = np.zeros((len(costs), len(self.points))), np.zeros(len(costs)), np.zeros(len(self.points))
        for value, point in zip(values.T, self.points.T, strict=True):  # in order, as sums of floats depend on it
            along += value[:, None] * point[None]
            length += value * value
            norm += point * point
        squares = length[:, None] - along * along / norm[None]
        nearest = np.argmin(squares, axis=1)
        return nearest.tolist(), squares[np.arange(len(costs)), nearest].tolist()
