"""Replacement by rank and hypervolume, for two objectives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.fields import Array
from metaheur.parts.replacement.ordered import OrderedReplacement
from metaheur.parts.replacement.ranks import ranks_without, repeated
from metaheur.problem import Problem
from metaheur.validate import whole_field

__all__ = ["RankAndHypervolume"]


@final
@frozen
class RankAndHypervolume(OrderedReplacement):
    """The members and children with the lowest ranks survive; of equal ranks, those that dominate the most alone.

    The rank is 0 for the front, 1 for the front of the others, and so on. A solution dominates an area alone if no
    other solution of its rank dominates it; the area is infinite at both ends of the front. Members and then children
    count as better in their order if both are equal. Solutions that are equal to an earlier one come last. Parents are
    selected by the same order. For two objectives.

    Parameters
    ----------
    count : int, default 1
        How many children the members have before the members change.

    Notes
    -----
    N. Beume, B. Naujoks and M. Emmerich, "SMS-EMOA: multiobjective selection based on dominated hypervolume", European
    Journal of Operational Research 181, 2007, whose replacement it is with one child; with several children, areas are
    computed once.
    """

    count: int = whole_field(1, 2**20, default=1)

    source: ClassVar[str] = "rank_and_hypervolume.cuh"

    def require(self, problem: Problem) -> None:
        """Refuse a problem that has not two objectives."""
        super().require(problem)
        if len(problem.objectives) != 2:
            raise InputError(
                f"RankAndHypervolume needs two objectives, but {type(problem).__name__} has {len(problem.objectives)}.",
                "use RankAndReferencePoints, or RankAndCrowding.",
            )

    def children(self, size: int) -> int:
        return self.count

    def scratch(self, size: int) -> Mapping[str, Array]:
        """The areas of members and children."""
        return {"areas": Array((size + self.count,), "float64")}

    def order(self, costs: np.ndarray, solutions: np.ndarray, size: int) -> np.ndarray:
        copies = repeated(solutions)
        ranks, areas = ranks_without(copies, costs), np.zeros(len(costs))
        for rank in np.unique(ranks[~copies]):
            areas[ranks == rank] = areas_alone(costs[ranks == rank])
        return np.lexsort((-areas, ranks))


def areas_alone(costs: np.ndarray) -> np.ndarray:
    """The area that each cost of a front dominates alone, infinite at both ends; shape (N,).

    `costs`, shape (N, 2): none dominates another one. Equal ones dominate nothing alone.
    """
    beyond = costs[None].astype(np.float64) - costs[:, None].astype(np.float64)
    beyond[np.eye(len(costs), dtype=bool)] = np.inf
    wide, high = np.where(beyond >= 0, beyond, np.inf).min(axis=1).T
    found: np.ndarray = np.zeros(len(costs))
    apart = (wide > 0) & (high > 0)
    found[apart] = wide[apart] * high[apart]
    return found
