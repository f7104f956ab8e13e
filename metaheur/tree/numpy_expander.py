"""The reference: the Python halves make and bound the children of many nodes at once."""

from __future__ import annotations

from typing import Any, final

import numpy as np
from attrs import frozen

from metaheur.problem import Problem
from metaheur.running.proof import Counts
from metaheur.tree.chunk import OpenNodes
from metaheur.tree.expander import Expanded, Expander, Rules, Winner, as_bytes, as_nodes, require_valid
from metaheur.tree.part import NO_COST, Nodes, nodes_of
from metaheur.tree.tree_parts import TreeParts

__all__ = ["NumpyExpander", "children_of"]


@final
@frozen(eq=False)
class NumpyExpander(Expander):
    """Expands by the Python halves.

    `parts`: the parts of the search.
    """

    parts: TreeParts
    problem: Problem
    dtype: np.dtype[Any]

    @classmethod
    def of(cls, parts: TreeParts, problem: Problem) -> NumpyExpander:
        """The expander of a tree."""
        return cls(parts, problem, parts.branching.node_type(problem))

    def expand(self, chunk: OpenNodes, rules: Rules) -> Expanded:
        bound, problem = self.parts.bound, self.problem
        depth, whole = chunk.depth, self.whole(chunk.depth + 1)
        promising = np.asarray(chunk.lowers) < rules.threshold
        fathers, of_fathers = as_nodes(chunk.nodes[promising], self.dtype), chunk.lowers[promising]
        children, family = children_of(self.parts, problem, fathers, depth)
        lowers = np.asarray(bound.lowers(problem, children, depth + 1), np.int64).reshape(-1)
        keep = np.flatnonzero(lowers < rules.threshold)
        costs = np.full(len(children), NO_COST)
        if whole:
            costs = lowers
        elif rules.completes and bound.completes and len(keep):
            costs[keep] = bound.uppers(problem, children[keep], depth + 1)
        wrong = (lowers < of_fathers[family]) | (costs < lowers)
        if wrong.any():
            i = int(np.argmax(wrong))
            numbers = int(of_fathers[family[i]]), int(lowers[i]), int(costs[i])
            require_valid(self.parts, fathers[family[i]], children[i], depth, numbers)
        winner = _winner(children, costs, depth + 1, rules.threshold)
        kept = 0 if whole else len(keep)
        if whole and not rules.collect:
            keep = keep[:0]
        left = OpenNodes(depth + 1, as_bytes(children[keep]), lowers[keep])
        counts = Counts(
            branched=len(fathers),
            bounded=len(children),
            complete=len(children) if whole else 0,
            kept=kept,
            by_bound=len(chunk) - len(fathers) + int((lowers >= rules.threshold).sum()),
            deepest=depth + 1 if len(children) else 0,
        )
        return self.level_of([Expanded(left, counts, 1, winner)], rules)

    def swept(self, chunk: OpenNodes) -> OpenNodes:
        dominance = self.parts.dominance
        if dominance is None or len(chunk) < 2:
            return chunk
        return chunk.picked(dominance.kept(self.problem, as_nodes(chunk.nodes, self.dtype), chunk.depth))


def children_of(parts: TreeParts, problem: Problem, fathers: Nodes, depth: int) -> tuple[Nodes, np.ndarray]:
    """All children of many nodes, those of the first node first, and the index of each child's father."""
    branching, arity = parts.branching, parts.branching.arity(problem, depth)
    children = np.zeros((len(fathers), arity), fathers.dtype)
    exist = np.zeros((len(fathers), arity), bool)
    for k in range(arity if len(fathers) else 0):
        fields, exist[:, k] = branching.children(problem, fathers, depth, k)
        children[:, k] = nodes_of(fathers.dtype, fields, len(fathers), exist[:, k])
    family = np.repeat(np.arange(len(fathers)), arity).reshape(len(fathers), arity)
    return children[exist], family[exist]


def _winner(children: Nodes, costs: np.ndarray, depth: int, threshold: int) -> Winner | None:
    """The first child with a solution of least cost, if the cost is below the threshold."""
    if not len(children) or costs.min() >= threshold:
        return None
    i = int(np.argmin(costs))
    return Winner(int(costs[i]), children[i : i + 1].copy(), depth)
