"""When a node can be left out because another node leads to a solution that is at least as good."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from metaheur.tree.part import Node, Nodes, P, TreePart

__all__ = ["Dominance"]


class Dominance(TreePart[P]):
    """A relation between nodes of one depth: a node beats another one if its best solution is at least as good.

    The nodes of a chunk are sorted by their keys; of equal keys the first index comes first. Then each node is compared
    with the last kept node before it, and dropped if the kept node beats it. The kept nodes stay in this order.
    Subclasses are final and frozen.

    The C++ half has `void key(const Tree& tree, const Node& node, int depth, i64 (&key)[2]) const`, and
    `bool beats(const Tree& tree, const Node& a, const Node& b, int depth) const`.
    """

    @abstractmethod
    def key(self, problem: P, node: Node, depth: int) -> tuple[int, int]:
        """The key by which nodes of one depth are sorted, ascending.

        Parameters
        ----------
        problem : Problem
            The problem.
        node : mapping of str to value
            The node; it must not be written.
        depth : int
            The depth of the node, in 0 ... levels.

        Returns
        -------
        tuple of two int
            Numbers within 64 bits; the second one decides if the first ones are equal.
        """

    def keys(self, problem: P, nodes: Nodes, depth: int) -> np.ndarray:
        """The keys of many nodes at once, int64 of shape (m, 2); by default `key` of each node."""
        return np.array([self.key(problem, node, depth) for node in nodes], np.int64).reshape(-1, 2)

    @abstractmethod
    def beats(self, problem: P, a: Node, b: Node, depth: int) -> bool:
        """Whether node a has a solution at least as good as the best solution of node b.

        Parameters
        ----------
        problem : Problem
            The problem.
        a, b : mapping of str to value
            Two nodes of one depth; the key of a is not higher than that of b. They must not be written.
        depth : int
            The depth of both nodes.
        """

    def kept(self, problem: P, nodes: Nodes, depth: int) -> np.ndarray:
        """The indices of the nodes that are kept, in the order of their keys; int64 of shape (k,)."""
        keys = self.keys(problem, nodes, depth)
        kept: list[int] = []
        for i in np.lexsort((keys[:, 1], keys[:, 0])).tolist():  # stable: the first index first
            if not kept or not self.beats(problem, nodes[kept[-1]], nodes[i], depth):
                kept.append(i)
        return np.array(kept, np.int64)
