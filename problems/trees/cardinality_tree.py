"""Exact search for the multidimensional 0-1 knapsack problem, by the number of items that are taken."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.fields import Array
from metaheur.problems.knapsack import Knapsack
from metaheur.problems.knapsack_multipliers import SCALE, lagrangian_bound, multipliers, too_large
from metaheur.problems.trees.item_tree import ItemTree
from metaheur.representation import Solution
from metaheur.tree.bound import Bound
from metaheur.tree.part import Fields, Node, Nodes
from metaheur.validate import whole_field

__all__ = ["CardinalityTree", "LargestReduced"]

NEVER = -(2**60)
"""Stands for the sum of more items than there are."""

LARGEST = 1 << 24
"""How many entries a table has at most."""


@final
@frozen(eq=False)
class _Prepared:
    """A problem and its multipliers: one vector for all numbers of items, and others for single numbers.

    Parameters
    ----------
    u : numpy.ndarray of int64, shape (vectors, m)
        Multipliers, times 2**SCALE.
    vector_of : numpy.ndarray of int64, shape (n + 1,)
        The vector of each number of items.
    counts : numpy.ndarray of int64, shape (n + 1,)
        All numbers of items; those with the largest bounds come first.
    order : numpy.ndarray of int64, shape (n,)
        The items in the order in which they are decided: by decreasing absolute reduced profit plus a 64th of the
        surrogate weight, since many reduced profits are zero.
    weights : numpy.ndarray of int64, shape (n, m)
        In that order.
    reduced : numpy.ndarray of int64, shape (vectors, n)
        Reduced profits in that order, times 2**SCALE.
    largest : numpy.ndarray of int64, shape (vectors, n + 1, n + 1)
        The sum of the c largest reduced profits of the items from d on; `NEVER` if there are fewer items.
    heaviest : numpy.ndarray of int64, shape (n + 1, n + 1, m)
        The weight of the c heaviest items from d on; the weight of all these items if there are fewer.
    """

    u: np.ndarray
    vector_of: np.ndarray
    counts: np.ndarray
    order: np.ndarray
    weights: np.ndarray
    reduced: np.ndarray
    largest: np.ndarray
    heaviest: np.ndarray


@lru_cache(maxsize=8)
def _prepared(problem: Knapsack, iterations: int, vectors: int) -> _Prepared:
    n = len(problem.profits)
    common = multipliers(problem, iterations)
    bounds = np.array([lagrangian_bound(problem, common, count=count) for count in range(n + 1)])
    counts = np.argsort(-bounds, kind="stable")
    own = counts[: vectors - 1]
    u = np.stack([common, *(multipliers(problem, iterations, int(count)) for count in own)])
    vector_of = np.zeros(n + 1, np.int64)
    vector_of[own] = np.arange(1, len(own) + 1)
    reduced = (problem.profits << SCALE) - u @ problem.weights
    order = np.argsort(-(64 * np.abs(reduced[0]) + common @ problem.weights), kind="stable")
    reduced, weights = reduced[:, order], problem.weights.T[order]
    largest = np.stack([_sums_of_largest(each[:, None], NEVER)[..., 0] for each in reduced])
    return _Prepared(u, vector_of, counts, order, weights, reduced, largest, _sums_of_largest(weights, None))


def _sums_of_largest(values: np.ndarray, missing: int | None) -> np.ndarray:
    """The sums of the c largest numbers of each column from row d on; shape (n + 1, n + 1, columns).

    `missing`: the entry where there are fewer than c numbers; None for the sum of all of them.
    """
    n = len(values)
    sums = np.zeros((n + 1, n + 1, values.shape[1]), np.int64)
    for d in range(n + 1):
        np.cumsum(np.sort(values[d:], axis=0)[::-1], axis=0, out=sums[d, 1 : n - d + 1])
        sums[d, n - d + 1 :] = sums[d, n - d] if missing is None else missing
    return sums


@final
@frozen
class CardinalityTree(ItemTree):
    """Decide first how many items are taken, then which: items whose reduced profits are far from 0 come first.

    Each number of items has a bound of its own: the constraints are relaxed with multipliers, and of the undecided
    items as many as are needed are taken, those with the largest reduced profits. The fields of a node are the number
    of its `vector` of multipliers; how many items it still `needs`; the `slack` of each constraint; the `value` of the
    decided items, which is the sum of their reduced profits and of the capacities times the multipliers; and the `most`
    profit that it can lead to.

    Parameters
    ----------
    iterations : int, default 2000
        Steps of the subgradient method that finds the multipliers.
    vectors : int, default 8
        Vectors of multipliers: one for all numbers of items, and one for each of those with the largest bounds.

    Notes
    -----
    S. Boussier, M. Vasquez, Y. Vimont, S. Hanafi and P. Michelon, "A multi-level search strategy for the 0-1
    multidimensional knapsack problem", Discrete Applied Mathematics 158, 2010, divide the solutions in this way.
    """

    iterations: int = whole_field(0, default=2000)
    vectors: int = whole_field(1, 64, default=8)

    source: ClassVar[str] = "cardinality_tree.cuh"

    @property
    def bound(self) -> Bound[Knapsack]:
        return LargestReduced()

    def order(self, problem: Knapsack) -> np.ndarray:
        return self._ready(problem).order

    def _ready(self, problem: Knapsack) -> _Prepared:
        return _prepared(problem, self.iterations, self.vectors)

    def reason_against_items(self, problem: Knapsack) -> str:
        m, n = problem.weights.shape
        entries = (n + 1) ** 2 * max(m, self.vectors)
        if entries > LARGEST:
            return (
                f"CardinalityTree has a table of (n + 1)^2 x {max(m, self.vectors)} = {entries:,} numbers, {LARGEST:,} "
                "are the limit.\nMaybe use MultiKnapsackTree()."
            )
        return too_large(problem)

    def levels(self, problem: Knapsack) -> int:
        return len(problem.profits) + 1

    def arity(self, problem: Knapsack, depth: int) -> int:
        return 2 if depth else len(problem.profits) + 1

    def node(self, problem: Knapsack) -> Mapping[str, Array]:
        return {
            "value": Array((), "int64"),
            "most": Array((), "int32"),
            "needs": Array((), "int16"),
            "vector": Array((), "int16"),
            "slack": Array((len(problem.capacities),), "int32"),
            "taken": self.taken(problem),
        }

    def root(self, problem: Knapsack) -> Fields:
        return {"most": problem.profits.sum(), "slack": problem.capacities}

    def child(self, problem: Knapsack, node: Node, depth: int, k: int) -> Fields | None:
        rows = {name: np.array(node[name])[None] for name in self.node(problem)}
        fields, there = self._made(problem, rows, depth, k)
        return {name: values[0] for name, values in fields.items()} if there[0] else None

    def children(self, problem: Knapsack, nodes: Nodes, depth: int, k: int) -> tuple[Fields, np.ndarray]:
        return self._made(problem, nodes, depth, k)

    def _made(self, problem: Knapsack, nodes: Any, depth: int, k: int) -> tuple[dict[str, np.ndarray], np.ndarray]:
        made, there = self._counted(problem, nodes, k) if not depth else self._decided(problem, nodes, depth, k)
        ready, needs = self._ready(problem), np.where(there, made["needs"], 0)
        over = np.maximum(made["slack"] - ready.heaviest[depth, needs], 0)
        rest = ready.largest[made["vector"], depth, needs] - (over * ready.u[made["vector"]]).sum(axis=1)
        return {**made, "most": np.where(there, (made["value"] + rest) >> SCALE, 0)}, there

    def _counted(self, problem: Knapsack, nodes: Any, k: int) -> tuple[dict[str, np.ndarray], np.ndarray]:
        """The child of the root that takes a number of items."""
        ready = self._ready(problem)
        count = int(ready.counts[k])
        rows, vector = np.ones(len(nodes["needs"]), np.int64), int(ready.vector_of[count])
        slack = nodes["slack"].astype(np.int64)
        made = {"needs": count * rows, "vector": vector * rows, "slack": slack, "taken": nodes["taken"].copy()}
        return {**made, "value": slack @ ready.u[vector]}, rows > 0

    def _decided(self, problem: Knapsack, nodes: Any, depth: int, k: int) -> tuple[dict[str, np.ndarray], np.ndarray]:
        """The children that take an item, or leave it; the one with the better relaxation comes first."""
        ready, item = self._ready(problem), depth - 1
        needs, vector, slack, value = (nodes[name].astype(np.int64) for name in ("needs", "vector", "slack", "value"))
        gain, takes = ready.reduced[vector, item], self._first_takes(problem, nodes, depth) == (k == 0)
        taken = nodes["taken"].copy()
        taken[:, item // 32] |= takes.astype(np.uint32) << np.uint32(item % 32)
        slack = slack - takes[:, None] * ready.weights[item]
        there = np.where(takes, needs > 0, needs <= len(ready.order) - depth) & (slack >= 0).all(axis=1)
        # a taken item changes the value by its reduced profit; the multipliers price the slack that its weight takes
        value = value + takes * gain
        return {"needs": needs - takes, "vector": vector, "slack": slack, "taken": taken, "value": value}, there

    def _first_takes(self, problem: Knapsack, nodes: Any, depth: int) -> np.ndarray:
        """Whether the first child of each node takes the item: its relaxation is the better one."""
        ready, needs, vector = self._ready(problem), nodes["needs"].astype(np.int64), nodes["vector"].astype(np.int64)
        rest, rows = ready.largest[vector, depth], np.arange(len(needs))
        taking = ready.reduced[vector, depth - 1] + rest[rows, np.maximum(needs - 1, 0)]
        first: np.ndarray = np.where(needs > 0, taking, NEVER) >= rest[rows, needs]
        return first

    def toward(self, problem: Knapsack, fathers: Nodes, nodes: Nodes, depth: int) -> np.ndarray:
        """At the root, the child that takes as many items; below, the child that takes the item, or leaves it."""
        if depth:
            second: np.ndarray = self.takes(nodes, depth - 1) != self._first_takes(problem, fathers, depth)
            return second.astype(np.int64)
        items = np.unpackbits(np.ascontiguousarray(nodes["taken"]).view(np.uint8), axis=1).sum(axis=1, dtype=np.int64)
        counts = self._ready(problem).counts
        found: np.ndarray = np.argsort(counts)[np.clip(nodes["needs"] + items, 0, len(counts) - 1)]
        return found

    def solution(self, problem: Knapsack, node: Node) -> Solution:
        return self.decided(problem, node, len(problem.profits))

    def tables(self, problem: Knapsack) -> Mapping[str, np.ndarray]:
        """The fields of the same names of what was prepared.

        `largest` has a row for each vector and depth; `heaviest` has one for each depth and number of items.
        """
        ready = self._ready(problem)
        n, m = ready.weights.shape
        return {
            "counts": ready.counts,
            "vector_of": ready.vector_of,
            "u": ready.u,
            "weights": ready.weights,
            "reduced": ready.reduced,
            "largest": ready.largest.reshape(-1, n + 1),
            "heaviest": ready.heaviest.reshape(-1, m),
        }

    def constants(self, problem: Knapsack) -> Mapping[str, int | bool]:
        """The `scale` of the multipliers, and the number of `constraints`."""
        return {"scale": SCALE, "constraints": len(problem.capacities)}


@final
@frozen
class LargestReduced(Bound[Knapsack]):
    """The bound that `CardinalityTree` keeps in its nodes: the largest reduced profits, as many as items are needed.

    Slack that not even the heaviest such items could fill costs its multipliers.
    """

    source: ClassVar[str] = "largest_reduced.cuh"

    def lower(self, problem: Knapsack, node: Node, depth: int) -> int:
        return -int(node["most"])

    def lowers(self, problem: Knapsack, nodes: Nodes, depth: int) -> np.ndarray:
        lowers: np.ndarray = -nodes["most"].astype(np.int64)
        return lowers
