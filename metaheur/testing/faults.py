"""Errors inside compiled methods, reported with the line of the Python text."""

from __future__ import annotations

import ctypes
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

from metaheur.component import Component
from metaheur.errors import CheckFailed, MetaheurError
from metaheur.marker import compiled_members
from metaheur.translator.reading import read

__all__ = ["lines_named", "require_sound"]

INDEX, OVERFLOW, FIT, ZERO = 1, 2, 3, 4
"""Kinds of faults, as translator/checked.cuh numbers them."""


def require_sound(fault: list[int]) -> None:
    """Fail if there was an error in a checked unit, with the first error.

    `fault`: the output of the unit's entry `faults`: kind, line, value, bound, and the addresses of two texts.
    """
    kind, line, value, bound, *texts = fault
    if not kind:
        return
    path, what = ((ctypes.string_at(each) if each else b"").decode() for each in texts)
    where = f"{path}:{line}"
    if kind == INDEX:
        raise CheckFailed(f"{where}: index {value} is outside of {what}, whose length is {bound}.")
    if kind == ZERO:
        raise CheckFailed(f"{where}: division by zero.")
    bits = value if kind == OVERFLOW else bound
    made = f"{bound} {what} ..." if kind == OVERFLOW else str(value)
    maybe = 'use cost_type = "int64", or an array of int64.' if bits < 64 else "scale the data down."
    raise CheckFailed(f"{where}: {made} does not fit into {bits} bits.", maybe)


@contextmanager
def lines_named(component: Component) -> Iterator[None]:
    """Name the line at which the Python half of a compiled method fails, such as by an index out of range."""
    try:
        yield
    except MetaheurError:
        raise
    except Exception as error:
        functions = [each for member in compiled_members(type(component)).values() for each in member.overloads]
        codes = {(each.__code__.co_filename, each.__code__.co_name): each for each in functions}
        frames = traceback.extract_tb(error.__traceback__)
        inside = [frame for frame in frames if (frame.filename, frame.name) in codes]
        inside += [
            frame for frame in frames if frame.name == "<genexpr>" and inside and frame.filename == inside[-1].filename
        ]
        if not inside:
            raise
        path = read(codes[inside[0].filename, inside[0].name]).path
        line = max(inside, key=frames.index).lineno
        raise CheckFailed(f"{path}:{line}: {type(error).__name__}: {error}.") from error
