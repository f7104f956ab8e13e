"""Walks that Python steps until their compiled runner is there."""

from threading import Event
from typing import Any, final

import numpy as np
import pytest
from attrs import frozen

from metaheur import Permutation, Problem, SimulatedAnnealing, TabuSearch, compiled, run, stop
from metaheur.door.run import Course, binding
from metaheur.machine.ahead import Ahead, compiler_begins
from metaheur.machine.pace import TimeBudget
from metaheur.neighborhoods import Swap
from metaheur.parallel import IterationLevel, Multistart
from metaheur.problems import QAP
from metaheur.problems.trees import KnapsackTree
from metaheur.runners.meanwhile import Meanwhile, runner_meanwhile
from metaheur.running.result import Result
from metaheur.running.runner import ParallelModel, Runner
from metaheur.search import Search
from metaheur.tree import BestFirst, BranchAndBound
from tests.tree.trees import knapsack

QAP_12 = QAP.random(12, 1)
KNAPSACK = knapsack(14)
CASES: list[tuple[Search[Any], Problem, ParallelModel]] = [
    (TabuSearch(Swap()), QAP_12, IterationLevel("host")),
    (SimulatedAnnealing(Swap(), 500), QAP_12, Multistart(3, device="host")),
    (BranchAndBound(KnapsackTree(), order=BestFirst(2)), KNAPSACK, IterationLevel("host")),
]


@final
@frozen(eq=False)
class Halves(Problem):
    """Sorting, by costs that are fractions."""

    cost_type = "float64"
    n: int

    @property
    def representation(self) -> Permutation:
        return Permutation(self.n)

    @compiled
    def cost(self, x: np.ndarray) -> Any:
        return sum(abs(x[k] - k) * 0.5 for k in range(self.n))


def coming(model: ParallelModel, search: Search[Any], problem: Any, go: Event) -> Ahead[Runner]:
    """A runner that a compiler makes as soon as an event has happened."""

    def make() -> Runner:
        compiler_begins()
        go.wait()
        return model.bind(search, problem)

    return Ahead(make, "a runner")


def course(model: ParallelModel, search: Search[Any], problem: Any, go: Event) -> Course:
    """A run that begins in Python."""
    ahead = coming(model, search, problem, go)
    begun = binding(model, search, problem, 5, None, bind=lambda: runner_meanwhile(model, search, problem, ahead))
    assert isinstance(begun[1], Meanwhile)
    return Course.begin(begun, stop.iterations(1), (), TimeBudget())


def come(course: Course, go: Event) -> None:
    """Have the compiled runner come before the next chunk."""
    go.set()
    runner = course.runner
    assert isinstance(runner, Meanwhile)
    runner.coming.value()


def equal(one: Result, other: Result) -> bool:
    here, there = (np.array([each.walks.costs, each.walks.iterations, each.walks.evaluated]) for each in (one, other))
    return np.array_equal(here, there) and np.array_equal(one.solution, other.solution)


@pytest.mark.parametrize(("search", "problem", "model"), CASES, ids=["tabu", "annealing", "tree"])
@pytest.mark.parametrize("after", [0, 1, 7])
def test_the_walks_do_not_depend_on_when_the_compiled_runner_comes(
    search: Search[Any], problem: Any, model: ParallelModel, after: int
) -> None:
    expected = run(search, problem, stop=stop.iterations(20), seed=5, parallel=model)
    go = Event()
    begun = course(model, search, problem, go)
    if after:
        assert begun.goes_on(stop.iterations(after)).device == "numpy"
    come(begun, go)
    result = begun.goes_on(stop.iterations(20))
    assert equal(result, expected)
    assert result.device == "host" or result.iterations == after


def test_work_that_is_over_before_does_not_wait() -> None:
    search, problem, model = CASES[0]
    go = Event()
    result = course(model, search, problem, go).goes_on(stop.iterations(30))
    assert (result.device, result.iterations) == ("numpy", 30)
    go.set()
    assert equal(result, run(search, problem, stop=stop.iterations(30), seed=5, parallel=model))


@pytest.mark.parametrize(
    ("search", "problem", "model"),
    [
        (TabuSearch(Swap()), QAP.random(60, 1), IterationLevel("host")),  # its moves take long in Python
        (TabuSearch(Swap()), QAP_12, Multistart(9, device="host")),  # many walks
        (SimulatedAnnealing(Swap(), 5), Halves(9), IterationLevel("host")),  # fractions
    ],
)
def test_others_wait_for_their_runner(search: Search[Any], problem: Any, model: ParallelModel) -> None:
    go = Event()
    ahead = coming(model, search, problem, go)
    go.set()
    assert not isinstance(runner_meanwhile(model, search, problem, ahead), Meanwhile)
