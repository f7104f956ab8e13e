"""Replacement by rank and hypervolume, for two to four objectives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.archives.hypervolume import MOST_OBJECTIVES, measured_alone, with_measures
from metaheur.errors import InputError
from metaheur.fields import Array
from metaheur.parts.replacement.ordered import OrderedReplacement
from metaheur.parts.replacement.ranks import ranks_without, repeated
from metaheur.problem import Problem
from metaheur.source import Source
from metaheur.validate import whole_field

__all__ = ["RankAndHypervolume"]


@final
@frozen
class RankAndHypervolume(OrderedReplacement):
    """The members and children with the lowest ranks survive; of equal ranks, those that dominate the most alone.

    The rank is 0 for the front, 1 for the front of the others, and so on. A solution dominates a region alone if no
    other solution of its rank dominates it. With two objectives, its area is infinite at both ends of the front. With
    three or four, the region ends a tenth of the front's range beyond its largest values, and the measure is infinite
    for the first solution with the smallest value of an objective. Members and then children count as better in their
    order if both are equal. Solutions that are equal to an earlier one come last. Parents are selected by the same
    order.

    Parameters
    ----------
    count : int, default 1
        How many children the members have before the members change.

    Notes
    -----
    N. Beume, B. Naujoks and M. Emmerich, "SMS-EMOA: multiobjective selection based on dominated hypervolume", European
    Journal of Operational Research 181, 2007, whose replacement it is with one child; with several children, measures
    are computed once. There the region of three objectives ends at the largest values plus 1; here its end does not
    depend on units. With N members and children, the work for K objectives is about the K-th power of N.
    """

    count: int = whole_field(1, 2**20, default=1)

    source: ClassVar[Source] = with_measures("parts/replacement/rank_and_hypervolume.cuh")

    def require(self, problem: Problem) -> None:
        """Refuse a problem of more than four objectives."""
        super().require(problem)
        if (count := len(problem.objectives)) > MOST_OBJECTIVES:
            raise InputError(
                f"RankAndHypervolume knows two to four objectives, but {type(problem).__name__} has {count}.",
                "use RankAndReferencePoints, or RankAndCrowding.",
            )

    def children(self, size: int) -> int:
        return self.count

    def scratch(self, size: int) -> Mapping[str, Array]:
        """The measures of members and children; members by rank, and sorted by objectives."""
        everyone = size + self.count
        return {
            "measures": Array((everyone,), "float64"),
            "by_rank": Array((everyone,), "int64"),
            "orders": Array(((MOST_OBJECTIVES - 1) * everyone,), "float64"),
        }

    def order(self, costs: np.ndarray, solutions: np.ndarray, size: int) -> np.ndarray:
        copies = repeated(solutions)
        ranks, measures = ranks_without(copies, costs), np.zeros(len(costs))
        alone = areas_alone if costs.shape[1] == 2 else measured_alone
        for rank in np.unique(ranks[~copies]):
            measures[ranks == rank] = alone(costs[ranks == rank])
        return np.lexsort((-measures, ranks))


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
