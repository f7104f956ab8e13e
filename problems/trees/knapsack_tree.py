"""Exact search for the 0-1 knapsack problem with one constraint."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.fields import Array
from metaheur.problems.knapsack import Knapsack
from metaheur.problems.trees.item_tree import ItemTree
from metaheur.problems.trees.ratio import products_overflow, sorted_by_ratio
from metaheur.representation import Solution
from metaheur.tree.bound import Bound
from metaheur.tree.dominance import Dominance
from metaheur.tree.part import NO_COST, Fields, Node, Nodes

__all__ = ["Dantzig", "KnapsackTree", "LighterAndDearer"]

LARGEST_TABLE = 1 << 22
"""How many entries the table of greedy completions has at most."""


@final
@frozen(eq=False)
class _Sorted:
    """The items by decreasing ratio of profit to weight; among equals the lowest index comes first.

    `order`, `weights`, `profits`, numpy.ndarray of int64, shape (n,): the item at each place, its weight and its
    profit. `loads`, `values`, numpy.ndarray of int64, shape (n + 1,): the sums of the weights and of the profits of the
    items before each place. `capacity`: what all taken items may weigh together.
    """

    order: np.ndarray
    weights: np.ndarray
    profits: np.ndarray
    loads: np.ndarray
    values: np.ndarray
    capacity: int

    @property
    def first(self) -> int:
        """The first item that does not fit if all before it are taken."""
        return int(np.searchsorted(self.loads, self.capacity, side="right")) - 1


@lru_cache(maxsize=16)
def _items(problem: Knapsack) -> _Sorted:
    weights, profits = problem.weights[0], problem.profits
    order = sorted_by_ratio(profits, weights)
    weights, profits = weights[order], profits[order]
    loads, values = (np.concatenate([[0], np.cumsum(each)]) for each in (weights, profits))
    return _Sorted(order, weights, profits, loads, values, int(problem.capacities[0]))


@final
@frozen
class KnapsackTree(ItemTree):
    """Decide the items one after the other, by decreasing ratio of profit to weight; the first child takes the item.

    A node is the knapsack filled up: its weight and profit count the items that it has decided to take, and the items
    behind them as long as they fit; `next` is the first that does not fit. So a child that takes its item is the same
    knapsack as its father.

    Notes
    -----
    A. Boukedjar, M. E. Lalami and D. El Baz, "Parallel branch and bound on a CPU-GPU system", PDP 2012, section 2.2.
    """

    source: ClassVar[str] = "knapsack_tree.cuh"

    @property
    def bound(self) -> Bound[Knapsack]:
        return Dantzig()

    def order(self, problem: Knapsack) -> np.ndarray:
        return _items(problem).order

    def reason_against_items(self, problem: Knapsack) -> str:
        if len(problem.capacities) != 1:
            return (
                f"KnapsackTree takes one constraint, but this Knapsack has {len(problem.capacities)}.\n"
                "Maybe use MultiKnapsackTree()."
            )
        return products_overflow(problem.profits, problem.weights)

    def node(self, problem: Knapsack) -> Mapping[str, Array]:
        items = _items(problem)
        wide = max(items.capacity, int(items.loads[-1]), int(items.values[-1])) >= 2**31
        n, number = len(items.order), "int64" if wide else "int32"
        fields = {"weight": number, "profit": number, "next": "int32" if n >= 2**15 else "int16"}
        return {name: Array((), dtype) for name, dtype in fields.items()} | {"taken": self.taken(problem)}

    def root(self, problem: Knapsack) -> Fields:
        items = _items(problem)
        return {"weight": items.loads[items.first], "profit": items.values[items.first], "next": items.first}

    def child(self, problem: Knapsack, node: Node, depth: int, k: int) -> Fields | None:
        items, weight, profit, after = _items(problem), int(node["weight"]), int(node["profit"]), int(node["next"])
        fits = depth < after
        taken = np.array(node["taken"])
        if k == 0:
            taken[depth // 32] |= np.uint32(1 << depth % 32)
            return {"weight": weight, "profit": profit, "next": after, "taken": taken} if fits else None
        if fits:
            weight, profit = weight - int(items.weights[depth]), profit - int(items.profits[depth])
        else:
            after = depth + 1
        while after < len(items.order) and weight + items.weights[after] <= items.capacity:
            weight, profit, after = weight + int(items.weights[after]), profit + int(items.profits[after]), after + 1
        return {"weight": weight, "profit": profit, "next": after, "taken": taken}

    def children(self, problem: Knapsack, nodes: Nodes, depth: int, k: int) -> tuple[Fields, np.ndarray]:
        items, after = _items(problem), nodes["next"].astype(np.int64)
        fits = depth < after
        taken = nodes["taken"].copy()
        if k == 0:
            taken[:, depth // 32] |= np.uint32(1 << depth % 32)
            return {"weight": nodes["weight"], "profit": nodes["profit"], "next": after, "taken": taken}, fits
        weight = nodes["weight"] - np.where(fits, items.weights[depth], 0)
        profit = nodes["profit"] - np.where(fits, items.profits[depth], 0)
        after = np.where(fits, after, depth + 1)
        room = items.capacity - weight + items.loads[after]
        then = np.searchsorted(items.loads, room, side="right") - 1
        weight, profit = (
            total + sums[then] - sums[after] for total, sums in ((weight, items.loads), (profit, items.values))
        )
        return {"weight": weight, "profit": profit, "next": then, "taken": taken}, np.ones(len(nodes), bool)

    def toward(self, problem: Knapsack, fathers: Nodes, nodes: Nodes, depth: int) -> np.ndarray:
        """Child 0 takes the item."""
        return 1 - self.takes(nodes, depth).astype(np.int64)

    def tables(self, problem: Knapsack) -> Mapping[str, np.ndarray]:
        """`weights`, `profits` by the order of decisions, `loads`, `values`, their sums before each; the `capacity`."""
        items = _items(problem)
        return {
            "weights": items.weights,
            "profits": items.profits,
            "loads": items.loads,
            "values": items.values,
            "capacities": np.array([items.capacity]),
        }


@final
@frozen
class Dantzig(Bound[Knapsack]):
    """The optimum of the continuous knapsack problem; its solutions come from a greedy pass over the undecided items.

    G. B. Dantzig, "Discrete-variable extremum problems", Operations Research 5, 1957.
    """

    source: ClassVar[str] = "dantzig.cuh"

    def lower(self, problem: Knapsack, node: Node, depth: int) -> int:
        items, after, profit = _items(problem), int(node["next"]), int(node["profit"])
        if after == len(items.order):
            return -profit
        room = items.capacity - int(node["weight"])
        return -(profit + room * int(items.profits[after]) // int(items.weights[after]))

    def lowers(self, problem: Knapsack, nodes: Nodes, depth: int) -> np.ndarray:
        items, after = _items(problem), nodes["next"].astype(np.int64)
        ended = after == len(items.order)
        at = np.where(ended, 0, after)
        room = np.where(ended, 0, items.capacity - nodes["weight"].astype(np.int64))
        rest = room * items.profits[at] // np.maximum(items.weights[at], 1)
        lowers: np.ndarray = -(nodes["profit"] + rest)
        return lowers

    def upper(self, problem: Knapsack, node: Node, depth: int) -> int:
        if depth and int(node["taken"][(depth - 1) // 32]) >> (depth - 1) % 32 & 1:
            return NO_COST  # if the last item was taken, the father has the same solution
        items, profit = _items(problem), int(node["profit"])
        room = items.capacity - int(node["weight"])
        for item in range(int(node["next"]), len(items.order)):
            if items.weights[item] <= room:
                room, profit = room - int(items.weights[item]), profit + int(items.profits[item])
        return -profit

    def uppers(self, problem: Knapsack, nodes: Nodes, depth: int) -> np.ndarray:
        items, after, profit = _items(problem), nodes["next"], nodes["profit"].astype(np.int64)
        room = items.capacity - nodes["weight"].astype(np.int64)
        for item in range(int(after.min()), len(items.order)):
            fits = (items.weights[item] <= room) & (after <= item)
            room, profit = room - fits * items.weights[item], profit + fits * items.profits[item]
        if not depth:
            return -profit
        same = nodes["taken"][:, (depth - 1) // 32] >> np.uint32((depth - 1) % 32) & np.uint32(1)
        return np.where(same, NO_COST, -profit)

    def completion(self, problem: Knapsack, node: Node, depth: int) -> Solution:
        items, after = _items(problem), int(node["next"])
        x = KnapsackTree().decided(problem, node, depth)
        x[items.order[depth:after]] = 1
        room = items.capacity - int(node["weight"])
        for item in range(after, len(items.order)):
            if items.weights[item] <= room:
                room -= int(items.weights[item])
                x[items.order[item]] = 1
        return x

    def tables(self, problem: Knapsack) -> Mapping[str, np.ndarray]:
        """`greedy`: the profit of a greedy pass over so many last items with so much room, if the table is small."""
        items, (rows, width) = _items(problem), _table_shape(_items(problem))
        greedy = np.zeros((rows, width), np.int32 if items.values[-1] < 2**31 else np.int64)
        for row in range(1, rows):
            weight, profit = int(items.weights[-row]), int(items.profits[-row])
            greedy[row, :weight] = greedy[row - 1, :weight]
            np.add(greedy[row - 1, : width - weight], profit, greedy[row, weight:])
        return {"greedy": greedy}

    def constants(self, problem: Knapsack) -> Mapping[str, int | bool]:
        """`tabulated`: whether the table `greedy` is used."""
        return {"tabulated": _table_shape(_items(problem)) > (1, 1)}


def _table_shape(items: _Sorted) -> tuple[int, int]:
    """The most items that can be left, and the most room, each plus 1; (1, 1) if the table would be too large."""
    rows, width = len(items.order) - items.first + 1, int(items.weights.max()) + 1
    return (rows, width) if rows * width <= LARGEST_TABLE else (1, 1)


@final
@frozen
class LighterAndDearer(Dominance[Knapsack]):
    """Of two nodes of one depth, one that weighs no more and has no less profit beats the other.

    Notes
    -----
    G. P. Ingargiola and J. F. Korsh, "A general algorithm for one-dimensional knapsack problems", Operations Research
    25, 1977.
    """

    source: ClassVar[str] = "lighter_and_dearer.cuh"

    def key(self, problem: Knapsack, node: Node, depth: int) -> tuple[int, int]:
        items, after = _items(problem), int(node["next"])
        weight = int(node["weight"]) - int(items.loads[after] - items.loads[depth])
        return weight, int(items.values[after] - items.values[depth]) - int(node["profit"])

    def keys(self, problem: Knapsack, nodes: Nodes, depth: int) -> np.ndarray:
        items, after = _items(problem), nodes["next"]
        weights = nodes["weight"] - (items.loads[after] - items.loads[depth])
        return np.stack([weights, (items.values[after] - items.values[depth]) - nodes["profit"]], axis=1)

    def beats(self, problem: Knapsack, a: Node, b: Node, depth: int) -> bool:
        return self.key(problem, a, depth)[1] <= self.key(problem, b, depth)[1]
