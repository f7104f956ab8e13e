"""The knapsack sharing problem: groups share one capacity, and the group with the least profit counts."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.fields import Array, data
from metaheur.neighborhoods.hamming import FlipMove, Hamming
from metaheur.problem import Problem, repeated
from metaheur.problems.amounts import reach
from metaheur.problems.knapsack import MOST_PAIRED
from metaheur.random import Random
from metaheur.representation import BitString, Representation, Solution
from metaheur.validate import whole

if TYPE_CHECKING:
    from metaheur.searches.recommendation import Recommendation


__all__ = ["KnapsackSharing"]


@final
@frozen(eq=False)
class KnapsackSharing(Problem):
    """Take items of several groups subject to one capacity: maximise the least profit of a group.

    The profit of a group is the sum over its items that are taken. The cost of a feasible solution is the negative of
    the least profit. The cost of an infeasible one is its *violation*, the weight above the capacity, at least 1, so
    that a feasible solution is always better; see `Knapsack`.

    Parameters
    ----------
    profits, weights : array_like, shape (n,)
        Whole numbers, 0 or more, n >= 1.
    groups : array_like of int, shape (n,)
        The group of each item. The groups are 0, 1, ... without a gap.
    capacity : int
        A whole number, 0 or more.

    Raises
    ------
    InputError
        If the shapes do not match, a number is negative or not whole, a group has no item, or all numbers together
        reach 2**61.

    Notes
    -----
    J. R. Brown, "The knapsack sharing problem", Operations Research 27, 1979; T. Yamada, M. Futakawa and S. Kataoka,
    "Some exact algorithms for the knapsack sharing problem", European Journal of Operational Research 106, 1998, for
    items that are taken or not. The profits of the groups, the weight and the cost are kept beside each walk, so that
    the change of cost of a flip takes time in proportion to the number of groups.

    Examples
    --------
    >>> sharing = KnapsackSharing([6, 5, 4, 3], [3, 2, 2, 1], [0, 0, 1, 1], 5)
    >>> sharing.cost(np.array([1, 0, 1, 0])), sharing.cost(np.array([1, 1, 1, 0]))
    (-4, 2)
    """

    profits: np.ndarray = data("int64", ndim=1)
    weights: np.ndarray = data("int64", ndim=1)
    groups: np.ndarray = data("int32", ndim=1)
    capacity: int = data("int64")

    maximise: ClassVar[bool] = True
    source: ClassVar[str] = "knapsack_sharing.cuh"

    def __attrs_post_init__(self) -> None:
        whole(self.capacity, "capacity", 0)
        n = len(self.profits)
        if not n or len(self.weights) != n or len(self.groups) != n:
            raise InputError(
                "There must be a profit, a weight and a group for each of 1 item or more, but there are "
                f"{n} profits, {len(self.weights)} weights and {len(self.groups)} groups."
            )
        numbers = np.unique(self.groups)
        if numbers.tolist() != list(range(len(numbers))):
            raise InputError(
                f"`groups` must hold each of 0, 1, ... up to the last group, but holds {numbers[:9].tolist()}.",
                "use np.unique(groups, return_inverse=True)[1].",
            )
        _ = self._most

    @cached_property
    def _most(self) -> int:
        return reach(profits=self.profits, weights=self.weights, capacity=self.capacity)

    @cached_property
    def representation(self) -> BitString:
        """Strings of n bits: which items are taken."""
        return BitString(len(self.profits))

    @cached_property
    def _sharers(self) -> int:
        return int(self.groups.max()) + 1

    def shares(self, x: Solution) -> np.ndarray:
        """The profit of each group, shape (g,)."""
        shares = np.zeros(self._sharers, np.int64)
        np.add.at(shares, self.groups, self.profits * x)
        return shares

    def violation(self, x: Solution) -> int:
        """Return the weight above the capacity, 0 for a feasible solution."""
        return max(0, int(self.weights @ x.astype(np.int64)) - self.capacity)

    def cost(self, x: Solution) -> int:
        """The violation if it is not 0, otherwise the negative of the least profit of a group."""
        return self.violation(x) or -int(self.shares(x).min())

    def costs(self, xs: np.ndarray) -> Any:
        bits = xs.astype(np.int64)
        violation = np.maximum(bits @ self.weights - self.capacity, 0)
        shares = [bits @ (self.profits * (self.groups == group)) for group in range(self._sharers)]
        return np.where(violation > 0, violation, -np.min(shares, axis=0))

    def delta(self, x: Solution, move: Any) -> Any:
        """The change of cost of some flips, from the weight and the profits of the groups after them."""
        if not isinstance(move, FlipMove):
            return NotImplemented
        at = np.stack([np.atleast_1d(position) for position in move.at], axis=1)  # a row for each move
        rise = 1 - 2 * x[at].astype(np.int64)
        weight = self.weights @ x.astype(np.int64) + (rise * self.weights[at]).sum(axis=1)
        shares = np.tile(self.shares(x), (len(at), 1))
        np.add.at(shares, (np.arange(len(at))[:, None], self.groups[at]), rise * self.profits[at])
        violation = np.maximum(weight - self.capacity, 0)
        change = np.where(violation > 0, violation, -shares.min(axis=1)) - self.cost(x)
        return change.reshape(np.shape(move.at[0]))

    def construct(self, random: Random) -> Solution:
        """Let the group with the least profit take its next item that fits, until it has none.

        The items of a group come in decreasing order of profit per weight. It draws nothing; the lowest number comes
        first among equals.
        """
        worth = self.profits / np.maximum(self.weights, 0.5)
        order = np.argsort(-worth, kind="stable")
        waiting = [iter(order[self.groups[order] == group].tolist()) for group in range(self._sharers)]
        x, shares, left = np.zeros(len(worth), np.uint8), np.zeros(self._sharers, np.int64), int(self.capacity)
        while True:
            poorest = int(np.argmin(shares))
            item = next((each for each in waiting[poorest] if self.weights[each] <= left), None)  # others never will
            if item is None:
                return x
            x[item] = 1
            shares[poorest] += self.profits[item]
            left -= int(self.weights[item])

    construct_many = repeated

    def recommended(self) -> tuple[Recommendation, ...]:
        """Iterated tabu search from the greedy solution: over single flips, and over single flips and pairs."""
        from metaheur.neighborhoods.union import Union
        from metaheur.parts import Always, Limit, RandomMoves, Tenure
        from metaheur.searches import IteratedLocalSearch, TabuSearch
        from metaheur.searches.recommendation import Recommendation
        from metaheur.searches.suited import suited

        n, single = len(self.profits), Hamming(1)
        if n < 4:
            return suited(self)
        kicks, limit = RandomMoves(single, min(6, n // 2)), Limit(stagnation=4 * n)
        short = Tenure(0, 0, low_plus=min(5, n // 4), high_plus=min(20, n // 2))
        long = Tenure(0, 0, low_plus=n // 4, high_plus=n // 2)
        descents = {
            "single flips": TabuSearch(single, short),
            "single flips and pairs": TabuSearch(Union(single, Hamming(2)), long),
        }
        found = [
            Recommendation(
                f"iterated tabu search, {name}", IteratedLocalSearch(search, kicks, Always(), limit=limit), "construct"
            )
            for name, search in descents.items()
        ]
        return tuple(found if n <= MOST_PAIRED else found[:1])

    @cached_property
    def cost_type(self) -> str:
        """Type of a change of cost: "int32" if twice the sum of all profits, weights and the capacity fits."""
        return "int32" if 2 * self._most < 2**31 else "int64"

    def constants(self, representation: Representation) -> Mapping[str, int | bool]:
        """`sharers`, the number of groups."""
        return {"sharers": self._sharers}

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`profit` of each group, and `value`: the weight and the cost."""
        return {"profit": Array((self._sharers,)), "value": Array((2,))}
