"""The views with which compiled methods run in Python: component, arrays and moves in Python's own numbers.

NumPy's integers wrap around; Python's do not. Entries of these views are ints, floats and bools; negative indices count
from the end, as in a list; no array is copied.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, final

import attrs
import numpy as np

from metaheur.component import Component
from metaheur.marker import Compiled, compiled_members
from metaheur.move import Move
from metaheur.problem import Problem
from metaheur.representation import places_of
from metaheur.translator.linked import Linked, has_lists
from metaheur.translator.on_grid import OnGrid, has_grids

__all__ = ["ExactMatrix", "KeptArrays", "exact_array", "exact_component", "exact_solution", "exact_value", "moves_of"]


@final
class ExactMatrix:
    """A matrix of exact numbers: `m[i, k]` is an entry, `m[i]` a row."""

    __slots__ = ("rows",)

    def __init__(self, array: np.ndarray) -> None:
        rows: Any = array
        self.rows = [memoryview(row) for row in rows]

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, tuple):
            i, k = place
            return self.rows[i][k]
        return self.rows[place]

    def __setitem__(self, place: tuple[int, int], value: Any) -> None:
        i, k = place
        self.rows[i][k] = value

    def __iter__(self) -> Iterator[Any]:
        return iter(self.rows)


def exact_array(array: np.ndarray) -> Any:
    """A view of a vector or a matrix; of a single number, the number."""
    if array.ndim == 0:
        return array.item()
    array = np.ascontiguousarray(array)
    flat: Any = array
    return memoryview(flat) if array.ndim == 1 else ExactMatrix(array)


def exact_value(value: Any) -> Any:
    """The value as a compiled method is given it: NumPy's numbers become Python's, arrays become views."""
    if isinstance(value, np.ndarray):
        return exact_array(value)
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Component):
        return exact_component(value)
    if isinstance(value, tuple):
        return tuple(map(exact_value, value))
    return value


@final
class Parts(list[int]):
    """The entries of a solution, with those of each named part as an attribute."""

    def __init__(self, entries: list[int], places: Mapping[str, slice], spaces: Mapping[str, Any]) -> None:
        super().__init__(entries)
        for name, place in places.items():
            self.__dict__[name] = exact_solution(entries[place], spaces[name])


def exact_solution(entries: list[int], space: Any) -> list[int]:
    """The entries of a solution; those of its parts by their names, too, and what follows an item in its list."""
    if has_lists(space):
        return Linked(entries, space.items)
    if has_grids(space):
        return OnGrid(entries, space)
    places = places_of(space)
    return Parts(entries, places, space.parts) if places else entries


@final
class KeptArrays:
    """The arrays and numbers that are kept beside a solution or a walk, as `s.name`."""

    def __init__(self, arrays: Mapping[str, np.ndarray]) -> None:
        views = {name: exact_array(array) for name, array in arrays.items() if np.ndim(array)}
        self.__dict__.update(views, _numbers={name: array for name, array in arrays.items() if not np.ndim(array)})

    def __getattr__(self, name: str) -> Any:
        numbers = self.__dict__["_numbers"]
        if name not in numbers:
            raise AttributeError(f"{name!r} is not kept: `state` declares {', '.join([*numbers, *self.__dict__])}")
        return numbers[name].item()

    def __setattr__(self, name: str, value: Any) -> None:
        self.__dict__["_numbers"][name][()] = value


@final
class _Exact:
    """A component whose fields, tables and constants are exact, and whose compiled methods call each other directly."""

    def __init__(self, component: Component) -> None:
        self.__dict__["_component"] = weakref.ref(component)

    def __getattr__(self, name: str) -> Any:
        component = self.__dict__["_component"]()
        value = self.__dict__[name] = self._found(component, name)
        return value

    def _found(self, component: Component, name: str) -> Any:
        member = compiled_members(type(component)).get(name)
        if member is not None:
            return _method(member, self)
        if isinstance(component, Problem):
            space = component.representation
            for declared in (component.tables(space), component.constants(space)):
                if name in declared:  # a table stands in for a field of its name
                    return exact_value(declared[name])
            if name == "n":
                return space.length
        value = getattr(component, name)
        return partial(_exactly, value) if callable(value) and not isinstance(value, Component) else exact_value(value)


def _method(member: Compiled, view: Any) -> Callable[..., Any]:
    """A compiled method for calls by other compiled methods: the class of the move selects the overload."""
    if len(member.overloads) == 1:
        return partial(member.overloads[0], view)

    def chosen(*arguments: Any) -> Any:
        from metaheur.translator.overloads import overload_for

        return overload_for(member, arguments)(view, *arguments)

    return chosen


def _exactly(function: Callable[..., Any], *arguments: Any) -> Any:
    return exact_value(function(*arguments))


_views: dict[int, tuple[weakref.ref[Any], _Exact]] = {}


def exact_component(component: Component) -> Any:
    """The exact view of a component; it is made once and kept as long as the component lives."""
    number = id(component)
    found = _views.get(number)
    if found is None or found[0]() is not component:
        reference = weakref.ref(component, lambda _: _views.pop(number, None))
        found = _views[number] = reference, _Exact(component)
    return found[1]


def moves_of(move: Move) -> tuple[list[Any], bool]:
    """The single moves of a move whose fields may be arrays, with exact fields; and whether they are arrays."""
    kind: Any = type(move)
    values = [getattr(move, each.name) for each in attrs.fields(kind) if each.init]
    lengths = {len(array) for array in _arrays(values)}
    if not lengths:
        return [kind(*map(exact_value, values))], False
    count = lengths.pop()
    return [kind(*(_entry(value, k) for value in values)) for k in range(count)], True


def _arrays(values: Any) -> Iterator[np.ndarray]:
    for value in values:
        if isinstance(value, tuple):
            yield from _arrays(value)
        elif isinstance(value, np.ndarray) and value.ndim:
            yield value


def _entry(value: Any, k: int) -> Any:
    if isinstance(value, tuple):
        return tuple(_entry(each, k) for each in value)
    return value[k].item() if isinstance(value, np.ndarray) and value.ndim else exact_value(value)
