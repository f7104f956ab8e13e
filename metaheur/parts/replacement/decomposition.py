"""Replacement by decomposition into subproblems, for several objectives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.fields import Array, data
from metaheur.part import Kept
from metaheur.parts.replacement.for_fronts import ReplacementForFronts
from metaheur.parts.replacement.replacement import take
from metaheur.problem import Problem
from metaheur.validate import whole_field

__all__ = ["Decomposition"]

_LEAST: Final = 1e-6
"""The weight that an objective of weight 0 has."""


@final
@frozen(eq=False)
class Decomposition(ReplacementForFronts):
    """Each member solves a subproblem with its own weights; a child replaces neighbors that solve theirs no better.

    The cost of a subproblem is a weighted Chebyshev distance: the largest of w (c - z) / (h - z) over the objectives,
    where w is the objective's weight, z the least value of all solutions so far, and h the largest value of the
    members. A child takes the place of each neighbor of its first parent whose subproblem it solves as well or better,
    in the order of the neighbors, up to a number. The replacement rates all members equally: parents are to be
    neighbors, as `NearParents` selects them.

    Parameters
    ----------
    weights : array_like, shape (k, K)
        For each member a weight for each of K objectives, 0 or more; 0 counts as 1e-6.
    neighbors : array_like, shape (k, T)
        For each member the members that its children may replace, such as `nearest_weights` yields.
    most : int, default 2
        The most members that one child replaces, 1 or more.

    Raises
    ------
    InputError
        If weights are negative, or a neighbor is not a member.

    Notes
    -----
    Q. Zhang and H. Li, "MOEA/D: a multiobjective evolutionary algorithm based on decomposition", IEEE Transactions on
    Evolutionary Computation 11, 2007; the limit is that of H. Li and Q. Zhang, "Multiobjective optimization problems
    with complicated Pareto sets, MOEA/D and NSGA-II", IEEE Transactions on Evolutionary Computation 13, 2009.
    """

    weights: np.ndarray = data("float64", ndim=2)
    neighbors: np.ndarray = data("int32", ndim=2)
    most: int = whole_field(1, 2**20, default=2)

    source: ClassVar[str] = "decomposition.cuh"

    def __attrs_post_init__(self) -> None:
        """Refuse negative weights, and neighbors that are not members."""
        if self.weights.min(initial=0.0) < 0:
            raise InputError(f"`weights` must be 0 or more, but one is {self.weights.min()}.")
        size = len(self.weights)
        if len(self.neighbors) != size or not self.neighbors.size:
            raise InputError(
                f"`neighbors` must have a row for each of {size} weights, but has the shape {self.neighbors.shape}.",
                "use nearest_weights(weights, 20).",
            )
        outside = self.neighbors[(self.neighbors < 0) | (self.neighbors >= size)]
        if outside.size:
            raise InputError(f"The neighbors of {size} members must be in 0 ... {size - 1}, but one is {outside[0]}.")

    def require(self, problem: Problem) -> None:
        super().require(problem)
        require_weights(self.weights, problem)

    def children(self, size: int) -> int:
        if size != len(self.weights):
            raise InputError(
                f"Each member needs weights, but there are {size} members and {len(self.weights)} rows of weights.",
                f"use Breeding(..., size={len(self.weights)}).",
            )
        return 1

    def arrays(self, size: int) -> Mapping[str, Array]:
        """The least value of each objective, of all solutions since the population was full."""
        return {"ideal": Array((1,), "total")}

    def fitness(self, population: Kept) -> np.ndarray:
        """0 for each member."""
        return np.zeros(len(population["costs"]))

    def rate(self, population: Kept) -> None:
        population["ideal"][0] = population["costs"].min(axis=0)

    def replace(self, population: Kept) -> None:
        costs, child, ideal = population["costs"], population["child_costs"][0], population["ideal"]
        ideal[0] = np.minimum(ideal[0], child)
        spread = costs.max(axis=0).astype(np.float64) - ideal[0]
        spread[spread <= 0] = 1.0
        near = self.neighbors[population["parents"][0]]
        weights = np.maximum(self.weights[near], _LEAST)
        before, after = (
            (weights * ((each.astype(np.float64) - ideal[0]) / spread)).max(axis=1) for each in (costs[near], child)
        )
        for s in near[after <= before][: self.most].tolist():
            take(population, s, 0)


def require_weights(weights: np.ndarray, problem: Problem) -> None:
    """Refuse a problem whose number of objectives is not that of the weights. `weights`: shape (R, K)."""
    if len(problem.objectives) != weights.shape[1]:
        raise InputError(
            f"The weights are for {weights.shape[1]} objectives, but this {type(problem).__name__} has "
            f"{len(problem.objectives)}.",
            f"use MOEAD or NSGA3 with objectives={len(problem.objectives)}.",
        )
