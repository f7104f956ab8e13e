"""A lower bound of a node's solutions, and the cost of one of them."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.representation import Solution
from metaheur.tree.part import NO_COST, Node, Nodes, P, TreePart

__all__ = ["Bound", "Feasibility"]


class Bound(TreePart[P]):
    """A lower bound of the costs of a node's solutions. Costs are minimised, even where users read a maximum.

    A child's bound is never below the bound of its father, and at a complete node the bound is the cost itself.
    Subclasses are final and frozen.

    The C++ half has `i64 lower(const Tree& tree, const Node& node, int depth) const`; `Tree` is the branching with its
    tables. If the Python half overrides `upper`, the C++ half has it, too, with the same parameters.
    """

    @abstractmethod
    def lower(self, problem: P, node: Node, depth: int) -> int:
        """A number that is at most the cost of every solution of a node.

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
        int
            The bound, of the cost as it is minimised; `NO_COST` if it is known that the node has no solution.
        """

    def lowers(self, problem: P, nodes: Nodes, depth: int) -> np.ndarray:
        """The bounds of many nodes of one depth at once, int64 of shape (m,); by default `lower` of each node."""
        return np.array([self.lower(problem, node, depth) for node in nodes], np.int64)

    def upper(self, problem: P, node: Node, depth: int) -> int:
        """The cost of one solution of a node that is not complete.

        Parameters
        ----------
        problem, node, depth
            As for `lower`; the depth is in 0 ... levels - 1.

        Returns
        -------
        int
            The cost, minimised; `NO_COST`, the default, if no solution is known, or only one that the father has, too.
        """
        return NO_COST

    def uppers(self, problem: P, nodes: Nodes, depth: int) -> np.ndarray:
        """For each of many nodes the cost of one solution, int64 of shape (m,); by default `upper` of each node."""
        return np.array([self.upper(problem, node, depth) for node in nodes], np.int64)

    def completion(self, problem: P, node: Node, depth: int) -> Solution:
        """The solution whose cost `upper` returns, shape (n,).

        Parameters
        ----------
        problem, node, depth
            As for `upper`.
        """
        raise NotImplementedError(f"{type(self).__name__}.upper returns a cost, but completion no solution.")

    @property
    @final
    def completes(self) -> bool:
        """Whether the bound has solutions of nodes that are not complete."""
        return type(self).upper is not Bound.upper


@final
@frozen
class Feasibility(Bound[Any]):
    """For problems that consist of constraints alone: a tree whose complete nodes are the solutions of cost 0."""

    source: ClassVar[str] = "feasibility.cuh"

    def lower(self, problem: Any, node: Node, depth: int) -> int:
        return 0

    def lowers(self, problem: Any, nodes: Nodes, depth: int) -> np.ndarray:
        return np.zeros(len(nodes), np.int64)
