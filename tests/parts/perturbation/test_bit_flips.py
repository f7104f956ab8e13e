"""Bit flips: each bit flips with its probability, whatever the others do, and the same ones on every device."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from metaheur import Key, Random, run, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.evaluators import NumpyEvaluator
from metaheur.loops import Evolution, NoSearch
from metaheur.neighborhoods import Hamming
from metaheur.parts import BitFlips, Breeding, Limit, NoCrossover, SteadyState
from metaheur.problems import QAP, QUBO, OneMax
from metaheur.searches import IteratedLocalSearch, OnePlusLambda
from metaheur.testing import check_search
from tests.helpers import started

PROBLEM = OneMax(40)
STEPS = 2_000


def flips(rate: float | None) -> np.ndarray:
    """Which bits flip in each of many steps, shape (STEPS, 40); each step begins with the step before."""
    search: Any = Evolution(Breeding(NoCrossover(), BitFlips(rate), size=1, replacement=SteadyState(duplicates=True)))
    state, evaluate = started(search, PROBLEM), NumpyEvaluator(PROBLEM, Hamming())
    found = []
    for _ in range(STEPS):
        state = search.step(state, evaluate)
        found.append(state.walk.current.solution != state.kept["breeding"]["solutions"][0])
    return np.array(found)


@pytest.mark.parametrize(("rate", "expected"), [(None, 1 / 40), (0.25, 0.25), (0.5, 0.5), (0, 0.0), (1, 1.0)])
def test_each_bit_flips_with_the_same_probability(rate: float | None, expected: float) -> None:
    deviation = np.sqrt(expected * (1 - expected) / STEPS)
    assert (np.abs(flips(rate).mean(axis=0) - expected) <= 4 * deviation).all()


def test_the_number_of_flips_has_a_binomial_distribution() -> None:
    counts, n = flips(0.1).sum(axis=1), 40
    assert abs(counts.mean() - 0.1 * n) < 4 * np.sqrt(0.09 * n / STEPS)
    assert abs(counts.var() / (0.09 * n) - 1) < 4 * np.sqrt(2 / STEPS)


@pytest.mark.parametrize("rate", [0.3, 0.01])
def test_gaps_between_flips_are_those_of_a_geometric_distribution(rate: float) -> None:
    """A gap is the number of powers of 1 - p that are above a random number."""
    start: Any = started(IteratedLocalSearch(NoSearch(), BitFlips(rate)), PROBLEM).walk
    flipped = 0
    for iteration in range(60):
        walk = type(start)(Key(5, 3), start.current, start.best, iteration=iteration)
        found, evaluated = BitFlips(rate).perturb({}, walk, walk.current, NumpyEvaluator(PROBLEM, Hamming()))
        random, k = Random(Key(5, 3), 5, iteration + 1), -1
        expected: list[int] = []
        while True:
            at = Fraction(random.index(len(expected), 2**62), 2**62)
            k += 1 + sum((1 - Fraction(round(rate * 2**32), 2**32)) ** g > at for g in range(1, 41))
            if k >= 40:
                break
            expected.append(k)
        assert np.flatnonzero(found.solution != start.current.solution).tolist() == expected
        assert found.cost == PROBLEM.cost(found.solution)
        assert evaluated == len(expected)
        flipped += evaluated
    assert flipped > 5


@pytest.mark.parametrize("n", [5, 12, 130])
def test_it_makes_the_same_steps_everywhere(n: int, compiling: Device) -> None:
    matrix = np.random.default_rng(1).integers(-9, 10, (n, n))
    for search in (OnePlusLambda(BitFlips(), 3), OnePlusLambda(BitFlips(0.4))):
        check_search(search, QUBO(matrix), iterations=40, devices=[compiling.name])


def test_it_leads_away_from_local_optima(compiling: Device) -> None:
    matrix = np.random.default_rng(1).integers(-9, 10, (12, 12))
    search: Any = IteratedLocalSearch(OnePlusLambda(BitFlips(0.2)), BitFlips(), limit=Limit(5))
    check_search(search, QUBO(matrix), iterations=40, devices=[compiling.name])


def test_the_one_plus_one_evolutionary_algorithm_solves_onemax() -> None:
    search = OnePlusLambda(BitFlips())
    assert run(search, PROBLEM, stop=stop.target(40) | stop.iterations(5_000), seed=1, parallel="numpy").cost == 40


def test_other_solutions_and_wrong_rates_are_refused() -> None:
    with pytest.raises(InputError, match="Hamming"):
        run(OnePlusLambda(BitFlips()), QAP.random(6, 1), stop=stop.iterations(1), parallel="numpy")
    with pytest.raises(InputError, match=r"BitFlips\.rate.*1\.5"):
        BitFlips(1.5)
