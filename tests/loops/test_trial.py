"""A trial draws every move alike and obeys its acceptance; annealing is what the textbook says."""

import math
from collections import Counter

import numpy as np
import pytest

from metaheur import Scan, SimulatedAnnealing, Trial
from metaheur.evaluators import NumpyEvaluator
from metaheur.neighborhoods import Insertion, Restricted, Swap, TwoOpt
from metaheur.parts import Better, Geometric
from metaheur.problems import QAP, TSP
from metaheur.random import Key, philox4x32
from tests.helpers import started, stepped

KEY = Key(7, 3)
TRIAL = 4
QAP_7 = QAP.random(7, 5)


def words(iteration: int) -> tuple[int, int, int, int]:
    return philox4x32((0, TRIAL, iteration % 2**32, iteration // 2**32), (KEY.seed, KEY.walk))


def test_every_move_is_drawn_equally_often() -> None:
    search, evaluate = Trial(Swap()), NumpyEvaluator(QAP_7, Swap())
    state, drawn = started(search, QAP_7), Counter[int]()
    for _ in range(4200):
        before = state.walk.current.solution
        state = search.step(state, evaluate)
        i, j = np.flatnonzero(before != state.walk.current.solution)
        drawn[int(7 * i + j)] += 1
    assert len(drawn) == 21
    assert all(140 < count < 260 for count in drawn.values())  # 200 and four standard deviations of 14


@pytest.mark.parametrize("temperature", [3000.0, 30000.0])
def test_annealing_accepts_with_the_probability_of_metropolis(temperature: float) -> None:
    search = SimulatedAnnealing(Swap(), temperature, Geometric(0.8, 50))
    state, evaluate = started(search, QAP_7, key=KEY), NumpyEvaluator(QAP_7, Swap())
    level, accepted, refused = temperature, 0, 0
    for iteration in range(1, 600):
        x, cost = state.walk.current.solution, state.walk.current.cost
        low, high, draw, _ = words(iteration)
        moved = Swap().move(QAP_7.representation, ((high << 32) + low) * 21 // 2**64).apply(x)
        delta, luck = QAP_7.cost(moved) - cost, (draw + 1) / 2**32
        accepts = delta <= 0 or luck < math.exp(-delta / level)
        assert delta <= 0 or abs(luck - math.exp(-delta / level)) > 1e-5, "the draw is too close to tell"
        state = search.step(state, evaluate)
        assert state.walk.current.solution.tolist() == (moved if accepts else x).tolist()
        assert state.walk.current.cost == cost + (delta if accepts else 0)
        accepted, refused = accepted + (accepts and delta > 0), refused + (not accepts)
        level *= 0.8 if iteration % 50 == 0 else 1
        assert state.kept["acceptance"]["cooling"]["level"] == pytest.approx(level)
    assert accepted > 20
    assert refused > 20


def test_annealing_ends_when_its_schedule_does() -> None:
    search = SimulatedAnnealing(Swap(), 100.0, Geometric(0.5, 10, last=1.0))
    state, _ = stepped(search, QAP_7, started(search, QAP_7), 10**6)
    assert state.walk.iteration == 70  # 100 / 2**7 < 1
    assert (search.done(state), search.ending(state)) == (True, "schedule ended")


def test_without_moves_a_trial_is_done() -> None:
    problem = QAP.random(1, 1)
    state, _ = stepped(Trial(Swap()), problem, started(Trial(Swap()), problem), 10)
    assert (state.walk.iteration, state.walk.evaluated) == (1, 0)
    assert (state.finished, Trial(Swap()).ending(state)) == (True, "no moves")


def test_an_infeasible_move_is_refused() -> None:
    tsp = TSP.random(9, 2)
    near = Restricted(TwoOpt(), tsp.nearest(3))
    infeasible = 0
    state, evaluate = started(Trial(near), tsp), NumpyEvaluator(tsp, near)
    for _ in range(200):
        before = state.walk
        state = Trial(near).step(state, evaluate)
        stays = state.walk.current is before.current
        infeasible += stays
        assert state.walk.evaluated == before.evaluated + 1
        assert state.walk.current.cost == tsp.cost(state.walk.current.solution)
    assert 0 < infeasible < 200


def test_better_solutions_alone_make_a_random_descent() -> None:
    search = Trial(Insertion(), Better())
    state, improvements = stepped(search, QAP_7, started(search, QAP_7), 3000)
    assert state.walk.current is state.walk.best
    climb = Scan(Insertion(), acceptance=Better(), ends_where_refused=True)
    again = climb.step(climb.init(state.walk.current, KEY), NumpyEvaluator(QAP_7, Insertion()))
    assert again.finished, "so many trials lead to a local optimum"
    costs = [cost for _, _, cost, _ in improvements]
    assert costs == sorted(set(costs), reverse=True)
