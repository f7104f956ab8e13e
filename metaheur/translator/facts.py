"""The facts of an instance: the names, kinds and shapes that its compiled methods may use."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, final

import attrs
import numpy as np
from attrs import field, frozen

from metaheur.component import Component, fields_of
from metaheur.errors import CompileError
from metaheur.fields import Array
from metaheur.marker import compiled_members
from metaheur.move import Move
from metaheur.neighborhood import Neighborhood
from metaheur.problem import Problem, is_fold, is_priced, level_names, level_numbers
from metaheur.representation import Representation, places_of
from metaheur.translator.deriving.derived import derivation_of
from metaheur.translator.deriving.methods import Derivation
from metaheur.translator.folds import numbers, start_of
from metaheur.translator.kinds import (
    HIGHEST,
    INDEX,
    LENGTH,
    LOWEST,
    NARROW,
    Float,
    Kind,
    Matrix,
    Special,
    Truth,
    Vector,
    Whole,
)
from metaheur.translator.linked import lists_shape
from metaheur.translator.names import own
from metaheur.translator.on_grid import grid_tables
from metaheur.translator.reading import read
from metaheur.translator.segments import grows, most_of, segment_names

__all__ = ["ComponentFacts", "facts_of", "facts_of_move"]

SUMMED = 2**30
"""Up to so many values of an entry, the sum of two entries fits an int."""


@final
@frozen
class ComponentFacts:
    """The facts that the translator knows of a component; values are included only where they change the text.

    `owner`: its class.
    `family`: "problem", "neighborhood", "representation", "part" or "move".
    `members`: what `self.name` is.
    `kept`: the kept arrays and numbers, by name: `s.name`.
    `items`: the kind of the entries of solutions.
    `arranges`: whether solutions are permutations, in which no item occurs twice.
    `floating`: whether costs are floats.
    `numbers`: the names among `kept` that are numbers.
    `length`: the length of solutions; with a close bound where compiled methods make lists, whose memory follows from
    it.
    `folds`: whether the cost is a fold; `kept` are then the numbers and lists of its state.
    `objectives`: how many numbers a cost has where a problem names objectives or levels; 0 for a single one.
    `levels`: whether these numbers are levels, which become one number.
    `parts`: what `x.name` is, for each named part of solutions.
    `extents`: for a fold: the shapes of its arrays by their names in C++, `n`, the number of different `items`, and the
    least number at the `start`.
    `segment`: the names of the numbers of a segment, for a problem that joins segments of lists.
    `longest`: whether a solution then costs what its most expensive list costs.
    `optional`: whether solutions have lists, of whose items some may be left out.
    `grows`: whether a longer segment of a list never costs less.
    `derivation`: what follows from the cost of a problem for the classes of moves of the unit.
    """

    owner: type
    family: str
    members: tuple[tuple[str, Kind], ...]
    kept: tuple[tuple[str, Kind], ...] = ()
    items: Whole = INDEX
    arranges: bool = False
    floating: bool = False
    numbers: frozenset[str] = field(default=frozenset())
    length: Whole = LENGTH
    folds: bool = False
    objectives: int = 0
    levels: bool = False
    extents: tuple[tuple[str, tuple[int, ...]], ...] = ()
    derivation: Derivation = Derivation()
    parts: tuple[tuple[str, Kind], ...] = ()
    segment: tuple[str, ...] = ()
    longest: bool = False
    optional: bool = False
    grows: bool = False

    @property
    def bounded(self) -> bool:
        """Whether bounds of lengths and of the numbers of data are known."""
        return self.length.high < LENGTH.high and not self.folds

    @property
    def known(self) -> dict[str, Kind]:
        """The members by name."""
        return dict(self.members)


def facts_of(
    component: Component, space: Representation, *, cost_type: str, moves: Sequence[type[Move]] = ()
) -> ComponentFacts:
    """The facts of a problem, a neighborhood or a part, for solutions of a representation, and for classes of moves."""
    family = (
        "problem"
        if isinstance(component, Problem)
        else "neighborhood"
        if isinstance(component, Neighborhood)
        else "representation"
        if isinstance(component, Representation)
        else "part"
    )
    members = dict(_fields(component, space, cost_type=cost_type))
    for name, value in component.constants(space).items():
        members[name] = Truth() if isinstance(value, bool) else _number(value)
    derivation, tables = _derived(component, moves)
    tables = {**component.tables(space), **tables}
    for name, table in tables.items():
        members[name] = _array(name, table, space, cost_type=cost_type)
    if isinstance(component, Problem):
        members["n"] = LENGTH
        members |= {name: _number(value) for name, value in level_numbers(component).items()}
    lengths = makes_lists(type(component))
    folds = isinstance(component, Problem) and is_fold(type(component))
    if lengths:
        values = {name: tables[name] if name in tables else _value(component, space, name) for name in members}
        members = {name: _bounded(kind, values[name], entries=not folds) for name, kind in members.items()}
    kept = dict(
        _folded(component, floating=cost_type == "float64")
        if folds
        else _kept(component, members, space, derivation, cost_type=cost_type)
    )
    items = Whole(0, 1 if space.values == 2 else SUMMED - 1 if space.values <= SUMMED else NARROW - 2)
    if lengths and not folds:
        items = Whole(0, min(items.high, _bound(space.values) - 1))
    return ComponentFacts(
        type(component),
        family,
        tuple(members.items()),
        tuple(kept.items()),
        items,
        space.arranges,
        cost_type == "float64",
        frozenset(name for name, kind in kept.items() if isinstance(kind, Whole | Float | Truth)),
        Whole(1, _bound(space.length)) if lengths else LENGTH,
        folds,
        len(component.objectives or level_names(component)) if isinstance(component, Problem) else 0,
        isinstance(component, Problem) and bool(level_names(component)),
        tuple(_extents(component, members, space)) if folds else (),
        derivation,
        tuple(_parts(space, items)) if family == "problem" else (),
        segment_names(component) if isinstance(component, Problem) and is_priced(type(component)) else (),
        isinstance(component, Problem) and is_priced(type(component)) and most_of(component),
        bool(getattr(space, "optional", False)),
        isinstance(component, Problem) and is_priced(type(component)) and grows(component),
    )


def _parts(space: Representation, items: Whole) -> Iterator[tuple[str, Kind]]:
    """The kinds of the named parts of solutions; a part that is the whole solution is the solution."""
    places = places_of(space)
    for name in places:
        distinct = space.parts[name].arranges  # type: ignore[attr-defined]
        if len(places) == 1:
            yield name, Vector("x", items, form="items", distinct=distinct)
        else:
            yield name, Vector(f"{name}_of(x)", items, form="part", distinct=distinct)


def _extents(
    component: Component, members: Mapping[str, Kind], space: Representation
) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The shapes of arrays, which prove that an index is in range."""
    yield "n", (space.length,)
    yield "items", (space.values,)
    yield "start", (min(numbers(start_of(component))),)  # type: ignore[arg-type]
    for name, kind in members.items():
        if isinstance(kind, Vector | Matrix):
            yield kind.origin, np.shape(_value(component, space, name))


def _derived(component: Component, moves: Sequence[type[Move]]) -> tuple[Derivation, dict[str, np.ndarray]]:
    """What follows from the cost of a problem for classes of moves, and the tables that it reads."""
    if not isinstance(component, Problem):
        return Derivation(), {}
    found = derivation_of(component, moves)
    space = component.representation
    return found, {**lists_shape(space), **grid_tables(space), **found.arrays(component)}


@lru_cache(maxsize=256)
def makes_lists(kind: type) -> bool:
    """Whether compiled methods of a class make lists: then bounds of lengths are known to the translator."""
    for member in compiled_members(kind).values():
        for function in member.overloads:
            for node in ast.walk(read(function).tree):
                called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
                if isinstance(node, ast.List | ast.ListComp) or (called and node.func.id in ("list", "sorted")):  # type: ignore[attr-defined]
                    return True
    return False


def _value(component: Component, space: Representation, name: str) -> Any:
    """The value of a member of an instance."""
    if name == "n" and isinstance(component, Problem):
        return space.length
    named = {**{each.name: getattr(component, each.name) for each in fields_of(component)}}
    packing = level_numbers(component) if isinstance(component, Problem) else {}
    return {**named, **component.constants(space), **component.tables(space), **packing}[name]


def _bounded(kind: Kind, value: Any, *, entries: bool) -> Kind:
    """The kind of a member, with bounds of its lengths, of its entries, or of a number, that follow from its value."""
    if isinstance(kind, Vector | Matrix) and entries:
        kind = attrs.evolve(kind, element=_within(kind.element, np.asarray(value)))
    if isinstance(kind, Vector):
        return attrs.evolve(kind, size=Whole(0, _bound(len(value))))
    if isinstance(kind, Matrix):
        rows, columns = np.shape(value)
        return attrs.evolve(kind, rows=Whole(0, _bound(rows)), columns=Whole(0, _bound(columns)))
    if isinstance(kind, Whole) and not isinstance(value, bool) and int(value) > 0:
        return attrs.evolve(kind, high=min(kind.high, _bound(int(value))))
    return kind


def _within(kind: Kind, values: np.ndarray) -> Kind:
    """The kind of the entries of an array, with bounds that follow from them."""
    if not isinstance(kind, Whole) or not values.size:
        return kind
    low, high = int(values.min()), int(values.max())
    return Whole(max(kind.low, -_bound(-low)) if low < 0 else 0, min(kind.high, _bound(max(0, high))), kind.cost)


def _bound(value: int) -> int:
    """The next power of two, so that instances of similar sizes share one text."""
    return 1 << max(0, value - 1).bit_length()


def facts_of_move(kind: type[Move]) -> ComponentFacts:
    """The facts of a class of moves: its fields are integers."""
    fields = attrs.fields(kind)  # type: ignore[arg-type]
    low = dict.fromkeys(kind.unsigned, 0)
    members = tuple((each.name, Whole(low.get(each.name, -NARROW), NARROW - 1)) for each in fields if each.init)
    return ComponentFacts(kind, "move", members)


def _fields(component: Component, space: Representation, *, cost_type: str) -> Iterator[tuple[str, Kind]]:
    for each in fields_of(component):
        value = getattr(component, each.name)
        if "data" in each.metadata and np.ndim(value):
            yield each.name, _array(each.name, value, space, cost_type=cost_type)
        elif "data" in each.metadata:
            dtype = each.metadata["data"][0]
            yield each.name, Float() if dtype == "float64" else _element(np.asarray(value, dtype), cost_type=cost_type)
        elif not isinstance(component, Problem):
            yield each.name, _plain(value)


def _plain(value: Any) -> Kind:
    """The kind of a field that is not made with data()."""
    if isinstance(value, Component):
        return Special("component", type(value))
    if isinstance(value, bool | np.bool_):
        return Truth()
    if isinstance(value, int | np.integer):
        return _number(value)
    if isinstance(value, float | np.floating):
        return Float()
    return Special("python", type(value).__name__)


def _number(value: Any) -> Whole:
    """A whole number with the bounds of its C++ type: only its sign and its width change the text."""
    narrow = -NARROW <= value < NARROW
    low, high = (-NARROW, NARROW - 1) if narrow else (LOWEST, HIGHEST)
    return Whole(0 if value >= 0 else low, high)


def _array(name: str, array: np.ndarray, space: Representation, *, cost_type: str) -> Kind:
    element = _element(array, cost_type=cost_type)
    if array.ndim == 1:
        return Vector(own(name), element)
    return Matrix(own(name), element, square=array.shape[1] == space.length)


def _element(array: np.ndarray, *, cost_type: str) -> Kind:
    if array.dtype.kind == "b":
        return Truth()
    if array.dtype.kind == "f":
        return Float()
    limits = np.iinfo(array.dtype)
    low, high = (int(array.min()), int(array.max())) if array.size else (0, 0)
    fits = cost_type == "int64" or (cost_type == "int32" and low >= -NARROW and high < NARROW)
    return Whole(int(limits.min) if low < 0 else 0, min(int(limits.max), HIGHEST), cost=fits)


def _kept(
    component: Component,
    members: Mapping[str, Kind],
    space: Representation,
    derivation: Derivation,
    *,
    cost_type: str,
) -> Iterator[tuple[str, Kind]]:
    in_state = isinstance(component, Problem)
    derived = derivation.state(component) if isinstance(component, Problem) else {}
    for name, declared in {**component.state(space), **derived}.items():
        if declared.scratch:
            continue
        element = _kept_element(component, name, declared, members, space, cost_type=cost_type)
        origin = f"s.{name}" if in_state else own(name)
        if not declared.shape:
            yield name, element
        elif len(declared.shape) == 1:
            yield name, Vector(origin, element, written=True, typed=declared.dtype == "cost")
        else:
            square, typed = declared.shape[1] == space.length, declared.dtype == "cost"
            yield name, Matrix(origin, element, square, written=True, typed=typed)


def _folded(problem: Any, *, floating: bool) -> Iterator[tuple[str, Kind]]:
    """The state of a fold: numbers of the type of changes of cost, and lists of the lengths at the start."""
    element: Kind = Float() if floating else Whole(LOWEST, HIGHEST, cost=True)
    for name, value in start_of(problem).items():
        if isinstance(value, list):
            size = Whole(len(value), len(value))
            yield name, Vector(f"s.list<at_{name}, {len(value)}>()", element, size, written=True, typed=True)
        else:
            yield name, element


def _kept_element(  # noqa: PLR0911, PLR0913 - a case for each type
    component: Component,
    name: str,
    declared: Array,
    members: Mapping[str, Kind],
    space: Representation,
    *,
    cost_type: str,
) -> Kind:
    shared = members.get(declared.dtype)
    if isinstance(shared, Vector | Matrix):
        element = shared.element
        return Whole(LOWEST, HIGHEST, element.cost) if isinstance(element, Whole) else element
    if declared.dtype in ("cost", "total") and isinstance(component, Problem) and component.objectives:
        raise CompileError(
            f"{type(component).__name__}.state: {name} has the type {declared.dtype!r}, which is a row of numbers with "
            "several objectives, and is not translated.",
            'declare a type of numbers, such as "int64".',
        )
    match declared.dtype:
        case "cost":
            return Float() if cost_type == "float64" else Whole(LOWEST, HIGHEST, cost=True)
        case "total":
            return Float() if cost_type == "float64" else Whole(LOWEST, HIGHEST)
        case "item":
            return Whole(0, min(space.values - 1, NARROW - 1)) if space.values == 2 else Whole(0, NARROW - 2)
    try:
        dtype = np.dtype(declared.dtype)
    except TypeError:
        raise CompileError(
            f"{type(component).__name__}.state: {name} has the type {declared.dtype!r}, which is not known."
        ) from None
    if dtype.kind == "b":
        return Truth()
    if dtype.kind == "f":
        return Float()
    limits = np.iinfo(dtype)
    return Whole(int(limits.min), min(int(limits.max), HIGHEST), cost=limits.bits < 64 and cost_type != "float64")
