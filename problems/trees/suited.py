"""The tree that proves optima of a problem, where one ships and instances of that size are proven in little time."""

from __future__ import annotations

from typing import Final

from metaheur.problem import Problem
from metaheur.problems.flow_shop import FlowShop
from metaheur.problems.knapsack import Knapsack
from metaheur.problems.qap import QAP
from metaheur.searches.recommendation import Recommendation
from metaheur.tree.branch_and_bound import BranchAndBound

__all__ = ["proofs"]

PRICE: Final = 20
"""How many moves of a scan take as long as a node that is made and bounded, about."""

MOST: Final = {"QAP": 16, "FlowShop": 60, "several constraints": 300}
"""The most facilities, jobs and items for which a proof is tried; knapsacks with one constraint have no limit."""


def proofs(problem: Problem) -> tuple[Recommendation, ...]:
    """Exact searches of a problem: one, or none where no tree ships or the instance is large."""
    if problem.objectives or problem.cost_type == "float64":
        return ()
    tree = None
    if isinstance(problem, Knapsack):
        from metaheur.problems.trees.knapsack_tree import KnapsackTree
        from metaheur.problems.trees.multi_knapsack_tree import MultiKnapsackTree

        if len(problem.capacities) == 1:
            tree = KnapsackTree()
        elif problem.n <= MOST["several constraints"]:
            tree = MultiKnapsackTree()
    elif isinstance(problem, QAP) and 3 <= problem.n <= MOST["QAP"]:
        from metaheur.problems.trees.qap_tree import QAPTree

        tree = QAPTree()
    elif isinstance(problem, FlowShop) and problem.n <= MOST["FlowShop"]:
        from metaheur.problems.trees.two_ended_flow_shop_tree import TwoEndedFlowShopTree

        tree = TwoEndedFlowShopTree()
    if tree is None or tree.reason_against(problem):
        return ()
    return (Recommendation("branch and bound", BranchAndBound(tree), "construct", walks=1, price=PRICE),)
