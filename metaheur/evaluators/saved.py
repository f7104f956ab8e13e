"""Checks of solutions and kept arrays from files, by the problem that they belong to."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from metaheur.errors import InputError
from metaheur.evaluators.costs import MOST_COST, python_cost
from metaheur.fields import Array
from metaheur.problem import Problem
from metaheur.representation import Representation
from metaheur.walk import number_of

__all__ = ["require_arrays", "require_solution"]


def require_solution(problem: Problem, solution: Any, cost: Any, what: str) -> None:
    """Refuse an array that is not a solution, or whose cost is another one.

    `solution`: shape (n,). `cost`: the cost in the file; floats may differ by rounding. `what`: the name of the
    solution in the message, such as "best".
    """
    try:
        valid = problem.representation.validate(solution)
    except InputError as error:
        raise InputError(f"the {what} solution cannot be right. {error.reason}") from None
    true = python_cost(problem, valid)
    pairs = [(cost, true)] if not isinstance(true, tuple) else _pairs(cost, true)
    if not all(_same(number, other) for number, other in pairs):
        raise InputError(f"the {what} cost is saved as {cost!r}, but the solution costs {true}.")


def _pairs(cost: Any, true: tuple[Any, ...]) -> list[tuple[Any, Any]]:
    several = isinstance(cost, tuple) and len(cost) == len(true)
    return list(zip(cost, true, strict=True)) if several else [(None, true)]


def _same(cost: Any, true: Any) -> bool:
    if isinstance(true, float) and isinstance(cost, int | float):
        return math.isclose(cost, true, rel_tol=1e-9, abs_tol=1e-9)
    return type(cost) is type(true) and bool(cost == true)


def require_arrays(declared: Mapping[str, Array], kept: Mapping[str, Any], problem: Problem, where: str) -> None:
    """Refuse kept arrays whose entries contradict their declarations.

    `declared`: the declarations, of which `within`, `distinct`, `costs` and `rows` are checked. `kept`: the arrays,
    with the declared shapes; or the arrays of many owners, with another axis in front. `problem`: the problem whose
    solutions are in the arrays. `where`: the name of the owner in the message.
    """
    for name, array in declared.items():
        _require_entries(array, kept[name], problem.representation, f"{where}.{name}")
    for name, array in declared.items():
        if array.costs:
            n = problem.representation.length
            solutions, costs = kept[name].reshape(-1, n), np.atleast_1d(kept[array.costs])
            count = int(kept[array.rows]) if array.rows else len(solutions)
            for row in range(count):
                require_solution(problem, solutions[row], number_of(costs[row]), f"{where}.{name} {row}")


def _require_entries(array: Array, values: np.ndarray, space: Representation, name: str) -> None:
    """Refuse entries outside the range, and equal entries where all must differ."""
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        raise InputError(f"{name} holds {values[~np.isfinite(values)].flat[0]}, but its entries are finite.")
    limits = array.within
    if limits is None and values.dtype.kind != "f":
        standard = {"item": (0, space.values - 1)}
        limits = standard.get(array.dtype, (-MOST_COST, MOST_COST) if array.dtype in ("cost", "total") else None)
    if limits is not None and ((outside := (values < limits[0]) | (values > limits[1])).any()):
        raise InputError(
            f"{name} holds {values[outside].flat[0]}, but its entries are {limits[0]:,} ... {limits[1]:,}."
        )
    if array.distinct and len(np.unique(values)) < values.size:
        raise InputError(f"{name} holds an entry twice, but its entries are distinct.")
