"""What numbers costs are: of which type, within which limits, and what is refused in place of one."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from metaheur.errors import CheckFailed, InputError

if TYPE_CHECKING:
    from metaheur.costs.levels import Levels
    from metaheur.problem import Problem
    from metaheur.representation import Solution
    from metaheur.walk import EvaluatedSolution

__all__ = [
    "MOST_COST",
    "MOST_OBJECTIVES",
    "allows",
    "as_cost",
    "as_costs",
    "asked",
    "change",
    "numbers",
    "packed",
    "python_cost",
    "require_cost",
    "require_in_range",
    "require_levels",
    "same_cost",
    "wide_type",
]

MOST_OBJECTIVES = 8

MOST_COST = 2**62
"""Costs of type int64 lie between its negative and this number, so that int64 holds every change of cost."""


HUGE = 1e307
"""Costs of type float64 lie between its negative and this number; a change that is not a finite number leads beyond."""


def wide_type(problem: Problem) -> np.dtype[Any]:
    """The type of a cost: int64, or float64."""
    if problem.cost_type not in ("int32", "int64", "float64"):
        raise InputError(
            f'{type(problem).__name__}.cost_type must be "int32", "int64" or "float64", but is {problem.cost_type!r}.',
            'write cost_type = "float64" in the class.',
        )
    return np.dtype(np.float64 if problem.cost_type == "float64" else np.int64)


def numbers(problem: Problem) -> tuple[int, ...]:
    """The last axes of an array of costs: (K,) for K objectives, () for one."""
    names = problem.objectives
    if not names and isinstance(names, tuple):
        return ()
    if not isinstance(names, tuple) or not 2 <= len(set(names)) == len(names) <= MOST_OBJECTIVES:
        raise InputError(
            f"{type(problem).__name__}.objectives must be a tuple of 2 ... {MOST_OBJECTIVES} different names, but is "
            f"{names!r}.",
            "leave it empty where there is one objective.",
        )
    return (len(names),)


_known: dict[int, tuple[weakref.ref[Any], Callable[[np.ndarray], np.ndarray], Levels | None]] = {}


def _view_and_levels(problem: Problem) -> tuple[Callable[[np.ndarray], np.ndarray], Levels | None]:
    """How Python views solutions of a problem, and the levels of its costs: asked once a problem."""
    number = id(problem)
    found = _known.get(number)
    if found is None or found[0]() is not problem:
        from metaheur.problem import levels_of

        gone, view = lambda _: _known.pop(number, None), getattr(problem.representation, "view", lambda x: x)
        found = _known[number] = weakref.ref(problem, gone), view, levels_of(problem)
    return found[1:]


def with_parts(problem: Problem, xs: np.ndarray) -> np.ndarray:
    """A view of solutions as Python reads them, such as by named parts."""
    return _view_and_levels(problem)[0](xs) if isinstance(xs, np.ndarray) else xs


def python_cost(problem: Problem, x: Solution) -> Any:
    """`problem.cost(x)` as an int or a float, as the problem declares; a tuple of them if there are objectives."""
    return as_cost(problem, asked(problem, "cost", x), "cost")


def asked(problem: Problem, function: str, xs: np.ndarray, *more: Any) -> Any:
    """The result of a function of a problem for solutions, which it must not write."""
    ask, kept = getattr(problem, function), with_parts(problem, xs.view())
    kept.flags.writeable = False
    try:
        return ask(kept, *more)
    except ValueError as error:  # NumPy raises it for a write into a solution, and for other reasons
        copy = with_parts(problem, xs.copy())
        try:
            ask(copy, *more)
        except Exception:
            raise error from None
        if np.array_equal(copy, xs):
            raise
        raise InputError(
            f"{type(problem).__name__}.{function} writes into the solution, which must stay as it is.",
            "write x = x.copy() first, or sorted(x) instead of x.sort().",
        ) from error


def allows(problem: Problem, x: Solution, move: Any) -> bool:
    """Whether the problem says that a move is feasible, one that its neighborhood allows; no answer is an error."""
    from metaheur.problem import judges

    if not judges(problem):
        return True
    found, name = asked(problem, "feasible", x, move), f"{type(problem).__name__}.feasible"
    if found is NotImplemented:
        raise InputError(f"{name} does not judge moves such as {move!r}.", "write it for this class of moves, too.")
    if not isinstance(found, bool | np.bool_):
        raise InputError(f"{name} must return True or False, but returned {found!r} for {move!r}.")
    return bool(found)


def change(problem: Problem, after: Any, before: Any) -> Any:
    """The difference of two costs, of one objective or several."""
    return tuple(a - b for a, b in zip(after, before, strict=True)) if problem.objectives else after - before


def same_cost(problem: Problem, a: Any, b: Any, scale: Any = 0) -> bool:
    """Whether two costs are equal; with type float64, whether their relative difference is at most 1e-9.

    `scale`: another cost for the tolerance, such as the start's: a walk accumulates rounding errors relative to it.
    """
    if wide_type(problem).kind != "f":
        return bool(a == b)
    first, second, third = (np.asarray(each, np.float64) for each in (a, b, scale))
    most = np.maximum(np.maximum(abs(first), abs(second)), np.maximum(abs(third), 1))
    return bool((abs(first - second) <= 1e-9 * most).all())


def require_cost(problem: Problem, solution: EvaluatedSolution, where: str, scale: Any = 0) -> None:
    """Validate a solution, evaluate it in full by the Python half, and refuse its cost if it is another one.

    `where`: the place and the name of the solution in the message. `scale`: as for `same_cost`.
    """
    try:
        x = problem.representation.validate(solution.solution)
    except InputError as error:
        raise CheckFailed(f"{where} solution is invalid: {error.reason}") from error
    from metaheur.problem import judges

    if judges(problem) and hasattr(problem, "violations") and (found := asked(problem, "violations", x)):
        raise CheckFailed(
            f"{where} solution is not feasible: {type(problem).__name__}.violations are {found}.",
            "check the problem's `feasible` with metaheur.testing.check_problem.",
        )
    true = python_cost(problem, x)
    if not same_cost(problem, solution.cost, true, scale):
        raise CheckFailed(
            f"{where} cost is reported as {problem.displayed(solution.cost)}, but {type(problem).__name__}.cost gives "
            f"{problem.displayed(true)}.",
            "check the problem's `delta` with metaheur.testing.check_problem.",
        )


def require_in_range(problem: Problem, costs: np.ndarray) -> None:
    """Refuse costs of walks beyond the limits of costs: by such a cost compiled code marks a wrong change of cost."""
    limit = HUGE if costs.dtype.kind == "f" else MOST_COST
    name, levels = type(problem).__name__, _view_and_levels(problem)[1]
    if levels is not None:
        require_levels(levels, costs, f"The C++ half of {name}")
    if ((-limit < costs) & (costs < limit)).all():
        return
    if costs.dtype.kind == "f":
        raise InputError(
            f"The C++ half of {name} led to a cost that is not a finite number.",
            "check_problem names the move that does it.",
        )
    raise InputError(
        f"The C++ half of {name} led to a cost that is not between -2**62 and 2**62.",
        "scale the data down; check_problem names a move whose change of cost is wrong.",
    )


def require_levels(levels: Levels, costs: np.ndarray, name: str) -> None:
    """Refuse packed costs with a level beyond its bounds. `name`: what made them."""
    out = levels.wrong(costs)
    if not out.any():
        return
    bounds = (f"{level} {low:,} ... {high:,}" for level, (low, high) in zip(levels.names, levels.bounds, strict=True))
    raise InputError(
        f"{name} led to a cost with a level beyond the bounds that `level_bounds` gives: {', '.join(bounds)}.",
        "widen the bounds, which hold for every solution of the space; check_problem names a change of cost that is "
        "wrong.",
    )


def packed(problem: Problem, found: Any, function: str) -> Any:
    """What a function of a problem with levels returned for many solutions or moves, as an array of packed numbers.

    `found`: an array of shape (m, L), or a tuple of L arrays. What another problem returned stays as it is, and so does
    what has another shape, which is refused elsewhere.
    """
    levels = _view_and_levels(problem)[1]
    if levels is None or found is NotImplemented:
        return found
    array = np.stack(np.broadcast_arrays(*found), axis=-1) if isinstance(found, tuple) else np.asarray(found)
    if not array.size:
        return np.zeros(0, np.int64)
    if array.ndim != 2 or array.shape[1] != len(levels.names):
        raise InputError(
            f"{type(problem).__name__}.{function} must return the levels {', '.join(levels.names)} of each, an array "
            f"of shape (m, {len(levels.names)}) or as many arrays, but returned one of shape {array.shape}."
        )
    values = as_costs(problem, array, function)
    low, high = values.min(axis=0, initial=0).tolist(), values.max(axis=0, initial=0).tolist()
    for ends in (low, high):
        if error := levels.out_of_bounds(f"{type(problem).__name__}.{function}", ends, change=function == "delta"):
            raise error
    return levels.packed(values)


def as_cost(problem: Problem, cost: Any, function: str) -> Any:
    """The result of a function of a problem, as a cost or a change of cost; see `python_cost`."""
    levels = _view_and_levels(problem)[1]
    names = problem.objectives if levels is None else levels.names
    if not names and not numbers(problem):
        return _number(problem, cost, function)
    values = cost.tolist() if isinstance(cost, np.ndarray) else cost
    if not isinstance(values, tuple | list) or len(values) != len(names):
        raise InputError(
            f"{type(problem).__name__}.{function} must return {len(names)} numbers, for the "
            f"{'objectives' if levels is None else 'levels'} {', '.join(names)}, but returned {cost!r}."
        )
    found = tuple(_number(problem, value, function) for value in values)
    if levels is None:
        return found
    if error := levels.out_of_bounds(f"{type(problem).__name__}.{function}", found, change=function == "delta"):
        raise error
    return levels.packed(found)


def as_costs(problem: Problem, found: Any, function: str) -> np.ndarray:
    """The result of a function of a problem, as an array of costs or of changes of cost: int64 or float64."""
    array, dtype = np.asarray(found), wide_type(problem)
    bad: np.ndarray = np.zeros(0, bool)
    if array.dtype.kind not in "iuf":
        bad = np.ones(array.shape, bool)
    elif dtype.kind == "f":
        bad = ~np.isfinite(array)
    elif array.dtype.kind == "f":
        bad = (array != np.floor(array)) | ~(np.abs(array) < 2**53)
    elif array.size and (array.max() >= _most(function) or array.min() <= -_most(function)):
        bad = (array >= _most(function)) | (array <= -_most(function))
    if bad.any():
        for value in array[bad].tolist():
            _number(problem, value, function)
    converted: np.ndarray = array.astype(dtype, copy=False)
    return converted


def _most(function: str) -> int:
    """The upper limit of whole numbers that a function returns: of costs, or of their differences."""
    return 2 * MOST_COST - 1 if function == "delta" else MOST_COST


def _number(problem: Problem, cost: Any, function: str) -> int | float:
    """One number of a cost, as an int or a float."""
    if type(cost) is int and abs(cost) < _most(function) and problem.cost_type in ("int64", "int32"):
        return cost
    name = type(problem).__name__
    value = cost.item() if isinstance(cost, np.generic) or (isinstance(cost, np.ndarray) and cost.size == 1) else cost
    if isinstance(value, bool) or not isinstance(value, int | float):
        several = isinstance(value, tuple | list | np.ndarray) and len(value) > 1
        way = "name `objectives`, or `levels`, in the class." if several else "write int(...) or float(...)."
        raise InputError(f"{name}.{function} must return a number, but returned {cost!r}.", way)
    if wide_type(problem).kind == "f":
        if not np.isfinite(value):
            raise InputError(f"{name}.{function} must return a finite number, but returned {value}.")
        return float(value)
    if isinstance(value, float) and not value.is_integer():
        raise InputError(
            f"{name}.{function} returned {value}, but its cost_type is {problem.cost_type!r}.",
            'scale the data to integers, or say cost_type = "float64" in the class.',
        )
    if isinstance(value, float) and abs(value) >= 2**53:
        raise InputError(
            f"{name}.{function} returned {value}, a float too large to be exact.", "compute it in integers."
        )
    if abs(value) >= _most(function):
        raise InputError(
            f"{name}.{function} returned {value}, but costs must lie between -2**62 and 2**62, so that int64 holds "
            "every change of cost.",
            "scale the data down.",
        )
    return int(value)
