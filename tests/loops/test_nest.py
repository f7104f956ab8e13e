"""A nest runs phase after phase, as a slow iterated local search does it."""

from typing import Any

import numpy as np
import pytest

from metaheur import HillClimbing, IteratedLocalSearch, Search, TabuSearch
from metaheur.errors import InputError
from metaheur.evaluators import NumpyEvaluator
from metaheur.loops import AdaptiveTrial, CandidateDescent, Kicks, Nest, Trial
from metaheur.neighborhoods import Insertion, Sampled, Swap, TwoOpt
from metaheur.parts import (
    Acceptance,
    Always,
    Better,
    BetterOrEqual,
    Breeding,
    DoubleBridge,
    DynamicSpan,
    Geometric,
    LateAcceptance,
    Limit,
    Linear,
    LundyMees,
    RandomMoves,
    Schedule,
    Threshold,
    UniformLike,
)
from metaheur.problems import QAP
from metaheur.random import Key, philox4x32
from metaheur.searches import BreakoutLocalSearch, GeneticAlgorithm, MemeticAlgorithm, SimulatedAnnealing
from tests.helpers import started, stepped
from tests.toys import SecondBest

KEY = Key(7, 3)
PERTURBATION = 5
QAP_8 = QAP.random(8, 5)


def descent(x: np.ndarray) -> tuple[np.ndarray, int]:
    """The end of the steepest descent by swaps, and how many steps it takes to see that it is one."""
    space, steps = QAP_8.representation, 0
    while True:
        steps += 1
        neighbors = [move.apply(x) for move in Swap().moves(space)]
        costs = [QAP_8.cost(each) for each in neighbors]
        if min(costs) >= QAP_8.cost(x):
            return x, steps
        x = neighbors[costs.index(min(costs))]


def kicked(x: np.ndarray, count: int, iteration: int) -> np.ndarray:
    space = QAP_8.representation
    for draw in range(count):
        low, high, _, _ = philox4x32((draw, PERTURBATION, iteration, 0), (KEY.seed, KEY.walk))
        x = Insertion().move(space, ((high << 32) + low) * Insertion().size(space) // 2**64).apply(x)
    return x


RULES: list[tuple[Acceptance, Any]] = [
    (Always(), lambda new, old: True),
    (Better(), lambda new, old: new < old),
    (BetterOrEqual(), lambda new, old: new <= old),
]


@pytest.mark.parametrize(("acceptance", "accepts"), RULES, ids=lambda rule: type(rule).__name__)
def test_phases_are_those_of_a_slow_iterated_local_search(acceptance: Acceptance, accepts: Any) -> None:
    search = IteratedLocalSearch(HillClimbing(Swap()), RandomMoves(Insertion(), 2), acceptance)
    evaluate: Any = NumpyEvaluator(QAP_8)
    state = started(search, QAP_8, key=KEY)
    start, home, iteration, best = state.walk.current.solution, None, 0, QAP_8.cost(state.walk.current.solution)
    for _ in range(12):
        optimum, steps = descent(start)
        for _ in range(steps):
            state = search.step(state, evaluate)
        iteration += steps
        assert state.walk.current.solution.tolist() == optimum.tolist()
        if home is None or accepts(QAP_8.cost(optimum), QAP_8.cost(home)):
            home = optimum
        iteration += 1
        best = min(best, QAP_8.cost(optimum))
        start = kicked(home, 2, iteration)
        state = search.step(state, evaluate)
        assert state.walk.current.solution.tolist() == start.tolist()
        assert (state.walk.iteration, state.walk.began, state.walk.age) == (iteration, iteration, 0)
        best = min(best, QAP_8.cost(start))
        assert (state.walk.current.cost, state.walk.best.cost) == (QAP_8.cost(start), best)
        assert not search.done(state)


def phases(search: Search[Any], iterations: int) -> list[int]:
    """How many iterations the inner search made in each phase."""
    evaluate, state, lengths = NumpyEvaluator(QAP_8), started(search, QAP_8), [0]
    for _ in range(iterations):
        began = state.walk.began
        state = search.step(state, evaluate)
        if state.walk.began == began:
            lengths[-1] += 1
        else:
            lengths.append(0)
    return lengths[:-1]


def test_a_phase_lasts_as_long_as_its_limit() -> None:
    tabu = TabuSearch(Swap(), (0.2, 0.5))
    assert set(phases(IteratedLocalSearch(tabu, RandomMoves(Swap(), 3), limit=Limit(17)), 200)) == {17}


def test_a_phase_ends_when_it_stagnates() -> None:
    tabu = TabuSearch(Swap(), (0.2, 0.5))
    lengths = phases(IteratedLocalSearch(tabu, RandomMoves(Swap(), 3), limit=Limit(stagnation=5)), 300)
    assert min(lengths) >= 5
    assert len(set(lengths)) > 2


@pytest.mark.parametrize("remembers", [False, True])
def test_what_is_tabu_outlives_a_phase_if_it_is_remembered(remembers: bool) -> None:
    tabu = TabuSearch(Swap(), (0.2, 0.5))
    search = IteratedLocalSearch(tabu, RandomMoves(Swap(), 3), limit=Limit(17), remembers=remembers)
    state, _ = stepped(search, QAP_8, started(search, QAP_8), 18)
    assert state.walk.age == 0
    assert bool(state.kept["inner"].kept["memory"]["expiries"].any()) == remembers


def test_a_search_in_python_only_may_be_nested() -> None:
    search = IteratedLocalSearch(SecondBest(Swap()), RandomMoves(Swap(), 3), limit=Limit(6))
    assert set(phases(search, 60)) == {6}


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ((HillClimbing, RandomMoves(Swap(), 1)), "`search` must be a Search, but is <class"),
        ((HillClimbing(Swap()), Swap()), r"`perturbation` must be a Perturbation, but is Swap\(\)"),
    ],
)
def test_what_cannot_be_nested_is_named(arguments: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        IteratedLocalSearch(*arguments)


@pytest.mark.parametrize(
    "search",
    [
        TabuSearch(Swap()),
        IteratedLocalSearch(HillClimbing(Swap()), RandomMoves(Swap(), 3)),
        BreakoutLocalSearch(Swap()),
        GeneticAlgorithm(UniformLike(), RandomMoves(Swap(), 1)),
        SimulatedAnnealing(Swap(), 10.0, Geometric()),
        Trial(Swap(), Threshold(10.0)),
        Trial(Swap(), LateAcceptance(5)),
        AdaptiveTrial((Swap(), Insertion())),
        Kicks(CandidateDescent(TwoOpt(), np.array([[1], [0]])), DoubleBridge(2)),
    ],
    ids=lambda search: type(search).__name__,
)
def test_a_search_that_never_ends_needs_a_limit(search: Any) -> None:
    breeding = Breeding(UniformLike(), size=4)
    for inside in (MemeticAlgorithm, IteratedLocalSearch):
        with pytest.raises(
            InputError, match=rf"`search` must end.* {type(search).__name__} never ends.*\nMaybe give it a limit"
        ):
            inside(search, breeding)
        inside(search, breeding, limit=Limit(stagnation=9))
    with pytest.raises(InputError, match="`inner` must end"):
        Nest(search, breeding)


@pytest.mark.parametrize("schedule", [Geometric(last=0.1), LundyMees(0.01, 0.1), Linear(0.1), DynamicSpan()])
def test_a_schedule_that_ends_needs_no_limit(schedule: Schedule) -> None:
    search = IteratedLocalSearch(SimulatedAnnealing(Swap(), 10.0, schedule), RandomMoves(Swap(), 3))
    assert search.limit == Limit()


def test_a_perturbation_makes_the_same_moves_in_every_step() -> None:
    with pytest.raises(InputError, match="`neighborhood` must have the same moves in every step"):
        RandomMoves(Sampled(Swap(), 3), 2)
