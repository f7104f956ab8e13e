"""Restarts, returns and random walks; nests of nests."""

from typing import Any

import numpy as np
import pytest

from metaheur import HillClimbing, IteratedLocalSearch, Problem, TabuSearch, run, stop
from metaheur.errors import InputError
from metaheur.evaluators import NumpyEvaluator
from metaheur.neighborhoods import Hamming, Substitution, Swap
from metaheur.parallel import IterationLevel, Multistart
from metaheur.parts import Always, ConstructedSolution, Limit, NoPerturbation, RandomMoves
from metaheur.problems import PPP, QAP, QUBO, GraphColoring, MaxCut, OneMax
from metaheur.random import Random, Stream
from metaheur.searches import RandomRestart, RandomWalk, ReturnToBest
from tests.helpers import KEY, solution_of, started, stepped

QAP_8 = QAP.random(8, 5)
HC = HillClimbing(Swap())
TABU = TabuSearch(Swap(), (0.2, 0.5))
ILS = IteratedLocalSearch(HC, RandomMoves(Swap(), 2))
QUBO_12 = QUBO(np.random.default_rng(1).integers(-9, 10, (12, 12)))  # type: ignore[arg-type, unused-ignore]
COLORING = GraphColoring.random(12, 3, seed=1)


@pytest.mark.parametrize("problem", [QAP_8, QUBO_12, COLORING], ids=["permutation", "bits", "vector"])
def test_each_phase_begins_at_a_solution_that_the_representation_draws(problem: Problem) -> None:
    neighborhood = {8: Swap(), 12: Hamming()}[problem.representation.length] if problem is not COLORING else None
    search = RandomRestart(HillClimbing(neighborhood or Substitution()))
    evaluate, state, restarts = NumpyEvaluator(problem), started(search, problem), 0
    for _ in range(60):
        resting = bool(state.kept["resting"])
        state = search.step(state, evaluate)
        if resting:
            drawn = problem.representation.random(Random(KEY, Stream.RESTART, state.walk.iteration))
            assert state.walk.current.solution.tolist() == drawn.tolist()
            assert state.walk.current.cost == problem.cost(drawn)
            restarts += 1
    assert restarts > 3


def test_a_new_solution_is_evaluated_where_the_problem_can_do_it() -> None:
    problem, search = PPP.random(11, 13, seed=1), RandomRestart(TabuSearch(Hamming()), Limit(9))
    for model in (Multistart(3), IterationLevel()):
        found = run(search, problem, stop=stop.iterations(60), seed=7, parallel=model)
        assert found.cost >= 0
        assert not found.resident
    with pytest.raises(InputError, match=r"on host, but PPP\.cost has no C\+\+ half"):
        run(search, problem, stop=stop.iterations(9), parallel=Multistart(3, device="host"))


def test_a_restart_forgets_what_was_tabu() -> None:
    search = RandomRestart(TABU, Limit(9))
    state, _ = stepped(search, QAP_8, started(search, QAP_8), 9)
    assert state.kept["inner"].kept["memory"]["expiries"].any()
    state, _ = stepped(search, QAP_8, state, 10)
    assert state.walk.age == 0
    assert not state.kept["inner"].kept["memory"]["expiries"].any()


def test_constructions_are_python_s_so_that_the_walk_is_not_resident() -> None:
    search = RandomRestart(HC, start=ConstructedSolution())
    found, expected = (run(search, QAP_8, stop=stop.iterations(40), parallel=where) for where in ("host", "numpy"))
    assert not found.resident
    assert found.solution.tolist() == expected.solution.tolist()
    with pytest.raises(InputError, match=r"on a device, but ConstructedSolution has no C\+\+ half"):
        IterationLevel("host", resident=True).bind(search, QAP_8)


def test_a_restart_may_construct() -> None:
    problem = MaxCut.from_edges(9, [(i, j) for i in range(9) for j in range(i) if (i * j) % 3])
    search = RandomRestart(HillClimbing(Hamming()), start=ConstructedSolution())
    evaluate, state, starts = NumpyEvaluator(problem), started(search, problem), set()
    for _ in range(40):
        resting = bool(state.kept["resting"])
        state = search.step(state, evaluate)
        if resting:
            built = problem.construct(Random(KEY, Stream.RESTART, state.walk.iteration))
            assert state.walk.current.solution.tolist() == built.tolist()
            starts.add(tuple(built.tolist()))
    assert len(starts) > 1


def test_a_stagnating_search_returns_to_the_best_solution() -> None:
    search = ReturnToBest(IteratedLocalSearch(HC, RandomMoves(Swap(), 5), Always()), Limit(stagnation=15))
    evaluate, state, returns = NumpyEvaluator(QAP_8), started(search, QAP_8), 0
    for _ in range(300):
        resting = bool(state.kept["resting"])
        state = search.step(state, evaluate)
        if resting:
            assert state.walk.current.cost == state.walk.best.cost
            returns += 1
    assert returns > 3


def test_nothing_is_perturbed_without_a_perturbation() -> None:
    search = IteratedLocalSearch(HC, NoPerturbation())
    state, _ = stepped(search, QAP_8, started(search, QAP_8), 40)
    descent, _ = stepped(HC, QAP_8, started(HC, QAP_8), 40)
    assert state.walk.current.solution.tolist() == descent.walk.current.solution.tolist()


def test_a_neutral_walk_stays_on_its_plateau() -> None:
    problem, search = OneMax(9), RandomWalk(Hamming(2), neutral=True)
    evaluate, state, seen = NumpyEvaluator(problem), started(search, problem, x=[0, 0, 0, 0, 1, 1, 1, 1, 1]), set()
    for _ in range(100):
        state = search.step(state, evaluate)
        assert state.walk.current.cost == problem.cost(np.array([0] * 4 + [1] * 5))
        seen.add(tuple(state.walk.current.solution.tolist()))
    assert len(seen) > 10


def test_a_random_walk_makes_every_move() -> None:
    search = RandomWalk(Swap())
    evaluate, state = NumpyEvaluator(QAP_8), started(search, QAP_8)
    for _ in range(50):
        before = state.walk.current.solution
        state = search.step(state, evaluate)
        assert (state.walk.current.solution != before).sum() == 2


def test_a_nest_in_a_nest_runs_resident() -> None:
    search = RandomRestart(ReturnToBest(ILS, Limit(9)), Limit(40))
    assert run(search, QAP_8, stop=stop.iterations(9), parallel="host").resident


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: RandomRestart(Swap()), r"`search` must be a Search, but is Swap\(\)"),  # type: ignore[arg-type, unused-ignore]
        (lambda: RandomRestart(HC, start=HC), "`perturbation` must be a Perturbation, but is HillClimbing"),  # type: ignore[arg-type, unused-ignore]
        (lambda: ReturnToBest(None, Limit(3)), "`search` must be a Search, but is None"),  # type: ignore[arg-type, unused-ignore]
        (lambda: RandomWalk(Swap), "`neighborhood` must be a Neighborhood, but is <class"),  # type: ignore[arg-type, unused-ignore]
    ],
)
def test_what_does_not_fit_is_named(make: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        make()


def test_a_start_is_a_solution_or_constructed() -> None:
    built = run(HC, QAP_8, stop=stop.iterations(1), start="construct", parallel="numpy")
    x = QAP_8.construct(Random(built.key, Stream.START, 0))
    assert built.cost <= QAP_8.cost(x) < QAP_8.cost(solution_of(QAP_8))
    with pytest.raises(InputError, match="`start` must be solutions or \"construct\", but is 'greedy'"):
        run(HC, QAP_8, stop=stop.iterations(1), start="greedy", parallel="numpy")
    with pytest.raises(InputError, match="OneMax has no constructive heuristic"):
        run(HillClimbing(Hamming()), OneMax(5), stop=stop.iterations(1), start="construct", parallel="numpy")
