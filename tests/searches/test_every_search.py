"""Every search on every kind of solution: the same steps in both languages, and on from where a walk was left.

The normal suite has each search once in compiled code, the settings in rotation, and each with every setting in Python;
the thorough one has the whole product.
"""

from collections.abc import Callable
from typing import Any, final

import numpy as np
import pytest
from attrs import frozen

import metaheur.searches
from metaheur import Domains, Multiset, Neighborhood, Permutation, Problem, Representation, Search, run, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.lists import Relocate, RouteExchange, TwoOptStar
from metaheur.loops import CandidateDescent, GuidedLocalSearch, Trial
from metaheur.neighborhoods import (
    Hamming,
    Insertion,
    Interchange,
    OnEach,
    OrOpt,
    Shift,
    Substitution,
    Swap,
    TwoOpt,
    Union,
)
from metaheur.parallel import Islands, Multistart
from metaheur.parts import (
    AdaptiveMoves,
    Always,
    AspirationPlus,
    BetterOrEqual,
    BitFlips,
    BreakoutRules,
    Breeding,
    ByPart,
    Cooling,
    Crossover,
    DoubleBridge,
    EachCopy,
    EliteFlips,
    Generational,
    Geometric,
    HeavyTailedMoves,
    LateAcceptance,
    Limit,
    Metropolis,
    QualityAndDistance,
    RandomMoves,
    ReactiveTenure,
    Reinsertion,
    Shaking,
    SubsetAscent,
    SubsetCrossover,
    SwapPath,
    Tenure,
    Threshold,
    Uniform,
    UniformLike,
    UpperConfidenceBound,
)
from metaheur.problems import QAP, QUBO, TSP, FlowShop, GraphColoring, MaximumDiversity
from metaheur.representation import named
from metaheur.representations.repeated import Repeated
from metaheur.searches import (
    AMOSA,
    GRASP,
    IBEA,
    MOEAD,
    NSGA2,
    NSGA3,
    PBIL,
    SPEA2,
    UMDA,
    AdaptiveSearch,
    BestImprovement,
    BestOfSample,
    BreakoutLocalSearch,
    DiversificationDrivenTabuSearch,
    FirstImprovement,
    GeneticAlgorithm,
    GroupDescent,
    HillClimbing,
    HybridEvolutionaryAlgorithm,
    IteratedLocalSearch,
    LeastImprovement,
    MemeticAlgorithm,
    MultistartTabuSearch,
    OnePlusLambda,
    ParetoLocalSearch,
    Portfolio,
    RandomImprovement,
    RandomRestart,
    RandomWalk,
    ReturnToBest,
    Sequence,
    SimulatedAnnealing,
    TabuSearch,
    TourPartitioning,
    VariableNeighborhoodDescent,
    VariableNeighborhoodSearch,
)
from metaheur.testing import check_search
from tests.costs.timetable import timetable
from tests.neighborhoods.test_interchange import Weighted
from tests.problems.sequential import sequential
from tests.problems.test_vrptw import drawn as windows
from tests.representations.setups import BOTH, PAIRS, setups
from tests.test_matrix_of_ones import PROBLEM as STAFFING


@final
@frozen(eq=False)
class Setting:
    """A problem, moves for it (those of a descent, others, those that construct and relink solutions), a crossover."""

    problem: Problem
    moves: Neighborhood
    others: Neighborhood
    constructs: Neighborhood
    relinks: Neighborhood
    crossover: Crossover = Uniform()


NUMBERS = np.random.default_rng(1)
ITEMS = np.arange(9) * 7 % 11
TSP_12 = TSP.random(12, 1)


def weighted(space: Representation) -> Problem:
    """Entries with a weight each."""
    return Weighted(space, NUMBERS.integers(-9, 10, space.length).astype(np.int32))


SETTINGS = {
    "QAP": Setting(QAP.random(8, 5), Swap(), Insertion(), Insertion(), Swap(), UniformLike()),
    "QUBO": Setting(QUBO(NUMBERS.integers(-9, 10, (12, 12))), Hamming(), Hamming(2), Hamming(), Hamming()),
    "GraphColoring": Setting(
        GraphColoring.random(12, 3, seed=1), Substitution(), Substitution(), Substitution(), Substitution()
    ),
    "FlowShop": Setting(
        FlowShop(NUMBERS.integers(1, 30, (8, 4))), Insertion(), Swap(), Insertion(), Swap(), UniformLike()
    ),
    "TSP": Setting(TSP_12, TwoOpt(), OrOpt(), Insertion(), Swap(), UniformLike()),
    "Subset": Setting(
        MaximumDiversity(abs(np.subtract.outer(ITEMS, ITEMS)), 3),
        Interchange(),
        Interchange(),
        Interchange(),
        Swap(),
        SubsetCrossover(3),
    ),
    "Multiset": Setting(weighted(Multiset((3, 2, 3))), Interchange(), Shift(), Shift(), Interchange(), SwapPath()),
    "Domains": Setting(
        weighted(Domains((2, 4, 1, 3, 5, 2))), Substitution(), Substitution(), Substitution(), Substitution()
    ),
    "Repeated": Setting(
        weighted(Repeated(3, Permutation(4))),
        OnEach(Swap()),
        OnEach(Insertion()),
        OnEach(Insertion()),
        OnEach(Swap()),
        EachCopy(UniformLike(), 3),
    ),
    "Composite": Setting(
        setups(6, 3),
        BOTH,
        PAIRS,
        BOTH,
        BOTH,
        ByPart(order=UniformLike(), mode=Uniform()),
    ),
    "Lists": Setting(windows(5), Relocate(), TwoOptStar(), Relocate(), Relocate(), RouteExchange(5)),
    "a representation of one's own": Setting(
        STAFFING,
        OnEach(Interchange()),
        OnEach(Interchange()),
        OnEach(Interchange()),
        OnEach(Swap()),
        EachCopy(SwapPath(), 4),
    ),
    "hard constraints": Setting(sequential(8), Insertion(), Swap(), Insertion(), Swap(), UniformLike()),
    "levels": Setting(timetable(n=8, rooms=3), Substitution(), Substitution(), Substitution(), Substitution()),
}

DESCENT = CandidateDescent(Union(TwoOpt(), OrOpt()), TSP_12.nearest(5))
SEARCHES: dict[str, Callable[[Setting], Search[Any]]] = {
    "best improvement": lambda s: HillClimbing(s.moves, BestImprovement(random_ties=True), neutral=3),
    "first improvement": lambda s: HillClimbing(s.moves, FirstImprovement(3)),
    "random improvement": lambda s: HillClimbing(s.moves, RandomImprovement(), neutral=3),
    "least improvement": lambda s: HillClimbing(s.moves, LeastImprovement()),
    "best of a sample": lambda s: HillClimbing(s.moves, BestOfSample(5)),
    "annealing": lambda s: SimulatedAnnealing(s.moves, 20.0, Geometric(0.8, 9, 3.0), reheats=1, share=0.5, stretch=2),
    "tabu search": lambda s: TabuSearch(s.moves, (0.2, 0.5), long_term=40),
    "reactive tabu search": lambda s: TabuSearch(s.moves, ReactiveTenure(repetitions=1, chaos=1)),
    "some moves of tabu search": lambda s: TabuSearch(s.moves, (0.2, 0.5), examine=AspirationPlus(plus=3, most=20)),
    "breakout": lambda s: BreakoutLocalSearch(
        s.moves, rules=BreakoutRules(least=2, patience=4, directed=0.3, oldest=0.5)
    ),
    "breakout for max-cut": lambda s: BreakoutLocalSearch(
        s.moves, Tenure(0, 0.1, low_plus=3, high_plus=3), rules=BreakoutRules.max_cut(), random_ties=True
    ),
    "D2TS": lambda _: DiversificationDrivenTabuSearch(stagnation=1, perturbation=EliteFlips(3)),
    "MST2": lambda _: MultistartTabuSearch(Tenure.fixed(3), iterations=15, perturbation=SubsetAscent(0.5, least=2)),
    "late acceptance": lambda s: Trial(s.moves, LateAcceptance(5)),
    "threshold accepting": lambda s: Trial(s.moves, Threshold(Cooling(9.0, Geometric(0.9, 3)))),
    "random walk": lambda s: RandomWalk(s.moves),
    "neutral walk": lambda s: RandomWalk(s.moves, neutral=True),
    "adaptive search": lambda s: AdaptiveSearch(
        [s.moves, s.others], UpperConfidenceBound(window=128), Metropolis(5.0), samples=3
    ),
    "iterated local search": lambda s: IteratedLocalSearch(
        HillClimbing(s.moves), RandomMoves(s.others, 2), LateAcceptance(3)
    ),
    "iterated iterated tabu search": lambda s: IteratedLocalSearch(
        IteratedLocalSearch(TabuSearch(s.moves, (0.2, 0.5)), AdaptiveMoves(s.moves, 1, 4), Always(), limit=Limit(7)),
        RandomMoves(s.others, 4),
        limit=Limit(23),
        remembers=True,
    ),
    "iterated group descent": lambda s: IteratedLocalSearch(
        GroupDescent(s.constructs), Reinsertion(s.constructs, 2), Metropolis(Cooling(9.0, Geometric(0.9, 1)))
    ),
    "restarts": lambda s: RandomRestart(
        ReturnToBest(IteratedLocalSearch(HillClimbing(s.moves), RandomMoves(s.moves, 3), Always()), Limit(9)), Limit(40)
    ),
    "sequence": lambda s: Sequence(
        [TabuSearch(s.moves, (0.2, 0.5)), RandomWalk(s.others), HillClimbing(s.moves)],
        [Limit(20), Limit(5), Limit()],
        cycles=True,
        hands_over_best=True,
    ),
    "iterated descents in several neighborhoods": lambda s: IteratedLocalSearch(
        VariableNeighborhoodDescent([s.moves, s.others], order="random", steps=1), RandomMoves(s.moves, 3)
    ),
    "general variable neighborhood search": lambda s: VariableNeighborhoodSearch(
        VariableNeighborhoodDescent([s.moves, s.others], rule="pipe"),
        Shaking([s.moves, s.others], 4, order="backward"),
        BetterOrEqual(),
    ),
    "reduced variable neighborhood search": lambda s: VariableNeighborhoodSearch(
        None, Shaking([s.moves, s.others], 3, order="random")
    ),
    "GRASP": lambda s: GRASP(HillClimbing(s.moves), s.constructs, 0.5, relinking=s.relinks, elite=3),
    "genetic algorithm": lambda s: GeneticAlgorithm(
        s.crossover, RandomMoves(s.others, 1), size=6, replacement=Generational(2)
    ),
    "memetic algorithm": lambda s: MemeticAlgorithm(
        BreakoutLocalSearch(s.moves, rules=BreakoutRules(least=2, patience=4)),
        Breeding(s.crossover, AdaptiveMoves(s.moves, 1, 4), size=3, replacement=QualityAndDistance(0.5)),
        Limit(5),
    ),
    "hybrid evolutionary algorithm": lambda _: HybridEvolutionaryAlgorithm(5, size=3),
    "fast genetic algorithm": lambda s: OnePlusLambda(HeavyTailedMoves(s.moves), 3),
    "(1 + 1) evolutionary algorithm": lambda _: OnePlusLambda(BitFlips()),
    "UMDA": lambda _: UMDA(5),
    "PBIL": lambda _: PBIL(4, 0.3, selected=2),
    "portfolio": lambda s: Portfolio([TabuSearch(s.moves, (0.2, 0.5)), HillClimbing(s.moves)]),
    "kicks": lambda _: IteratedLocalSearch(DESCENT, DoubleBridge(5), LateAcceptance(3)),
    "guided local search": lambda _: GuidedLocalSearch(DESCENT),
}
ONLY = {
    "D2TS": "QUBO",
    "MST2": "QUBO",
    "(1 + 1) evolutionary algorithm": "QUBO",
    "hybrid evolutionary algorithm": "GraphColoring",
    "kicks": "TSP",
    "guided local search": "TSP",
}
"""Searches for one kind of problem."""


UNIVARIATE, GROUPS = {"UMDA", "PBIL"}, {"iterated group descent", "GRASP"}
REFUSED = {
    "Multiset": UNIVARIATE | GROUPS,
    "Domains": UNIVARIATE,
    "Repeated": UNIVARIATE | GROUPS,
    "Composite": UNIVARIATE | GROUPS,
    "Lists": UNIVARIATE | {"GRASP"},
    "a representation of one's own": UNIVARIATE | GROUPS,
    "hard constraints": UNIVARIATE | GROUPS | {"restarts", "genetic algorithm", "memetic algorithm"},
}
"""Searches that make solutions in ways which do not fit: position by position, or without asking constraints."""


def fits(name: str, setting: str) -> bool:
    """Whether a search is for a setting."""
    return ONLY.get(name, setting) == setting and name not in REFUSED.get(setting, ())


def cells() -> list[Any]:
    """Each search with each setting that it is for; all but one of them take part in thorough tests only."""
    found = []
    for turn, name in enumerate(SEARCHES):
        fitting = [setting for setting in SETTINGS if fits(name, setting)]
        for place, setting in enumerate(fitting):
            marks = [] if place == turn % len(fitting) else [pytest.mark.thorough]
            found.append(pytest.param(name, setting, marks=marks, id=f"{name}, {setting}"))
    return found


@pytest.mark.parametrize(("name", "problem"), cells())
def test_it_makes_the_same_steps_everywhere(name: str, problem: str, compiling: Device) -> None:
    setting = SETTINGS[problem]
    check_search(SEARCHES[name](setting), setting.problem, iterations=40, devices=[compiling.name])


@pytest.mark.parametrize("name", SETTINGS)
def test_searches_find_solutions_or_refuse_the_problem_in_words(name: str) -> None:
    setting, refused = SETTINGS[name], set()
    problem, two = setting.problem, Multistart(2, device="numpy")
    for each, make in SEARCHES.items():
        try:
            result = run(make(setting), problem, stop=stop.iterations(8), seed=1, parallel=two)
        except InputError:
            refused.add(each)
            continue
        assert problem.representation.violation(result.solution) == ""
        assert result.cost == problem.displayed(problem.cost(named(problem.representation, result.solution))), each
    assert refused == {each for each in SEARCHES if not fits(each, name)}


@pytest.mark.parametrize(
    "name", [each if each == "Subset" else pytest.param(each, marks=pytest.mark.thorough) for each in SETTINGS]
)
def test_islands_of_many_walks_go_the_same_way_everywhere(name: str, compiling: Device) -> None:
    setting = SETTINGS[name]

    def found(device: str) -> Any:
        model = Islands(Multistart(64, device=device), every=5)
        result = run(SEARCHES["annealing"](setting), setting.problem, stop=stop.iterations(12), seed=1, parallel=model)
        return result.solution.tolist(), result.walks.costs.tolist()

    assert found("numpy") == found(compiling.name)


@pytest.mark.parametrize("name", [name for name in ONLY if name != "hybrid evolutionary algorithm"])
def test_problems_that_a_search_is_not_for_are_refused(name: str) -> None:
    for problem, setting in SETTINGS.items():
        if problem != ONLY[name]:
            with pytest.raises(InputError, match=type(setting.problem).__name__):
                run(SEARCHES[name](setting), setting.problem, stop=stop.iterations(1), parallel="numpy")


def inside(search: Any) -> set[type]:
    """The classes of a search and of those in it."""
    within = (getattr(search, name, ()) for name in ("search", "searches", "descent"))
    each = [one for several in within for one in (several if isinstance(several, tuple) else (several,))]
    return {type(search)}.union(*(inside(one) for one in each if isinstance(one, Search)))


def test_every_search_is_here() -> None:
    exported = {getattr(metaheur.searches, name) for name in metaheur.searches.__all__}
    searches = {each for each in exported if isinstance(each, type) and issubclass(each, Search)}
    here = set[type]().union(*(inside(make(SETTINGS["QAP"])) for make in SEARCHES.values()))
    # these are for several objectives and for tours in the plane, and have tests of their own
    elsewhere = {AMOSA, IBEA, MOEAD, NSGA2, NSGA3, SPEA2, ParetoLocalSearch, TourPartitioning}
    assert here == searches - elsewhere | {CandidateDescent, GuidedLocalSearch, Trial}
