"""The common base of knapsacks' trees, which decide the items one after the other."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from metaheur.fields import Array
from metaheur.problem import Problem
from metaheur.problems.knapsack import Knapsack
from metaheur.representation import Solution
from metaheur.tree.branching import Branching
from metaheur.tree.part import Node, Nodes

__all__ = ["ItemTree"]


class ItemTree(Branching[Knapsack]):
    """A tree that decides one item at each level; the bits of a node's field `taken` say which items are taken."""

    @abstractmethod
    def order(self, problem: Knapsack) -> np.ndarray:
        """The item that is decided at each depth; shape (n,)."""

    @abstractmethod
    def reason_against_items(self, problem: Knapsack) -> str:
        """Why the tree does not fit a knapsack, in words; "" if it does."""

    def reason_against(self, problem: Problem) -> str:
        if not isinstance(problem, Knapsack):
            name = type(self).__name__
            return f"{name} divides the solutions of a Knapsack, but this is a {type(problem).__name__}."
        return self.reason_against_items(problem)

    def taken(self, problem: Knapsack) -> Array:
        """The field `taken`."""
        return Array(((len(problem.profits) + 31) // 32,), "uint32")

    def decided(self, problem: Knapsack, node: Node, depth: int) -> Solution:
        """The solution that takes only the items that a node has decided to take; shape (n,)."""
        words = np.ascontiguousarray(np.atleast_1d(node["taken"]), "<u4")
        x = np.zeros(len(problem.profits), np.uint8)
        x[self.order(problem)[:depth]] = np.unpackbits(words.view(np.uint8), bitorder="little")[:depth]
        return x

    def takes(self, nodes: Nodes, k: int) -> np.ndarray:
        """Whether nodes take the k-th item that is decided; bool of shape (m,)."""
        found: np.ndarray = (nodes["taken"][:, k // 32] >> np.uint32(k % 32) & 1).astype(bool)
        return found

    def solution(self, problem: Knapsack, node: Node) -> Solution:
        return self.decided(problem, node, self.levels(problem))

    def holds(self, problem: Knapsack, x: Solution) -> bool:
        return problem.violation(x) == 0
