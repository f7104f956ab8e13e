"""Solution level: the same trajectory by whole evaluations, whoever makes them, and what is refused."""

from typing import Any

import pytest

from metaheur import HillClimbing, Search, SimulatedAnnealing, TabuSearch
from metaheur.device.names import device_of
from metaheur.errors import InputError
from metaheur.evaluators.device import DeviceEvaluator
from metaheur.evaluators.numpy import NumpyEvaluator
from metaheur.evaluators.whole import WholeEvaluator
from metaheur.machine.pace import Alarm, StepCut
from metaheur.neighborhoods import Swap
from metaheur.parallel import SolutionLevel
from metaheur.problem import Problem
from metaheur.problems import QAP
from tests.helpers import advanced, evaluated, facts, solution_of, started, stepped
from tests.machine.test_performance import QAP_9
from tests.toys import Rotations, linear_ordering

SEARCHES: dict[str, Search[Any]] = {
    "tabu search": TabuSearch(Swap()),
    "annealing": SimulatedAnnealing(Swap(), 50),
    "moves in Python alone": HillClimbing(Rotations()),
}


@pytest.mark.parametrize("name", SEARCHES)
def test_every_device_makes_the_same_trajectory(name: str, device: str) -> None:
    search = SEARCHES[name]
    runner = SolutionLevel(device).bind(search, QAP_9)
    expected, improvements = stepped(search, QAP_9, started(search, QAP_9), 60)
    state, found = advanced(runner, started(search, QAP_9), 60, 13)
    assert facts(state) == facts(expected)
    assert found == improvements
    assert "evaluates whole solutions, Python decides: asked for" in runner.facts.plan
    assert not runner.facts.resident
    assert (runner.spent().launches > 1) == (device != "numpy")


def test_a_problem_in_python_alone_is_evaluated_by_its_costs() -> None:
    problem, search = linear_ordering("none", delta=False), TabuSearch(Swap())
    runner = SolutionLevel().bind(search, problem)
    assert runner.facts.plan == (
        "One walk: numpy evaluates whole solutions, Python decides: LinearOrdering has no C++ half."
    )
    expected, _ = stepped(search, problem, started(search, problem), 30)
    assert facts(advanced(runner, started(search, problem), 30, 30)[0]) == facts(expected)


def test_long_neighborhoods_are_evaluated_in_chunks_that_can_be_cut() -> None:
    problem = QAP.random(60, 1)
    alarm, solution = Alarm(), evaluated(problem, solution_of(problem))
    whole = WholeEvaluator(DeviceEvaluator(problem, device_of("host"), alarm=alarm))
    found = list(whole.of(Swap()).chunks(solution))
    assert len(found) > 1
    expected = NumpyEvaluator(problem).of(Swap()).deltas(solution)
    assert whole.of(Swap()).deltas(solution).tolist() == expected.tolist()
    alarm.interrupted = lambda: True
    with pytest.raises(StepCut):
        whole.of(Swap()).deltas(solution)


@pytest.mark.parametrize(
    ("problem", "reason"),
    [
        (linear_ordering("none"), r"SolutionLevel evaluates solutions on host, but LinearOrdering has no C\+\+ half"),
        (
            linear_ordering("delta alone"),
            r"whole solutions on host, but the C\+\+ half of LinearOrdering has no `cost`",
        ),
    ],
    ids=["no half", "no cost"],
)
def test_what_the_host_cannot_evaluate_is_refused(problem: Problem, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        SolutionLevel("host").bind(TabuSearch(Swap()), problem)
