from metaheur.parallel.allocation import Achieved, Allocation, Equal, SuccessiveHalving, UpperConfidence
from metaheur.parallel.allotment import Allotment
from metaheur.parallel.auto import Auto
from metaheur.parallel.distributed import Distributed
from metaheur.parallel.exploration import TreeExploration
from metaheur.parallel.islands import Islands
from metaheur.parallel.iteration_level import IterationLevel
from metaheur.parallel.migration import Diverse, Exchange, Migration, Periodic, Stagnating, Treatment
from metaheur.parallel.multi_gpu import MultiGPU
from metaheur.parallel.multistart import Multistart
from metaheur.parallel.solution_level import SolutionLevel
from metaheur.parallel.topology import (
    Complete,
    Graph,
    Hypercube,
    Mesh,
    RandomTopology,
    Ring,
    Star,
    Topology,
    Truncation,
)
from metaheur.parts.recombination.edge_assembly import EdgeAssembly
from metaheur.parts.recombination.recombination import Recombination
from metaheur.running.runner import ParallelModel, Runner

__all__ = [
    "Achieved",
    "Allocation",
    "Allotment",
    "Auto",
    "Complete",
    "Distributed",
    "Diverse",
    "EdgeAssembly",
    "Equal",
    "Exchange",
    "Graph",
    "Hypercube",
    "Islands",
    "IterationLevel",
    "Mesh",
    "Migration",
    "MultiGPU",
    "Multistart",
    "ParallelModel",
    "Periodic",
    "RandomTopology",
    "Recombination",
    "Ring",
    "Runner",
    "SolutionLevel",
    "Stagnating",
    "Star",
    "SuccessiveHalving",
    "Topology",
    "Treatment",
    "TreeExploration",
    "Truncation",
    "UpperConfidence",
]
