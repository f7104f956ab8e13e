"""Boukedjar, Lalami and El Baz (2012): branch and bound for knapsacks, on a core and on a CPU with a GPU.

A. Boukedjar, M. E. Lalami and D. El Baz, "Parallel branch and bound on a CPU-GPU system", PDP 2012. Their ten instances
of each size, reference 9, are no longer at hand: here `Knapsack.boukedjar` draws instances like theirs. Trees of one
size differ by a factor of 10^5, so a tree ends after 20 million branched nodes, and means of seconds depend on the
instances.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from metaheur.parallel import IterationLevel, TreeExploration
from metaheur.problem import Problem
from metaheur.problems import Knapsack
from metaheur.problems.trees.knapsack_tree import KnapsackTree, LighterAndDearer
from metaheur.report.papers.budget import Proven
from metaheur.report.papers.columns import Plan, Planned, Seconds, SpeedUp
from metaheur.report.papers.paper import PaperTable
from metaheur.tree import BranchAndBound, BreadthFirst

__all__ = ["SECONDS", "tables"]

INSTANCES: Final = 10
NODES: Final = 20_000_000

SECONDS: Final[Mapping[str, tuple[float, float, float]]] = MappingProxyType(
    {
        "100": (1.59, 0.41, 3.84),
        "200": (4.85, 0.91, 5.33),
        "300": (9.82, 1.44, 6.80),
        "400": (10.94, 1.27, 8.61),
        "500": (13.39, 1.44, 9.27),
    }
)
"""By the number of items: their seconds on a core of a Xeon E5640, on this CPU with a Tesla C2050, and the speed-up."""


def _problems(name: str) -> tuple[Problem, ...]:
    return tuple(Knapsack.boukedjar(int(name), seed) for seed in range(INSTANCES))


def tables() -> tuple[PaperTable, ...]:
    """Table 1, with a column for a tree that is pruned by dominance, too."""
    search = BranchAndBound(KnapsackTree(), order=BreadthFirst())
    dominance = BranchAndBound(KnapsackTree(), order=BreadthFirst(), dominance=LighterAndDearer())
    core, both = IterationLevel("host", threads=1), TreeExploration("cuda:0", below=5000, block=192)
    budget = Proven(NODES)
    plans: dict[str, Plan] = {
        "CPU": lambda *_: Planned(search, core, budget, 1),
        "CPU-GPU": lambda *_: Planned(search, both, budget, 1, gpus=1),
        "CPU, dominance": lambda *_: Planned(dominance, core, budget, 1),
    }
    return (
        PaperTable(
            number=1,
            title=f"knapsacks of n items, breadth first, means of ten instances, seconds of {budget.words}",
            columns=("CPU", "CPU-GPU", "speed-up"),
            theirs=SECONDS,
            problems=_problems,
            plans=plans,
            ours={
                "CPU": Seconds("CPU", 0),
                "CPU-GPU": Seconds("CPU-GPU", 1),
                "CPU, dominance": Seconds("CPU, dominance", 0),
                "speed-up": SpeedUp("CPU-GPU", "CPU", 2),
            },
            seconds=2,
            alike=False,
        ),
    )
