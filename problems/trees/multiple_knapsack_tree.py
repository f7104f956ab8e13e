"""Exact search for the multiple knapsack problem."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.fields import Array
from metaheur.problem import Problem
from metaheur.problems.multiple_knapsack import MultipleKnapsack
from metaheur.problems.trees.ratio import products_overflow, sorted_by_ratio
from metaheur.representation import Solution
from metaheur.tree.bound import Bound
from metaheur.tree.branching import Branching
from metaheur.tree.part import Fields, Node, Nodes

__all__ = ["MultipleKnapsackTree", "Surrogate"]


@final
@frozen(eq=False)
class _Sorted:
    """The items by decreasing ratio of profit to weight; among equals the lowest index comes first.

    `order`, `weights`, `profits`, numpy.ndarray of int64, shape (n,): the item at each place, its weight and its
    profit. `loads`, `values`, numpy.ndarray of int64, shape (n + 1,): the sums of the weights and of the profits of the
    items before each place.
    """

    order: np.ndarray
    weights: np.ndarray
    profits: np.ndarray
    loads: np.ndarray
    values: np.ndarray


@lru_cache(maxsize=16)
def _items(problem: MultipleKnapsack) -> _Sorted:
    order = sorted_by_ratio(problem.profits, problem.weights)
    weights, profits = problem.weights[order], problem.profits[order]
    loads, values = (np.concatenate([[0], np.cumsum(each)]) for each in (weights, profits))
    return _Sorted(order, weights, profits, loads, values)


@final
@frozen
class MultipleKnapsackTree(Branching[MultipleKnapsack]):
    """Decide the items one after the other, by decreasing ratio of profit to weight: into a knapsack, or into none.

    The last child leaves the item out. A node has the `profit` of the items that are in a knapsack, what each knapsack
    has `left`, and the solution `x`.

    Notes
    -----
    S. Martello and P. Toth, Knapsack Problems: Algorithms and Computer Implementations, 1990, chapter 6.
    """

    source: ClassVar[str] = "multiple_knapsack_tree.cuh"

    @property
    def bound(self) -> Bound[MultipleKnapsack]:
        return Surrogate()

    def reason_against(self, problem: Problem) -> str:
        if not isinstance(problem, MultipleKnapsack):
            return (
                "MultipleKnapsackTree divides the solutions of a MultipleKnapsack, but this is a "
                f"{type(problem).__name__}."
            )
        return products_overflow(problem.profits, problem.weights)

    def node(self, problem: MultipleKnapsack) -> Mapping[str, Array]:
        n, m = len(problem.profits), len(problem.capacities)
        return {
            "profit": Array((), "int64"),
            "left": Array((m,), "int64"),
            "x": Array((n,), "uint8" if m < 2**8 else "int32"),
        }

    def root(self, problem: MultipleKnapsack) -> Fields:
        return {"left": problem.capacities}

    def child(self, problem: MultipleKnapsack, node: Node, depth: int, k: int) -> Fields | None:
        items, left, x = _items(problem), np.array(node["left"]), np.array(node["x"])
        profit = int(node["profit"])
        if k < len(left):
            if left[k] < items.weights[depth]:
                return None
            left[k] -= items.weights[depth]
            x[items.order[depth]] = k + 1
            profit += int(items.profits[depth])
        return {"profit": profit, "left": left, "x": x}

    def children(self, problem: MultipleKnapsack, nodes: Nodes, depth: int, k: int) -> tuple[Fields, np.ndarray]:
        items, left, x, profit = _items(problem), nodes["left"].copy(), nodes["x"].copy(), nodes["profit"]
        if k == left.shape[1]:
            return {"profit": profit, "left": left, "x": x}, np.ones(len(nodes), bool)
        left[:, k] -= items.weights[depth]
        x[:, items.order[depth]] = k + 1
        return {"profit": profit + items.profits[depth], "left": left, "x": x}, left[:, k] >= 0

    def toward(self, problem: MultipleKnapsack, fathers: Nodes, nodes: Nodes, depth: int) -> np.ndarray:
        """Child k puts the item into knapsack k + 1; the last one leaves it out."""
        chosen = nodes["x"][:, _items(problem).order[depth]].astype(np.int64)
        last = len(problem.capacities)
        return np.where((chosen > 0) & (chosen <= last), chosen - 1, last)

    def holds(self, problem: MultipleKnapsack, x: Solution) -> bool:
        return problem.violation(x) == 0

    def tables(self, problem: MultipleKnapsack) -> Mapping[str, np.ndarray]:
        """`order`, `weights`, `profits` by the order of decisions, and `loads`, `values`, their sums before each."""
        items = _items(problem)
        return {name: getattr(items, name) for name in ("order", "weights", "profits", "loads", "values")}

    def constants(self, problem: MultipleKnapsack) -> Mapping[str, int | bool]:
        """The number of `items`, and that of `knapsacks`."""
        return {"items": len(problem.profits), "knapsacks": len(problem.capacities)}


@final
@frozen
class Surrogate(Bound[MultipleKnapsack]):
    """The optimum of the continuous problem with one knapsack in place of all, as large as what these have left.

    It is the surrogate relaxation with equal multipliers, which are the best ones of its continuous form.
    """

    source: ClassVar[str] = "surrogate.cuh"

    def lower(self, problem: MultipleKnapsack, node: Node, depth: int) -> int:
        items, room = _items(problem), int(np.sum(node["left"]))
        after = int(np.searchsorted(items.loads, items.loads[depth] + room, side="right")) - 1
        profit = int(node["profit"]) + int(items.values[after] - items.values[depth])
        if after == len(items.order):
            return -profit
        rest = room - int(items.loads[after] - items.loads[depth])
        return -(profit + rest * int(items.profits[after]) // int(items.weights[after]))

    def lowers(self, problem: MultipleKnapsack, nodes: Nodes, depth: int) -> np.ndarray:
        items, room = _items(problem), nodes["left"].sum(axis=1)
        after = np.searchsorted(items.loads, items.loads[depth] + room, side="right") - 1
        profit = nodes["profit"] + items.values[after] - items.values[depth]
        ended = after == len(items.order)
        at = np.where(ended, 0, after)
        rest = np.where(ended, 0, room - (items.loads[after] - items.loads[depth]))
        lowers: np.ndarray = -(profit + rest * items.profits[at] // np.maximum(items.weights[at], 1))
        return lowers
