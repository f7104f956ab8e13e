"""Components, which may have two halves; among them representations, which describe the solutions to all others."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import attrs
import numpy as np

from metaheur.errors import InputError
from metaheur.lazy import expressible
from metaheur.random import START, Key, Random

if TYPE_CHECKING:
    from metaheur.fields import Array
    from metaheur.source import Source

__all__ = ["Component", "Representation", "Solution", "components_of", "members_of", "parts_of", "reads", "undrawn"]

Solution = np.ndarray[Any, np.dtype[Any]]
"""A solution: a one-dimensional array as its Representation describes it."""


@expressible
class Component(ABC):
    """A thing with two *halves*: Python defines it, and C++ may define it again, for speed.

    Its fields become the members of a generated C++ struct, `<name>Data`: bool, int, float, fractions.Fraction, None
    (as -1), fields made with `data`, other components, and tuples of components. The C++ half is a struct of the
    class's name that derives from it.

    `source`: the C++ half: a `.cuh` file, relative to the class's module (or, in a notebook, to the current folder); or
    the code itself. None, the default, means Python only. `facts`: names of attributes that are True or False, which
    the compiler knows as `static constexpr bool`; an abstract class declares them.
    """

    source: ClassVar[str | Path | Source | None] = None
    facts: ClassVar[tuple[str, ...]] = ()

    def source_for(self, problem: Any, device: Any) -> Source | None:
        """The C++ half for a problem on a device, where a component generates its C++ half.

        A unit calls this method of each of its components.

        `device`: where the unit is to run; `device.kind` is "host" or "cuda". Returns a struct of the class's name;
        None, the default, where the C++ half is `source` or compiled methods.
        """
        return None

    def source_on(self, representation: Representation) -> Source | None:
        """The C++ half for some representations, where it differs from `source`; None by default."""
        return None

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """Arrays that the component keeps, by name, as members of the generated struct; none by default.

        A problem and a neighborhood keep them beside a solution, in C++ only; a part and a loop beside a walk, in both
        halves.
        """
        return {}

    def cache(self, representation: Representation) -> Mapping[str, Array]:
        """Arrays of the C++ half of a loop that follow the solution and are not part of the state; none by default."""
        return {}

    def inner_space(self, name: str, representation: Representation) -> Representation:
        """The space that the component in a field acts on: by default that of this component."""
        return representation

    def constants(self, representation: Representation) -> Mapping[str, int | bool]:
        """Numbers and truth values that the C++ half needs besides the fields, by name; none by default.

        The compiler knows truth values (`static constexpr bool`) and a problem's numbers; other numbers are members
        (i64) of the generated struct.
        """
        return {}

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        """Arrays computed from the data for the C++ half, by name, members of the generated struct; none by default.

        A table that has the name of a problem's field replaces this field in C++.
        """
        return {}


class Representation(Component):
    """The space of solutions: which arrays are solutions, and how far apart they are.

    A solution is one array of whole numbers. What else is true of it is said by *facts*, which neighborhoods,
    crossovers, memories and models ask; all are false, unless a class says otherwise, so that what does not know a
    representation refuses it.

    The C++ half has ``draw(Team, Item* x, Random) const``, the twin of `random`: all threads of a team call it.
    Without a C++ half, Python draws the starts of walks, and parts that draw solutions inside compiled code run in
    Python.

    `dtype`: type of the entries, in NumPy and in C++ (`Item`): uint8, uint16 or int32, the default.
    """

    facts: ClassVar[tuple[str, ...]] = ("arranges", "independent", "exchanges")
    dtype: ClassVar[np.dtype[Any]] = np.dtype(np.int32)

    @property
    @abstractmethod
    def length(self) -> int:
        """Number of entries of a solution."""

    @property
    @abstractmethod
    def values(self) -> int:
        """Number of values that an entry can take: the entries lie in 0 ... values - 1."""

    @property
    def arranges(self) -> bool:
        """Whether the solutions are all permutations of 0 ... length - 1; False by default."""
        return False

    @property
    def cyclic(self) -> bool:
        """Whether rotations and reversals of a permutation are the same solution, as in a tour; False by default."""
        return False

    @property
    def independent(self) -> bool:
        """Whether each entry takes any value of its `domain`, whatever the others are; False by default."""
        return False

    @property
    def exchanges(self) -> bool:
        """Whether any two entries of any solution may trade their values; False by default."""
        return False

    def domain(self, k: int) -> int:
        """Number of values that entry k, 0 <= k < length, can take: 0 ... domain - 1; `values` by default."""
        return self.values

    @abstractmethod
    def random(self, random: Random) -> Solution:
        """Draw a solution, all with the same probability; array of shape (length,)."""

    def starts(self, keys: Sequence[Key]) -> np.ndarray:
        """The random starts of many walks, shape (W, length): row w is `random(Random(keys[w], START, 0))`."""
        return np.array([self.random(Random(key, START, 0)) for key in keys], self.dtype).reshape(-1, self.length)

    def view(self, x: Solution) -> Solution:
        """A view of a solution, or of a solution a row, with attributes by which Python reads it; x by default."""
        return x

    @abstractmethod
    def violation(self, x: Solution) -> str:
        """The first reason why an integer array of the right shape is not a solution, or "" if it is a solution."""

    @abstractmethod
    def distance(self, x: Solution, y: Solution) -> int:
        """Number of elementary changes between two solutions."""

    def validate(self, x: Any) -> Solution:
        """Return a read-only copy of x, and refuse an x that is not a solution.

        `x`, array_like, shape (length,): the entries. Returns a read-only copy with the representation's dtype. Raises
        InputError if x has another shape, has entries that are not whole numbers, or is not a solution.
        """
        try:
            array = np.asarray(x)
        except ValueError:
            raise InputError(
                f"A solution of {self!r} has the shape ({self.length},), but this one is ragged.",
                "it is a list of solutions.",
            ) from None
        if array.shape != (self.length,):
            raise InputError(
                f"A solution of {self!r} has the shape ({self.length},), but this one has {array.shape}.",
                "it belongs to another instance.",
            )
        if array.dtype.kind not in "iub" and not (array.dtype.kind == "f" and bool((array == np.floor(array)).all())):
            raise InputError(
                f"A solution of {self!r} is made of whole numbers, but this one has entries of type {array.dtype}.",
                "convert it with numpy.asarray(x, dtype=int).",
            )
        if not np.can_cast(array.dtype, self.dtype):
            outside = (array < np.iinfo(self.dtype).min) | (array > np.iinfo(self.dtype).max)
            if outside.any():
                k = int(np.argmax(outside))
                raise InputError(
                    f"Entry {k} of the solution is {array[k]}, beyond the values of {self!r}: 0 ... {self.values - 1}.",
                    "it belongs to another problem.",
                )
        solution = np.array(array, dtype=self.dtype)
        reason = self.violation(solution)
        if reason:
            from_1 = not self.violation(array.astype(np.int64) - 1)
            way = "it counts from 1: subtract 1." if from_1 else "it belongs to another problem."
            raise InputError(f"This is not a solution of {self!r}: {reason}", way)
        solution.flags.writeable = False
        return self.view(solution)


def components_of(component: Component) -> Iterator[tuple[str, Component]]:
    """The components in the fields of a component, with their names in C++; see `members_of`.

    A representation in a field of another component is a description, and no part of it.
    """
    kind = Representation if isinstance(component, Representation) else Component
    return (
        (name, value)
        for name, value in members_of(component)
        if isinstance(value, kind) and (kind is Representation or not isinstance(value, Representation))
    )


def members_of(thing: Any) -> Iterator[tuple[str, Any]]:
    """The values of all fields with their names in C++: the items of a tuple `parts` are `parts_0`, `parts_1`, ..."""
    for field in fields_of(thing):
        value = getattr(thing, field.name)
        if isinstance(value, tuple):
            yield from ((f"{field.name}_{i}", each) for i, each in enumerate(value))
        else:
            yield field.name, value


def fields_of(thing: Any) -> tuple[attrs.Attribute[Any], ...]:
    """The attrs fields of a thing that C++ may know; none if its class is not made with attrs."""
    fields = attrs.fields(type(thing)) if attrs.has(type(thing)) else ()
    return tuple(field for field in fields if "python only" not in field.metadata)


def reads(thing: Any) -> bool:
    """Whether a class or an instance has a C++ half: named, made of compiled methods, or generated."""
    from metaheur.marker import compiled_members

    kind = thing if isinstance(thing, type) else type(thing)
    generates = getattr(kind, "source_for", Component.source_for) is not Component.source_for
    return generates or getattr(kind, "source", None) is not None or bool(compiled_members(kind))


def parts_of(thing: Any) -> Iterator[Any]:
    """A component, and all components that it is made of."""
    yield thing
    if isinstance(thing, Component):
        for _, inner in components_of(thing):
            yield from parts_of(inner)


def undrawn(space: Representation) -> list[str]:
    """The names of a representation, and of its parts, without a C++ half, which compiled code cannot draw."""
    return [type(each).__name__ for each in parts_of(space) if not reads(each)]
