"""The tree that proves optima of a problem, where one ships and instances of that size are proven in little time."""

from __future__ import annotations

from typing import Any, Final

from metaheur.problem import Problem
from metaheur.problems.flow_shop import FlowShop
from metaheur.problems.knapsack import Knapsack
from metaheur.problems.knapsack_sharing import KnapsackSharing
from metaheur.problems.multiple_knapsack import MultipleKnapsack
from metaheur.problems.qap import QAP
from metaheur.searches.recommendation import Recommendation
from metaheur.tree.branch_and_bound import BranchAndBound
from metaheur.tree.branching import Branching
from metaheur.tree.order import DepthFirst

__all__ = ["proofs"]

MOST: Final = {"QAP": 16, "FlowShop": 60, "several constraints": 300, "several knapsacks": 200, "sharing": 200}
"""The most facilities, jobs and items for which a proof is tried; knapsacks with one constraint have no limit."""


def proofs(problem: Problem) -> tuple[Recommendation, ...]:
    """Exact searches of a problem: one, or none where no tree ships or the instance is large.

    Batches are small where bounds are slow. The price of a node is the measured number of moves of a scan that take as
    long as the node.
    """
    if problem.objectives or problem.cost_type == "float64":
        return ()
    found: tuple[Branching[Any], int, int] | None = None
    if isinstance(problem, Knapsack):
        from metaheur.problems.trees.knapsack_core import KnapsackCore
        from metaheur.problems.trees.knapsack_tree import KnapsackTree
        from metaheur.problems.trees.multi_knapsack_tree import MultiKnapsackTree

        if not KnapsackCore().reason_against(problem):
            return (Recommendation("dynamic programming", KnapsackCore(), walks=1, price=2, first=True),)
        if len(problem.capacities) == 1:
            found = KnapsackTree(), 1 << 16, 20
        elif problem.n <= MOST["several constraints"]:
            found = MultiKnapsackTree(), 1 << 12, 50
    elif isinstance(problem, MultipleKnapsack) and len(problem.profits) <= MOST["several knapsacks"]:
        from metaheur.problems.trees.multiple_knapsack_tree import MultipleKnapsackTree

        found = MultipleKnapsackTree(), 1 << 12, 10
    elif isinstance(problem, KnapsackSharing) and len(problem.profits) <= MOST["sharing"]:
        from metaheur.problems.trees.knapsack_sharing_tree import KnapsackSharingTree

        found = KnapsackSharingTree(), 1 << 12, len(problem.profits)  # a bound reads all items, a flip one
    elif isinstance(problem, QAP) and 3 <= problem.n <= MOST["QAP"]:
        from metaheur.problems.trees.qap_tree import QAPTree

        found = QAPTree(), 1 << 9, 1000
    elif isinstance(problem, FlowShop) and problem.n <= MOST["FlowShop"]:
        from metaheur.problems.trees.two_ended_flow_shop_tree import TwoEndedFlowShopTree

        found = TwoEndedFlowShopTree(), 1 << 11, 10
    if found is None or found[0].reason_against(problem):
        return ()
    tree, batch, price = found
    search = BranchAndBound(tree, order=DepthFirst(batch))
    first = isinstance(problem, (Knapsack, KnapsackSharing))
    return (Recommendation("branch and bound", search, "construct", walks=1, price=price, first=first),)
