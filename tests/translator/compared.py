"""One compiled unit for all programs of a class: what it computes of each, beside what Python says."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from attrs import evolve

from metaheur import Neighborhood
from metaheur.device.generator.record import types_of
from metaheur.evaluators.costs import numbers
from metaheur.evaluators.offers import Offers
from metaheur.testing.compiled_check import CompiledCheck
from metaheur.testing.members import ProblemMembers

STEPS = 2
THREADS = 256


def unit_of(problem: Any, neighborhood: Neighborhood, device: Any) -> CompiledCheck:
    """The unit that a problem's check asks, and its arrays."""
    space = problem.representation
    wide = np.float64 if problem.cost_type == "float64" else np.int64
    shape = neighborhood.size(space), *numbers(problem)
    arrays = {
        "x": np.zeros((1, space.length), space.dtype),
        "table": np.zeros(shape, types_of(problem, (neighborhood,)).cost),
        "cost": np.zeros((1, *numbers(problem)), wide),
        "scratch": np.zeros((THREADS, space.length), space.dtype),
        "answer": np.zeros(2, np.int64),
    }
    defines = {f"member_{member.name}".lower(): int(member) for member in ProblemMembers}
    defines |= {f"offers_{bit.name}".lower(): int(bit) for bit in Offers}
    return CompiledCheck(problem, {"neighborhood": neighborhood}, device, ("testing/problem.cuh",), arrays, defines)


def choose(unit: CompiledCheck, problem: Any) -> None:
    """Let the unit compute a problem of the same class, which is another program."""
    struct = unit.session.unit.structs["problem"]
    unit.session.place("problem", evolve(struct, members={**struct.members, "which": np.int32(problem.which)}))


def difference(
    problem: Any,
    unit: CompiledCheck,
    seed: int,
    expected: Callable[[Any, Any, Any], Iterable[Any]],
    settings: tuple[tuple[str, int], ...] = (),
) -> str:
    """The first cost, or change of cost, that differs from Python's, at a solution and after moves; "" if none differs.

    Parameters
    ----------
    problem : Problem
        The program.
    unit : CompiledCheck
        The unit of its class.
    seed : int
        Of the solution and the moves.
    expected : callable
        The changes of cost of all moves at a solution, given the problem, the neighborhood and the solution.
    settings : tuple of (str, int)
        Kept arrays whose entry 1 is set to a number in turn: each must give the same.
    """
    neighborhood: Any = unit.components["neighborhood"]
    space, random = problem.representation, np.random.default_rng(seed)
    moves = list(neighborhood.moves(space))
    x = (
        random.permutation(space.length)
        if space.values == space.length
        else random.integers(0, space.values, space.length)
    )
    x = x.astype(space.dtype)
    choose(unit, problem)
    unit.fill("x", x)
    unit.launch("prepare")
    for step in range(STEPS + 1):
        unit.launch("cost")
        if not np.array_equal(unit.read("cost")[0], problem.cost(x)):
            return f"program {problem.which} of {type(problem).__name__}, {x}: cost {unit.read('cost')[0]}"
        right = np.array(list(expected(problem, neighborhood, x)), unit.arrays["table"].dtype)
        chosen = int(random.integers(len(moves)))
        for setting in settings or ((),):
            if setting:
                unit.session.write(f"state.{setting[0]}", [setting[1]], 1)
            for entry in ("each", "together", "all"):
                unit.launch(entry, chosen)
                found = unit.read("table").copy()
                if entry == "together":
                    found[:chosen], found[chosen + 1 :] = right[:chosen], right[chosen + 1 :]
                for k in np.flatnonzero((found != right).reshape(len(found), -1).any(axis=1))[:1]:
                    what = f"program {problem.which} of {type(problem).__name__}, {neighborhood!r}, step {step}"
                    return f"{what}, {entry}, {setting}, {moves[k]!r}: {found[k]}, not {right[k]}"
        x = moves[chosen].apply(x)
        unit.launch("advance", chosen)
    return ""
