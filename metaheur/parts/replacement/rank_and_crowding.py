"""Replacement by rank and crowding distance, for several objectives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, final

import numpy as np
from attrs import field, frozen

from metaheur.fields import NOT_NEGATIVE, Array
from metaheur.part import Kept
from metaheur.parts.replacement.ordered import OrderedReplacement
from metaheur.parts.replacement.ranks import crowding_distances, ranks_without, repeated
from metaheur.validate import true_or_false, whole_field

__all__ = ["RankAndCrowding"]


@final
@frozen
class RankAndCrowding(OrderedReplacement):
    """The members and children with the lowest ranks survive; of equal ranks, the least crowded ones.

    The rank is 0 for the front, 1 for the front of the others, and so on. The crowding distance is computed once, among
    solutions of the same rank. Members and then children count as better in their order if both are equal. Solutions
    that are equal to an earlier one come last. Parents are selected by the same order.

    Parameters
    ----------
    count : int, optional
        How many children the members have before the members change; by default as many as there are members.
    duplicates : bool, default False
        Whether equal solutions are ranked like all others.
    by_dominance : bool, default False
        Whether parents are compared by dominance, as in the program of the method's authors, and not by the order: of
        two members, the one that dominates the other wins; if none does, the less crowded one, whatever their ranks.

    Notes
    -----
    K. Deb, A. Pratap, S. Agarwal and T. Meyarivan, "A fast and elitist multiobjective genetic algorithm: NSGA-II", IEEE
    Transactions on Evolutionary Computation 6, 2002, section III.
    """

    count: int | None = whole_field(1, 2**20, default=None)
    duplicates: bool = field(default=False, validator=true_or_false, kw_only=True)
    by_dominance: bool = field(default=False, validator=true_or_false, kw_only=True)

    source: ClassVar[str] = "rank_and_crowding.cuh"

    def children(self, size: int) -> int:
        return self.count or size

    def scratch(self, size: int) -> Mapping[str, Array]:
        """The crowding distances of members and children."""
        return {"distances": Array((size + self.children(size),), "float64")}

    def arrays(self, size: int) -> Mapping[str, Array]:
        """The places, and the crowding distances that members had when they were ranked."""
        return {**super().arrays(size), "crowding": Array((size,), "float64", within=NOT_NEGATIVE)}

    def fitness(self, population: Kept) -> np.ndarray:
        """The places in the order; for parents that are compared by dominance, costs and crowding distances."""
        if not self.by_dominance:
            return super().fitness(population)
        pairs = zip(population["costs"].tolist(), population["crowding"].tolist(), strict=True)
        return np.array([CrowdedCost(tuple(cost), crowding) for cost, crowding in pairs], object)

    def order(self, costs: np.ndarray, solutions: np.ndarray, size: int) -> np.ndarray:
        ranks, distances = self._ranked(costs, solutions)
        return np.lexsort((-distances, ranks))

    def numbers(self, costs: np.ndarray, solutions: np.ndarray) -> Mapping[str, np.ndarray]:
        """The crowding distances; the largest number instead of infinite ones."""
        return {"crowding": np.minimum(self._ranked(costs, solutions)[1], NOT_NEGATIVE[1])}

    def _ranked(self, costs: np.ndarray, solutions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Ranks and crowding distances of members and children; copies rank last, with a distance of 0."""
        copies = np.zeros(len(costs), bool) if self.duplicates else repeated(solutions)
        ranks, distances = ranks_without(copies, costs), np.zeros(len(costs))
        for rank in np.unique(ranks[~copies]):
            distances[ranks == rank] = crowding_distances(costs[ranks == rank])
        return ranks, distances


@final
@frozen(eq=False)
class CrowdedCost:
    """A cost that comes before the costs that it dominates, and of two others the less crowded one.

    `cost`: a number for each objective. `crowding`: the crowding distance.
    """

    cost: tuple[int | float, ...]
    crowding: float

    def dominates(self, other: CrowdedCost) -> bool:
        """Whether no objective is higher than that of the other cost, and one is lower."""
        return self.cost != other.cost and all(a <= b for a, b in zip(self.cost, other.cost, strict=True))

    def __lt__(self, other: CrowdedCost) -> bool:
        return self.dominates(other) or (not other.dominates(self) and self.crowding > other.crowding)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CrowdedCost) and not self < other and not other < self

    __hash__ = None  # type: ignore[assignment]
