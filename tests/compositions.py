"""Every shipped loop and part, in some composition, on a small instance: what kernels are made of."""

from typing import Any

import numpy as np
from attrs import evolve

from metaheur.archives import (
    AllMembers,
    Crowding,
    DistanceTruncation,
    EpsilonBoxes,
    FirstFound,
    Grid,
    HypervolumeContribution,
    LeastCrowded,
    OldestMembers,
    OptimisticHypervolume,
    RandomNeighbors,
)
from metaheur.component import components_of
from metaheur.lists import (
    CrossExchange,
    Granular,
    PairRelocate,
    Relocate,
    RouteExchange,
    RuinAndRecreate,
    RuinAndRecreateKinds,
    RuinAndRecreatePairs,
    RuinAndRecreateVisits,
    RuinAndRegret,
    TwoOptStar,
)
from metaheur.loops import (
    CandidateDescent,
    Evolution,
    First,
    GuidedLocalSearch,
    Kicks,
    LinKernighan,
    Loop,
    NoSearch,
    Scan,
    Trial,
)
from metaheur.loops.loop import unwrapped
from metaheur.neighborhoods import (
    Hamming,
    Insertion,
    OnEach,
    OrOpt,
    Restricted,
    Sampled,
    Substitution,
    Swap,
    ThreeOpt,
    TwoOpt,
    Union,
)
from metaheur.parts import (
    AdaptedWeights,
    AdaptiveMoves,
    AlignedCrossover,
    Annealed,
    ArcMemory,
    AspirationPlus,
    BestAndRandom,
    BestChildren,
    BestParents,
    BitFlips,
    Breeding,
    ByChance,
    ByPart,
    Cooling,
    CycleCrossover,
    DiversifiedLateAcceptance,
    DoubleBridge,
    DynamicSpan,
    EachCopy,
    EdgeMemory,
    EdgeRecombination,
    EpsilonIndicator,
    FitnessSharing,
    FrequencyMemory,
    Generational,
    GenerationGap,
    GreatDeluge,
    HeavyTailedMoves,
    InStrides,
    InSweeps,
    KindMemory,
    LateAcceptance,
    LeastImproving,
    Limit,
    Linear,
    LundyMees,
    Metropolis,
    MixedCrossover,
    MixedPerturbation,
    MoveMemory,
    MovingAverage,
    NonLinearGreatDeluge,
    NoPerturbation,
    NPoints,
    OccasionalCrossover,
    OldestMember,
    OnePoint,
    OrderCrossover,
    Part,
    PartiallyMapped,
    PathRelinking,
    PlacementMemory,
    Plateau,
    PositionBased,
    QualityAndDistance,
    RandomChoice,
    RandomMoves,
    RandomParents,
    RankAndCrowding,
    RankAndHypervolume,
    RankAndReferencePoints,
    RankAndSharing,
    RankRoulette,
    ReactiveTenure,
    Rebuild,
    RecordToRecord,
    Reinsertion,
    Replacement,
    SegmentReversal,
    SegmentShuffle,
    SolutionMemory,
    SteadyState,
    StepCounting,
    StochasticTournament,
    StrengthAndDensity,
    StringRemoval,
    SubsetCrossover,
    SwapPath,
    Tenure,
    Threshold,
    TwoPoints,
    Uniform,
    UniformCopies,
    UniformLike,
    UniversalSampling,
    UpperConfidenceBound,
)
from metaheur.problem import Problem
from metaheur.problems import CVRP, QAP, QUBO, TSP, FlowShop, GraphColoring, MaximumDiversity
from metaheur.representation import Permutation
from metaheur.representations.repeated import Repeated
from metaheur.search import Search, fitted
from metaheur.searches import (
    AMOSA,
    GRASP,
    MOEAD,
    PBIL,
    UMDA,
    AdaptiveSearch,
    BreakoutLocalSearch,
    DiversificationDrivenTabuSearch,
    GeneticAlgorithm,
    GroupDescent,
    HillClimbing,
    HybridEvolutionaryAlgorithm,
    IteratedLocalSearch,
    MemeticAlgorithm,
    MultistartTabuSearch,
    OnePlusLambda,
    ParetoLocalSearch,
    RandomRestart,
    RandomWalk,
    ReturnToBest,
    Sequence,
    SimulatedAnnealing,
    TabuSearch,
    VariableNeighborhoodDescent,
    VariableNeighborhoodSearch,
)
from tests.costs.timetable import timetable
from tests.neighborhoods.test_interchange import Weighted
from tests.problems.sequential import sequential
from tests.problems.test_fleet_routing import drawn as fleet
from tests.problems.test_multi_trip_routing import drawn as trips
from tests.problems.test_pickup_and_delivery import drawn as pickups
from tests.problems.test_vrptw import drawn as windows
from tests.representations.setups import BOTH, PAIRS, setups

ASSIGNMENT = QAP.taillard(12)
CHOICE = MaximumDiversity(abs(np.subtract.outer(np.arange(12) * 7 % 12, np.arange(12) * 7 % 12)), 5)
SETUPS = setups(12, 3)
TIMES = timetable(n=12, rooms=4)
ROSTER = Weighted(Repeated(3, Permutation(5)), np.arange(15, dtype=np.int32) * 7 % 11)
BITS = QUBO(np.array([[k * i % 7 - 3 for i in range(12)] for k in range(12)]))
SHOP = FlowShop.taillard(1)
TOUR = TSP.random(12, 1)

ROUTES = CVRP(np.arange(11) % 5 + 1, abs(np.subtract.outer(np.arange(12) * 7 % 12, np.arange(12) * 7 % 12)), 9, 6)
STRINGS = StringRemoval(ROUTES.nearest(6), ROUTES.orders, average=3, longest=3, blinks=0.125)

WINDOWS, FLEET, PICKUPS, TRIPS = windows(9), fleet(8), pickups(4), trips()
RUIN, SOME, TASKS, TO_LOAD = (
    RuinAndRecreate(each.nearest(5), each.orders, average=3, longest=3, blinks=0.125, kinds=each.kinds)
    for each in (WINDOWS, FLEET, PICKUPS, TRIPS)
)
BOTH_TASKS = RuinAndRecreatePairs(TASKS, PICKUPS.pairs)
NEAR_ROUTES = Union(Granular(TwoOptStar(), WINDOWS.nearest(4)), CrossExchange(2, reverse=True), Relocate())

DESCENT = HillClimbing(Swap())
TWO = [Swap(), Insertion()]
OTHERS = np.array([[(item + 1) % 12, (item + 3) % 12] for item in range(12)])
BESIDE = Union(Restricted(TwoOpt(), OTHERS), Restricted(Insertion(), OTHERS))
FEW = Union(Restricted(TwoOpt(), TOUR.nearest(4)), Restricted(OrOpt(), TOUR.nearest(4)))
CANDIDATES = CandidateDescent(Union(TwoOpt(), OrOpt(), ThreeOpt()), TOUR.nearest(5))
FLIPS = Hamming(1)

SEARCHES: dict[str, tuple[Problem, Search[Any]]] = {
    "hill climbing": (ASSIGNMENT, DESCENT),
    "tabu": (ASSIGNMENT, TabuSearch(Swap())),
    "tabu, long-term": (ASSIGNMENT, TabuSearch(Swap(), long_term=4)),
    "tabu, edges of candidates": (TOUR, TabuSearch(FEW)),
    "tabu, edges, strict, reactive": (TOUR, TabuSearch(TwoOpt(), memory=EdgeMemory(ReactiveTenure(), strict=True))),
    "tabu, edges, frequencies": (TOUR, TabuSearch(OrOpt(), memory=FrequencyMemory(EdgeMemory()), least_tabu=True)),
    "tabu, solutions by edges": (TOUR, TabuSearch(FEW, memory=SolutionMemory(), random_ties=True)),
    "tabu, solutions in full": (ASSIGNMENT, TabuSearch(Insertion(), memory=SolutionMemory())),
    "tabu, moves undone": (ASSIGNMENT, TabuSearch(Swap(), memory=MoveMemory(undo=True))),
    "tabu, kinds": (ASSIGNMENT, TabuSearch(Swap(), memory=KindMemory(np.arange(12) // 5))),
    "tabu, arcs": (ASSIGNMENT, TabuSearch(Insertion(), memory=ArcMemory(Tenure(0.2, 0.6)))),
    "tabu, a sample": (ASSIGNMENT, TabuSearch(Sampled(Union(Swap(), Insertion()), 9))),
    "tabu, placements, reactive": (BITS, TabuSearch(FLIPS, ReactiveTenure(), long_term=99)),
    "tabu, placements, frequencies": (BITS, TabuSearch(FLIPS, memory=FrequencyMemory(PlacementMemory(), 3))),
    "tabu, a probe": (TOUR, TabuSearch(FEW, examine=AspirationPlus(plus=5))),
    "breakout": (ASSIGNMENT, BreakoutLocalSearch(Swap())),
    "D2TS": (BITS, DiversificationDrivenTabuSearch()),
    "MST2": (BITS, MultistartTabuSearch()),
    "annealing": (ASSIGNMENT, SimulatedAnnealing(Swap(), 100.0)),
    "annealing of parts": (SETUPS, SimulatedAnnealing(Union(BOTH, PAIRS), 100.0)),
    "tabu, hard constraints": (sequential(12), TabuSearch(Insertion())),
    "annealing, hard constraints": (sequential(12), SimulatedAnnealing(Union(Swap(), Insertion()), 100.0)),
    "tabu, parts": (SETUPS, TabuSearch(BOTH)),
    "annealing in sweeps": (BITS, SimulatedAnnealing(FLIPS, 30.0, order=InSweeps())),
    "annealing in strides": (BITS, SimulatedAnnealing(FLIPS, 30.0, order=InStrides())),
    "iterated": (ASSIGNMENT, IteratedLocalSearch(DESCENT, RandomMoves(Swap(), 3))),
    "iterated tabu": (
        ASSIGNMENT,
        IteratedLocalSearch(TabuSearch(Swap()), RandomMoves(Insertion(), 3), Metropolis(9.0), limit=Limit(100)),
    ),
    "iterated greedy": (SHOP, IteratedLocalSearch(GroupDescent(Insertion()), Rebuild(3, improves=True))),
    "string removals": (ROUTES, IteratedLocalSearch(NoSearch(), STRINGS, Annealed(20))),
    "reinsertions": (ASSIGNMENT, IteratedLocalSearch(GroupDescent(Swap()), Reinsertion(Insertion(), 2))),
    "shuffles around a descent": (TOUR, IteratedLocalSearch(CANDIDATES, SegmentShuffle(5), limit=Limit(9))),
    "a neutral walk": (ASSIGNMENT, RandomWalk(Swap(), neutral=True)),
    "adaptive, matching": (ASSIGNMENT, AdaptiveSearch(TWO)),
    "adaptive, bounds": (ASSIGNMENT, AdaptiveSearch(TWO, UpperConfidenceBound())),
    "adaptive, at random": (ASSIGNMENT, AdaptiveSearch(TWO, RandomChoice())),
    "restarts": (ASSIGNMENT, RandomRestart(DESCENT)),
    "returns": (ASSIGNMENT, ReturnToBest(IteratedLocalSearch(DESCENT, AdaptiveMoves(Swap(), 1, 4)), Limit(9))),
    "a sequence": (ASSIGNMENT, Sequence([TabuSearch(Swap()), DESCENT], Limit(9), cycles=True, hands_over_best=True)),
    "children and moves, in turn": (
        ASSIGNMENT,
        Sequence(
            [GeneticAlgorithm(UniformLike(), RandomMoves(Swap(), 1), size=4), RandomWalk(Swap())], Limit(9), cycles=True
        ),
    ),
    "samples and moves, in turn": (BITS, Sequence([UMDA(8), RandomWalk(FLIPS)], Limit(9), cycles=True)),
    "VND": (ASSIGNMENT, VariableNeighborhoodDescent(TWO)),
    "VND, pipe": (ASSIGNMENT, VariableNeighborhoodDescent(TWO, rule="pipe")),
    "VND, cyclic": (ASSIGNMENT, VariableNeighborhoodDescent(TWO, rule="cyclic")),
    "VNS": (ASSIGNMENT, VariableNeighborhoodSearch(VariableNeighborhoodDescent(TWO, order="random"), TWO)),
    "VNS, reduced": (ASSIGNMENT, VariableNeighborhoodSearch(None, TWO)),
    "genetic algorithm": (BITS, GeneticAlgorithm(Uniform(), RandomMoves(FLIPS, 1), size=8)),
    "memetic algorithm": (
        ASSIGNMENT,
        MemeticAlgorithm(
            TabuSearch(Swap()), Breeding(UniformLike(), size=5, replacement=QualityAndDistance()), Limit(9)
        ),
    ),
    "hybrid evolutionary algorithm": (
        GraphColoring.random(12, 3, seed=1),
        HybridEvolutionaryAlgorithm(9, size=3),
    ),
    "fast genetic algorithm": (BITS, OnePlusLambda(HeavyTailedMoves(FLIPS), 2)),
    "(1 + 1) evolutionary algorithm": (BITS, OnePlusLambda(BitFlips())),
    "UMDA": (BITS, UMDA(8)),
    "PBIL": (ASSIGNMENT, PBIL(6, 0.3, selected=2)),
    "relinking of parts": (SETUPS, IteratedLocalSearch(HillClimbing(BOTH), PathRelinking(BOTH, elite=3))),
    "GRASP": (SHOP, GRASP(DESCENT, Insertion(), relinking=Swap())),
    "levels, a temperature each": (TIMES, SimulatedAnnealing(Substitution(), (2.0, 8.0))),
    "routes, ruin and recreate": (WINDOWS, IteratedLocalSearch(NoSearch(), RUIN, Annealed(20))),
    "routes, optional customers": (FLEET, IteratedLocalSearch(NoSearch(), SOME, Annealed(20))),
    "routes, beside near customers": (
        WINDOWS,
        IteratedLocalSearch(NoSearch(), evolve(RUIN, beside=2, tails=True), Annealed(20)),
    ),
    "routes, unlike vehicles": (FLEET, IteratedLocalSearch(NoSearch(), RuinAndRecreateKinds(SOME), Annealed(20))),
    "routes, regrets": (FLEET, IteratedLocalSearch(NoSearch(), RuinAndRegret(SOME), Annealed(20))),
    "routes, pairs": (
        PICKUPS,
        IteratedLocalSearch(HillClimbing(PairRelocate(PICKUPS.pairs, 3)), BOTH_TASKS, limit=Limit(9)),
    ),
    "routes, visits": (
        TRIPS,
        IteratedLocalSearch(NoSearch(), RuinAndRecreateVisits(TO_LOAD, TRIPS.reloads), Annealed(20)),
    ),
    "routes, annealing": (WINDOWS, SimulatedAnnealing(NEAR_ROUTES, 30.0)),
    "routes, exchanged": (WINDOWS, GeneticAlgorithm(RouteExchange(9), RandomMoves(Relocate(), 2), size=5)),
    "levels, adapted weights in tabu search": (
        TIMES,
        TabuSearch(Substitution(), (0.1, 0.3), weights=AdaptedWeights(window=5)),
    ),
    "levels, adapted weights": (TIMES, Trial(Substitution(), AdaptedWeights(Metropolis(4.0), 9))),
}

ACCEPTANCES = (
    Threshold(Cooling(5.0, Linear(0.1))),
    Threshold(Cooling(5.0, DynamicSpan())),
    RecordToRecord(Cooling(5.0, LundyMees(0.1), reheats=3)),
    GreatDeluge(0.5),
    NonLinearGreatDeluge(),
    LateAcceptance(9),
    DiversifiedLateAcceptance(),
    StepCounting(9),
    MovingAverage(),
    ByChance(),
)

MANY = FlowShop(np.eye(20, 5), due_dates=np.arange(20), objectives=("makespan", "total tardiness", "tardy jobs"))
SURVIVAL: dict[str, Replacement] = {
    "fronts, rank and crowding": RankAndCrowding(4),
    "fronts, by reference points": RankAndReferencePoints(np.eye(3), 4),
    "fronts, by an indicator": EpsilonIndicator(4),
    "fronts, strength and density": StrengthAndDensity(4),
    "fronts, by sharing": RankAndSharing(4, radius=0.5),
}

LOOPS: dict[str, tuple[Problem, Loop]] = {
    **{
        name: (problem, loop)
        for name, (problem, search) in SEARCHES.items()
        if isinstance(loop := unwrapped(fitted(search, problem)), Loop)
    },
    "children, one point": (BITS, Evolution(Breeding(OnePoint(), size=5, selection=RandomParents()))),
    "children, n points, one spin": (
        BITS,
        Evolution(Breeding(NPoints(3), size=5, selection=UniversalSampling(), replacement=Generational(2))),
    ),
    "children, by chance": (BITS, Evolution(Breeding(OnePoint(), size=5, selection=StochasticTournament(0.7)))),
    "children, two points": (BITS, Evolution(Breeding(TwoPoints(), size=5, replacement=Generational(2)))),
    "children, the best of many": (
        BITS,
        Evolution(Breeding(Uniform(), size=4, selection=BestParents(2), replacement=BestChildren(7))),
    ),
    "children, for the oldest": (BITS, Evolution(Breeding(Uniform(), BitFlips(), size=5, replacement=OldestMember()))),
    "children, or copies": (ASSIGNMENT, Evolution(Breeding(OccasionalCrossover(UniformLike(), 0.5), size=5))),
    "children, aligned": (
        ASSIGNMENT,
        Evolution(Breeding(AlignedCrossover(UniformLike(), np.arange(12) // 5), size=5)),
    ),
    "children, in order": (TOUR, Evolution(Breeding(OrderCrossover(), RandomMoves(TwoOpt(), 1), size=5))),
    "children, by candidates": (ASSIGNMENT, Evolution(Breeding(UniformLike(), RandomMoves(BESIDE, 3), size=5))),
    "children, by edges": (TOUR, Evolution(Breeding(EdgeRecombination(), size=5))),
    "children, mapped": (ASSIGNMENT, Evolution(Breeding(PartiallyMapped(), size=5, selection=RankRoulette()))),
    "children, by exchanges": (ASSIGNMENT, Evolution(Breeding(SwapPath(), size=5))),
    "children, of members": (CHOICE, Evolution(Breeding(SubsetCrossover(5), size=5))),
    "children, by copies": (ROSTER, Evolution(Breeding(UniformCopies(3), RandomMoves(OnEach(Swap()), 1), size=5))),
    "children, in each copy": (ROSTER, Evolution(Breeding(EachCopy(UniformLike(), 3), size=5))),
    "children, by part": (
        SETUPS,
        Evolution(Breeding(ByPart(order=OrderCrossover(), mode=Uniform()), RandomMoves(BOTH, 1), size=5)),
    ),
    "children, by cycles": (ASSIGNMENT, Evolution(Breeding(CycleCrossover(), size=5, replacement=SteadyState(3)))),
    "children, a mixture": (
        BITS,
        Evolution(
            Breeding(
                MixedCrossover([OnePoint(), Uniform()]), MixedPerturbation([RandomMoves(FLIPS, 1), BitFlips()]), size=5
            )
        ),
    ),
    "children, one pair of parents": (
        BITS,
        Evolution(Breeding(Uniform(), size=5, selection=RandomParents(), replacement=GenerationGap(4))),
    ),
    "children, of the best": (
        BITS,
        Evolution(
            Breeding(Uniform(), size=5, selection=BestAndRandom(), replacement=GenerationGap(4, model="generalized"))
        ),
    ),
    "children, in niches": (BITS, Evolution(Breeding(Uniform(), size=5, replacement=FitnessSharing(4)))),
    "children, by position": (SHOP, Evolution(Breeding(PositionBased(), size=5))),
    **{
        name: (MANY, Evolution(Breeding(OrderCrossover(), size=6, replacement=each))) for name, each in SURVIVAL.items()
    },
    "fronts, by hypervolume": (
        FlowShop(np.eye(20, 5), due_dates=np.arange(20), objectives=MANY.objectives[:2]),
        Evolution(Breeding(OrderCrossover(), size=6, replacement=RankAndHypervolume(2))),
    ),
    "fronts, by volumes": (
        MANY,
        Evolution(Breeding(OrderCrossover(), size=6, replacement=RankAndHypervolume(2))),
    ),
    "fronts, by subproblems": (
        MANY,
        MOEAD(OrderCrossover(), NoPerturbation(), objectives=3, divisions=2, neighbors=3).loop,
    ),
    "fronts, annealing": (MANY, AMOSA(Insertion(), 0.5, archive=Crowding(5)).loop),
    "least improving": (
        ASSIGNMENT,
        Scan(Swap(), selection=LeastImproving(), ends_where_refused=True, random_ties=True),
    ),
    "first improvement": (ASSIGNMENT, First(Swap(), Plateau(3), "random")),
    "local kicks": (TOUR, Kicks(CANDIDATES, DoubleBridge(3, 0.1), Annealed(100))),
    "reversals": (TOUR, Kicks(CANDIDATES, SegmentReversal(5))),
    "chains of edges": (TOUR, Kicks(LinKernighan(TOUR.nearest(5), (4, 3, 2)), DoubleBridge(3))),
    "penalties": (TOUR, GuidedLocalSearch(CandidateDescent(TwoOpt(), TOUR.nearest(5)))),
    **{f"trials, {each!r}": (ASSIGNMENT, Trial(Swap(), each)) for each in ACCEPTANCES},
}
"""What walks on a device, by name: a problem and a loop."""


def _shop(*more: str) -> FlowShop:
    objectives = ("makespan", "total tardiness", *more)
    return FlowShop(np.eye(20, 5), due_dates=np.arange(20), objectives=objectives)


FRONTS: dict[str, tuple[FlowShop, ParetoLocalSearch]] = {
    "whole neighborhoods": (_shop("tardy jobs"), ParetoLocalSearch(Insertion())),
    "the least crowded": (
        _shop(),
        ParetoLocalSearch(Insertion(), LeastCrowded(), FirstFound("dominating"), Crowding(9)),
    ),
    "the oldest": (
        _shop("tardy jobs"),
        ParetoLocalSearch(Swap(), OldestMembers(), RandomNeighbors(9), HypervolumeContribution(9)),
    ),
    "where the hypervolume may grow": (
        _shop(),
        ParetoLocalSearch(Swap(), OptimisticHypervolume(), archive=Grid(9)),
    ),
    "four objectives": (
        _shop("tardy jobs", "total flow time"),
        ParetoLocalSearch(Swap(), archive=HypervolumeContribution(6)),
    ),
    "the nearest": (
        _shop("tardy jobs"),
        ParetoLocalSearch(Swap(), archive=DistanceTruncation(6)),
    ),
    "boxes": (
        FlowShop(np.arange(100).reshape(20, 5) * 7 % 31, due_dates=9 * np.arange(20), objectives=MANY.objectives),
        ParetoLocalSearch(Insertion(), archive=EpsilonBoxes((2, 10, 1))),
    ),
    "all": (
        _shop(),
        ParetoLocalSearch(Union(Swap(), Insertion()), AllMembers(), archive=HypervolumeContribution(9)),
    ),
}
"""Searches for fronts that together have every part of theirs which runs on a device."""


def parts_of(thing: Any) -> set[type]:
    """The classes of a loop's parts, and of their parts."""
    inner = [each for _, each in components_of(thing)]
    return {type(each) for each in inner if isinstance(each, Part)}.union(*map(parts_of, inner))


def loops_of(loop: Loop) -> set[type]:
    """The classes of a loop and of those inside it."""
    inner = [each for _, each in components_of(loop) if isinstance(each, Loop)]
    return {type(loop)}.union(*map(loops_of, inner))
