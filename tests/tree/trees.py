"""Every tree of metaheur, on a small instance, with every bound and every dominance."""

import numpy as np

from metaheur.problem import Problem
from metaheur.problems import QAP, FlowShop, Knapsack, KnapsackSharing, MultipleKnapsack
from metaheur.problems.trees.cardinality_tree import CardinalityTree, LargestReduced
from metaheur.problems.trees.flow_shop_tree import FlowShopTree, OneMachine, TwoMachines
from metaheur.problems.trees.knapsack_sharing_tree import KnapsackSharingTree, SharedCapacity
from metaheur.problems.trees.knapsack_tree import Dantzig, KnapsackTree, LighterAndDearer
from metaheur.problems.trees.multi_knapsack_tree import Lagrangian, MultiKnapsackTree
from metaheur.problems.trees.multiple_knapsack_tree import MultipleKnapsackTree, Surrogate
from metaheur.problems.trees.qap_tree import GilmoreLawler, QAPTree
from metaheur.problems.trees.two_ended_flow_shop_tree import BothEnds, TwoEndedFlowShopTree
from metaheur.tree.tree_parts import TreeParts


def knapsack(n: int, m: int = 1, scale: int = 1) -> Knapsack:
    random = np.random.default_rng(n)
    weights = random.integers(1, 30, (m, n)) * scale
    return Knapsack(weights.sum(axis=0) + random.integers(0, 9, n), weights, weights.sum(axis=1) // 2)


def several(n: int, m: int) -> MultipleKnapsack:
    random = np.random.default_rng(n)
    weights = random.integers(1, 30, n)
    return MultipleKnapsack(weights + random.integers(0, 9, n), weights, random.integers(15, 40, m))


def sharing(n: int, g: int) -> KnapsackSharing:
    random = np.random.default_rng(n)
    weights = random.integers(1, 30, n)
    return KnapsackSharing(weights + random.integers(0, 9, n), weights, np.arange(n) % g, int(weights.sum()) // 2)


TIMES = np.random.default_rng(7).integers(1, 100, (9, 6))

TREES: dict[str, tuple[TreeParts, Problem]] = {
    "KnapsackTree": (TreeParts(KnapsackTree(), Dantzig()), knapsack(9)),
    "KnapsackTree, dominance": (TreeParts(KnapsackTree(), Dantzig(), LighterAndDearer()), knapsack(9)),
    "KnapsackTree, int64": (TreeParts(KnapsackTree(), Dantzig()), knapsack(9, scale=10**8)),
    "MultiKnapsackTree": (TreeParts(MultiKnapsackTree(), Lagrangian()), knapsack(9, 4)),
    "MultiKnapsackTree, three vectors": (TreeParts(MultiKnapsackTree(vectors=3), Lagrangian()), knapsack(9, 4)),
    "CardinalityTree": (TreeParts(CardinalityTree(vectors=3), LargestReduced()), knapsack(9, 4)),
    "FlowShopTree": (TreeParts(FlowShopTree(), OneMachine()), FlowShop.taillard(1)),
    "FlowShopTree, two machines": (TreeParts(FlowShopTree(), TwoMachines()), FlowShop(TIMES)),
    "TwoEndedFlowShopTree": (TreeParts(TwoEndedFlowShopTree(1500), BothEnds()), FlowShop.taillard(1)),
    "MultipleKnapsackTree": (TreeParts(MultipleKnapsackTree(), Surrogate()), several(7, 2)),
    "KnapsackSharingTree": (TreeParts(KnapsackSharingTree(), SharedCapacity()), sharing(9, 3)),
    "QAPTree": (TreeParts(QAPTree(), GilmoreLawler()), QAP.random(8, 1)),
}
