"""The start temperature of annealing: the share of deteriorations that it accepts."""

from typing import Any

import numpy as np
import pytest

from metaheur import (
    CandidateDescent,
    GeneticAlgorithm,
    HillClimbing,
    IteratedLocalSearch,
    Portfolio,
    SimulatedAnnealing,
    TabuSearch,
    run,
    start_temperature,
    stop,
)
from metaheur.door.states import initial_states
from metaheur.errors import InputError
from metaheur.neighborhoods import Hamming, Insertion, Swap, TwoOpt
from metaheur.parts import DoubleBridge, Geometric, Perturbation, RandomMoves, Uniform
from metaheur.problems import QAP, OneMax
from metaheur.random import Key, Random, Stream
from metaheur.search import fitted


@pytest.mark.parametrize("acceptance", [0.001, 0.2, 0.5, 0.99])
def test_it_accepts_the_wanted_share_of_the_sampled_deteriorations(acceptance: float) -> None:
    qap, swap = QAP.random(9, 1), Swap()
    temperature = start_temperature(qap, swap, acceptance, samples=400, seed=5)
    worse = []
    for walk in range(10):
        x = qap.representation.random(Random(Key(5, walk), Stream.START, 0))
        random = Random(Key(5, walk), Stream.TRIAL, 0)
        for draw in range(40):
            y = x.copy()
            move = swap.move(qap.representation, random.index(draw, 36))
            y[[move.i, move.j]] = y[[move.j, move.i]]
            worse.append(qap.cost(y) - qap.cost(x))
    shares = np.exp(-np.array([delta for delta in worse if delta > 0]) / temperature)
    assert shares.mean() == pytest.approx(acceptance, abs=1e-6)


def test_moves_that_never_raise_the_cost_have_none() -> None:
    flat = QAP(np.zeros((4, 4), int), np.zeros((4, 4), int))
    with pytest.raises(InputError, match=r"None of 1000 random moves of Swap.* raises the cost"):
        start_temperature(flat, Swap())


@pytest.mark.parametrize("acceptance", [0, 1, -1, "half", None])
def test_a_share_is_between_0_and_1(acceptance: float) -> None:
    with pytest.raises(InputError, match="`acceptance` must be a finite number above 0 and below 1"):
        start_temperature(OneMax(9), Hamming(), acceptance)


def test_annealing_without_a_temperature_measures_it() -> None:
    problem, search = QAP.random(9, seed=5), SimulatedAnnealing(Swap())
    found = fitted(search, problem)
    assert found.temperature == pytest.approx(start_temperature(problem, Swap()), rel=0.01)
    expected = run(found, problem, stop=stop.iterations(3_000), seed=1, parallel="numpy")
    result = run(search, problem, stop=stop.iterations(3_000), seed=1, parallel="host")
    assert (result.cost, result.search) == (expected.cost, repr(found))


def test_a_temperature_is_measured_for_searches_inside_others_and_what_is_given_stays() -> None:
    problem, given = QAP.random(9, seed=5), SimulatedAnnealing(Swap(), 7.0)
    inside = fitted(Portfolio([TabuSearch(Swap()), SimulatedAnnealing(Swap(), schedule=Geometric(0.9))]), problem)
    assert inside.members[1].temperature > 0
    assert inside.members[1].schedule == Geometric(0.9)
    assert fitted(given, problem) is given
    assert given.schedule == Geometric()


def test_no_walk_begins_without_a_temperature() -> None:
    problem = QAP.random(9, seed=5)
    with pytest.raises(InputError, match="no first temperature"):
        initial_states(SimulatedAnnealing(Swap()), problem, [Key(1)])


@pytest.mark.parametrize(
    ("search", "perturbation"),
    [
        (HillClimbing(Insertion()), RandomMoves(Insertion(), 3)),
        (CandidateDescent(TwoOpt(), np.array([[1], [2], [0]])), DoubleBridge(50)),
    ],
)
def test_iterated_local_search_has_a_usual_perturbation(search: Any, perturbation: Perturbation) -> None:
    assert IteratedLocalSearch(search).perturbation == perturbation


def test_a_genetic_algorithm_has_a_usual_mutation() -> None:
    problem, search = OneMax(12), GeneticAlgorithm(Uniform(), size=6)
    assert fitted(search, problem).mutation == RandomMoves(Hamming(1), 1)
    assert run(search, problem, stop=stop.iterations(200), parallel="numpy").cost > 6
    with pytest.raises(InputError, match="no mutation"):
        initial_states(search, problem, [Key(1)])
