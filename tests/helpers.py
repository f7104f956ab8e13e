"""What many tests ask: a solution, where a search begins, what a state says, and where its steps lead."""

from collections.abc import Mapping
from typing import Any

import attrs
import numpy as np
import pytest

from metaheur.evaluators.costs import python_cost
from metaheur.evaluators.numpy import NumpyEvaluator
from metaheur.machine.processors import cores
from metaheur.parallel import IterationLevel
from metaheur.problem import Problem
from metaheur.random import START, Key, Random
from metaheur.representation import Solution
from metaheur.running.runner import Runner
from metaheur.running.view import Until, View
from metaheur.search import Search
from metaheur.walk import EvaluatedSolution
from metaheur.watch import Watcher

KEY = Key(11, 2)

two_cores = pytest.mark.skipif(cores() < 2, reason="two threads need two cores")

Improvements = list[tuple[int, int, int | float, int]]
"""Walk, iteration, cost and moves evaluated by then of new best solutions."""


def solution_of(problem: Problem, seed: int = 1) -> Solution:
    """A random solution, which may be written."""
    return problem.representation.random(Random(Key(seed), START, 0))


def evaluated(problem: Problem, x: Any) -> EvaluatedSolution:
    """A solution with its cost by the Python half."""
    solution = np.asarray(x, problem.representation.dtype)
    return EvaluatedSolution(problem.representation, solution, python_cost(problem, solution))


def started(search: Search[Any], problem: Problem, *, key: Key = KEY, x: Any = None) -> Any:
    """The state before the first step, from a random solution or a given one."""
    start = problem.representation.random(Random(key, START, 0)) if x is None else x
    return search.init(evaluated(problem, start), key)


def facts(state: Any) -> Any:
    """All that a state says, as plain values that can be compared and printed."""
    if attrs.has(type(state)):
        fields = (field.name for field in attrs.fields(type(state)) if field.init)
        return {name: facts(getattr(state, name)) for name in fields if name != "representation"}
    if isinstance(state, Mapping):
        return {name: facts(value) for name, value in state.items()}
    return state.tolist() if isinstance(state, np.ndarray | np.generic) else state


def stepped(search: Search[Any], problem: Problem, state: Any, until: int | Until) -> tuple[Any, Improvements]:
    """The reference: `Search.step` with the Python halves, to where a chunk ends; the state and the improvements."""
    evaluate = NumpyEvaluator(problem, search.neighborhood)
    end = Until(until) if isinstance(until, int) else until
    improvements: Improvements = []
    while state.walk.iteration < end.iteration and not search.done(state):
        state = search.step(state, evaluate)
        if state.walk.improved_at == state.walk.iteration:
            improvements.append((0, state.walk.iteration, state.walk.best.cost, state.walk.evaluated))
        if end.reached(state.walk):
            break
    return state, improvements


def advanced(runner: Runner, state: Any, iterations: int, chunk: int) -> tuple[Any, Improvements]:
    """The same by a runner, chunk by chunk."""
    walks = runner.load([state])
    improvements: Improvements = []
    while walks.iterations[0] < iterations and not walks.finished[0]:
        made = runner.advance(walks, Until(min(iterations, int(walks.iterations[0]) + chunk)))
        walks = made.walks
        improvements += made.improvements
    return walks.state(0), improvements


def view_of(search: Search[Any], problem: Problem, *states: Any, seconds: float = 0.0) -> View:
    """A run whose walks stand there, as criteria and watchers see it."""
    return View(search, problem, IterationLevel("numpy").bind(search, problem).load(states), seconds)


class EveryTenth(Watcher):
    """Looks at every tenth iteration, so that a run has several chunks."""

    def next_look(self, view: View) -> int:
        return view.iterations + 10

    def look(self, view: View) -> None: ...
