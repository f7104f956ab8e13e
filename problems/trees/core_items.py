"""The items of a knapsack as the dynamic program over a core reads them: reduced, and sorted by ratio."""

from __future__ import annotations

from functools import lru_cache
from math import gcd
from typing import final

import numpy as np
from attrs import field, frozen

from metaheur.problems.knapsack import Knapsack
from metaheur.problems.trees.ratio import sorted_by_ratio

__all__ = ["LIMIT", "CoreItems", "items_of"]

LIMIT = 2**62
"""What a product of the dynamic program must stay below."""


@final
@frozen(eq=False)
class CoreItems:
    """The items that may or may not be taken, by decreasing ratio of profit to weight; the first among equals.

    Items without weight are taken; items without profit, or too heavy, are not.

    `order`, numpy.ndarray of int64, shape (m,): the item at each place. `weights`, `profits`, numpy.ndarray of int64,
    shape (m,): its weight, divided by the greatest common divisor of all weights, and its profit. `capacity`: what they
    may weigh together, divided by the same number and rounded down. `step`: the greatest common divisor of the profits.
    `free`, numpy.ndarray of int64: the items without weight. `free_profit`: their profit.
    """

    order: np.ndarray
    weights: np.ndarray
    profits: np.ndarray
    capacity: int
    step: int
    free: np.ndarray
    free_profit: int
    first: int = field(init=False)  # the break item: the first that does not fit if all before it are taken
    break_weight: int = field(init=False)
    break_profit: int = field(init=False)

    def __attrs_post_init__(self) -> None:
        loads = np.cumsum(self.weights)
        first = int(np.searchsorted(loads, self.capacity, side="right"))
        object.__setattr__(self, "first", first)
        object.__setattr__(self, "break_weight", int(self.weights[:first].sum()))
        object.__setattr__(self, "break_profit", int(self.profits[:first].sum()))

    @property
    def overflow(self) -> int:
        """What a product of the dynamic program, and sums of two, may amount to; below `LIMIT` nothing wraps."""
        if not len(self.order):
            return 0
        weight, profit = int(self.weights.max()), int(self.profits.max())
        return (int(self.profits.sum()) + profit + self.step) * weight + (int(self.weights.sum()) + weight) * profit

    @property
    def near(self) -> tuple[int, tuple[int, ...]]:
        """The best of the break solution, with an item more, and with the break item for another one; its changes."""
        first, room = self.first, self.capacity - self.break_weight
        best = self.break_profit
        changes: tuple[int, ...] = ()
        if first == len(self.order):
            return best, changes
        more = np.flatnonzero(self.weights[first:] <= room) + first
        if len(more):
            j = int(more[np.argmax(self.profits[more])])
            best, changes = self.break_profit + int(self.profits[j]), (j,)
        less = np.flatnonzero(self.weights[:first] >= int(self.weights[first]) - room)
        if len(less):
            j = int(less[np.argmin(self.profits[less])])
            profit = self.break_profit + int(self.profits[first]) - int(self.profits[j])
            if profit > best:
                best, changes = profit, (first, j)
        return best, changes

    def solution(self, changes: tuple[int, ...] | list[int]) -> np.ndarray:
        """The break solution after some items have changed; shape (n,), bits."""
        taken = np.arange(len(self.order)) < self.first
        taken[list(changes)] ^= True
        return taken


@lru_cache(maxsize=16)
def items_of(problem: Knapsack) -> CoreItems:
    """The items of a knapsack with one constraint."""
    weights, profits, capacity = problem.weights[0], problem.profits, int(problem.capacities[0])
    order = np.flatnonzero((weights > 0) & (weights <= capacity) & (profits > 0))
    common = gcd(*weights[order].tolist()) or 1
    order = order[sorted_by_ratio(profits[order], weights[order])]
    free = np.flatnonzero(weights == 0)
    return CoreItems(
        order,
        np.ascontiguousarray(weights[order] // common),
        np.ascontiguousarray(profits[order]),
        capacity // common,
        gcd(*profits[order].tolist()) or 1,
        free,
        int(profits[free].sum()),
    )
