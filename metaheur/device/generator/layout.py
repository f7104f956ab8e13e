"""What Python knows of a component becomes a C++ struct: the text of the type, and the bytes of the value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, final

import attrs
import numpy as np
from attrs import evolve, field, frozen

from metaheur.component import Component, fields_of
from metaheur.device.capabilities import change_type, inner_problems, keeps_parts
from metaheur.device.generator.record import CPP, Types
from metaheur.device.generator.target import Buffer, Target
from metaheur.errors import InputError
from metaheur.fields import Array, is_word
from metaheur.neighborhood import Neighborhood, resamples
from metaheur.problem import Problem
from metaheur.representation import Representation

__all__ = ["Member", "Struct", "plain_struct", "struct_of", "structs_of_problem", "types_of"]


@final
@frozen(eq=False)
class Member:
    """A member that is an array or a kept number.

    Parameters
    ----------
    shape : tuple of int
        Up to two lengths; () for a kept number.
    value_type : str
        C++ type of an entry.
    stored : numpy.dtype
        Type in the device's memory.
    values : numpy.ndarray, optional
        Read-only data; None for a kept array, which starts with zeros.
    scratch, divided, table, far, late : bool
        As in `Array`.
    saved : bool
        Whether a kept array is part of the search's state.
    place : str, optional
        Where it lies, a `Place` in arrays.cuh; by default data is read-only, and what is kept lies in global memory.
    first : int
        In constant memory, the entries before it.
    """

    shape: tuple[int, ...]
    value_type: str
    stored: np.dtype[Any]
    values: np.ndarray | None = None
    scratch: bool = False
    divided: bool = False
    table: bool = False
    far: bool = False
    late: bool = False
    saved: bool = False
    place: str = ""
    first: int = 0

    @property
    def movable(self) -> bool:
        """Whether it may be put into shared memory, or into memory of the team's own."""
        return not (self.scratch or self.far or self.place) and bool(self.shape)

    def emptied(self) -> Member:
        """The same with a single entry."""
        return evolve(self, shape=(1,) * len(self.shape))

    def row(self, device: Target) -> int:
        """Entries from one row to the next."""
        return device.padded(self.shape[-1], self.stored) if self.shape else 1

    def entries(self, device: Target) -> int:
        """Entries of one copy on the device, padding included."""
        return (self.shape[0] if len(self.shape) == 2 else 1) * self.row(device)

    def nbytes(self, device: Target) -> int:
        """Bytes of one copy on the device, padding included."""
        return self.entries(device) * self.stored.itemsize

    def cpp(self) -> str:
        """The C++ type."""
        stored = CPP[self.stored.name]
        if not self.shape:
            return f"Kept<{stored}>"
        shape = ("Vector", "Matrix")[len(self.shape) - 1]
        if self.scratch:
            return f"ScratchMatrix<{stored}>"
        if self.values is not None:
            return f"{shape}<{self.value_type}, {stored}, {self.place or 'ReadOnly'}>"
        return f"Kept{shape}<{stored}, {self.place or 'Global'}, {str(self.divided).lower()}>"

    def dtype(self) -> np.dtype[Any]:
        """The layout of the C++ type."""
        if not self.shape:
            return np.dtype([("value", self.stored), ("home", "u8")], align=True)
        pointers = [("data", "u8")] if self.values is not None else [("data", "u8"), ("home", "u8")]
        if self.place == "Texture":
            pointers.append(("first", "i8"))
        lengths = ("size", "padded") if len(self.shape) == 1 else ("rows", "columns", "stride", "unused")
        return np.dtype([*pointers, *((name, "i4") for name in lengths)], align=True)

    def padded_values(self, device: Target, copies: int) -> np.ndarray:
        """The entries as the device stores them, rows padded with zeros; kept arrays so many times."""
        if self.values is None:
            return np.zeros(copies * self.entries(device), self.stored)
        out = np.zeros((self.shape[0] if len(self.shape) == 2 else 1, self.row(device)), self.stored)
        out[:, : self.shape[-1]] = self.values
        return out

    def packed(self, device: Target, buffer: Buffer) -> tuple[Any, ...]:
        """The value of the C++ type, around a buffer that holds the entries."""
        pointer, row = 0 if buffer is None else device.pointer(buffer), self.row(device)
        if not self.shape:
            return 0, pointer
        pointers = (pointer,) if self.values is not None else (pointer, pointer)
        if self.place == "Texture":
            pointers = (pointer, 0)
        if self.place == "Constant":
            pointers = (self.first,)
        return (*pointers, *self.shape, row, *((0,) if len(self.shape) == 2 else ()))


@final
@frozen(eq=False)
class Struct:
    """A C++ struct: members in order, and constants known to the compiler.

    Parameters
    ----------
    name : str
        Of the generated struct.
    members : mapping of str to int, float, bool, Fraction, Member or Struct
        The values, by member.
    constants : mapping of str to int or bool
        `static constexpr` members.
    typedefs : mapping of str to str
        Names for other types inside the struct.
    derived : str
        The type that the C++ half makes of this one, which a nested member has.
    parts : tuple of str
        The members that are the problems which a problem is made of.
    lists : mapping of str to int
        Tuples of components by the names of their fields: how many members each stands for.
    """

    name: str
    members: Mapping[str, Any]
    constants: Mapping[str, int | bool] = field(factory=dict)
    typedefs: Mapping[str, str] = field(factory=dict)
    derived: str = ""
    parts: tuple[str, ...] = ()
    lists: Mapping[str, int] = field(factory=dict)

    @property
    def keeps(self) -> bool:
        """Whether an array or number of it, or of its components, is part of a search's state."""
        return any(
            value.keeps if isinstance(value, Struct) else getattr(value, "saved", False)
            for value in self.members.values()
        )

    def text(self) -> str:
        """The C++ definition of the struct."""
        lines = [f"struct {self.name} {{"]
        lines += [f"    typedef {kind} {name};" for name, kind in self.typedefs.items()]
        for name, value in self.constants.items():
            kind = "bool" if isinstance(value, bool) else "i64"
            lines.append(f"    static constexpr {kind} {name} = {int(value)};")
        lines.append(f"    static constexpr bool keeps = {int(self.keeps)};")
        lines += [f"    {_cpp(value)} {name};" for name, value in self.members.items()]
        lines += [line for name, count in self.lists.items() for line in _list(name, count)]
        inner = [name for name, value in self.members.items() if isinstance(value, Struct)]
        arrays = [name for name, value in self.members.items() if isinstance(value, Member)]
        saved = [name for name in arrays if self.members[name].saved]
        lines += [_visitor("each", arrays, inner), _visitor("saved", saved, inner), _visitor("components", inner, [])]
        lines += [_visitor("components", inner, [], " const")]
        if self.parts:
            calls = " ".join(f"f({k}, {part}, s.{part});" for k, part in enumerate(self.parts))
            lines.append(f"    template <class S, class F> MH_FN void parts(S s, F f) const {{ {calls} }}")
        lines.append("};")
        return "\n".join(lines) + "\n"

    def dtype(self) -> np.dtype[Any]:
        """The layout, as both compilers lay it out."""
        return np.dtype([(name, _dtype(value)) for name, value in self.members.items()], align=True)

    def arrays(self, path: str = "") -> Iterator[tuple[str, Member]]:
        """The arrays and kept numbers, nested ones included, with their paths, such as "memory.expiries"."""
        for name, value in self.members.items():
            if isinstance(value, Member):
                yield f"{path}{name}", value
            elif isinstance(value, Struct):
                yield from value.arrays(f"{path}{name}.")

    def pack(self, device: Target, buffers: Mapping[str, Buffer], path: str = "") -> np.ndarray:
        """The bytes of the value.

        Parameters
        ----------
        device : Target
            Where the arrays lie.
        buffers : mapping of str to Buffer
            The arrays by their paths, those of this struct below `path`.
        path : str, optional
            Put before the names.
        """
        out = np.zeros((), dtype=self.dtype())
        for name, value in self.members.items():
            if isinstance(value, Struct):
                out[name] = value.pack(device, buffers, f"{path}{name}.")
            elif isinstance(value, Member):
                out[name] = value.packed(device, buffers[f"{path}{name}"])
            elif isinstance(value, Fraction):
                out[name] = (value.numerator, value.denominator)
            else:
                out[name] = value
        return out

    def emptied(self) -> Struct:
        """The same with arrays of a single entry, which nobody uses."""
        members = {name: value.emptied() for name, value in self.members.items() if isinstance(value, Member | Struct)}
        return evolve(self, members={**self.members, **members})

    def placed(self, places: Mapping[str, tuple[str, int]], path: str = "") -> Struct:
        """The same with the `place` and `first` of some arrays, given by their paths."""
        members: dict[str, Any] = {}
        for name, value in self.members.items():
            here = f"{path}{name}"
            if isinstance(value, Struct):
                members[name] = value.placed(places, f"{here}.")
            elif isinstance(value, Member) and here in places:
                place, first = places[here]
                members[name] = evolve(value, place=place, first=first)
            else:
                members[name] = value
        return evolve(self, members=members)


def _visitor(name: str, own: list[str], inner: list[str], qualifier: str = "") -> str:
    calls = [f"f({each});" for each in own] + [f"{each}.{name}(f);" for each in inner]
    return f"    template <class F> MH_FN void {name}(F f){qualifier} {{ {' '.join(calls) or '(void)f;'} }}"


def _list(name: str, count: int) -> Iterator[str]:
    """What a tuple of components is in C++: the list of their types, and f(the k-th of them)."""
    members = [f"{name}_{i}" for i in range(count)]
    calls = " else ".join(f"if (k == {i}) f({member});" for i, member in enumerate(members))
    yield f"    typedef List<{', '.join(f'decltype({member})' for member in members)}> {name.capitalize()};"
    for qualifier in ("", " const"):
        yield f"    template <class F> MH_FN void {name}(i64 k, F f){qualifier} {{ {calls} }}"


def _cpp(value: Any) -> str:
    if isinstance(value, Member):
        return value.cpp()
    if isinstance(value, Struct):
        return value.derived
    if isinstance(value, Fraction):
        return "Ratio"
    return {bool: "bool", int: "i64", float: "double", np.int32: "i32"}[type(value)]


def _dtype(value: Any) -> np.dtype[Any]:
    if isinstance(value, Member | Struct):
        return value.dtype()
    if isinstance(value, Fraction):
        return np.dtype([("numerator", "i8"), ("denominator", "i8")], align=True)
    return np.dtype({bool: "?", int: "i8", float: "f8", np.int32: "i4"}[type(value)])


def types_of(problem: Problem, neighborhoods: tuple[Neighborhood, ...]) -> Types:
    """What Cost, Total and Item are where a problem is moved in by some neighborhoods."""
    moves = [neighborhood.move_types for neighborhood in neighborhoods]
    kinds = () if not all(moves) else tuple(dict.fromkeys(kind for each in moves for kind in each))
    cost = change_type(problem, kinds)
    if cost not in ("int32", "int64", "float64"):
        raise InputError(
            f"{type(problem).__name__}: the type of a change of cost must be int32, int64 or float64, but is {cost!r}."
        )
    total = np.float64 if cost == "float64" else np.int64
    if problem.objectives:  # a change of cost and a cost are of one type
        return Types(np.dtype(total), np.dtype(total), _item_type(problem.representation), len(problem.objectives))
    return Types(np.dtype(cost), np.dtype(total), _item_type(problem.representation))


def _item_type(representation: Representation) -> np.dtype[Any]:
    """The type of a solution's entries."""
    dtype = np.dtype(representation.dtype)
    if dtype.name not in ("uint8", "uint16", "int32"):
        raise InputError(
            f"{type(representation).__name__}.dtype must be uint8, uint16 or int32, but is {dtype.name}.",
            "write dtype = np.dtype(np.int32), the default.",
        )
    return dtype


def struct_of(component: Component, representation: Representation, device: Target, types: Types) -> Struct:
    """The generated struct `<class>Data` of a neighborhood, a part or a loop: n, fields, constants, tables, arrays."""
    name = type(component).__name__
    known = _Names(name, representation)
    lists = {}
    for attribute in fields_of(component):
        value = getattr(component, attribute.name)
        if isinstance(value, tuple) and all(isinstance(each, Component) for each in value):
            lists[attribute.name] = len(value)
            for i, each in enumerate(value):
                known.add(f"{attribute.name}_{i}", struct_of(each, representation, device, types))
        else:
            known.add(attribute.name, _member(component, attribute, representation, device, types))
    for fact in component.facts:
        known.fix(fact, bool(getattr(component, fact)))
    if isinstance(component, Neighborhood):
        known.fix("resamples", resamples(component))
    for constant, value in component.constants(representation).items():
        (known.fix if isinstance(value, bool) else known.add)(constant, value)
    for table, values in component.tables(representation).items():
        known.add(table, _data(values, device))
    for kept, declared in component.state(representation).items():
        if isinstance(component, Neighborhood):
            _require_length(known, kept, declared)
        known.add(kept, _kept(known, kept, declared, types, saved=not isinstance(component, Neighborhood)))
    for kept, declared in component.cache(representation).items():
        known.add(kept, _kept(known, kept, declared, types, saved=False))
    typedefs, derived = {}, name
    if isinstance(component, Neighborhood):
        inner = (value.derived for value in known.members.values() if isinstance(value, Struct))
        typedefs, derived = {"Inner": f"Neighborhoods<{', '.join(inner)}>"}, component.cpp_name
    return Struct(f"{name}Data", known.members, known.constants, typedefs, derived, lists=lists)


def rounded(nbytes: int) -> int:
    """What an array takes in shared memory, where each begins at a multiple of 16 bytes."""
    return -(-nbytes // 16) * 16


def plain_struct(  # noqa: PLR0913 - keyword-only
    owner: Any,
    representation: Representation,
    device: Target,
    types: Types,
    *,
    constants: Mapping[str, int | bool],
    tables: Mapping[str, np.ndarray],
) -> Struct:
    """The generated struct `<class>Data` of something that keeps nothing: n, fields, constants and tables."""
    name = type(owner).__name__
    known = _Names(name, representation)
    for attribute in fields_of(owner):
        known.add(attribute.name, _member(owner, attribute, representation, device, types))
    for constant, value in constants.items():
        known.fix(constant, value)
    for table, values in tables.items():
        known.add(table, _data(values, device))
    return Struct(f"{name}Data", known.members, known.constants, derived=name)


def structs_of_problem(problem: Problem, device: Target, types: Types) -> tuple[Struct, Struct]:
    """The generated structs of a problem: `<class>State`, what is kept, and `<class>Data`, n, fields and tables."""
    name, space = type(problem).__name__, problem.representation
    known, kept = _Names(name, space), _Names(name, space)
    fields = {attribute.name for attribute in fields_of(problem)}
    for attribute in fields_of(problem):
        if "data" in attribute.metadata:
            value, dtype = getattr(problem, attribute.name), attribute.metadata["data"][0]
            wide = np.ndim(value) and dtype == "int32" and types.cost.itemsize > 4  # so that formulas do not overflow
            known.add(attribute.name, _data(value, device, "int64" if wide else dtype))
    for table, values in _mapping(problem, "tables").items():
        known.members.pop(table if table in fields else "", None)  # a table stands in for a field of its name
        known.add(table, _data(values, device))
    for kept_name, declared in _mapping(problem, "state").items():
        _require_length(known, kept_name, declared)
        kept.add(kept_name, _kept(known, kept_name, declared, types, saved=False))
    for constant, value in _mapping(problem, "constants").items():
        known.fix(constant, value)
    problems = inner_problems(problem)
    parts = tuple(f"part_{k}" for k in range(len(problems)))
    for part, inner in zip(parts, problems, strict=True):
        inner_state, inner_data = structs_of_problem(inner, device, part_types(inner))
        inner_state = inner_state if keeps_parts(problem) else inner_state.emptied()
        kept.members[part] = evolve(inner_state, derived=f"{part}::{inner_state.derived}")
        known.members[part] = evolve(inner_data, derived=f"{part}::{inner_data.derived}")
    typedefs = {"State": f"{name}State"}
    if parts:
        typedefs["Parts"] = f"PartTypes<{', '.join(known.members[part].derived for part in parts)}>"
    state = Struct(f"{name}State", kept.members, derived=f"{name}State")
    return state, Struct(f"{name}Data", known.members, known.constants, typedefs, derived=name, parts=parts)


def part_types(problem: Problem) -> Types:
    """What Cost, Total and Item are in a problem that is part of another one: costs of 64 bits."""
    total = np.dtype(np.float64 if problem.cost_type == "float64" else np.int64)
    return Types(total, total, _item_type(problem.representation), len(problem.objectives))


def _mapping(component: Component, method: str) -> Mapping[str, Any]:
    """What a method of a problem declares, refused where it is not a mapping."""
    declared = getattr(component, method)
    if not callable(declared):
        raise InputError(
            f"{type(component).__name__}.{method} must be a method, but is a {type(declared).__name__}.",
            f"write def {method}(self, representation), without @property.",
        )
    found = declared(component.representation)  # type: ignore[attr-defined]
    if not isinstance(found, Mapping):
        raise InputError(f"{type(component).__name__}.{method} must return a mapping of names, but returned {found!r}.")
    return found


def _member(
    component: Component,
    attribute: attrs.Attribute[Any],
    representation: Representation,
    device: Target,
    types: Types,
) -> Any:
    value = getattr(component, attribute.name)
    if "data" in attribute.metadata:
        return _data(value, device, attribute.metadata["data"][0])
    if value is None:
        return -1
    if "choices" in attribute.metadata:
        return attribute.metadata["choices"].index(value)
    if isinstance(value, Component):
        return struct_of(value, representation, device, types)
    if isinstance(value, Fraction):
        return value
    plain = value.item() if isinstance(value, np.generic) else value
    for kind in (bool, int, float):  # not their subclasses: C++ knows np.float64 and enumerations by these names
        if isinstance(plain, kind):
            return kind(plain)
    raise InputError(
        f"{type(component).__name__}.{attribute.name} is {value!r}, which has no C++ type.",
        "declare arrays with data(), or use numbers, fractions and parts.",
    )


def _data(value: Any, device: Target, dtype: str | None = None) -> Any:
    if np.ndim(value) == 0:
        return np.int32(value) if dtype == "int32" else value
    if not isinstance(value, np.ndarray) or value.dtype.name not in CPP:
        raise InputError(f"A table must be an array of numbers, but is {type(value).__name__}.", "use numpy.asarray.")
    return Member(value.shape, CPP[dtype or value.dtype.name], device.stored(value), value)


def _kept(known: _Names, name: str, declared: Any, types: Types, *, saved: bool) -> Member:
    if not isinstance(declared, Array):
        raise InputError(f"{known.owner}.state: {name} must be an Array, but is {declared!r}.", "write Array((n,)).")
    special = {"cost": types.cost, "total": types.total, "item": types.item}
    shared = known.members.get(declared.dtype)
    if isinstance(shared, Member):
        stored = shared.stored
    elif declared.dtype in special:
        stored = special[declared.dtype]
    elif declared.dtype in CPP:
        stored = np.dtype(declared.dtype)
    else:
        types_known = ", ".join([*special, *(m for m, v in known.members.items() if isinstance(v, Member)), *CPP])
        raise InputError(f"{known.owner}.state: {name} has the type {declared.dtype!r}.", f"use one of {types_known}.")
    return Member(
        declared.shape,
        CPP[stored.name],
        stored,
        scratch=declared.scratch,
        divided=declared.divided,
        table=declared.table,
        far=declared.far,
        late=declared.late,
        saved=saved,
    )


def _require_length(known: _Names, name: str, declared: Any) -> None:
    """Refuse a kept number of a problem or a neighborhood: C++ has it by value, so that a new value would be lost."""
    if isinstance(declared, Array) and not declared.shape:
        raise InputError(
            f"{known.owner}.state: {name} is a single number, which only parts and loops can keep: what {known.owner} "
            "writes into it in C++ would be lost.",
            f"write Array((1,)), and {name}(0) in C++.",
        )


@final
class _Names:
    """The members and constants of a struct, whose names C++ must be able to have, and which must not meet."""

    def __init__(self, owner: str, representation: Representation) -> None:
        self.owner = owner
        self.members: dict[str, Any] = {"n": np.int32(representation.length)}
        self.constants: dict[str, int | bool] = {}

    def add(self, name: str, value: Any) -> None:
        """Add a member, unless C++ cannot call it so."""
        if name == "n" and isinstance(value, int | np.integer) and value == self.members["n"]:
            return  # a field that is the length of a solution, too
        self._require(name)
        self.members[name] = value

    def fix(self, name: str, value: int | bool) -> None:
        """Add what the compiler knows, unless C++ cannot call it so."""
        self._require(name)
        self.constants[name] = value

    def _require(self, name: str) -> None:
        where = f"{self.owner} has a field, constant, table or kept array called {name!r}"
        if name == "n":
            raise InputError(f"{where}, but n is the length of a solution in C++.", "give it another name.")
        if not is_word(name) or name == f"{self.owner}State":
            raise InputError(f"{where}, a name that its C++ half cannot use.", "give it another name.")
        if name in self.members or name in self.constants:
            raise InputError(f"{where} twice, but in C++ these are members of one struct.", "rename one of them.")
