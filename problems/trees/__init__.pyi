from metaheur.problems.trees.cardinality_tree import CardinalityTree, LargestReduced
from metaheur.problems.trees.flow_shop_tree import FlowShopTree, OneMachine, TwoMachines
from metaheur.problems.trees.knapsack_core import KnapsackCore
from metaheur.problems.trees.knapsack_sharing_tree import KnapsackSharingTree, SharedCapacity
from metaheur.problems.trees.knapsack_tree import Dantzig, KnapsackTree, LighterAndDearer
from metaheur.problems.trees.multi_knapsack_tree import Lagrangian, MultiKnapsackTree
from metaheur.problems.trees.multiple_knapsack_tree import MultipleKnapsackTree, Surrogate
from metaheur.problems.trees.qap_tree import GilmoreLawler, QAPTree
from metaheur.problems.trees.two_ended_flow_shop_tree import BothEnds, TwoEndedFlowShopTree

__all__ = [
    "BothEnds",
    "CardinalityTree",
    "Dantzig",
    "FlowShopTree",
    "GilmoreLawler",
    "KnapsackCore",
    "KnapsackSharingTree",
    "KnapsackTree",
    "Lagrangian",
    "LargestReduced",
    "LighterAndDearer",
    "MultiKnapsackTree",
    "MultipleKnapsackTree",
    "OneMachine",
    "QAPTree",
    "SharedCapacity",
    "Surrogate",
    "TwoEndedFlowShopTree",
    "TwoMachines",
]
