"""Searches on problems with hard constraints: those that make feasible moves only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import attrs
import numpy as np

from metaheur.component import Component
from metaheur.errors import InputError
from metaheur.loops.loop import unwrapped
from metaheur.problem import Problem
from metaheur.random import Key
from metaheur.search import Search
from metaheur.searches.judged import require_judged
from metaheur.searches.repair import evaluator_of_violations, feasible_start, require_feasible

__all__ = ["feasible_starts", "require_feasible_moves", "require_feasible_starts"]


def require_feasible_moves(search: Search[Any], problem: Problem) -> None:
    """Refuse a search that makes solutions in other ways than by moves, or moves that the problem does not judge."""
    for moves in search.neighborhoods:
        require_judged(problem, moves)
    for each in _all_within(search):
        if not getattr(each, "keeps_feasible", True):
            raise InputError(
                f"{type(problem).__name__} has hard constraints (`feasible`), which {type(each).__name__} does not "
                "keep: it makes solutions in other ways than by feasible moves.",
                "use RandomMoves() or ConstructedSolution() as perturbations, and tabu search, annealing or descents.",
            )


def _all_within(thing: Any) -> Iterator[Any]:
    """A search, its loop, and their parts and searches, however deep."""
    thing = unwrapped(thing)
    yield thing
    for field in attrs.fields(type(thing)) if attrs.has(type(thing)) else ():
        value = getattr(thing, field.name, None)
        for each in value if isinstance(value, tuple | list) else (value,):
            if isinstance(each, Search | Component) and not isinstance(each, Problem):
                yield from _all_within(each)


def feasible_starts(problem: Problem, keys: Sequence[Key]) -> np.ndarray:
    """A feasible first solution for each walk, a row each."""
    evaluator = evaluator_of_violations(problem)
    return np.array([feasible_start(problem, key, evaluator) for key in keys])


def require_feasible_starts(problem: Problem, starts: np.ndarray) -> None:
    """Refuse given starts that are not feasible, if the problem counts violations."""
    for number, x in enumerate(np.unique(starts, axis=0)):
        require_feasible(problem, x, f"`start`, solution {number}, is {x}")
