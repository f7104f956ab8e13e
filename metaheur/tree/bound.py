"""What a node promises: a lower bound of its solutions, and the cost of one of them."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.representation import Solution
from metaheur.tree.part import NO_COST, Node, Nodes, P, TreePart

__all__ = ["Bound", "Feasibility"]


class Bound(TreePart[P]):
    """A lower bound of the costs of a node's solutions. Costs are minimised, whatever the user reads.

    The bound never falls from a father to its child, and is the cost itself at a complete node. Subclasses are final
    and frozen.

    The C++ half has `i64 lower(const Tree& tree, const Node& node, int depth) const`, where `Tree` is the branching,
    whose tables it so can read; and `upper`, with the same parameters, where the Python half overrides it.
    """

    @abstractmethod
    def lower(self, problem: P, node: Node, depth: int) -> int:
        """A number that is at most the cost of every solution of a node at a depth."""

    def lowers(self, problem: P, nodes: Nodes, depth: int) -> np.ndarray:
        """The bounds of many nodes of one depth at once, int64 of shape (m,); by default `lower` of each."""
        return np.array([self.lower(problem, node, depth) for node in nodes], np.int64)

    def upper(self, problem: P, node: Node, depth: int) -> int:
        """The cost of one solution of a node that is not complete.

        `NO_COST`, the default, if none is at hand, or only one that the father has already.
        """
        return NO_COST

    def uppers(self, problem: P, nodes: Nodes, depth: int) -> np.ndarray:
        """The costs of one solution of each of many nodes at once, int64 of shape (m,); by default `upper` of each."""
        return np.array([self.upper(problem, node, depth) for node in nodes], np.int64)

    def completion(self, problem: P, node: Node, depth: int) -> Solution:
        """The solution whose cost `upper` says."""
        raise NotImplementedError(f"{type(self).__name__}.upper says a cost, but completion no solution.")

    @property
    @final
    def completes(self) -> bool:
        """Whether the bound knows solutions of nodes that are not complete."""
        return type(self).upper is not Bound.upper


@final
@frozen
class Feasibility(Bound[Any]):
    """For problems of constraints alone: a tree that holds the solutions that cost 0, and no others."""

    source: ClassVar[str] = "feasibility.cuh"

    def lower(self, problem: Any, node: Node, depth: int) -> int:
        return 0

    def lowers(self, problem: Any, nodes: Nodes, depth: int) -> np.ndarray:
        return np.zeros(len(nodes), np.int64)
