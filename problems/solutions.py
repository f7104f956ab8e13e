"""Files of solutions, as solutions of a problem."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
from attrs import evolve

from metaheur.errors import InputError
from metaheur.lists.places import HasLists
from metaheur.problem import Problem
from metaheur.problems.formats.cvrplib import read_routes
from metaheur.problems.formats.files import read_text
from metaheur.problems.formats.known import WORDS
from metaheur.problems.formats.qaplib import read_sln
from metaheur.problems.formats.tsplib_tours import read_tour
from metaheur.representation import Representation, Solution, places_of

__all__ = ["MadeOfRoutes", "NumbersPlaces", "TellsVehiclesApart", "solution_from_file"]


@runtime_checkable
class MadeOfRoutes(Protocol):
    """A problem of routes, whose solutions are made of them."""

    vehicles: int

    def routes(self, x: Solution) -> list[list[int]]:
        """The customers of each vehicle that is used."""

    def solution(self, routes: Sequence[Sequence[int]]) -> Solution:
        """The solution with some routes."""


@runtime_checkable
class TellsVehiclesApart(Protocol):
    """A problem of routes whose vehicles differ: its files of solutions have a route for each vehicle, in order."""

    first_customer: int

    def solution(self, routes: Sequence[Sequence[int]]) -> Solution:
        """The solution with some routes."""


@runtime_checkable
class NumbersPlaces(Protocol):
    """A problem of routes whose files of solutions number all places, depots before customers, from 0."""

    def in_file(self, x: Solution) -> list[list[int]]:
        """The numbers of the places of each route."""

    def of_file(self, routes: Sequence[Sequence[int]]) -> Solution:
        """The solution with such routes."""


def solution_from_file(path: str | os.PathLike[str], problem: Problem) -> tuple[Problem, Any, Solution]:
    """Read a solution: of ``metaheur solve --out``, a tour of TSPLIB, routes of CVRPLIB, or a solution of QAPLIB.

    `path`: the file. `problem`: the problem that it solves. Returns the problem, with more vehicles if the solution has
    more routes. Returns also the cost that the file states, if it states one, and the solution.
    """
    text = read_text(path)
    words = [name for name, sign in WORDS if sign.search(text)]
    stated, entries = None, []
    if "routes" in words:
        if isinstance(problem, NumbersPlaces):
            routes, stated = read_routes(path, 0)
            return problem, stated, problem.of_file(routes)
        if isinstance(problem.representation, HasLists) and not isinstance(problem, MadeOfRoutes):
            routes, stated = read_routes(path)
            return problem, stated, problem.representation.join(routes)  # type: ignore[attr-defined]
        if not isinstance(problem, MadeOfRoutes):
            raise InputError(f"{path} holds routes, but the problem is {type(problem).__name__}.", "name its instance.")
        routes, stated = read_routes(path)
        if isinstance(problem, TellsVehiclesApart):
            routes = [[customer + 1 - problem.first_customer for customer in route] for route in routes]
            return problem, stated, problem.solution(routes)
        served: Any = problem
        served = evolve(served, vehicles=max(served.vehicles, len(routes)))
        return served, stated, served.solution(routes)
    if "tour" in words:
        entries = read_tour(path).tolist()
    elif words:
        raise InputError(
            f"{path} holds an instance, not a solution.", "name the solution first: metaheur show SOLUTION INSTANCE."
        )
    elif places_of(problem.representation):
        return problem, *_parts(path, text, problem.representation)
    else:
        stated, entries = _numbers(path, text, problem.representation.length)
    return problem, stated, problem.representation.validate(np.array(entries))


def _parts(path: str | os.PathLike[str], text: str, space: Representation) -> tuple[Any, Solution]:
    """The cost and the solution of a file that names parts: a cost in a line, if any, and a line for each part."""
    lines = [line for line in text.splitlines() if line.strip()]
    named_lines = [line.partition(":") for line in lines if ":" in line]
    parts = {name.strip(): _entries(path, entries) for name, _, entries in named_lines}
    plain = [line.split() for line in lines if ":" not in line]
    try:
        head = [_number(token) for line in plain for token in line]
        if len(plain) > 1 or len(parts) < len(named_lines) or set(parts) != set(places_of(space)):
            raise ValueError
    except ValueError:
        raise InputError(
            f"{path} is not a file of a solution with the parts {', '.join(places_of(space))}.",
            "write one by metaheur solve FILE --out.",
        ) from None
    solution: Solution = space.join(**parts)  # type: ignore[attr-defined]
    return (head[0] if len(head) == 1 else head) if head else None, solution


def _entries(path: str | os.PathLike[str], text: str) -> list[int]:
    try:
        return [int(token) for token in text.split()]
    except ValueError:
        raise InputError(f"{path}: the entries of a part are whole numbers, not {text.strip()!r}.") from None


def _numbers(path: str | os.PathLike[str], text: str, n: int) -> tuple[Any, list[int]]:
    """The cost and the entries of a file of numbers: a cost in a line and entries in another one, or QAPLIB's."""
    lines = [line.split() for line in text.splitlines() if line.strip()]
    if len(lines[0]) == 2 and lines[0][0] == str(n) and len(lines) > 1:
        cost, permutation = read_sln(path)
        return cost, permutation.tolist()
    try:
        if len(lines) > 2:
            raise ValueError
        head = [_number(token) for token in lines[0]] if len(lines) > 1 else []
        return (head[0] if len(head) == 1 else head) if head else None, [int(entry) for entry in lines[-1]]
    except ValueError:
        raise InputError(f"{path} is not a file of a solution.", "write one by metaheur solve FILE --out.") from None


def _number(token: str) -> int | float:
    """A cost; that of a file with fractions may be 1e-05."""
    try:
        return int(token)
    except ValueError:
        return float(token)
