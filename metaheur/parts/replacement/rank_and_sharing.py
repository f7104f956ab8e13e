"""Replacement by rank and shared fitness, for several objectives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.fields import Array, Range
from metaheur.parts.replacement.ordered import OrderedReplacement
from metaheur.parts.replacement.ranks import ranks_without, repeated, squares_between
from metaheur.validate import real_field, whole_field

__all__ = ["RankAndSharing"]


@final
@frozen
class RankAndSharing(OrderedReplacement):
    """The members and children with the lowest ranks survive; of equal ranks, those in the emptiest niches.

    The rank is 0 for the front, 1 for the front of the others, and so on. Solutions of a rank have the same fitness,
    which each of them shares with its niche: it is divided by the niche count, the sum of 1 - d / radius over all
    solutions of the rank, itself included, at a distance d below the radius. Distances are Euclidean, objectives scaled
    to 0 ... 1 by their ranges among members and children. Members and then children count as better in their order if
    both are equal. Solutions that are equal to an earlier one come last. Parents are selected by the same order.

    Parameters
    ----------
    count : int, optional
        How many children the members have before the members change; by default as many as there are members.
    radius : float, default 0.1
        The radius of a niche, 1e-6 ... 10.

    Notes
    -----
    D. E. Goldberg and J. Richardson, "Genetic algorithms with sharing for multimodal function optimization", Second
    International Conference on Genetic Algorithms, 1987, with distances of costs as in C. M. Fonseca and P. J. Fleming,
    "Genetic algorithms for multiobjective optimization: formulation, discussion and generalization", Fifth
    International Conference on Genetic Algorithms, 1993, and front by front as in N. Srinivas and K. Deb,
    "Multiobjective optimization using nondominated sorting in genetic algorithms", Evolutionary Computation 2, 1994.
    """

    count: int | None = whole_field(1, 2**20, default=None)
    radius: float = real_field(1e-6, 10.0, default=0.1, kw_only=True, metadata={"tune": Range(0.01, 1.0, log=True)})

    source: ClassVar[str] = "rank_and_sharing.cuh"

    def children(self, size: int) -> int:
        return self.count or size

    def scratch(self, size: int) -> Mapping[str, Array]:
        """The niche counts of members and children."""
        return {"niches": Array((size + self.children(size),), "float64")}

    def order(self, costs: np.ndarray, solutions: np.ndarray, size: int) -> np.ndarray:
        copies = repeated(solutions)
        ranks = ranks_without(copies, costs)
        distances = np.sqrt(squares_between(costs))
        near = (distances < self.radius) & (ranks[:, None] == ranks)
        shares = np.where(near, 1.0 - distances / self.radius, 0.0)
        niches = np.cumsum(shares, axis=1)[:, -1]  # in the order of the solutions, as a sum of floats depends on it
        return np.lexsort((np.where(copies, 0.0, niches), ranks))
