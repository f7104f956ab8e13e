"""Mixtures of operators: what they choose and learn, by hand, and where they cannot be."""

from typing import Any

import numpy as np
import pytest
from attrs import frozen

from metaheur import HillClimbing, IteratedLocalSearch, run, stop
from metaheur.errors import InputError
from metaheur.evaluators import NumpyEvaluator
from metaheur.loops import Evolution
from metaheur.neighborhoods import Hamming
from metaheur.parallel import Islands, Multistart
from metaheur.part import Kept
from metaheur.parts import (
    BitFlips,
    Breeding,
    Choice,
    Crossover,
    Limit,
    MixedCrossover,
    MixedPerturbation,
    NoCrossover,
    OccasionalCrossover,
    OnePoint,
    RandomMoves,
    RandomSolution,
    Uniform,
)
from metaheur.problems import OneMax
from metaheur.searches import NSGA2, MemeticAlgorithm
from tests.helpers import started
from tests.open.costs import SlowPair

FLIP = RandomMoves(Hamming(1), 1)


@frozen
class InTurn(Choice):
    """Chooses by the iteration's random word, and notes each result."""

    noted: list[tuple[int, int]]

    def choose(self, kept: Kept, count: int, words: tuple[int, int, int, int]) -> int:
        return words[0] % count

    def record(self, kept: Kept, chosen: int, count: int, result: int) -> None:
        self.noted.append((chosen, int(result)))


def test_a_child_is_rated_beside_its_parents_and_all_members() -> None:
    by_crossover, by_mutation = InTurn([]), InTurn([])
    crossover = MixedCrossover([OnePoint(), Uniform(), NoCrossover()], by_crossover)
    mutation = MixedPerturbation([FLIP, BitFlips(0.2)], by_mutation)
    problem, search = OneMax(20), Evolution(Breeding(crossover, mutation, size=5))
    state, evaluate, expected = started(search, problem), NumpyEvaluator(problem), []
    for _ in range(200):
        kept = state.kept["breeding"]
        if kept["filled"] == 5:
            costs, cost = kept["costs"].tolist(), state.walk.current.cost
            first, second = (costs[s] for s in kept["parents"])
            best, better = cost < min(costs), cost < min(first, second)
            result = 3 if best else 2 if better else 1 if cost <= max(first, second) else 0
            chosen = int(kept["crossover"]["chosen"]), int(kept["mutation"]["chosen"])
            expected.append((*chosen, result))
        state = search.step(state, evaluate)
    expected = expected[1:] if len(expected) > len(by_crossover.noted) else expected
    assert [(chosen, result) for chosen, _, result in expected] == by_crossover.noted
    assert [(chosen, result) for _, chosen, result in expected] == by_mutation.noted
    assert {chosen for chosen, _ in by_crossover.noted} == {0, 1, 2}
    assert {result for _, result in by_crossover.noted} == {0, 1, 2, 3}


def test_an_operator_that_succeeds_gets_a_larger_share() -> None:
    mixture = MixedPerturbation([BitFlips(0.5), FLIP])
    problem, search = OneMax(60), Evolution(Breeding(Uniform(), mixture, size=20))
    state, evaluate, chosen = started(search, problem), NumpyEvaluator(problem), []
    for _ in range(400):
        state = search.step(state, evaluate)
        chosen.append(int(state.kept["breeding"]["mutation"]["chosen"]))
    assert np.mean(chosen[100:]) > 0.7  # the flip of one bit
    quality = state.kept["breeding"]["mutation"]["choice"]["quality"]
    assert quality[1] > quality[0]


def test_kicks_are_rated_by_the_phases_that_follow() -> None:
    noted = InTurn([])
    search = IteratedLocalSearch(HillClimbing(Hamming(1)), MixedPerturbation([FLIP, BitFlips(0.3)], noted))
    run(search, OneMax(12), stop=stop.iterations(60), seed=1, parallel="numpy")
    assert {chosen for chosen, _ in noted.noted} == {0, 1}
    assert {result for _, result in noted.noted} <= {0, 1, 2}


def test_a_memetic_algorithm_rates_each_improved_child_once() -> None:
    noted = InTurn([])
    breeding = Breeding(Uniform(), MixedPerturbation([FLIP, BitFlips(0.3)], noted), size=3)
    search = MemeticAlgorithm(HillClimbing(Hamming(1)), breeding, Limit(2))
    result = run(search, OneMax(30), stop=stop.iterations(90), seed=1, parallel="numpy")
    assert 10 < len(noted.noted) < result.iterations / 2


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: MixedCrossover([]), r"crossovers` must be a list of 1 \.\.\. 64 of the type Crossover"),
        (lambda: MixedCrossover(Uniform()), "must be a list"),
        (lambda: MixedCrossover([FLIP]), "must hold parts of the type Crossover, but holds RandomMoves"),
        (lambda: MixedPerturbation([RandomSolution()]), "RandomSolution.* replaces the solution"),
        (
            lambda: MixedCrossover([MixedCrossover([Uniform()])]),
            r"MixedCrossover cannot hold the mixture .*\n*Maybe make the mixture the crossover",
        ),
        (
            lambda: Breeding(OccasionalCrossover(MixedCrossover([Uniform()]))),
            "OccasionalCrossover cannot hold the mixture MixedCrossover",
        ),
    ],
)
def test_what_cannot_be_mixed_is_refused(make: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        make()


def test_several_objectives_and_islands_are_refused() -> None:
    mixture: Crossover = MixedCrossover([Uniform(), OnePoint()])
    for crossover, mutation in ((mixture, FLIP), (Uniform(), MixedPerturbation([FLIP]))):
        with pytest.raises(InputError, match="learns from one objective, but this SlowPair has one, other"):
            run(NSGA2(crossover, mutation, size=4), SlowPair(), stop=stop.iterations(5))
    islands = Islands(Multistart(2, device="numpy"), 5, recombination=mixture)
    with pytest.raises(InputError, match="Islands cannot recombine by MixedCrossover"):
        run(HillClimbing(Hamming(1)), OneMax(9), stop=stop.iterations(20), parallel=islands)
