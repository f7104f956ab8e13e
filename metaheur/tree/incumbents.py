"""The solutions that an exact search has found, and the cost from which they prune."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, final

import numpy as np
from attrs import define, field

from metaheur.errors import CheckFailed
from metaheur.evaluators.costs import python_cost
from metaheur.problem import Problem
from metaheur.representation import Solution
from metaheur.tree.expander import Winner, shown
from metaheur.tree.part import NO_COST
from metaheur.tree.tree_parts import TreeParts
from metaheur.walk import EvaluatedSolution

__all__ = ["Incumbents"]


@final
@define(eq=False)
class Incumbents:
    """The solutions found so far.

    `parts`: the parts of the search. `keep`: how many of the best solutions are kept; "all" for all optimal ones.
    `cutoff`: only solutions of less cost are wanted. `best`: the best solution. `feasible`: whether the tree holds the
    best solution. `eager`: whether better solutions prune as soon as they are found, not only from fixed points on.
    `solutions`, `costs`: if several solutions are kept: the solutions and their costs, in the order in which they were
    found.
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
        """Whether solutions of nodes that are not complete are useful: they are not if the k best are wanted."""
        return self.keep in (1, "all")

    @property
    def threshold(self) -> int:
        """Nodes whose bound is not below this are pruned."""
        if self.keep == "all":
            return min(self.cutoff, int(self.best.cost) + 1 if self.feasible else NO_COST)
        if isinstance(self.keep, int) and self.keep > 1:
            return min(self.cutoff, max(self.costs) if len(self.costs) == self.keep else NO_COST)
        return min(self.cutoff, int(self.best.cost) if self.feasible else NO_COST)

    def accept(self, winner: Winner | None, found: Sequence[EvaluatedSolution] = ()) -> bool:
        """Take the solutions that a batch has found; returns whether the incumbent is better now.

        `winner`: the best solution of the batch. `found`: if several solutions are kept: the solutions of the complete
        nodes that are `wanted`.
        """
        improved = winner is not None and self._improves(winner.cost)
        if improved:
            assert winner is not None
            self.best, self.feasible = self.solution(winner.node[0], winner.depth, winner.cost), True
        both = [*zip(self.costs, self.solutions, strict=True), *((int(each.cost), each.solution) for each in found)]
        stay = self._kept(np.array([cost for cost, _ in both], np.int64), int(self.best.cost)) if self.collect else []
        self.costs, self.solutions = [both[i][0] for i in stay], [both[i][1] for i in stay]
        return improved

    def wanted(self, costs: np.ndarray, winner: Winner | None) -> list[int]:
        """The indices of the complete nodes of a batch whose solutions are kept.

        `costs`: the costs of the nodes, in the order of the nodes. `winner`: the best solution of the batch, which is
        accepted at the same time.
        """
        if not self.collect:
            return []
        best = winner.cost if winner is not None and self._improves(winner.cost) else int(self.best.cost)
        known = len(self.costs)
        stay = self._kept(np.concatenate([np.array(self.costs, np.int64), costs]), best)
        return [i - known for i in stay if i >= known]

    def _improves(self, cost: int) -> bool:
        return cost < self.cutoff and (not self.feasible or cost < self.best.cost)

    def _kept(self, costs: np.ndarray, best: int) -> list[int]:
        """The indices of the solutions that are kept; among equals the first found. `costs` are in the order found."""
        below = np.flatnonzero(costs < self.cutoff)
        if isinstance(self.keep, int):
            below = np.sort(below[np.argsort(costs[below], kind="stable")[: self.keep]])
        else:
            below = below[costs[below] == best]
        kept: list[int] = below.tolist()
        return kept

    def solution(self, node: Any, depth: int, cost: int) -> EvaluatedSolution:
        """The solution of a node; its cost is verified."""
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
        return EvaluatedSolution(problem.representation, solution, int(cost))
