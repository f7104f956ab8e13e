"""Components, which may have two halves: problems, neighborhoods, parts of searches, loops."""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import attrs
import numpy as np

from metaheur.lazy import expressible

if TYPE_CHECKING:
    from metaheur.fields import Array
    from metaheur.representation import Representation
    from metaheur.source import Source

__all__ = ["Component", "components_of", "members_of"]


@expressible
class Component(ABC):
    """A thing with two *halves*: Python defines it, and C++ may define it again, for speed.

    Its fields become the members of a generated C++ struct, `<name>Data`: bool, int, float, fractions.Fraction, None
    (as -1), fields made with `data`, other components, and tuples of components. The C++ half is a struct of the
    class's name that derives from it.

    Attributes
    ----------
    source : str, pathlib.Path, Source or None
        The C++ half: a `.cuh` file, relative to the class's module (or, in a notebook, to the current folder); or the
        code itself. None, the default, means Python only.
    facts : tuple of str
        Names of attributes that are True or False, which the compiler knows as `static constexpr bool`; an abstract
        class declares them.
    """

    source: ClassVar[str | Path | Source | None] = None
    facts: ClassVar[tuple[str, ...]] = ()

    def source_for(self, problem: Any, device: Any) -> Source | None:
        """The C++ half for a problem on a device, where a component generates its C++ half.

        A unit calls this method of each of its components.

        Parameters
        ----------
        problem : Problem
            The problem that is minimised.
        device : Device
            Where the unit is to run; `device.kind` is "host" or "cuda".

        Returns
        -------
        Source or None
            A struct of the class's name; None, the default, where the C++ half is `source` or compiled methods.
        """
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


def components_of(component: Component) -> Iterator[tuple[str, Component]]:
    """The components in the fields of a component, with their names in C++; see `members_of`."""
    return ((name, value) for name, value in members_of(component) if isinstance(value, Component))


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
