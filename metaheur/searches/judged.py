"""Neighborhoods whose moves a problem with hard constraints judges."""

from __future__ import annotations

from collections.abc import Iterator

from metaheur.errors import InputError
from metaheur.evaluators.costs import allows, asked
from metaheur.neighborhood import Neighborhood
from metaheur.neighborhoods.union import Union
from metaheur.problem import Problem
from metaheur.random import START, Key, Random

__all__ = ["judged", "require_judged"]

TRIED = 100
"""Moves of which the first one that the solution allows is judged."""


def judged(problem: Problem, neighborhoods: tuple[Neighborhood, ...]) -> tuple[Neighborhood, ...]:
    """Those whose moves `feasible` of a problem judges; an error if there are some, but none is judged."""
    found, first = list[Neighborhood](), None
    for moves in neighborhoods:
        try:
            require_judged(problem, moves)
            found.append(moves)
        except InputError as error:
            first = first or error
    if first is not None and not found:
        raise first
    return tuple(found)


def require_judged(problem: Problem, moves: Neighborhood) -> None:
    """Refuse a neighborhood with a class of moves that `feasible` of a problem does not judge.

    A move of a random solution is asked for. It need not be feasible, and what else fails there says nothing.
    """
    space = problem.representation
    x = space.random(Random(Key(0), START, 0))
    for each in _branches(moves):
        found = (each.move(space, k).resolve(x) for k in range(min(TRIED, each.size(space))))
        move = next((one for one in found if one is not None), None)
        try:
            known = move is None or asked(problem, "feasible", x, move) is not NotImplemented
        except Exception:
            known = True
        if not known:
            allows(problem, x, move)


def _branches(moves: Neighborhood) -> Iterator[Neighborhood]:
    """The neighborhoods that a union joins."""
    if isinstance(moves, Union):
        yield from _branches(moves.left)
        yield from _branches(moves.right)
    else:
        yield moves
