"""Searches and neighborhoods on problems with hard constraints: those that make moves that the problem judges."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import attrs

from metaheur.component import Component
from metaheur.errors import InputError
from metaheur.evaluators.costs import allows, asked
from metaheur.loops.loop import unwrapped
from metaheur.neighborhood import Neighborhood
from metaheur.neighborhoods.union import Union
from metaheur.problem import Problem
from metaheur.random import START, Key, Random
from metaheur.search import Search
from metaheur.searches.recommendation import Recommendation

__all__ = ["judged", "kept", "require_feasible_moves"]

TRIED = 100
"""Moves of which the first one that the solution allows is judged."""


def judged(problem: Problem, neighborhoods: tuple[Neighborhood, ...]) -> tuple[Neighborhood, ...]:
    """Those whose moves `feasible` of a problem judges; an error if there are some, but none is judged."""
    return _without_error(neighborhoods, lambda moves: _require_judged(problem, moves))


def kept(problem: Problem, found: tuple[Recommendation, ...]) -> tuple[Recommendation, ...]:
    """Those that make feasible moves of a problem only; an error if there are some, but none of these."""
    return _without_error(found, lambda each: require_feasible_moves(each.search, problem))


def _without_error(things: tuple[Any, ...], require: Callable[[Any], None]) -> tuple[Any, ...]:
    """The things that are not refused; the first refusal if all are."""
    found, first = list[Any](), None
    for each in things:
        try:
            require(each)
            found.append(each)
        except InputError as error:
            first = first or error
    if first is not None and not found:
        raise first
    return tuple(found)


def require_feasible_moves(search: Search[Any], problem: Problem) -> None:
    """Refuse a search that makes solutions in other ways than by moves, or moves that the problem does not judge."""
    for moves in search.neighborhoods:
        _require_judged(problem, moves)
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


def _require_judged(problem: Problem, moves: Neighborhood) -> None:
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
