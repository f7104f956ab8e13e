"""The check of a search: the same steps on every device, alone and among other walks, and after a resume."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from metaheur.device.halves import lacking
from metaheur.door.run import require
from metaheur.door.states import initial_states, snapshot
from metaheur.errors import CheckFailed
from metaheur.evaluators.costs import python_cost
from metaheur.parallel import IterationLevel
from metaheur.problem import Problem
from metaheur.random import Key
from metaheur.running import checkpoint
from metaheur.running.program import lacking_of
from metaheur.running.runner import Runner
from metaheur.running.view import Until, View
from metaheur.search import Search
from metaheur.testing.compiled_check import chosen_devices, require_instance
from metaheur.testing.problems import require_equal_costs

__all__ = ["check_search"]


def check_search(
    search: Search[Any],
    problem: Problem,
    *,
    iterations: int = 200,
    seed: int = 0,
    devices: Iterable[str] | None = None,
) -> None:
    """Check that a search makes the same steps on every device, and that a resumed walk continues in the same way.

    Parameters
    ----------
    search : Search
        The search to be checked.
    problem : Problem
        A small instance.
    iterations : int, default 200
        The number of iterations.
    seed : int, default 0
        The seed of the walks.
    devices : iterable of str, optional
        The devices, of "host", "cuda", ...; None for all devices of this machine for which there are halves.

    Raises
    ------
    InputError
        If `run` refuses the search for this problem.
    CheckFailed
        If walks differ; names the first iteration after which they do.
    """
    require_instance(search, Search, "check_search", "TabuSearch(Swap())")
    require_instance(problem, Problem, "check_search", "OneMax(10)")
    name, search = f"{type(search).__name__} on {type(problem).__name__}", require(search, problem)
    reference = IterationLevel("numpy").bind(search, problem)
    starts = initial_states(search, problem, [Key(seed, walk) for walk in range(1 if _alone(search) else 3)])
    states = _walked(reference, starts[0], iterations)
    for k, state in enumerate(states):
        _check_state(problem, state, f"{name} after {k} iterations")
    _check_resume(search, problem, states, name)
    if lacking_of(search, problem) if _alone(search) else lacking(problem, *search.neighborhoods):
        return
    ends = (len(states) // 4, len(states) // 2)
    alone = [[states[end] for end in ends], *(_at(reference, start, ends) for start in starts[1:])]
    for device in chosen_devices(devices, type(problem).__name__):
        for resident in (False, True) if not lacking_of(search, problem) else (False,):
            runner = IterationLevel(device, resident=resident).bind(search, problem)
            what = f"{name} on {device}, resident={resident}"
            _check_steps(runner, states, 1, what)
            if resident:  # else Python makes one step after the other all the same
                _check_steps(runner, states, 7, f"{what}, seven at a time")
            _check_together(runner, starts, ends if resident else ends[:1], alone, what)


def _alone(search: Search[Any]) -> bool:
    return search.program is not None and search.program.alone


def _walked(runner: Runner, state: Any, iterations: int) -> list[Any]:
    """The states of a walk, one per iteration."""
    states = [snapshot(state)]
    walks = runner.load([snapshot(state)])
    while len(states) <= iterations and not walks.finished[0]:
        walks = runner.advance(walks, Until(len(states))).walks
        states.append(snapshot(walks.state(0)))
    return states


def _at(runner: Runner, start: Any, ends: tuple[int, ...]) -> list[Any]:
    """The states of a walk after given numbers of iterations, or at its end."""
    walks, states = runner.load([snapshot(start)]), []
    for end in ends:
        if end and not walks.finished[0]:
            walks = runner.advance(walks, Until(end)).walks
        states.append(snapshot(walks.state(0)))
    return states


def _check_state(problem: Problem, state: Any, what: str) -> None:
    for label, evaluated in (("current", state.walk.current), ("best", state.walk.best)):
        reason = problem.representation.violation(evaluated.solution)
        if reason:
            raise CheckFailed(f"{what}: the {label} solution is invalid: {reason}")
        true = python_cost(problem, evaluated.solution)
        require_equal_costs(problem, evaluated.cost, true, f"{what}: the {label} cost", "the solution costs")


def _check_steps(runner: Runner, states: list[Any], stride: int, what: str) -> None:
    walks, last = runner.load([snapshot(states[0])]), len(states) - 1
    while walks.iterations[0] < last:
        walks = runner.advance(walks, Until(min(int(walks.iterations[0]) + stride, last))).walks
        state = walks.state(0)
        difference = _difference(state, states[state.walk.iteration])
        if difference:
            raise CheckFailed(f"{what}: after {state.walk.iteration} iterations {difference} differs from numpy.")


def _check_together(
    runner: Runner, starts: list[Any], ends: tuple[int, ...], alone: list[list[Any]], what: str
) -> None:
    """Check that several walks at once reach the states that each reaches alone."""
    together = runner.load([snapshot(start) for start in starts])
    for k, end in enumerate(ends):
        if end:
            together = runner.advance(together, Until(end)).walks
        for w, states in enumerate(alone):
            difference = _difference(together.state(w), states[k])
            if difference:
                raise CheckFailed(
                    f"{what}: among three walks, {difference} of walk {w} differs from where it goes alone."
                )


def _check_resume(search: Search[Any], problem: Problem, states: list[Any], name: str) -> None:
    middle = len(states) // 2
    runner = IterationLevel("numpy").bind(search, problem)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "state.npz"
        checkpoint.save(path, View(search, problem, runner.load([snapshot(states[middle])])))
        state = checkpoint.load(path, search, problem).states[0]
    difference = _difference(state, states[middle])
    if difference:
        raise CheckFailed(f"{name}: {difference} changes when a state is saved and loaded.")
    if middle < len(states) - 1:
        walks = runner.advance(runner.load([snapshot(state)]), Until(len(states) - 1)).walks
        difference = _difference(walks.state(0), states[-1])
        if difference:
            raise CheckFailed(f"{name}: a walk resumed after {middle} iterations ends with another {difference}.")


def _difference(found: Any, expected: Any, path: str = "state") -> str:
    """The path of the first member in which two states differ, "" if they are equal."""
    if isinstance(expected, int | float | np.generic):
        return "" if found == expected else path
    if attrs.has(type(expected)):
        members = (
            _difference(getattr(found, f.name), getattr(expected, f.name), f"{path}.{f.name}")
            for f in attrs.fields(type(expected))
            if f.init
        )
        return next(filter(None, members), "")
    if isinstance(expected, Mapping):
        return next(filter(None, (_difference(found[k], expected[k], f"{path}[{k!r}]") for k in expected)), "")
    if isinstance(expected, np.ndarray):
        return "" if np.array_equal(found, expected) else path
    return "" if found == expected else path
