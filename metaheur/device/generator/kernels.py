"""The one place that composes and compiles kernels, and says which formula a problem lacks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from attrs import evolve

from metaheur.component import Component, components_of
from metaheur.device.generator.compose import compose
from metaheur.device.generator.launch import Launch
from metaheur.device.generator.shell import Shell
from metaheur.device.generator.target import Target
from metaheur.device.generator.unit import TranslationUnit
from metaheur.errors import CompileError, InputError
from metaheur.neighborhood import Neighborhood
from metaheur.problem import Problem

__all__ = ["compiled_kernels", "deltas"]

THREADS = 256
"""Threads of a block that evaluates."""


class Compiles(Target, Protocol):
    """A device, as far as it compiles."""

    def compile(self, unit: TranslationUnit) -> Any:
        """Compile a translation unit, or find it in the cache."""


def deltas(neighborhood: Neighborhood) -> Shell:
    """All changes of cost, for arrays of the caller: entries `prepare`, by one block, and `deltas`, by any number.

    `neighborhood`: whose moves are evaluated; the problem needs a formula for them.

    Notes
    -----
    Arguments: `x`, the solution, in the type of the representation; `out`, shape (size,), in the unit's type of changes
    of cost; `teams`, the CPU threads that share the moves.
    """
    return Shell(
        pieces=("device/cuh/deltas.cuh",),
        components={"neighborhood": neighborhood},
        members={"x": "Item*", "out": "Cost*", "teams": "i64"},
        launch=Launch(threads=THREADS, openmp=True),
    )


def compiled_kernels(problem: Problem, shell: Shell, device: Compiles) -> Any:
    """The kernels of a problem and a shell whose components all have C++ halves, compiled for a device."""
    try:
        return device.compile(compose(problem, shell, device))
    except CompileError as error:
        for neighborhood in dict.fromkeys(_neighborhoods(shell)):
            lacks = _lacking_formula(problem, neighborhood, shell, device)
            if lacks:
                raise lacks from error
        raise


def _neighborhoods(shell: Shell) -> Iterator[Neighborhood]:
    """The neighborhoods in the components of a shell; of nested ones, the outermost."""

    def found(component: Component) -> Iterator[Neighborhood]:
        if isinstance(component, Neighborhood):
            yield component
        else:
            for _, inner in components_of(component):
                yield from found(inner)

    for root in shell.components.values():
        yield from found(root)


def _lacking_formula(problem: Problem, neighborhood: Neighborhood, shell: Shell, device: Compiles) -> InputError | None:
    """The error for a formula that the problem's half lacks; None if it lacks none, or does not compile anyway.

    Probes are compiled: the halves alone, then with an assertion that the formula is there.
    """

    def compiles(formula: str) -> bool:
        probe = Shell(
            ("device/cuh/formula.cuh",), {"neighborhood": neighborhood}, {}, defines={f"MH_NEEDS_{formula}": 1}
        )
        try:
            device.compile(compose(problem, evolve(probe, checked=shell.checked, launch=Launch()), device))
        except CompileError:
            return False
        return True

    if compiles("DELTA") or not compiles("NOTHING"):
        return None
    by_deltas = shell.pieces == deltas(neighborhood).pieces
    if compiles("COST") and not by_deltas:
        return None
    moves = ", ".join(kind.__name__ for kind in neighborhood.move_types)
    absent = "no `delta`" if by_deltas else "neither `cost` nor a `delta`"
    way = 'without it the Python half is all there is: parallel="numpy", and source = None for "auto".'
    if by_deltas:
        way = "searches also evaluate moves in full, by `cost`, where the half has one."
    return InputError(
        f"The C++ half of {type(problem).__name__} has {absent} that takes what {neighborhood!r} makes ({moves}).",
        f"add it; {way}",
    )
