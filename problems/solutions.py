"""Files of solutions, as solutions of a problem."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from attrs import evolve

from metaheur.errors import InputError
from metaheur.problem import Problem
from metaheur.problems.cvrp import CVRP
from metaheur.problems.formats.cvrplib import read_routes
from metaheur.problems.formats.files import read_text
from metaheur.problems.formats.known import WORDS
from metaheur.problems.formats.qaplib import read_sln
from metaheur.problems.formats.tsplib_tours import read_tour
from metaheur.representation import Solution

__all__ = ["solution_from_file"]


def solution_from_file(path: str | os.PathLike[str], problem: Problem) -> tuple[Problem, Any, Solution]:
    """Read a solution: of ``metaheur solve --out``, a tour of TSPLIB, routes of CVRPLIB, or a solution of QAPLIB.

    Parameters
    ----------
    path : path-like
        The file.
    problem : Problem
        The problem that it solves.

    Returns
    -------
    problem : Problem
        The problem, with more vehicles if the solution has more routes.
    cost : int, float, list or None
        The cost that the file states, if it states one.
    solution : numpy.ndarray, shape (n,)
        The solution.
    """
    text = read_text(path)
    words = [name for name, sign in WORDS if sign.search(text)]
    stated, entries = None, []
    if "routes" in words:
        if not isinstance(problem, CVRP):
            raise InputError(f"{path} holds routes, but the problem is {type(problem).__name__}.", "name its instance.")
        routes, stated = read_routes(path)
        problem = evolve(problem, vehicles=max(problem.vehicles, len(routes)))
        return problem, stated, problem.solution(routes)
    if "tour" in words:
        entries = read_tour(path).tolist()
    elif words:
        raise InputError(
            f"{path} holds an instance, not a solution.", "name the solution first: metaheur show SOLUTION INSTANCE."
        )
    else:
        stated, entries = _numbers(path, text, problem.representation.length)
    return problem, stated, problem.representation.validate(np.array(entries))


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
