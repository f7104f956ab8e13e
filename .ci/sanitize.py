"""Every loop, owner of a walk, wrapper and problem once on a GPU, small: what compute-sanitizer looks at."""

import numpy as np

from metaheur import HillClimbing, IteratedLocalSearch, Key, Search, SimulatedAnnealing, TabuSearch, Until, run, stop
from metaheur.device.names import device_of
from metaheur.evaluators.device import DeviceEvaluator
from metaheur.loops.driver import Driver, Team
from metaheur.neighborhoods import (
    AdjacentSwap,
    Hamming,
    Insertion,
    OrOpt,
    Restricted,
    Sampled,
    Substitution,
    Swap,
    ThreeOpt,
    TwoOpt,
    Union,
)
from metaheur.parallel import IterationLevel
from metaheur.parts import Geometric, Limit, RandomMoves
from metaheur.runner import Facts
from tests.helpers import solution_of, started
from tests.pairs import INSTANCES

SEARCHES: list[Search] = [
    TabuSearch(Swap()),
    TabuSearch(Swap(), long_term=4),
    SimulatedAnnealing(Swap(), 300.0, Geometric(0.9, 10, 1.0)),
    IteratedLocalSearch(HillClimbing(Swap()), RandomMoves(Swap(), 3)),
    IteratedLocalSearch(TabuSearch(Swap(), (0.2, 0.5)), RandomMoves(Insertion(), 2), limit=Limit(None, 3)),
]
TEAMS = [Team("thread", 64), Team("warp", 64), Team("block", 128), Team("block", 64, 3)]
NEAR = np.array([[1, 2], [0, 2], [1, 3], [2, 4], [3, 5], [4, 6], [5, 7], [6, 0]])
NEIGHBORHOODS = {
    "OneMax": [Hamming(1), Union(Hamming(1), Hamming(2))],
    "QUBO": [Hamming(2)],
    "MaxCut": [Hamming(1)],
    "PPP": [Hamming(2), Hamming(1)],
    "Knapsack, three constraints": [Hamming(1)],
    "GraphColoring": [Substitution()],
    "QAP, asymmetric": [Swap(), Insertion(), Sampled(Insertion(), 9)],
    "FlowShop, int16 kept": [Insertion(), Swap(), TwoOpt()],
    "TSP, whole coordinates": [
        TwoOpt(),
        OrOpt(),
        ThreeOpt(),
        Union(Restricted(TwoOpt(), NEAR), Restricted(OrOpt(), NEAR)),
    ],
    "TSP, asymmetric": [TwoOpt(), Insertion(), AdjacentSwap()],
}


def walk() -> None:
    """Three walks of every loop, by every owner."""
    gpu, problem = device_of("cuda"), INSTANCES["QAP, symmetric"]
    for search in SEARCHES:
        for team in TEAMS:
            if team.league == 1 or search.loop.divides:
                runner = Driver(problem, search.loop, gpu, Facts("", "", ""), team)
                walks = runner.load([started(search, problem, key=Key(3, w)) for w in range(3)])
                for end in (2, 12):
                    walks = runner.advance(walks, Until(end)).walks
                walks.state(0)


def evaluate() -> None:
    """Every problem and wrapper, resident and not; and solutions evaluated in full."""
    for name, neighborhoods in NEIGHBORHOODS.items():
        problem = INSTANCES[name]
        for neighborhood in neighborhoods:
            for resident in (True, False):
                model = IterationLevel("cuda", resident=resident)
                run(HillClimbing(neighborhood), problem, stop=stop.iterations(4), parallel=model)
        DeviceEvaluator(problem, device_of("cuda")).costs(np.stack([solution_of(problem, seed) for seed in range(3)]))


if __name__ == "__main__":
    walk()
    evaluate()
    print("done")
