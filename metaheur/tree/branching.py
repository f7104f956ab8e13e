"""How a problem's solutions are divided: a tree, its root, and the children of its nodes."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from metaheur.errors import InputError
from metaheur.fields import Array
from metaheur.problem import Problem
from metaheur.representation import Solution
from metaheur.tree.part import Fields, Node, Nodes, P, TreePart, node_type, nodes_of

if TYPE_CHECKING:
    from metaheur.tree.bound import Bound

__all__ = ["Branching"]


class Branching(TreePart[P]):
    """A tree over the solutions of a problem.

    The root, at depth 0, stands for all solutions. The children of a node at depth d are numbered 0 ... arity - 1. Each
    stands for a part of the node's solutions, and no two have a solution in common. A node at depth `levels` is
    complete: it stands for one solution. Subclasses are final and frozen.

    The C++ half has `bool child(const Node& node, int depth, int k, Node& child) const`, which writes the k-th child
    and returns whether there is one. The struct `Node` is generated from `node`.
    """

    @property
    @abstractmethod
    def bound(self) -> Bound[P]:
        """The bound that `BranchAndBound` uses unless it is given another one."""

    def reason_against(self, problem: Problem) -> str:
        """Why the tree does not fit a problem, in words; "" if it does."""
        return ""

    def levels(self, problem: P) -> int:
        """The depth of complete nodes, at least 1; by default the length of a solution: one entry at each level."""
        return problem.representation.length

    def arity(self, problem: P, depth: int) -> int:
        """The largest number of children of a node at a depth in 0 ... levels - 1; by default one for each value."""
        return problem.representation.values

    @abstractmethod
    def node(self, problem: P) -> Mapping[str, Array]:
        """The fields of a node: shapes () or (length,), and NumPy's names of types such as "int32" and "uint8"."""

    def root(self, problem: P) -> Fields:
        """The node at depth 0: its fields by name. Missing fields are zero; by default all are missing."""
        return {}

    @abstractmethod
    def child(self, problem: P, node: Node, depth: int, k: int) -> Fields | None:
        """The k-th child of a node at a depth; None if there is none.

        Parameters
        ----------
        problem : Problem
            The problem.
        node : mapping of str to value
            The father; it must not be written.
        depth : int
            The depth of the father, in 0 ... levels - 1.
        k : int
            The number of the child, in 0 ... arity - 1. A search is faster if children that probably lead to better
            solutions come first.
        """

    def children(self, problem: P, nodes: Nodes, depth: int, k: int) -> tuple[Fields, np.ndarray]:
        """The k-th children of many nodes at once, and which of them exist; by default `child` is asked for each node.

        Parameters
        ----------
        nodes : numpy.ndarray, shape (m,)
            Nodes of one depth, as a structured array.

        Returns
        -------
        fields : mapping of str to numpy.ndarray, shape (m,) or (m, length)
            The fields of the children; their values do not matter where there is no child.
        exist : numpy.ndarray of bool, shape (m,)
            Which nodes have a k-th child.
        """
        found = [self.child(problem, node, depth, k) for node in nodes]
        exist = np.array([each is not None for each in found], bool)
        out = np.zeros(len(nodes), nodes.dtype)
        there = [each for each in found if each is not None]
        zeros = {name: np.zeros(nodes.dtype[name].shape, int) for name in {name for each in there for name in each}}
        columns = {name: np.array([each.get(name, zero) for each in there]) for name, zero in zeros.items()}
        out[exist] = nodes_of(nodes.dtype, columns, len(there))
        return {name: out[name] for name in out.dtype.names or ()}, exist

    def toward(self, problem: P, fathers: Nodes, nodes: Nodes, depth: int) -> np.ndarray | None:
        """The numbers of the children that lead from fathers to nodes below them.

        `resume` makes the open nodes of a file again by this method, and refuses nodes that differ. If the method
        returns None, the default, `resume` checks only the ranges that `node` declares (`Array.within`), and the C++
        half must be safe for any values of the other fields.

        Parameters
        ----------
        problem : Problem
            The problem.
        fathers : numpy.ndarray, shape (m,)
            Nodes at a depth.
        nodes : numpy.ndarray, shape (m,)
            A node for each father, which may be deeper by any number of levels, or may not be a node of the tree.
        depth : int
            The depth of the fathers.

        Returns
        -------
        numpy.ndarray of int64, shape (m,), or None
            The number of a child, in 0 ... arity - 1; any number where the node is not below its father.
        """
        return None

    def solution(self, problem: P, node: Node) -> Solution:
        """The solution that a complete node stands for; by default the node's field `x`."""
        return np.array(node["x"], problem.representation.dtype)

    def holds(self, problem: P, x: Solution) -> bool:
        """Whether a solution is one of the complete nodes: true by default.

        A branching that leaves out infeasible solutions returns false for them: they never become incumbents.
        """
        return True

    def require(self, problem: P) -> None:
        """Refuse a problem that the tree does not fit.

        Raises
        ------
        InputError
            If the tree does not fit; the message has the reason.
        """
        if reason := self.reason_against(problem):
            raise InputError(reason)
        if problem.cost_type == "float64":
            raise InputError(
                f"{type(problem).__name__} has costs that are floats, but a proof needs whole numbers.",
                "scale the data by a declared factor.",
            )

    def node_type(self, problem: P) -> np.dtype[Any]:
        """The NumPy type of a node."""
        return node_type(self.node(problem))

    def root_nodes(self, problem: P) -> Nodes:
        """The root as an array of one node."""
        return nodes_of(self.node_type(problem), self.root(problem), 1)
