"""The 0-1 multiple knapsack problem: each item goes into one of several knapsacks, or into none."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.fields import Array, data
from metaheur.neighborhoods.substitution import Substitution, SubstitutionMove
from metaheur.problem import Problem, repeated
from metaheur.problems.amounts import reach
from metaheur.random import Random
from metaheur.representation import DiscreteVector, Representation, Solution

if TYPE_CHECKING:
    from metaheur.searches.recommendation import Recommendation


__all__ = ["MultipleKnapsack"]


@final
@frozen(eq=False)
class MultipleKnapsack(Problem):
    """Put items into m knapsacks, each into one or into none: maximise the profit of the items that are in one.

    The cost of a feasible solution is the negative of its profit. The cost of an infeasible one is its *violation*, the
    sum over all knapsacks of the weight above the capacity, at least 1, so that a feasible solution is always better;
    see `Knapsack`.

    Parameters
    ----------
    profits, weights : array_like, shape (n,)
        Whole numbers, 0 or more, n >= 1.
    capacities : array_like, shape (m,)
        Whole numbers, 0 or more, m >= 1.

    Raises
    ------
    InputError
        If the shapes do not match, a number is negative or not whole, or all numbers together reach 2**61.

    Notes
    -----
    S. Martello and P. Toth, Knapsack Problems: Algorithms and Computer Implementations, 1990, chapter 6. The loads, the
    profit and the violation are kept beside each walk, so that the change of cost of a substitution takes O(1).

    Examples
    --------
    >>> knapsacks = MultipleKnapsack([6, 5, 4], [3, 2, 2], [4, 2])
    >>> knapsacks.cost(np.array([0, 1, 2])), knapsacks.cost(np.array([2, 1, 1]))
    (-9, 1)
    """

    profits: np.ndarray = data("int64", ndim=1)
    weights: np.ndarray = data("int64", ndim=1)
    capacities: np.ndarray = data("int64", ndim=1)

    maximise: ClassVar[bool] = True
    source: ClassVar[str] = "multiple_knapsack.cuh"

    def __attrs_post_init__(self) -> None:
        n = len(self.profits)
        if not n or len(self.weights) != n or not len(self.capacities):
            raise InputError(
                "There must be a profit and a weight for each of 1 item or more, and a capacity for each of 1 knapsack "
                f"or more, but there are {n} profits, {len(self.weights)} weights and {len(self.capacities)} "
                "capacities."
            )
        _ = self._most

    @cached_property
    def _most(self) -> int:
        return reach(profits=self.profits, weights=self.weights, capacities=self.capacities)

    @cached_property
    def representation(self) -> DiscreteVector:
        """Vectors of n knapsacks 1 ... m: where each item is; 0 if it is left out."""
        return DiscreteVector(len(self.profits), len(self.capacities) + 1)

    @cached_property
    def limits(self) -> np.ndarray:
        """The weight of all items, which does not limit the items left out, and the m capacities."""
        return np.concatenate(([self.weights.sum()], self.capacities))

    def violation(self, x: Solution) -> int:
        """Return the sum of the weights above the capacities, 0 for a feasible solution."""
        return int(np.maximum(self._loads(x) - self.limits, 0).sum())

    def _loads(self, x: Solution) -> np.ndarray:
        loads = np.zeros(len(self.limits), np.int64)
        np.add.at(loads, x, self.weights)
        return loads

    def cost(self, x: Solution) -> int:
        """The violation if it is not 0, otherwise the negative of the profit."""
        return self.violation(x) or -int(self.profits[np.asarray(x) > 0].sum())

    def costs(self, xs: np.ndarray) -> Any:
        loads = np.stack([(xs == k) @ self.weights for k in range(len(self.limits))], axis=1)
        violation = np.maximum(loads - self.limits, 0).sum(axis=1)
        return np.where(violation > 0, violation, -((xs > 0) @ self.profits))

    def delta(self, x: Solution, move: Any) -> Any:
        """The change of cost of a substitution, from the loads of both knapsacks after it."""
        if not isinstance(move, SubstitutionMove):
            return NotImplemented
        loads, at, before, after = self._loads(x), move.at, x[move.at], move.value(x)
        excess = np.maximum(loads - self.limits, 0)
        lighter = np.maximum(loads[before] - self.weights[at] - self.limits[before], 0)
        heavier = np.maximum(loads[after] + self.weights[at] - self.limits[after], 0)
        violation = excess.sum() - excess[before] - excess[after] + lighter + heavier
        profit = self.profits[x > 0].sum() + self.profits[at] * ((after > 0) * 1 - (before > 0))
        return np.where(violation > 0, violation, -profit) - self.cost(x)

    def construct(self, random: Random) -> Solution:
        """Put items, in decreasing order of profit per weight, each into the first knapsack that it still fits into.

        It draws nothing; the lowest number comes first among equals.
        """
        worth = self.profits / np.maximum(self.weights, 0.5)
        left, x = self.capacities.copy(), np.zeros(len(worth), np.int32)
        for item in np.argsort(-worth, kind="stable"):
            fits = np.flatnonzero(left >= self.weights[item])
            if len(fits):
                x[item] = fits[0] + 1
                left[fits[0]] -= self.weights[item]
        return x

    construct_many = repeated

    def recommended(self) -> tuple[Recommendation, ...]:
        """Iterated tabu search from the greedy solution, with short and with long tenures."""
        from metaheur.parts import BetterOrEqual, Limit, RandomMoves, Tenure
        from metaheur.searches import IteratedLocalSearch, TabuSearch
        from metaheur.searches.recommendation import Recommendation
        from metaheur.searches.suited import suited

        n, moves = len(self.profits), Substitution()
        if n < 4:
            return suited(self)
        kicks, limit = RandomMoves(moves, min(6, n // 2)), Limit(stagnation=20 * n)
        short = Tenure(0, 0, low_plus=min(5, n // 4), high_plus=min(20, n // 2))
        long = Tenure(0, 0, low_plus=n // 4, high_plus=n // 2)
        return tuple(
            Recommendation(
                f"iterated tabu search, {name} tenures",
                IteratedLocalSearch(TabuSearch(moves, tenure), kicks, BetterOrEqual(), limit=limit),
                "construct",
            )
            for name, tenure in (("short", short), ("long", long))
        )

    @cached_property
    def cost_type(self) -> str:
        """Type of a change of cost: "int32" if twice the sum of all profits, weights and capacities fits."""
        return "int32" if 2 * self._most < 2**31 else "int64"

    def constants(self, representation: Representation) -> Mapping[str, int | bool]:
        """`knapsacks`, their number."""
        return {"knapsacks": len(self.capacities)}

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        """`limits`, the capacities by knapsack."""
        return {"limits": self.limits}

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`load`, the weight in each knapsack and of the items left out, and `value`: the profit and the violation."""
        return {"load": Array((len(self.limits),)), "value": Array((2,))}
