"""Exact search for the knapsack sharing problem."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.fields import Array
from metaheur.problem import Problem
from metaheur.problems.knapsack_sharing import KnapsackSharing
from metaheur.problems.trees.ratio import products_overflow, sorted_by_ratio
from metaheur.representation import Solution
from metaheur.tree.bound import Bound
from metaheur.tree.branching import Branching
from metaheur.tree.part import Fields, Node, Nodes

__all__ = ["KnapsackSharingTree", "SharedCapacity"]


@final
@frozen(eq=False)
class _Groups:
    """The items by decreasing ratio of profit to weight, all together and in each group.

    `order`, numpy.ndarray of int64, shape (n,): the item that is decided at each depth. `first`, numpy.ndarray of
    int64, shape (g + 1,): where the sums of each group begin. `loads`, `values`, numpy.ndarray of int64, shape (n +
    g,): for each group, the sums of the weights and of the profits of its first items. `open`, numpy.ndarray of int64,
    shape (n + 1, g): for each depth and group, the place among these sums of the items that are decided.
    """

    order: np.ndarray
    first: np.ndarray
    loads: np.ndarray
    values: np.ndarray
    open: np.ndarray


@lru_cache(maxsize=16)
def _groups(problem: KnapsackSharing) -> _Groups:
    order = sorted_by_ratio(problem.profits, problem.weights)
    groups, number = problem.groups[order], int(problem.groups.max()) + 1
    first, loads, values = [0], list[np.ndarray](), list[np.ndarray]()
    for group in range(number):
        own = order[groups == group]
        loads.append(np.concatenate([[0], np.cumsum(problem.weights[own])]))
        values.append(np.concatenate([[0], np.cumsum(problem.profits[own])]))
        first.append(first[-1] + len(own) + 1)
    decided = np.concatenate([np.zeros((1, number), np.int64), np.cumsum(groups[:, None] == np.arange(number), axis=0)])
    begins = np.array(first, np.int64)
    return _Groups(order, begins, np.concatenate(loads), np.concatenate(values), decided + begins[:-1])


@final
@frozen
class KnapsackSharingTree(Branching[KnapsackSharing]):
    """Decide the items one after the other, by decreasing ratio of profit to weight; the first child takes the item.

    A node has the `shares`, which are the profits of the groups, the capacity that is `left`, and the solution `x`.

    Notes
    -----
    T. Yamada, M. Futakawa and S. Kataoka, "Some exact algorithms for the knapsack sharing problem", European Journal of
    Operational Research 106, 1998.
    """

    source: ClassVar[str] = "knapsack_sharing_tree.cuh"

    @property
    def bound(self) -> Bound[KnapsackSharing]:
        return SharedCapacity()

    def reason_against(self, problem: Problem) -> str:
        if not isinstance(problem, KnapsackSharing):
            return (
                "KnapsackSharingTree divides the solutions of a KnapsackSharing, but this is a "
                f"{type(problem).__name__}."
            )
        return products_overflow(problem.profits, problem.weights)

    def node(self, problem: KnapsackSharing) -> Mapping[str, Array]:
        sharers = len(_groups(problem).first) - 1
        return {
            "left": Array((), "int64"),
            "shares": Array((sharers,), "int64"),
            "x": Array((len(problem.profits),), "uint8"),
        }

    def root(self, problem: KnapsackSharing) -> Fields:
        return {"left": problem.capacity}

    def child(self, problem: KnapsackSharing, node: Node, depth: int, k: int) -> Fields | None:
        item = int(_groups(problem).order[depth])
        left, shares, x = int(node["left"]), np.array(node["shares"]), np.array(node["x"])
        if k == 0:
            left -= int(problem.weights[item])
            shares[problem.groups[item]] += problem.profits[item]
            x[item] = 1
        return {"left": left, "shares": shares, "x": x} if left >= 0 else None

    def children(self, problem: KnapsackSharing, nodes: Nodes, depth: int, k: int) -> tuple[Fields, np.ndarray]:
        item = int(_groups(problem).order[depth])
        left, shares, x = nodes["left"].copy(), nodes["shares"].copy(), nodes["x"].copy()
        if k == 0:
            left -= problem.weights[item]
            shares[:, problem.groups[item]] += problem.profits[item]
            x[:, item] = 1
        return {"left": left, "shares": shares, "x": x}, left >= 0

    def toward(self, problem: KnapsackSharing, fathers: Nodes, nodes: Nodes, depth: int) -> np.ndarray:
        """Child 0 takes the item."""
        found: np.ndarray = (nodes["x"][:, _groups(problem).order[depth]] != 1).astype(np.int64)
        return found

    def holds(self, problem: KnapsackSharing, x: Solution) -> bool:
        return problem.violation(x) == 0

    def tables(self, problem: KnapsackSharing) -> Mapping[str, np.ndarray]:
        """`order`, by it `weights`, `profits`, `groups`; sums of groups: `loads`, `values`, `open`, `ends`."""
        found = _groups(problem)
        return {
            "order": found.order,
            "weights": problem.weights[found.order],
            "profits": problem.profits[found.order],
            "groups": problem.groups[found.order],
            "loads": found.loads,
            "values": found.values,
            "open": found.open,
            "ends": found.first[1:] - 1,
        }

    def constants(self, problem: KnapsackSharing) -> Mapping[str, int | bool]:
        """The number of groups, `sharers`."""
        return {"sharers": len(_groups(problem).first) - 1}


@final
@frozen
class SharedCapacity(Bound[KnapsackSharing]):
    """The largest profit that all groups can reach together with the capacity that is left, if items can be divided.

    What a group needs for a profit is rounded down to a whole weight.
    """

    source: ClassVar[str] = "shared_capacity.cuh"

    def lower(self, problem: KnapsackSharing, node: Node, depth: int) -> int:
        found, left = _groups(problem), int(node["left"])
        shares, opens, ends = (
            np.asarray(node["shares"]).tolist(),
            found.open[depth].tolist(),
            (found.first[1:] - 1).tolist(),
        )
        low: int = min(shares)
        high = min(s + int(found.values[e] - found.values[o]) for s, o, e in zip(shares, opens, ends, strict=True))
        while low < high:  # the largest profit whose needs fit
            middle = low + (high - low + 1) // 2
            need = sum(
                _needed(found, o, e, middle - s) for s, o, e in zip(shares, opens, ends, strict=True) if middle > s
            )
            low, high = (middle, high) if need <= left else (low, middle - 1)
        return -low


def _needed(found: _Groups, opens: int, end: int, profit: int) -> int:
    """The least weight, rounded down, of open items of a group with so much profit; it is above 0 and there is enough.

    `opens`, `end`: the places of the sums before the first open item, and behind the last one.
    """
    wanted = int(found.values[opens]) + profit
    at = opens + int(np.searchsorted(found.values[opens : end + 1], wanted, side="left"))
    weight, gain = (int(each[at] - each[at - 1]) for each in (found.loads, found.values))
    whole = int(found.loads[at - 1] - found.loads[opens])
    return whole + (wanted - int(found.values[at - 1])) * weight // gain
