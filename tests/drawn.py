"""Compositions drawn at random, of nearly all parts, loops and searches: what nobody would think of."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from metaheur import archives, parts, searches
from metaheur.errors import InputError
from metaheur.loops import (
    AdaptiveTrial,
    CandidateDescent,
    ConflictScan,
    First,
    GroupScan,
    GuidedLocalSearch,
    Kicks,
    LinKernighan,
    Phases,
    Probe,
    Scan,
    Trial,
)
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
from metaheur.problem import Problem
from metaheur.problems import (
    CVRP,
    PPP,
    QAP,
    QUBO,
    TSP,
    FlowShop,
    GeneralizedAssignment,
    GraphColoring,
    Knapsack,
    KnapsackSharing,
    MaxCut,
    MultiObjective,
    MultipleKnapsack,
    OneMax,
    Scalarised,
)
from metaheur.search import Search

__all__ = ["drawn"]

Makes = Callable[[], Any]


def drawn(seed: int, *, several: bool = False) -> tuple[Problem, Search[Any]]:
    """A problem, of one objective or of several, and a search for it; what is refused is drawn again."""
    generator = random.Random(seed)
    while True:
        try:
            draw = _FrontDraw(generator) if several else _Draw(generator)
            search = draw.search()
            search.require(draw.problem)
        except InputError:
            continue
        return draw.problem, search


class _Draw:
    """Random choices for one problem."""

    def __init__(self, generator: random.Random) -> None:
        self.random = generator
        self.problem = self._problem()
        space = self.problem.representation
        self.kind = {"Permutation": "places", "BitString": "bits"}.get(type(space).__name__, "digits")

    def _problem(self) -> Any:
        return self.one(
            self._assignment,
            self._assignment,
            lambda: TSP.random(self.n() + 4, self.n()),
            lambda: TSP.from_matrix(self._matrix(1, 99)[:8]),
            self._shop,
            self._routes,
            self._qubo,
            lambda: OneMax(self.n()),
            lambda: PPP.random(self.n() | 1, self.n() | 1, self.n()),
            self._knapsack,
            lambda: GraphColoring.random(self.n(), 3, density=0.5, seed=self.n()),
            self._cut,
            lambda: Scalarised(MultiObjective((self._qubo(), self._qubo())), (self.n(1, 3), self.n(1, 3))),
        )

    # ---- choices ----

    def one(self, *makes: Makes) -> Any:
        return self.random.choice(makes)()

    def n(self, low: int = 8, high: int = 13) -> int:
        return self.random.randint(low, high)

    def flag(self) -> bool:
        return self.random.random() < 0.5

    def _matrix(self, low: int, high: int) -> np.ndarray:
        """Whole numbers, 8 ... 13 rows of 8."""
        return np.random.default_rng(self.n(0, 99)).integers(low, high, (self.n(), 8))

    def _qubo(self) -> QUBO:
        return QUBO(self._matrix(-9, 9)[:8])

    def _shop(self) -> Any:
        """The makespan, with release times or without, or two objectives as one."""
        times = self._matrix(1, 99)[:, :3]
        release = times.sum(axis=1) // 2 if self.flag() else None
        if self.flag():
            return FlowShop(times, release_times=release)
        two = ("makespan", self.random.choice(["total flow time", "total tardiness", "tardy jobs"]))
        due = times.sum(axis=1) * 2
        return Scalarised(FlowShop(times, release_times=release, due_dates=due, objectives=two), (1, self.n(1, 9)))

    def _cut(self) -> MaxCut:
        edges = np.argwhere(np.triu(self._matrix(0, 3)[:8], 1))
        return MaxCut.from_edges(8, edges, np.random.default_rng(self.n(0, 99)).integers(-9, 9, len(edges)))

    def _routes(self) -> CVRP:
        n = self.n(5, 8)
        lengths = np.triu(np.random.default_rng(self.n(0, 99)).integers(1, 99, (n + 1, n + 1)), 1)
        return CVRP(np.arange(n) % 3 + 1, lengths + lengths.T, 6, self.n(3, 4))

    def _knapsack(self) -> Any:
        profits, *loads = self._matrix(1, 30).T
        n = len(profits)
        return self.one(
            lambda: Knapsack.boukedjar(self.n(), self.n()),
            lambda: Knapsack(profits, np.array(loads[:3]), np.array([60, 50, 70])),
            lambda: KnapsackSharing(profits, loads[0], np.arange(n) % 3, 60),
            lambda: MultipleKnapsack(profits, loads[0], np.array([40, 20, 30])),
            lambda: GeneralizedAssignment(np.array(loads[:3]), np.array(loads[3:6]), np.array([40, 50, 30])),
        )

    def _assignment(self) -> QAP:
        """An instance, with interchangeable facilities or without."""
        n = self.n()
        generator = np.random.default_rng(self.n(0, 99))
        kinds = generator.integers(0, n // 2, n) if self.flag() else np.arange(n)
        flows = np.triu(generator.integers(0, 9, (n, n)), 1)
        flows = (flows + flows.T)[np.ix_(kinds, kinds)]
        return QAP(flows, generator.integers(0, 9, (n, n)))

    # ---- moves ----

    def neighborhood(self) -> Any:
        if self.kind == "bits":
            return self.one(partial(Hamming, 1), partial(Hamming, 2))
        if self.kind == "digits":
            return self.one(Substitution, Substitution, lambda: Sampled(Substitution(), self.n(1, 9)))
        return self.one(
            Swap,
            Insertion,
            TwoOpt,
            OrOpt,
            lambda: Union(Swap(), Insertion()),
            AdjacentSwap,
            lambda: Sampled(self.one(Swap, Insertion, ThreeOpt), self.n(1, 9)),
            lambda: Union(
                Restricted(self.one(Swap, TwoOpt, Insertion), self._near()), Restricted(OrOpt(), self._near())
            ),
        )

    def _near(self) -> np.ndarray:
        """Three other items for each item."""
        n = self.problem.representation.length
        first = np.arange(n)[:, None]
        near: np.ndarray = (first + np.random.default_rng(self.n(0, 99)).permutation(n - 1)[:3] + 1) % n
        return near

    # ---- acceptances ----

    def schedule(self) -> Any:
        return self.one(
            parts.Fixed,
            partial(parts.Geometric, 0.9, 7),
            partial(parts.Geometric, 0.8, 3, 5.0),
            partial(parts.Linear, 1.5, 3),
            partial(parts.LundyMees, 0.01),
            partial(parts.DynamicSpan, 0.9, 9, 3, 4),
        )

    def cooling(self) -> parts.Cooling:
        return parts.Cooling(self.n(5, 50), self.schedule(), reheats=self.n(0, 2), stretch=self.n(1, 2))

    def acceptance(self) -> Any:
        return self.one(
            parts.Always,
            parts.Better,
            parts.BetterOrEqual,
            parts.Improving,
            parts.Neutral,
            partial(parts.ByChance, 0.3),
            partial(parts.MovingAverage, 4),
            partial(parts.Plateau, 3),
            lambda: parts.Annealed(self.n(5, 50), self.n(1, 50)),
            partial(parts.GreatDeluge, 3000.0, 5.0),
            partial(parts.NonLinearGreatDeluge, 0.01, 1.0, 2.0, 1.0),
            lambda: parts.LateAcceptance(self.n(1, 9)),
            lambda: parts.DiversifiedLateAcceptance(self.n(2, 9)),
            lambda: parts.StepCounting(self.n(1, 9)),
            lambda: parts.Metropolis(self.cooling()),
            lambda: parts.Threshold(self.cooling()),
            lambda: parts.RecordToRecord(self.cooling()),
            lambda: parts.ByLevel(parts.Metropolis(self.cooling()), parts.BetterOrEqual(), 101),
            lambda: parts.AdaptedWeights(parts.Threshold(self.cooling()), self.n(1, 9), weight=101),
        )

    # ---- memories ----

    def tenure(self) -> Any:
        return self.one(lambda: parts.Tenure(self.n(0, 3), self.n(3, 6)), parts.ReactiveTenure)

    def memory(self) -> Any:
        return self.one(
            parts.NoMemory,
            lambda: parts.MoveMemory(self.tenure()),
            lambda: parts.PlacementMemory(self.tenure()),
            lambda: parts.EdgeMemory(self.tenure()),
            lambda: parts.ArcMemory(self.tenure()),
            lambda: parts.SolutionMemory(self.tenure()),
            lambda: parts.FrequencyMemory(parts.PlacementMemory(self.tenure()), self.n(1, 3)),
            *([self._kind_memory] * isinstance(self.problem, QAP)),
        )

    def _kind_memory(self) -> Any:
        assert isinstance(self.problem, QAP)
        return parts.KindMemory(self.problem.kinds, self.tenure())

    def aspiration(self) -> Any:
        return self.one(parts.BestSoFar, parts.NoAspiration, parts.NewBest, partial(parts.LongTerm, 20))

    # ---- populations ----

    def crossover(self) -> Any:
        found = self.one(
            *{
                "bits": (parts.NPoints, parts.OnePoint, parts.TwoPoints, parts.Uniform),
                "digits": (parts.GreedyPartition, parts.TwoPoints, parts.Uniform),
                "places": (
                    parts.CycleCrossover,
                    parts.EdgeRecombination,
                    parts.OrderCrossover,
                    parts.PartiallyMapped,
                    parts.PositionBased,
                    parts.UniformLike,
                    *([self._aligned] * isinstance(self.problem, QAP)),
                ),
            }[self.kind]
        )
        return self.one(lambda: found, lambda: found, lambda: parts.OccasionalCrossover(found, 0.7), parts.NoCrossover)

    def _aligned(self) -> Any:
        assert isinstance(self.problem, QAP)
        return parts.AlignedCrossover(parts.UniformLike(), self.problem.kinds)

    def population(self) -> dict[str, Any]:
        """How many members there are, and which are parents and give way."""
        selection = self.one(
            parts.RandomParents,
            parts.RankRoulette,
            partial(parts.BestParents, 2),
            lambda: parts.Tournament(self.n(1, 3)),
            partial(parts.StochasticTournament, 0.7),
            parts.UniversalSampling,
            parts.BestAndRandom,
        )
        replacement = self.one(
            parts.OldestMember,
            parts.QualityAndDistance,
            parts.WorseParent,
            partial(parts.BestChildren, 9),
            lambda: parts.Generational(self.n(0, 2)),
            lambda: parts.SteadyState(duplicates=self.flag()),
            lambda: parts.GenerationGap(self.n(1, 5), model=self.one(lambda: "minimal", lambda: "generalized")),
            lambda: parts.FitnessSharing(self.n(1, 9)),
        )
        return {"size": self.n(3, 8), "selection": selection, "replacement": replacement}

    def breeding(self) -> parts.Breeding:
        return parts.Breeding(self.crossover(), **self.population())

    # ---- perturbations ----

    def perturbation(self) -> Any:
        moves = self.neighborhood()
        own: tuple[Makes, ...] = ()
        if self.kind == "places":
            own = (
                parts.DoubleBridge,
                partial(parts.DoubleBridge, 4),
                partial(parts.SegmentReversal, 3),
                partial(parts.SegmentShuffle, 4),
                partial(parts.Rebuild, 3),
                partial(parts.Reinsertion, Insertion(), 2),
                *([self._strings] * isinstance(self.problem, CVRP)),
            )
        if self.kind == "bits":
            own = (parts.BitFlips, partial(parts.BitFlips, 0.2), parts.UnivariateModel)
        return self.one(
            parts.NoPerturbation,
            parts.RandomSolution,
            lambda: parts.RandomMoves(moves, self.n(1, 4)),
            partial(parts.HeavyTailedMoves, moves),
            partial(parts.AdaptiveMoves, moves, 1, 4),
            partial(parts.PathRelinking, moves),
            partial(parts.SemiGreedy, moves),
            lambda: parts.Shaking((moves, self.neighborhood()), self.n(1, 3)),
            self.breeding,
            *own,
        )

    def _strings(self) -> Any:
        assert isinstance(self.problem, CVRP)
        return parts.StringRemoval(self.problem.nearest(4), self.problem.orders, average=2, longest=3, blinks=0.125)

    # ---- searches ----

    def limit(self) -> Any:
        return self.one(lambda: parts.Limit(self.n(3, 20)), lambda: parts.Limit(stagnation=self.n(2, 9)), parts.Limit)

    def search(self, depth: int = 0) -> Any:
        """A search; from the second depth on, one that is around no other."""
        inner = partial(self.search, depth + 1)
        return self.one(self._simple, *(depth < 2) * [lambda: self._composed(inner)] * 2)

    def _simple(self) -> Any:
        moves, second = self.neighborhood(), self.neighborhood()
        pivoting = self.one(
            searches.BestImprovement,
            searches.LeastImprovement,
            searches.RandomImprovement,
            partial(searches.BestOfSample, 3),
            lambda: searches.FirstImprovement(self.n(1, 3)),
        )
        choice = self.one(parts.ProbabilityMatching, parts.RandomChoice, parts.UpperConfidenceBound)
        order = self.one(parts.AtRandom, parts.InStrides, parts.InSweeps)
        return self.one(
            partial(searches.HillClimbing, moves, pivoting),
            partial(searches.TabuSearch, moves),
            lambda: searches.TabuSearch(moves, examine=parts.AspirationPlus(plus=self.n(1, 9), most=self.n(10, 20))),
            lambda: searches.BreakoutLocalSearch(
                moves, rules=parts.BreakoutRules(patience=self.n(1, 9), jump=parts.Tenure(1, 3))
            ),
            partial(searches.RandomWalk, moves),
            partial(searches.VariableNeighborhoodDescent, (moves, second)),
            partial(searches.PBIL, self.n(3, 9)),
            partial(searches.UMDA, self.n(3, 9)),
            lambda: searches.OnePlusLambda(self.perturbation(), self.n(1, 4)),
            lambda: searches.SimulatedAnnealing(moves, self.n(5, 50), self.schedule()),
            lambda: searches.GeneticAlgorithm(self.crossover(), self.perturbation(), **self.population()),
            lambda: Trial(moves, self.acceptance(), order=order),
            lambda: AdaptiveTrial((moves, second), choice, self.acceptance(), self.n(1, 3)),
            lambda: First(moves, self.acceptance(), self.random.choice(["cyclic", "random"]), self.n(1, 3)),
            lambda: GroupScan(moves, self.acceptance()),
            lambda: Probe(moves, self.memory(), self.aspiration()),
            lambda: Scan(
                moves,
                self.memory(),
                self.aspiration(),
                self.one(parts.Lowest, parts.LeastImproving),
                self.acceptance(),
                ends_where_refused=self.flag(),
                least_tabu=self.flag(),
                random_ties=self.flag(),
            ),
            *3 * self._special(),
        )

    def _special(self) -> list[Makes]:
        """Searches for one kind of problem."""
        if isinstance(self.problem, QUBO):
            return [
                lambda: searches.DiversificationDrivenTabuSearch(parts.Tenure(1, 3), stagnation=self.n(1, 3)),
                lambda: searches.MultistartTabuSearch(parts.Tenure(1, 3)),
            ]
        if isinstance(self.problem, GraphColoring):
            return [
                lambda: searches.HybridEvolutionaryAlgorithm(self.n(3, 9), size=3, tenure=parts.Tenure(1, 4)),
                lambda: ConflictScan(Substitution(), self.memory(), self.aspiration(), random_ties=self.flag()),
            ]
        if not isinstance(self.problem, TSP):
            return []
        moves = self.one(TwoOpt, OrOpt, ThreeOpt, lambda: Union(TwoOpt(), OrOpt()))
        near = self.problem.nearest(self.n(3, 6))
        descent = self.one(partial(CandidateDescent, moves, near), partial(LinKernighan, near, (4, self.n(1, 3), 2)))
        kick = self.one(partial(parts.DoubleBridge, 3), parts.DoubleBridge, partial(parts.SegmentReversal, 4))
        return [
            lambda: descent,
            lambda: Kicks(descent, kick, self.acceptance()),
            lambda: GuidedLocalSearch(descent, self.random.choice([0.1, 0.5])),
        ]

    def _composed(self, inner: Makes) -> Any:
        moves, limit = self.neighborhood(), self.limit()
        order = self.one(parts.BackToFirst, parts.Cyclic, parts.InOrder, parts.Pipe, partial(parts.Shuffled, 2))
        shakes = (moves, self.neighborhood())
        return self.one(
            lambda: searches.IteratedLocalSearch(inner(), self.perturbation(), self.acceptance(), limit=limit),
            lambda: searches.MemeticAlgorithm(inner(), self.breeding(), limit=limit),
            lambda: searches.VariableNeighborhoodSearch(
                self.one(inner, lambda: None), shakes, self.acceptance(), limit=limit
            ),
            lambda: searches.RandomRestart(inner(), limit),
            lambda: searches.ReturnToBest(inner(), limit),
            lambda: searches.GRASP(inner(), moves, limit=limit),
            lambda: searches.Sequence([inner(), inner()], limit, cycles=self.flag(), hands_over_best=self.flag()),
            lambda: Phases((inner(), inner()), (limit, self.limit()), order, hands_over_best=self.flag()),
        )


class _FrontDraw(_Draw):
    """The same for a problem of several objectives."""

    def _problem(self) -> Any:
        times, n = self._matrix(1, 30)[:, :3], self.n()
        objectives = self.random.sample(["makespan", "total flow time", "total tardiness", "tardy jobs"], self.n(2, 4))
        return self.one(
            lambda: FlowShop(times, due_dates=times.sum(axis=1) * 3, objectives=tuple(objectives)),
            lambda: MultiObjective((self._qubo(), self._qubo())),
            lambda: MultiObjective((QAP.random(n, 1), QAP.random(n, 2), QAP.random(n, 3))),
        )

    def search(self, depth: int = 0) -> Any:
        moves, several = self.neighborhood(), len(self.problem.objectives)

        def breeding() -> tuple[Any, Any]:
            return self.crossover(), self._mutation()

        sizes: dict[str, Any] = {"size": self.n(3, 8), "children": self.n(1, 9)}
        return self.one(
            lambda: searches.NSGA2(*breeding(), **sizes, duplicates=self.flag(), by_dominance=self.flag()),
            lambda: searches.SPEA2(*breeding(), **sizes),
            lambda: searches.IBEA(*breeding(), **sizes, scaling=self.random.choice([0.05, 1.0])),
            lambda: searches.NSGA3(*breeding(), objectives=several, divisions=self.n(1, 3), children=self.n(1, 9)),
            lambda: searches.MOEAD(*breeding(), objectives=several, divisions=self.n(2, 3), neighbors=2),
            lambda: searches.AMOSA(moves, self.n(1, 9), self.schedule(), archive=self._archive(bounded=True)),
            *2 * [self._local_search],
        )

    def _mutation(self) -> Any:
        moves = self.neighborhood()
        return self.one(
            parts.NoPerturbation,
            parts.RandomSolution,
            lambda: parts.RandomMoves(moves, self.n(1, 3)),
            partial(parts.HeavyTailedMoves, moves),
        )

    def _archive(self, *, bounded: bool = False) -> Any:
        size = self.n(2, 9)
        kinds = (archives.Crowding, archives.DistanceTruncation, archives.HypervolumeContribution)
        grid = partial(archives.Grid, size + 7)
        return self.one(*(partial(each, size) for each in kinds), grid, *[archives.Unbounded] * (not bounded))

    def _local_search(self) -> Any:
        selections = (
            archives.LeastCrowded,
            archives.OldestMembers,
            archives.OptimisticHypervolume,
            archives.RandomMembers,
        )
        accepts = ("dominating", "non-dominated")
        return searches.ParetoLocalSearch(
            self.neighborhood(),
            self.one(archives.AllMembers, *(partial(each, self.n(1, 3)) for each in selections)),
            self.one(
                *(partial(archives.Exhaustive, each) for each in accepts),
                *(partial(archives.FirstFound, each) for each in accepts),
                partial(archives.RandomNeighbors, self.n(1, 9)),
            ),
            self._archive(),
            self.one(archives.NoRestart, archives.FromRandom, lambda: archives.FromMember(self._mutation())),
        )
