"""Budgets say what a run's seconds are worth when the clock ended it early."""

from math import ceil
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from attrs import evolve

from metaheur import HillClimbing, IteratedLocalSearch, run, stop
from metaheur.neighborhoods import Sampled, Swap
from metaheur.parts import RandomMoves
from metaheur.problems import QAP
from metaheur.report.papers.budget import Descents, Iterations, LocalOptima, Proven
from metaheur.running.proof import Counts, Proof
from metaheur.running.view import View
from metaheur.watch import Watcher
from tests.running.test_result import RESULT

WALK = RESULT.walks.row(0)


def test_seconds_of_a_part_of_the_iterations_are_extrapolated() -> None:
    done = evolve(RESULT, seconds=0.5, walks=evolve(WALK, iterations=np.array([2000]), finished=np.array([False])))
    assert Iterations(2000).seconds([done]) == ("", 0.5)
    assert Iterations(8000).seconds([done]) == ("~", 2.0)
    assert Iterations(4000).seconds([done, evolve(done, seconds=1.5)]) == ("~", 2.0)
    ended = evolve(done, walks=evolve(done.walks, finished=np.array([True])))
    assert Iterations(8000).seconds([ended]) == ("", 0.5)
    idle = evolve(done, walks=evolve(WALK, iterations=np.array([0]), finished=np.array([False])))
    assert Iterations(2000).seconds([done, idle]) is None
    assert Iterations(2000).note([done, idle]) == "the clock ended a run before its first iteration"


class Rounds(Watcher):
    """Notes how many phases a walk has ended, and how many the budget counts."""

    def __init__(self, budget: LocalOptima) -> None:
        self.budget, self.seen = budget, list[tuple[int, int]]()

    def look(self, view: View) -> None:
        walks: Any = view.walks
        counted = self.budget.made(walks.iterations, walks.evaluated)
        self.seen.append((int(walks.state(0).kept["rounds"][()]), int(counted[0])))

    end = look


def test_phases_are_counted_by_the_moves_that_iterations_evaluate() -> None:
    budget = LocalOptima(10, 100)
    rounds = Rounds(budget)
    search = IteratedLocalSearch(HillClimbing(Sampled(Swap(), 100)), RandomMoves(Swap(), 3))
    until = budget.stop | stop.iterations(10_000)
    result = run(search, QAP.random(12, 1), stop=until, seed=1, parallel="numpy", watch=[rounds])
    assert result.stopped_by == "phases"
    assert all(counted == ceil(0.97 * ended) for ended, counted in rounds.seen)
    assert rounds.seen[-1][0] >= 10
    assert len({counted for _, counted in rounds.seen if counted >= 10}) == 1  # the first look from ten on is the last
    made = rounds.seen[-1][1]
    for count, mark in ((10, ""), (made, ""), (2 * made, "~")):
        told = LocalOptima(count, 100).seconds([result])
        assert told is not None
        assert told[0] == mark
        assert told[1] == pytest.approx(result.seconds * count / made)
    first = run(search, QAP.random(12, 1), stop=stop.iterations(2), seed=1, parallel="numpy")
    assert budget.note([first]) == "the clock ended a run before its third phase"


def test_a_walk_that_has_made_all_phases_is_stopped() -> None:
    view: Any = SimpleNamespace(walks=SimpleNamespace(iterations=np.array([20, 20]), evaluated=np.array([1100, 1000])))
    assert np.array_equal(LocalOptima(10, 100).stop.holds(view), [False, True])


def test_seconds_of_descents_that_the_clock_ended_are_a_lower_bound() -> None:
    ended, cut = (evolve(RESULT, seconds=0.5, walks=evolve(WALK, finished=np.array([each]))) for each in (True, False))
    assert Descents().seconds([ended, ended]) == ("", 0.5)
    assert Descents().seconds([ended, cut]) == (">", 0.5)
    assert Descents().note([ended, cut]) == "the clock ended 1 of 2 descents"


def test_seconds_without_a_proof_are_a_lower_bound() -> None:
    proven = evolve(RESULT, seconds=0.5, proof=Proof("optimal", 1, 1, Counts(branched=10), 0, 1.0))
    cut = evolve(RESULT, seconds=1.5, proof=Proof("feasible", 1, 0, Counts(branched=20), 3, 0.1))
    assert Proven(20).seconds([proven, proven]) == ("", 0.5)
    assert Proven(20).seconds([proven, cut]) == (">", 1.0)
    assert Proven(20).note([proven, cut]) == "1 of 2 optima are proven"
    assert Proven(20).same([proven, cut], [proven, cut])
    assert not Proven(20).same([proven, cut], [cut, proven])
