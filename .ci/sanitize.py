"""Every loop, part, owner of a walk, wrapper, problem, search for a front and tree once on a GPU, small.

It is what compute-sanitizer looks at. A name on the command line picks some of it: walks, fronts, trees, evaluations,
translated, lists, ruined, structures, judged, reals, landscapes, others. ``walks 3/10`` is the fourth of ten shares of
the walks, which ten processes look at side by side.
"""

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
from attrs import evolve

from metaheur import (
    CandidateDescent,
    GeneticAlgorithm,
    HillClimbing,
    IteratedLocalSearch,
    Key,
    ParetoLocalSearch,
    Portfolio,
    SimulatedAnnealing,
    TabuSearch,
    TourPartitioning,
    Until,
    run,
    stop,
)
from metaheur.archives import covered, hypervolume, nondominated
from metaheur.device.names import device_of
from metaheur.evaluators.device import DeviceEvaluator
from metaheur.landscape import Landscape
from metaheur.lists import CrossExchange, Granular, Relocate, RuinAndRecreate, RuinAndRegret, TwoOptStar
from metaheur.loops import NoSearch
from metaheur.neighborhoods import (
    AdjacentSwap,
    Confined,
    Hamming,
    Insertion,
    Interchange,
    OrOpt,
    Restricted,
    Sampled,
    Substitution,
    Swap,
    ThreeOpt,
    TwoOpt,
    Union,
)
from metaheur.parallel import Islands, IterationLevel, Multistart, TreeExploration
from metaheur.parts import Annealed, DoubleBridge, RandomMoves
from metaheur.problems import (
    QAP,
    TSP,
    CarSequencing,
    CourseTimetabling,
    GraphPartition,
    MultiModeRCPSP,
    VehicleRouting,
)
from metaheur.reals import BBOB
from metaheur.runners.compiled_loop import CompiledLoop
from metaheur.runners.drive import Team
from metaheur.runners.resident import Driver
from metaheur.running.runner import Facts
from metaheur.tree import BranchAndBound, DepthFirst, Explorers
from tests.compositions import FRONTS, LOOPS
from tests.helpers import evaluated, solution_of
from tests.pairs import INSTANCES, JUDGED
from tests.problems.test_cvrp import random_routes
from tests.problems.test_vrptw import drawn
from tests.reals.test_real import Bowls, Mixed
from tests.reals.test_searches import SEARCHES
from tests.translator.test_contributions import CASES
from tests.translator.test_folds import routing, runs, shop
from tests.translator.test_lists import KNOTS
from tests.translator.test_objectives import PATHS
from tests.tree.trees import TREES

TEAMS = [Team("thread", 64), Team("warp", 64), Team("block", 128), Team("block", 64, 3), Team("cluster", 64, 3)]
NEAR = np.array([[1, 2], [0, 2], [1, 3], [2, 4], [3, 5], [4, 6], [5, 7], [6, 0]])
NEIGHBORHOODS: dict[str, list[Any]] = {
    "OneMax": [Hamming(1), Union(Hamming(1), Hamming(2))],
    "QUBO": [Hamming(2)],
    "MaxCut": [Hamming(1)],
    "PPP": [Hamming(2), Hamming(1)],
    "Knapsack, three constraints": [Hamming(1)],
    "KnapsackSharing": [Hamming(1)],
    "MultipleKnapsack": [Substitution()],
    "GeneralizedAssignment": [Union(Substitution(), Interchange())],
    "MaximumDiversity": [Interchange()],
    "PMedian": [Interchange()],
    "JobShop": [Interchange()],
    "GraphColoring": [Substitution()],
    "CVRP": [Swap(), Insertion()],
    "QAP, asymmetric": [Swap(), Insertion(), Sampled(Insertion(), 9)],
    "FlowShop, int16 kept": [Insertion(), Swap(), TwoOpt()],
    "FlowShop, release times": [Insertion(), Swap()],
    "TSP, whole coordinates": [
        TwoOpt(),
        OrOpt(),
        ThreeOpt(),
        Union(Restricted(TwoOpt(), NEAR), Restricted(OrOpt(), NEAR)),
    ],
    "TSP, asymmetric": [TwoOpt(), Insertion(), AdjacentSwap()],
}


def walks() -> None:
    """Three walks of every loop, by a thread, a warp and a block in turn, by three blocks and a cluster."""
    gpu = device_of("cuda")
    share, shares = next((map(int, word.split("/")) for word in sys.argv[1:] if "/" in word), (0, 1))
    for number, (problem, loop) in list(enumerate(LOOPS.values()))[share::shares]:
        for team in (TEAMS[number % 3], *(TEAMS[3:] if loop.divides else ())):
            runner = Driver(CompiledLoop(problem, loop, gpu, team), Facts("", "", ""))
            begun = [loop.init(evaluated(problem, solution_of(problem, w)), Key(3, w)) for w in range(3)]
            walking = runner.load(begun)
            for end in (2, 12):
                walking = runner.advance(walking, Until(end)).walks
            walking.state(0)


def fronts() -> None:
    """Every part of searches for fronts."""
    for problem, search in FRONTS.values():
        run(search, problem, stop=stop.iterations(6), parallel=IterationLevel("cuda"))


def trees() -> None:
    """Every tree, by batches of nodes and by explorers; a block of another size."""
    for parts, problem in TREES.values():
        for order in (DepthFirst(batch=500), Explorers(64, 20)):
            if parts.dominance is None or isinstance(order, DepthFirst):
                search = BranchAndBound(parts.branching, parts.bound, order=order, dominance=parts.dominance)
                run(search, problem, stop=stop.iterations(4), parallel=IterationLevel("cuda"))
    parts, problem = next(iter(TREES.values()))
    search = BranchAndBound(parts.branching, parts.bound, order=DepthFirst(batch=500))
    run(search, problem, stop=stop.iterations(4), parallel=TreeExploration("cuda", block=192))


def evaluations() -> None:
    """Every problem and wrapper, resident and not; and solutions evaluated in full."""
    for name, neighborhoods in NEIGHBORHOODS.items():
        problem = INSTANCES[name]
        for neighborhood in neighborhoods:
            for resident in (True, False):
                model = IterationLevel("cuda", resident=resident)
                run(HillClimbing(neighborhood), problem, stop=stop.iterations(4), parallel=model)
        DeviceEvaluator(problem, device_of("cuda")).costs(np.stack([solution_of(problem, seed) for seed in range(3)]))


def translated() -> None:
    """Costs that are folds or tuples, sums of what positions contribute: by changes, by full costs, and as walks."""
    cases: list[tuple[Any, tuple[Any, ...]]] = [
        (routing(9), (Swap(), Insertion(), TwoOpt())),
        (shop(7, 3), (Swap(), Insertion())),
        (runs(9, 2), (Hamming(2),)),
        (runs(7, 3), (Substitution(),)),
        *((problem, (neighborhood,)) for problem, neighborhood in CASES),
    ]
    for problem, neighborhoods in cases:
        for neighborhood in neighborhoods:
            for model in (IterationLevel("cuda"), Multistart(3, device="cuda")):
                run(HillClimbing(neighborhood), problem, stop=stop.iterations(4), parallel=model)
        DeviceEvaluator(problem, device_of("cuda")).costs(np.stack([solution_of(problem, seed) for seed in range(3)]))
    run(ParetoLocalSearch(Swap()), PATHS, stop=stop.iterations(3), parallel=IterationLevel("cuda"))


def others() -> None:
    """Data in every memory, teams of all kinds, starts drawn there, tours in parts, filters, portfolios, lists."""
    qap, until = QAP.random(9, seed=1), stop.iterations(6)
    for placement in ("shared", "global", "read-only", "texture", "constant"):
        run(TabuSearch(Swap()), qap, stop=until, parallel=Multistart(3, device="cuda", placement=placement))
    run(TabuSearch(Swap()), qap, stop=until, parallel=Multistart(2, per="grid", device="cuda"))
    run(HillClimbing(Swap()), qap, stop=until, parallel=Multistart(5_000, device="cuda"))
    unlike = Portfolio([TabuSearch(Swap()), HillClimbing(Swap())])
    run(unlike, qap, stop=until, parallel=Multistart(4, device="cuda"))
    run(TabuSearch(Swap(), long_term=20), qap, stop=stop.iterations(90), parallel=Multistart(3, device="cuda"))
    run(HillClimbing(Swap()), KNOTS, stop=until, parallel=IterationLevel("cuda"))  # lists in the memory of threads
    tsp = TSP.random(60, seed=1)
    kicked = IteratedLocalSearch(CandidateDescent(TwoOpt(), tsp.nearest(6)), DoubleBridge(10))
    start = tsp.nearest_neighbour()
    for model in (Multistart(3, device="cuda"), Islands(Multistart(4, device="cuda"), 2)):
        run(TourPartitioning(kicked, 12, 20), tsp, stop=until, start=start, parallel=model)
    for count, objectives in ((3_000, 2), (20_000, 3), (3_000, 5)):
        costs = np.random.default_rng(1).integers(0, 999, (count, objectives))
        nondominated(costs, device="cuda")
        covered(costs, costs[:99], device="cuda")
    hypervolume(costs[:2_000, :3], np.full(3, 1_000), device="cuda")


def lists() -> None:
    """Routes by changes of moves of lists, and as walks."""
    near = np.array([[k for k in range(7) if k != i][:3] for i in range(7)])
    among = (Relocate(), CrossExchange(reverse=True), TwoOptStar(), Granular(TwoOptStar(), near))
    for problem in routes():
        descended(problem, among)


def ruined() -> None:
    """Routes that are ruined and come back: anywhere; beside near items, into few lists, with tails; by regret."""
    for problem in routes():
        ruin = RuinAndRecreate(problem.nearest(3), problem.orders)
        for removal in (ruin, evolve(ruin, beside=2, tails=True, lists=2), RuinAndRegret(ruin)):
            search = IteratedLocalSearch(NoSearch(), removal, Annealed(9))
            for per in ("thread", "block"):
                run(search, problem, stop=stop.iterations(9), parallel=Multistart(3, per=per, device="cuda"))


def routes() -> tuple[Any, ...]:
    """Routes of vehicles, with and without windows of time."""
    return VehicleRouting.of(random_routes()), drawn()


def structures() -> None:
    """Projects, timetables, sequences of cars and parts of graphs, by changes and as walks."""
    compiled: list[Any] = [
        CarSequencing.random(9, classes=4, seed=3),
        CourseTimetabling.random(4, rooms=2, seed=2),
        GraphPartition.random(9, 3, density=0.5, seed=1),
        MultiModeRCPSP.random(6, modes=2, seed=1),
    ]
    for problem in compiled:
        descended(problem, problem.recommended()[0].search.neighborhoods)


def judged() -> None:
    """Hard constraints, and moves that are confined to some items, by changes and as walks."""
    cases = (*JUDGED.values(), (INSTANCES["OneMax"], (Confined(Hamming(2), np.array([0, 2, 3, 5, 8])),)))
    for problem, neighborhoods in cases:
        descended(problem, neighborhoods)


def descended(problem: Any, neighborhoods: Sequence[Any]) -> None:
    """Descents with each neighborhood; walks that are annealed or kicked, with the first one."""
    for neighborhood in neighborhoods:
        run(HillClimbing(neighborhood), problem, stop=stop.iterations(4), parallel=IterationLevel("cuda"))
    moves, until = neighborhoods[0], stop.iterations(9)
    kicked = IteratedLocalSearch(HillClimbing(moves), RandomMoves(moves, 3))
    for search in (SimulatedAnnealing(moves, 10.0), kicked):
        run(search, problem, stop=until, parallel=Multistart(3, device="cuda"))


def reals() -> None:
    """Every search of real numbers, by a thread, a warp and a block in turn; numbers beside other parts; testbeds."""
    for number, search in enumerate(SEARCHES.values()):
        recombining = isinstance(search, GeneticAlgorithm)  # by numbers, which only some parts of Mixed are
        for problem in (Bowls(3, 31), *(() if recombining else (Mixed(),))):
            model = Multistart(3, per=TEAMS[number % 3].per, device="cuda")
            run(search, problem, stop=stop.iterations(60), parallel=model)
    for function in range(1, 25):
        testbed = BBOB.of(function, 4)
        DeviceEvaluator(testbed, device_of("cuda")).costs(np.stack([solution_of(testbed, seed) for seed in range(3)]))


def landscapes() -> None:
    """All local optima below prefixes, whose facilities are alike or not, and networks of exact transitions."""
    for problem in (QAP.random(7, 1), QAP(np.ones((6, 6)), np.arange(36).reshape(6, 6))):
        landscape = Landscape(problem, Swap(), device="cuda")
        landscape.optima()
        landscape.network()


PARTS = (walks, fronts, trees, evaluations, translated, lists, ruined, structures, judged, reals, landscapes, others)

if __name__ == "__main__":
    for part in PARTS:
        if part.__name__ in sys.argv[1:] or len(sys.argv) == 1:
            part()
    print("done")
