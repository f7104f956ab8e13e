"""Replacement by rank and crowding distance, for several objectives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, final

import numpy as np
from attrs import field, frozen

from metaheur.fields import Array
from metaheur.parts.replacement.ordered import OrderedReplacement
from metaheur.parts.replacement.ranks import crowding_distances, ranks_of, repeated
from metaheur.validate import true_or_false, whole_field

__all__ = ["RankAndCrowding"]


@final
@frozen
class RankAndCrowding(OrderedReplacement):
    """Of members and children survive the ones with the lowest ranks, and of equal ranks the least crowded ones.

    The rank is 0 for the front, 1 for the front of the others, and so on. The crowding distance is computed once, among
    solutions of the same rank. Members and then children count as better in their order if both are equal. Solutions
    that are equal to an earlier one come last. Parents are selected by the same order.

    Parameters
    ----------
    count : int, optional
        How many children the members have before the members change; by default as many as there are members.
    duplicates : bool, default False
        Whether equal solutions are ranked like all others.

    Notes
    -----
    K. Deb, A. Pratap, S. Agarwal and T. Meyarivan, "A fast and elitist multiobjective genetic algorithm: NSGA-II", IEEE
    Transactions on Evolutionary Computation 6, 2002, section III.
    """

    count: int | None = whole_field(1, 2**20, default=None)
    duplicates: bool = field(default=False, validator=true_or_false, kw_only=True)

    source: ClassVar[str] = "rank_and_crowding.cuh"

    def children(self, size: int) -> int:
        return self.count or size

    def scratch(self, size: int) -> Mapping[str, Array]:
        """The crowding distances of members and children."""
        return {"distances": Array((size + self.children(size),), "float64")}

    def order(self, costs: np.ndarray, solutions: np.ndarray, size: int) -> np.ndarray:
        copies = np.zeros(len(costs), bool) if self.duplicates else repeated(solutions)
        ranks, distances = np.full(len(costs), len(costs)), np.zeros(len(costs))
        ranks[~copies] = ranks_of(costs[~copies])
        for rank in np.unique(ranks[~copies]):
            distances[ranks == rank] = crowding_distances(costs[ranks == rank])
        return np.lexsort((-distances, ranks))
