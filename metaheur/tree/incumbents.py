"""The solutions that an exact search has found, and what they prune."""

from __future__ import annotations

from typing import Any, final

import numpy as np
from attrs import define, field

from metaheur.errors import CheckFailed
from metaheur.evaluators.evaluator import python_cost
from metaheur.problem import Problem
from metaheur.representation import Solution
from metaheur.tree.expander import Winner, as_nodes, shown
from metaheur.tree.part import NO_COST
from metaheur.tree.unit import TreeParts
from metaheur.walk import EvaluatedSolution

__all__ = ["Incumbents"]


@final
@define(eq=False)
class Incumbents:
    """The solutions found so far.

    Parameters
    ----------
    parts : TreeParts
        Of the tree.
    problem : Problem
        On what.
    keep : int or "all"
        How many of the best solutions are kept; "all" for all optimal ones.
    cutoff : int
        Only solutions of less cost are wanted.
    best : EvaluatedSolution
        The best solution.
    feasible : bool
        Whether it is one of the tree's.
    eager : bool
        Whether better solutions prune as soon as they are found, instead of at fixed points.
    solutions, costs : list
        Where several are kept: which, in the order in which they were found.
    """

    parts: TreeParts
    problem: Problem
    keep: int | str
    cutoff: int
    best: EvaluatedSolution
    feasible: bool
    eager: bool = False
    solutions: list[Solution] = field(factory=list)
    costs: list[int] = field(factory=list)

    @property
    def collect(self) -> bool:
        """Whether several solutions are kept."""
        return self.keep != 1

    @property
    def completes(self) -> bool:
        """Whether the solution of a node that is not complete says anything: not where the k best are wanted."""
        return self.keep in (1, "all")

    @property
    def threshold(self) -> int:
        """Nodes whose bound is not below this are pruned."""
        if self.keep == "all":
            return min(self.cutoff, int(self.best.cost) + 1 if self.feasible else NO_COST)
        if isinstance(self.keep, int) and self.keep > 1:
            return min(self.cutoff, max(self.costs) if len(self.costs) == self.keep else NO_COST)
        return min(self.cutoff, int(self.best.cost) if self.feasible else NO_COST)

    def accept(self, winner: Winner | None, depth: int, flat: tuple[np.ndarray, np.ndarray] | None) -> bool:
        """Take what a batch has found; whether the incumbent is better now.

        Parameters
        ----------
        winner : Winner, optional
            The best solution of the batch.
        depth : int
            Of what is left of it.
        flat : tuple of numpy.ndarray, optional
            The complete nodes that are left, as bytes, and their costs; None if none are.
        """
        improved = winner is not None and self._improves(winner.cost)
        if improved:
            assert winner is not None
            solution = self._solution(winner.node[0], winner.depth, winner.cost)
            self.best, self.feasible = EvaluatedSolution(self.problem.representation, solution, winner.cost), True
            self._forget()
        if self.collect and flat is not None:
            self._collect(flat, depth)
        return improved

    def _improves(self, cost: int) -> bool:
        return cost < self.cutoff and (not self.feasible or cost < self.best.cost)

    def _collect(self, flat: tuple[np.ndarray, np.ndarray], depth: int) -> None:
        """Complete nodes, the first one first."""
        nodes, costs = as_nodes(flat[0], self.parts.branching.node_type(self.problem)), flat[1].tolist()
        for node, cost in zip(nodes, costs, strict=True):
            if cost < self.threshold:
                self.solutions.append(self._solution(node, depth, cost))
                self.costs.append(cost)
                self._drop()
        self._forget()

    def _forget(self) -> None:
        """Where all optimal ones are kept, those that are not."""
        if self.keep == "all":
            there = [i for i, cost in enumerate(self.costs) if cost == self.best.cost]
            self.solutions, self.costs = [self.solutions[i] for i in there], [self.costs[i] for i in there]

    def _drop(self) -> None:
        """The worst of too many, the last among equals."""
        if isinstance(self.keep, int) and len(self.costs) > self.keep:
            worst = max(range(len(self.costs)), key=lambda i: (self.costs[i], i))
            del self.solutions[worst], self.costs[worst]

    def _solution(self, node: Any, depth: int, cost: int) -> Solution:
        """The solution of a node, whose cost is verified."""
        parts, problem = self.parts, self.problem
        complete = depth == parts.branching.levels(problem)
        x = parts.branching.solution(problem, node) if complete else parts.bound.completion(problem, node, depth)
        solution = problem.representation.validate(x)
        true = python_cost(problem, solution)
        if true != cost:
            name = f"{type(parts.branching).__name__}.solution" if complete else f"{type(parts.bound).__name__}.upper"
            raise CheckFailed(
                f"{name} of the node {shown(node)} at depth {depth} costs {true}, but the bound says {cost}.",
                "use metaheur.testing.check_bound on a small instance.",
            )
        return solution
