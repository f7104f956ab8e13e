"""The decorator `compiled`: a method that Python runs on exact numbers and that is translated to C++."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial, update_wrapper
from typing import Any, TypeVar, final

from metaheur.errors import CompileError, InputError

__all__ = ["Compiled", "compiled", "compiled_members", "independent"]

T = TypeVar("T")


@final
class Compiled:
    """A function, or the overloads of a method, that Python runs and that are translated to C++; see `compiled`.

    Attributes
    ----------
    name : str
        The function's.
    overloads : list of function
        In the order of the class; one, except for methods that are written once for each class of moves.
    many : function or None
        What stands beside them for many moves at once, in Python only.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        update_wrapper(self, function)
        self.name = function.__name__
        self.overloads = [function]
        self.many: Callable[..., Any] | None = None

    def overload(self, function: Callable[..., Any]) -> Compiled:
        """Add the same method for another class of moves, by the annotation of its parameter."""
        self.overloads.append(function)
        return self

    def vectorised(self, function: Callable[..., Any]) -> Compiled:
        """Name what Python calls for many moves at once, whose fields are arrays; it is not translated."""
        self.many = function
        return self

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        """The method of an instance, which turns what it is given into Python's exact numbers."""
        if instance is None:
            return self
        from metaheur.translator.calls import call

        return partial(call, self, instance)

    def __call__(self, *arguments: Any) -> Any:
        """A function outside of classes is called by compiled methods, with exact numbers."""
        return self.overloads[0](*arguments)


def compiled(function: Callable[..., Any]) -> Any:
    """Mark a method, or a function that such methods call, for translation to C++.

    The method is written for one solution and one move, in the part of Python that docs/compiled.md describes. Python
    runs it on Python's own numbers, which never overflow; on other devices it runs as C++ that is made of it, inside
    the kernels. A method that is defined several times has an overload for each class of moves, told by the
    annotation of its parameter; `method.overload` and `method.vectorised` are decorators as well.

    Parameters
    ----------
    function : function
        `cost`, `delta`, `init`, `commit` or `update` of a problem; a function of a part; `size`, `move`, `index` and
        others of a neighborhood; `apply` of a move; or what these call.

    Returns
    -------
    Any
        The method.

    Raises
    ------
    InputError
        If it is given something that is not a function.

    Examples
    --------
    >>> from metaheur.neighborhoods import SwapMove
    >>> class Mine:
    ...     @compiled
    ...     def delta(self, x, m: SwapMove):
    ...         return x[m.j] - x[m.i]
    """
    if not inspect.isfunction(function):
        raise InputError(
            f"@compiled marks functions and methods, but was given {function!r}.",
            "mark a plain method: no property, no class.",
        )
    namespace = sys._getframe(1).f_locals
    before = namespace.get(function.__name__) if "__qualname__" in namespace else None  # in the body of a class
    return before.overload(function) if isinstance(before, Compiled) else Compiled(function)


def independent(values: Iterable[T]) -> Iterable[T]:
    """Say of a loop that no two of its iterations write the same entry, where the translator cannot prove it.

    Parameters
    ----------
    values : range
        What the loop goes over: ``for e in independent(range(first, end)):``.

    Returns
    -------
    range
        The same. In C++ the threads of a team share the iterations.
    """
    return values


@lru_cache(maxsize=1024)
def compiled_members(kind: type) -> dict[str, Compiled]:
    """The compiled methods of a class by name, its own and those of abstract classes.

    Raises
    ------
    InputError
        If it inherits them from a class that is not abstract.
    CompileError
        If it names a `source`, too.
    """
    found = dict(_inherited(kind))
    if found and getattr(kind, "source", None) is not None:
        name = next(iter(found))
        raise CompileError(
            f"{kind.__name__} has @compiled methods ({name}) and names a C++ half in `source`: one of them is enough.",
            "drop `source`; or drop @compiled and write the methods in C++, which explain() prints.",
        )
    return found


def _inherited(kind: type) -> Iterator[tuple[str, Compiled]]:
    seen: set[str] = set()
    for owner in kind.__mro__:
        for name, value in vars(owner).items():
            if name in seen:
                continue
            seen.add(name)
            if not isinstance(value, Compiled):
                continue
            if owner is not kind and not inspect.isabstract(owner):
                raise InputError(
                    f"{kind.__name__} inherits the compiled method {name} from {owner.__name__}, but a half belongs to "
                    "one class.",
                    f"use {owner.__name__} as a field of a class of its own.",
                )
            yield name, value
