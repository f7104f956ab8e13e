"""The mark of methods that are translated to C++."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial, update_wrapper
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, final

from metaheur.errors import CompileError, InputError

if TYPE_CHECKING:
    import numpy as np

    from metaheur.fields import Array
    from metaheur.source import Source

__all__ = ["Compiled", "Translator", "compiled_members", "independent", "is_compiled"]

T = TypeVar("T")


class Translator(Protocol):
    """The translator, as the core uses it; the decorator `compiled` puts it into the mark of each method."""

    def call(self, member: Compiled, instance: Any, *arguments: Any) -> Any:
        """The value that the method of an instance returns."""

    def derived(self, problem: Any, moves: Sequence[Any]) -> Iterable[str]:
        """Sentences that say which changes of cost of a problem follow from its cost, or why none do."""

    def distrust(self, problem: Any, moves: Sequence[Any], why: str) -> bool:
        """Derive nothing more from a problem's cost; whether anything was derived, and the class can do without it."""

    def explain(self, component: Any, moves: Sequence[Any]) -> str:
        """The C++ that the marked methods of a component become, for classes of moves."""

    def folded(self, problem: Any, x: Any) -> Any:
        """The cost of a solution by `start`, `step` and `finish`."""

    def priced(self, problem: Any, x: Any) -> Any:
        """The cost of a solution of lists by `unit`, `join` and `price`."""

    def half(
        self, component: Any, representation: Any, *, cost_type: str, checked: bool, moves: Sequence[Any]
    ) -> Source:
        """The C++ half of a component for classes of moves; or of a class of moves, whose `representation` is None."""

    def library(self, problems: Sequence[Any], moves: Sequence[Any], *, checked: bool) -> tuple[Source, ...]:
        """The C++ that the translated halves of problems for classes of moves use, before all halves."""

    def tables(self, problem: Any, moves: Sequence[Any]) -> Mapping[str, np.ndarray]:
        """The tables that the half of a problem for classes of moves has besides its own."""

    def arrays(self, problem: Any, moves: Sequence[Any]) -> Mapping[str, Array]:
        """The arrays that the half of a problem for classes of moves keeps besides its own."""


@final
class Compiled:
    """A function, or the overloads of a method, that Python runs and that are translated to C++; see `compiled`.

    `name`: the name of the method or function. `overloads`: the overloads in the order of the class; several only where
    a method is written once for each class of moves. `many`: the method for many moves at once, in Python only.
    `translator`: runs calls from outside with exact numbers, and writes the C++.
    """

    def __init__(self, function: Callable[..., Any], translator: Translator) -> None:
        update_wrapper(self, function)
        self.translator = translator
        self.name, self.overloads = function.__name__, [function]
        self.many: Callable[..., Any] | None = None

    def __set_name__(self, owner: type, name: str) -> None:
        """Take the name of the method, if the class has none of the function's name."""
        self.name = self.name if self.name in vars(owner) else name

    def overload(self, function: Callable[..., Any]) -> Compiled:
        """Add the same method for another class of moves, by the annotation of its parameter."""
        self.overloads.append(function)
        return self

    def vectorised(self, function: Callable[..., Any]) -> Compiled:
        """Set the method that Python calls for many moves at once, whose fields are arrays; it is not translated."""
        self.many = function
        return self

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        """The method of an instance, which converts its arguments to Python's exact numbers."""
        if instance is None:
            return self
        return partial(self.translator.call, self, instance)

    def __call__(self, *arguments: Any) -> Any:
        """Call a function outside of classes, as compiled methods do: with exact numbers."""
        return self.overloads[0](*arguments)


def independent(values: Iterable[T]) -> Iterable[T]:
    """Declare that no two iterations of a loop write the same entry, where the translator cannot prove this.

    Parameters
    ----------
    values : range
        The range of the loop: ``for e in independent(range(first, end)):``.

    Returns
    -------
    range
        The same. In C++ the threads of a team share the iterations.
    """
    return values


@lru_cache(maxsize=1024)
def compiled_members(kind: type) -> dict[str, Compiled]:
    """The compiled methods of a class by name, its own and those of abstract classes.

    Raises InputError if the class inherits compiled methods from a class that is not abstract. Raises CompileError if
    the class names a `source`, too.
    """
    found = dict(_inherited(kind))
    if found and getattr(kind, "source", None) is not None:
        name = next(iter(found))
        raise CompileError(
            f"{kind.__name__} has @compiled methods ({name}) and names a C++ half in `source`: one of them is enough.",
            "drop `source`; or drop @compiled and write the methods in C++, which explain() prints.",
        )
    return found


def is_compiled(kind: type) -> bool:
    """Whether a class has compiled methods."""
    return bool(compiled_members(kind))


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
