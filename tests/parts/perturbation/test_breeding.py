"""Breeding: a child is evaluated once where its mutation does not look at costs, and is the same child as otherwise."""

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
import pytest
from attrs import frozen

from metaheur import Evaluator, Neighborhood, Problem, run, stop
from metaheur.device.device import Device
from metaheur.evaluators import NumpyEvaluator
from metaheur.loops import Evolution
from metaheur.neighborhoods import Hamming, Insertion, Restricted, Substitution, Swap, TwoOpt, Union
from metaheur.part import Kept
from metaheur.parts import (
    BitFlips,
    Breeding,
    Crossover,
    DoubleBridge,
    HeavyTailedMoves,
    Limit,
    NoCrossover,
    NoPerturbation,
    OrderCrossover,
    Perturbation,
    RandomMoves,
    RankAndCrowding,
    Reinsertion,
    SegmentReversal,
    SegmentShuffle,
    Uniform,
    UniformLike,
)
from metaheur.problems import QAP, QUBO, TSP, FlowShop, GraphColoring
from metaheur.searches import MemeticAlgorithm, TabuSearch
from metaheur.source import Source
from metaheur.testing import check_search
from metaheur.walk import EvaluatedSolution, Walk
from tests.helpers import started

GENERATOR = np.random.default_rng(3)
BITS = QUBO(GENERATOR.integers(-9, 10, (12, 12)))
COLORS = GraphColoring.random(10, 3, seed=1)
ASSIGNMENT = QAP.random(9, 1)
TOUR = TSP.random(11, 1)
SHOP = FlowShop(
    GENERATOR.integers(1, 99, (9, 3)),
    due_dates=GENERATOR.integers(60, 540, 9),
    objectives=("makespan", "total tardiness"),
)
NEAR = Restricted(TwoOpt(), TOUR.nearest(2))
SIZE = 4

BLIND: dict[str, tuple[Problem, Crossover, Perturbation]] = {
    "bits": (BITS, Uniform(), RandomMoves(Hamming(), 2)),
    "pairs of bits": (BITS, Uniform(), RandomMoves(Hamming(2), 2)),
    "bit flips": (BITS, Uniform(), BitFlips(0.3)),
    "heavy-tailed": (BITS, Uniform(), HeavyTailedMoves(Hamming())),
    "nothing": (BITS, Uniform(), NoPerturbation()),
    "digits": (COLORS, Uniform(), RandomMoves(Substitution(), 2)),
    "swaps": (ASSIGNMENT, UniformLike(), RandomMoves(Swap(), 2)),
    "a union": (ASSIGNMENT, UniformLike(), RandomMoves(Union(Swap(), Insertion()), 3)),
    "candidates": (TOUR, OrderCrossover(), RandomMoves(NEAR, 4)),
    "candidates in a union": (TOUR, OrderCrossover(), HeavyTailedMoves(Union(NEAR, Swap()))),
    "double bridges": (TOUR, OrderCrossover(), DoubleBridge()),
    "reversals": (TOUR, OrderCrossover(), SegmentReversal(5)),
    "shuffles": (TOUR, OrderCrossover(), SegmentShuffle(4)),
    "several objectives": (SHOP, OrderCrossover(), RandomMoves(Insertion(), 2)),
}
every = pytest.mark.parametrize("name", BLIND)


@frozen
class Looking(Perturbation):
    """Another perturbation, without its promise to be blind."""

    other: Perturbation

    source: ClassVar[Source] = Source(
        """struct Looking : LookingData {
            template <class Make> MH_FN i64 perturb(Walk& walk, Make make) { return other.perturb(walk, make); }
        };"""
    )

    @property
    def neighborhoods(self) -> tuple[Neighborhood, ...]:
        return self.other.neighborhoods

    def perturb(
        self, kept: Kept, walk: Walk, solution: EvaluatedSolution, evaluate: Evaluator
    ) -> tuple[EvaluatedSolution, int]:
        return self.other.perturb(kept["other"], walk, solution, evaluate)


def breeding(problem: Problem, crossover: Crossover, mutation: Perturbation) -> Evolution:
    """A small population."""
    kinds: Any = {"replacement": RankAndCrowding()} if problem.objectives else {}
    return Evolution(Breeding(crossover, mutation, size=SIZE, **kinds))


def children(search: Evolution, problem: Problem) -> Iterator[tuple[EvaluatedSolution, int]]:
    """The children of members, each with the number of evaluated moves that it took."""
    state, evaluate = started(search, problem), NumpyEvaluator(problem)
    for iteration in range(60):
        after = search.step(state, evaluate)
        if iteration >= SIZE:
            yield after.walk.current, after.walk.evaluated - state.walk.evaluated
        state = after


@every
def test_a_child_of_a_crossover_is_evaluated_once(name: str) -> None:
    problem, crossover, mutation = BLIND[name]
    for child, evaluated in children(breeding(problem, crossover, mutation), problem):
        assert evaluated == 1
        assert np.array_equal(child.cost, problem.cost(child.solution))


@every
def test_it_is_the_child_of_a_mutation_that_looks_at_costs(name: str) -> None:
    problem, crossover, mutation = BLIND[name]
    blind = children(breeding(problem, crossover, mutation), problem)
    looking = children(breeding(problem, crossover, Looking(mutation)), problem)
    evaluated = 0
    for (child, _), (expected, moves) in zip(blind, looking, strict=True):
        assert child.solution.tolist() == expected.solution.tolist()
        assert child.cost == expected.cost
        evaluated += moves
    assert evaluated > 56 or name == "nothing"


@every
def test_children_are_the_same_everywhere(name: str, compiling: Device) -> None:
    problem, crossover, mutation = BLIND[name]
    check_search(breeding(problem, crossover, mutation), problem, iterations=40, devices=[compiling.name])


@pytest.mark.parametrize("mutation", [Looking(RandomMoves(Swap(), 3)), Reinsertion(Swap(), 2)], ids=["own", "greedy"])
def test_a_mutation_that_is_not_blind_evaluates_its_moves(mutation: Perturbation, compiling: Device) -> None:
    search = breeding(ASSIGNMENT, UniformLike(), mutation)
    assert all(evaluated > 3 for _, evaluated in children(search, ASSIGNMENT))
    check_search(search, ASSIGNMENT, iterations=40, devices=[compiling.name])


@pytest.mark.parametrize("mutation", [RandomMoves(Swap(), 3), Looking(RandomMoves(Swap(), 3))], ids=["blind", "own"])
def test_a_copy_of_a_member_has_its_cost(mutation: Perturbation, compiling: Device) -> None:
    search = breeding(ASSIGNMENT, NoCrossover(), mutation)
    assert {evaluated for _, evaluated in children(search, ASSIGNMENT)} == {3}
    check_search(search, ASSIGNMENT, iterations=40, devices=[compiling.name])


def test_a_search_improves_the_child_of_a_blind_mutation(compiling: Device) -> None:
    pool = Breeding(OrderCrossover(), RandomMoves(NEAR, 3), size=SIZE)
    search = MemeticAlgorithm(TabuSearch(TwoOpt()), pool, Limit(5))
    check_search(search, TOUR, iterations=60, devices=[compiling.name])
    found = run(search, TOUR, stop=stop.iterations(60), seed=1, parallel=compiling.name)
    assert found.cost == TOUR.cost(found.solution)
