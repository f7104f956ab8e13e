from metaheur.running.proof import Counts, Proof
from metaheur.stop.tree import gap, nodes
from metaheur.tree.bound import Bound, Feasibility
from metaheur.tree.branch_and_bound import BranchAndBound
from metaheur.tree.branching import Branching
from metaheur.tree.dominance import Dominance
from metaheur.tree.order import Beam, BestFirst, BreadthFirst, DepthFirst, Explorers, Order
from metaheur.tree.part import NO_COST
from metaheur.watch.tree_log import Log

__all__ = [
    "NO_COST",
    "Beam",
    "BestFirst",
    "Bound",
    "BranchAndBound",
    "Branching",
    "BreadthFirst",
    "Counts",
    "DepthFirst",
    "Dominance",
    "Explorers",
    "Feasibility",
    "Log",
    "Order",
    "Proof",
    "gap",
    "nodes",
]
