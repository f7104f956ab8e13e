"""NVRTC compiles, without a GPU, every memory, tenure and loop of tabu searches, for a thread and for blocks."""

from typing import Any

import numpy as np
import pytest

from metaheur.device.compose import compose
from metaheur.loops import Loop
from metaheur.loops.driver import Team, drive
from metaheur.loops.scan import Scan
from metaheur.neighborhoods import Hamming, Insertion, OrOpt, Restricted, Sampled, Swap, TwoOpt, Union
from metaheur.parts import (
    AspirationPlus,
    EdgeMemory,
    FrequencyMemory,
    LeastImproving,
    MoveMemory,
    PlacementMemory,
    ReactiveTenure,
    SolutionMemory,
)
from metaheur.problem import Problem
from metaheur.problems import QAP, QUBO, TSP
from metaheur.searches import (
    BreakoutLocalSearch,
    DiversificationDrivenTabuSearch,
    MultistartTabuSearch,
    TabuSearch,
)
from tests.device.test_nvrtc import compiled, core, device

__all__ = ["core"]

TOUR = TSP.random(12, 1)
NEAR = TOUR.nearest(4)
BITS = QUBO(np.array([[k * i % 7 - 3 for i in range(12)] for k in range(12)]))
FEW = Union(Restricted(TwoOpt(), NEAR), Restricted(OrOpt(), NEAR))
LOOPS: dict[str, tuple[Loop, Problem]] = {
    "edges of candidates": (TabuSearch(FEW).loop, TOUR),
    "edges, strict, reactive": (TabuSearch(TwoOpt(), memory=EdgeMemory(ReactiveTenure(), strict=True)).loop, TOUR),
    "edges, frequencies": (TabuSearch(OrOpt(), memory=FrequencyMemory(EdgeMemory()), least_tabu=True).loop, TOUR),
    "solutions by edges": (TabuSearch(FEW, memory=SolutionMemory(), random_ties=True).loop, TOUR),
    "solutions in full": (TabuSearch(Insertion(), memory=SolutionMemory()).loop, QAP.taillard(12)),
    "moves undone": (TabuSearch(Swap(), memory=MoveMemory(undo=True)).loop, QAP.taillard(12)),
    "a sample": (TabuSearch(Sampled(Union(Swap(), Insertion()), 9)).loop, QAP.taillard(12)),
    "placements, reactive": (TabuSearch(Hamming(1), ReactiveTenure(), long_term=99).loop, BITS),
    "placements, frequencies": (TabuSearch(Hamming(1), memory=FrequencyMemory(PlacementMemory(), 3)).loop, BITS),
    "least improving": (
        Scan(Swap(), selection=LeastImproving(), ends_where_refused=True, random_ties=True),
        QAP.taillard(12),
    ),
    "a probe": (TabuSearch(FEW, examine=AspirationPlus(plus=5)).loop, TOUR),
    "breakout": (BreakoutLocalSearch(Swap()).loop, QAP.taillard(12)),
    "D2TS": (DiversificationDrivenTabuSearch().loop, BITS),
    "MST2": (MultistartTabuSearch().loop, BITS),
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", LOOPS)
def test_the_loops_of_tabu_searches_compile(name: str) -> None:
    loop, problem = LOOPS[name]
    gpu: Any = device("sm_80")
    for team in (Team("thread", 128), Team("block", league=8 if loop.divides else 1)):
        assert compiled(compose(problem, drive(loop, problem, gpu, team), gpu).text, "sm_80", binary=False)
