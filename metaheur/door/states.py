"""The states of a search, one after the other."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from metaheur.door.run import model_of, require, starts_of
from metaheur.problem import Problem
from metaheur.random import Key
from metaheur.running.runner import ParallelModel, Runner, initial
from metaheur.running.view import Until
from metaheur.search import Search, State
from metaheur.validate import whole

__all__ = ["initial_states", "iterate", "snapshot"]

S = TypeVar("S", bound=State)


def iterate(  # noqa: PLR0913 - run as a generator
    search: Search[S],
    problem: Problem,
    *,
    seed: int = 0,
    start: Any = None,
    parallel: ParallelModel | str = "auto",
    every: int = 1,
) -> Iterator[S]:
    """The states of a search: the first state, then the state after every `every` iterations, until the search is done.

    Parameters
    ----------
    search, problem, seed, start, parallel
        As for `run`, with one walk.
    every : int, default 1
        Iterations from one state to the next; the last state comes when the search is done.

    Returns
    -------
    iterator of State
        Each state is valid until the next state is asked for; keep a `snapshot` of a state that you need longer.
    """
    step = whole(every, "every")
    search = require(search, problem)
    model = model_of(parallel)
    keys = model.keys(seed)[:1]
    starts = starts_of(problem, keys, start)
    runner = model.bind(search, problem)
    return _states(runner, initial(search, problem, keys[0], starts[0]), step)


def _states(runner: Runner, state: S, every: int) -> Iterator[S]:
    walks = runner.load([state])
    yield walks.state(0)
    while not walks.finished[0]:
        walks = runner.advance(walks, Until(int(walks.iterations[0]) + every)).walks
        yield walks.state(0)


def snapshot(state: S) -> S:
    """A copy of a state that shares no array with the state, so that later steps do not change the copy."""
    return copy.deepcopy(state)


def initial_states(search: Search[Any], problem: Problem, keys: Sequence[Key]) -> list[Any]:
    """The states of walks with random starts, before the first step."""
    starts = starts_of(problem, keys, None)
    return [initial(search, problem, key, x) for key, x in zip(keys, starts, strict=True)]
