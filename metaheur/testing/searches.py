"""The check of a search: the same steps on every device, and after a pause."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from metaheur import checkpoint
from metaheur.errors import CheckFailed
from metaheur.evaluator import python_cost
from metaheur.parallel import IterationLevel
from metaheur.problem import Problem
from metaheur.random import Key, Random
from metaheur.run import snapshot
from metaheur.search import Incumbent, Search, Until, neighborhood_of
from metaheur.stop import View
from metaheur.testing.problems import require_equal_costs
from metaheur.testing.unit import devices_here

__all__ = ["check_search"]


def check_search(
    search: Search[Any],
    problem: Problem,
    *,
    iterations: int = 200,
    seed: int = 0,
    devices: Iterable[str] | None = None,
) -> None:
    """Check that a search makes the same steps on every device, and that a resumed walk goes on as if uninterrupted.

    Parameters
    ----------
    search : Search
        What is checked.
    problem : Problem
        A small instance.
    iterations : int, default 200
        How far to walk.
    seed : int, default 0
        Of the walk.
    devices : iterable of str, optional
        Of "host", "cuda", ...; None for all that are here and that the halves allow.

    Raises
    ------
    CheckFailed
        With the first iteration after which the walks differ.
    """
    space = problem.representation
    start = Incumbent(space, space.random(Random(Key(seed), 0, 0)), 0)
    start = Incumbent(space, start.solution, python_cost(problem, start.solution))
    name = f"{type(search).__name__} on {type(problem).__name__}"
    bound = IterationLevel("numpy").bind(search, problem)
    states = [search.init(start, Key(seed))]
    while len(states) <= iterations and not search.done(states[-1]):
        states.append(snapshot(bound.advance(snapshot(states[-1]), Until(len(states)))[0]))
    for k, state in enumerate(states):
        _check_state(problem, state, f"{name} after {k} iterations")
    _check_resume(search, problem, states, name)
    compiled = type(problem).source is not None and type(neighborhood_of(search)).source is not None
    for device in (devices_here() if devices is None else devices) if compiled else ():
        for resident in (False, True) if search.loop is not None else (False,):
            other = IterationLevel(device, resident=resident).bind(search, problem)
            _check_steps(other, states, 1, f"{name} on {device}, resident={resident}")
            _check_steps(other, states, 7, f"{name} on {device}, resident={resident}, seven at a time")


def _check_state(problem: Problem, state: Any, what: str) -> None:
    for label, incumbent in (("current", state.walk.current), ("best", state.walk.best)):
        offence = problem.representation.offence(incumbent.solution)
        if offence:
            raise CheckFailed(f"{what}: the {label} solution is none: {offence}")
        require_equal_costs(
            problem, incumbent.cost, python_cost(problem, incumbent.solution), f"{what}: the {label} cost"
        )


def _check_steps(bound: Any, states: list[Any], stride: int, what: str) -> None:
    state = snapshot(states[0])
    while state.walk.iteration < len(states) - 1:
        state, _ = bound.advance(state, Until(min(state.walk.iteration + stride, len(states) - 1)))
        difference = _difference(state, states[state.walk.iteration])
        if difference:
            raise CheckFailed(f"{what}: after {state.walk.iteration} iterations {difference} differs from numpy.")


def _check_resume(search: Search[Any], problem: Problem, states: list[Any], name: str) -> None:
    middle = len(states) // 2
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "state.npz"
        checkpoint.save(path, View(search, problem, states[middle], 0.0, ()))
        state = checkpoint.load(path, search, problem).state
    difference = _difference(state, states[middle])
    if difference:
        raise CheckFailed(f"{name}: {difference} changes when a state is saved and loaded.")
    bound = IterationLevel("numpy").bind(search, problem)
    if middle < len(states) - 1:
        state, _ = bound.advance(snapshot(state), Until(len(states) - 1))
        difference = _difference(state, states[-1])
        if difference:
            raise CheckFailed(f"{name}: a walk resumed after {middle} iterations ends with another {difference}.")


def _difference(found: Any, expected: Any, path: str = "state") -> str:
    """The path of the first member in which two states differ, "" if they are equal."""
    if attrs.has(type(expected)):
        members = (
            _difference(getattr(found, f.name), getattr(expected, f.name), f"{path}.{f.name}")
            for f in attrs.fields(type(expected))
            if f.name not in ("origin", "serial")
        )
        return next(filter(None, members), "")
    if isinstance(expected, dict):
        return next(filter(None, (_difference(found[k], expected[k], f"{path}[{k!r}]") for k in expected)), "")
    if isinstance(expected, np.ndarray):
        return "" if np.array_equal(found, expected) else path
    return "" if found == expected else path
