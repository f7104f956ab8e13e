"""Archives of mutually non-dominated solutions, the exploration of their members, and fronts as results."""

from metaheur.archives.archive import Archive
from metaheur.archives.crowding import Crowding
from metaheur.archives.distance_truncation import DistanceTruncation
from metaheur.archives.dominance import covered, covers, nondominated
from metaheur.archives.epsilon_boxes import EpsilonBoxes
from metaheur.archives.exploration import Exhaustive, Exploration, FirstFound, RandomNeighbors
from metaheur.archives.front import Front
from metaheur.archives.grid import Grid
from metaheur.archives.hypervolume import HypervolumeContribution, hypervolume
from metaheur.archives.members import Members
from metaheur.archives.refining_weights import RefiningWeights
from metaheur.archives.restart import FromMember, FromRandom, NoRestart, Restart
from metaheur.archives.selection import (
    AllMembers,
    LeastCrowded,
    MemberSelection,
    OldestMembers,
    OptimisticHypervolume,
    RandomMembers,
)
from metaheur.archives.sweeping_weights import SweepingWeights
from metaheur.archives.text import read_sets, write_sets
from metaheur.archives.unbounded import Unbounded
from metaheur.archives.weights import (
    AnytimeWeights,
    DichotomicWeights,
    RandomWeights,
    RegularWeights,
    WeightStrategy,
    nearest_weights,
    simplex_lattice,
)
from metaheur.parts.replacement.ranks import crowding_distances

__all__ = [
    "AllMembers",
    "AnytimeWeights",
    "Archive",
    "Crowding",
    "DichotomicWeights",
    "DistanceTruncation",
    "EpsilonBoxes",
    "Exhaustive",
    "Exploration",
    "FirstFound",
    "FromMember",
    "FromRandom",
    "Front",
    "Grid",
    "HypervolumeContribution",
    "LeastCrowded",
    "MemberSelection",
    "Members",
    "NoRestart",
    "OldestMembers",
    "OptimisticHypervolume",
    "RandomMembers",
    "RandomNeighbors",
    "RandomWeights",
    "RefiningWeights",
    "RegularWeights",
    "Restart",
    "SweepingWeights",
    "Unbounded",
    "WeightStrategy",
    "covered",
    "covers",
    "crowding_distances",
    "hypervolume",
    "nearest_weights",
    "nondominated",
    "read_sets",
    "simplex_lattice",
    "write_sets",
]
