"""Starts that are not random: constructed solutions, given solutions, or the solutions of an earlier run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np

from metaheur.errors import InputError
from metaheur.machine.pace import TimeBudget
from metaheur.problem import Constructs, ConstructsMany, Problem, constructive, judges
from metaheur.random import START, Key, Random
from metaheur.representation import Solution
from metaheur.running.runner import short

__all__ = ["Found", "given_starts"]


@runtime_checkable
class Found(Protocol):
    """An object with solutions at which walks can begin: a `Result`, an `Experiment`, a `Front`."""

    @property
    def solutions(self) -> np.ndarray:
        """Solutions, a row each, the best first."""


def given_starts(problem: Problem, keys: Sequence[Key], start: Any, budget: TimeBudget | None = None) -> np.ndarray:
    """The first solution of each walk, a row each, where `run` is given a start.

    Solutions are constructed until the budget is over; the walks that are left begin at random solutions, of which the
    budget takes a note.

    Raises InputError if `start` is not as `run` describes, or does not fit the problem or the number of walks.
    """
    if isinstance(start, str):
        if start != "construct":
            raise InputError(
                f'`start` must be solutions or "construct", but is {start!r}.', "leave it out, for a random start."
            )
        return _constructed(problem, keys, budget)
    rows = _rows(problem, start, walks=len({key.walk for key in keys}))
    if judges(problem):
        from metaheur.door.hard_constraints import require_feasible_starts

        require_feasible_starts(problem, rows)
    return rows[[key.walk % len(rows) for key in keys]]


def _constructed(problem: Problem, keys: Sequence[Key], budget: TimeBudget | None) -> np.ndarray:
    """The constructed first solution of each walk, a row each."""
    space, instead = problem.representation, "leave `start` out, for a random solution."
    randoms, rows = [Random(key, START, 0) for key in keys], list[Solution]()
    for block in _blocks(constructive(problem, instead), randoms):
        rows += map(space.validate, block)
        if budget is not None and budget.over() and len(rows) < len(keys):
            budget.cuts.append(
                f"The time was over when {len(rows):,} of {len(keys):,} walks had a constructed start; the others have "
                "a random one."
            )
            if not judges(problem):
                return np.array([*rows, *space.starts(keys[len(rows) :])])
    return np.array(rows)


def _blocks(problem: Constructs, randoms: Sequence[Random]) -> Iterator[np.ndarray]:
    """Constructed solutions in order, a row each."""
    if isinstance(problem, ConstructsMany):
        yield from problem.construct_many(randoms)
    else:
        for random in randoms:
            yield np.asarray(problem.construct(random))[None]


def _rows(problem: Problem, start: Any, walks: int) -> np.ndarray:
    """The solutions at which walks begin in turn."""
    if isinstance(start, Found):
        front = getattr(start, "front", None)
        found = (start if front is None else front).solutions
        if not len(found):
            raise InputError(f"`start` is {short(start)}, which has found no solution.", "leave it out.")
        return np.array(
            [_valid(problem, x, f"`start`, the solution {i} of a {type(start).__name__},") for i, x in enumerate(found)]
        )
    listed = isinstance(start, list | tuple) and any(isinstance(each, Found) or np.ndim(each) for each in start)
    if not listed and np.ndim(start) < 2:
        return _valid(problem, start, "`start`")[None]
    if len(start) != walks:
        each = "are" if walks > 1 else "is"
        raise InputError(
            f"`start` has {len(start)} solutions, but there {each} {walks} walk{'s' if walks > 1 else ''}.",
            "give one solution for each walk, or one solution for all.",
        )
    return np.array(
        [
            _valid(problem, each.solutions[0] if isinstance(each, Found) else each, f"`start[{i}]`")
            for i, each in enumerate(start)
        ]
    )


def _valid(problem: Problem, x: Any, what: str) -> Solution:
    """The solution, if it is valid for the problem; the message names a solution that is not."""
    try:
        return problem.representation.validate(x)
    except InputError as error:
        raise InputError(f"{what} does not fit this {type(problem).__name__}: {error.reason}", error.maybe) from None
