"""The check of a problem: every change of cost is the difference of two full evaluations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from metaheur.device.evaluator import DeviceEvaluator
from metaheur.device.names import device_of
from metaheur.errors import CheckFailed
from metaheur.evaluator import Evaluator, NumpyEvaluator, largest, python_cost
from metaheur.neighborhood import Neighborhood
from metaheur.problem import Problem
from metaheur.random import Key, Random
from metaheur.representation import Solution
from metaheur.search import Incumbent
from metaheur.testing.unit import devices_here

__all__ = ["check_problem", "require_equal_costs"]

EVERY_INDEX = 10**6
"""Moves up to which every index is checked; above, one of each of `STRATA` equal ranges."""

STRATA = 2000
FLOAT_TOLERANCE = 1e-9


def check_problem(
    problem: Problem, *neighborhoods: Neighborhood, seed: int = 0, devices: Iterable[str] | None = None
) -> None:
    """Check that every change of cost is the difference of two full evaluations.

    Parameters
    ----------
    problem : Problem
        A small instance: every index of its neighborhoods is evaluated in full, up to 10**6 moves; a stratified
        sample above.
    *neighborhoods : Neighborhood
        The neighborhoods to check it with, at least one.
    seed : int, default 0
        Of the solutions.
    devices : iterable of str, optional
        Of "host", "cuda", ...; None for all that are here. The Python half is checked always.

    Raises
    ------
    CheckFailed
        With the first move whose change of cost is wrong.
    """
    if not neighborhoods:
        raise CheckFailed("check_problem was given no neighborhood.", "call check_problem(problem, Swap()).")
    name, space = type(problem).__name__, problem.representation
    x = space.validate(space.random(Random(Key(seed), 0, 0)))
    _check_costs(problem, x, seed)
    for neighborhood in neighborhoods:
        neighborhood.require(space, f"this {name}")
        _check_deltas(problem, NumpyEvaluator(problem, neighborhood), x, seed, "numpy")
        if type(problem).source is None or type(neighborhood).source is None:
            continue
        for device in devices_here() if devices is None else devices:
            evaluator = DeviceEvaluator(problem, neighborhood, device_of(device))
            require_equal_costs(
                problem, evaluator.cost(x), python_cost(problem, x), f"{name}: the cost of {x} on {device}"
            )
            _check_deltas(problem, evaluator, x, seed, device)


def _check_costs(problem: Problem, x: Solution, seed: int) -> None:
    space, name = problem.representation, type(problem).__name__
    rows = np.stack([x, *(space.random(Random(Key(seed), 0, k)) for k in range(1, 4))])
    before = rows.copy()
    costs = np.asarray(problem.costs(rows))
    for row, cost in zip(rows, costs, strict=True):
        require_equal_costs(problem, cost, python_cost(problem, row), f"{name}.costs of {row}")
    if (rows != before).any():
        raise CheckFailed(f"{name}.cost or costs writes into the solution.", "work on a copy.")


def _check_deltas(problem: Problem, evaluator: Evaluator, x: Solution, seed: int, device: str) -> None:
    """At x, and after a few moves, so that what is kept beside the walk is advanced and not only built."""
    space, neighborhood = problem.representation, evaluator.neighborhood
    incumbent = Incumbent(space, x, python_cost(problem, x))
    size = evaluator.size
    for step in range(4):
        before = incumbent.solution.copy()
        deltas = np.array(evaluator.deltas(incumbent))
        if (incumbent.solution != before).any():
            raise CheckFailed(f"{type(problem).__name__}.delta writes into the solution on {device}.", "use a copy.")
        if deltas.shape != (size,):
            raise CheckFailed(f"{type(problem).__name__} has {deltas.shape} changes of cost for {size} moves.")
        for k in _strata(size, seed + step):
            move = neighborhood.move(space, k)
            if move.within(incumbent.solution) is None:
                _require_none(problem, deltas[k], f"{move!r} (index {k}) on {device}")
                continue
            moved = python_cost(problem, move.apply(incumbent.solution))
            require_equal_costs(
                problem,
                deltas[k],
                moved - incumbent.cost,
                f"{type(problem).__name__} on {device}: the change of cost of {move!r} (index {k}) at "
                f"{incumbent.solution}, cost {incumbent.cost}, moved cost {moved}",
            )
        if not size:
            return
        k = Random(Key(seed), 0, 100 + step).index(0, size)
        move = neighborhood.move(space, k)
        none = move.within(incumbent.solution) is None
        incumbent = incumbent.moved(k, move, 0 if none else deltas[k].item())


def _require_none(problem: Problem, delta: Any, what: str) -> None:
    if delta != largest(problem.cost_type):
        raise CheckFailed(f"{what} is no move here, so its change of cost is the largest number, but it is {delta}.")


def _strata(size: int, seed: int) -> Sequence[int]:
    """Every index, or one drawn from each of many equal ranges, ends included."""
    if size <= EVERY_INDEX:
        return range(size)
    drawn = (
        size * s // STRATA + Random(Key(seed), 0, s).index(0, size * (s + 1) // STRATA - size * s // STRATA)
        for s in range(STRATA)
    )
    return [0, *drawn, size - 1]


def require_equal_costs(problem: Problem, found: Any, expected: Any, what: str) -> None:
    """Fail, saying what was found, unless two costs are equal; within 1e-9 where they are floats."""
    if problem.cost_type == "float64":
        if abs(found - expected) <= FLOAT_TOLERANCE * max(1.0, abs(expected)):
            return
    elif found == expected:
        return
    raise CheckFailed(f"{what} is {found}, but two full evaluations say {expected}.")
