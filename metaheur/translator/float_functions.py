"""Functions of floats that have a half in C++, such as those of `metaheur.reals`: compiled methods may call them."""

from __future__ import annotations

from collections.abc import Iterator
from inspect import ismodule, signature
from typing import Any, final

from attrs import frozen

from metaheur.marker import Compiled, compiled_members
from metaheur.translator.reading import read, used_names

__all__ = ["FloatFunction", "float_function", "functions_of"]


@final
@frozen
class FloatFunction:
    """A function of floats with a half in C++: its names in Python and in C++, the file, how many arguments it has."""

    python: str
    name: str
    file: str
    arguments: int


def float_function(value: Any) -> FloatFunction | None:
    """What is known of a function whose attribute `half_in_cpp` has its name in C++ and its file; None for others."""
    half = getattr(value, "half_in_cpp", None) if callable(value) else None
    if not isinstance(half, tuple):
        return None
    name, file = half
    return FloatFunction(value.__name__, name, file, len(signature(value).parameters))


def functions_of(kind: type) -> Iterator[FloatFunction]:
    """The functions of floats that the compiled methods of a class call, also in the functions that these call."""
    waiting = [each for member in compiled_members(kind).values() for each in member.overloads]
    seen: set[Any] = set()
    while waiting:
        function = waiting.pop()
        if function in seen:
            continue
        seen.add(function)
        text, names = read(function), set(used_names(function.__code__))
        found = [text.resolve(name)[1] for name in names]
        found += [getattr(each, name, None) for each in found if ismodule(each) for name in names]
        for each in found:
            if isinstance(each, Compiled):
                waiting += each.overloads
            elif half := float_function(each):
                yield half
