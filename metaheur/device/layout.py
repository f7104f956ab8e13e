"""What Python knows of an object becomes a C++ struct: the text of the type, and the bytes of the value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, final

import attrs
import numpy as np
from attrs import field, frozen

from metaheur.device.device import Buffer, Device
from metaheur.errors import InputError
from metaheur.neighborhood import Neighborhood
from metaheur.parts.part import Part
from metaheur.problem import Kept, Problem
from metaheur.representation import Representation

__all__ = ["Array", "Struct", "cpp_type", "struct_of", "structs_of_problem"]

_CPP = {
    "uint8": "u8",
    "int8": "i8",
    "int16": "i16",
    "int32": "i32",
    "int64": "i64",
    "float64": "double",
    "bool": "bool",
}


def cpp_type(dtype: Any) -> str:
    """The C++ name of a NumPy type."""
    return _CPP[np.dtype(dtype).name]


@final
@frozen(eq=False)
class Array:
    """A member that is an array: read-only data, or an array kept beside each walk.

    Parameters
    ----------
    shape : tuple of int
        One or two lengths.
    value_type : str
        C++ type of an entry.
    stored : numpy.dtype
        Type in the device's memory.
    values : numpy.ndarray, optional
        Read-only data; None for a kept array, which starts with zeros.
    scratch : bool
        Whether each evaluating team has a copy to itself.
    """

    shape: tuple[int, ...]
    value_type: str
    stored: np.dtype[Any]
    values: np.ndarray | None = None
    scratch: bool = False

    def row(self, device: Device) -> int:
        """Entries from one row to the next."""
        return device.padded(self.shape[-1], self.stored)

    def nbytes(self, device: Device) -> int:
        """Bytes on the device, padding included."""
        rows = 1 if len(self.shape) == 1 else self.shape[0]
        return rows * self.row(device) * self.stored.itemsize

    def cpp(self, shared: bool) -> str:
        """The C++ type."""
        place = "Shared" if shared else "Global"
        shape = ("Vector", "Matrix")[len(self.shape) - 1]
        if self.scratch:
            return f"ScratchMatrix<{cpp_type(self.stored)}>"
        if self.values is None:
            return f"Kept{shape}<{cpp_type(self.stored)}, {place}>"
        return f"{shape}<{self.value_type}, {cpp_type(self.stored)}, {place}>"

    def dtype(self) -> np.dtype[Any]:
        """The layout of the C++ type."""
        pointers = [("data", "u8")] if self.values is not None else [("data", "u8"), ("home", "u8")]
        lengths = ("size", "padded") if len(self.shape) == 1 else ("rows", "columns", "stride", "unused")
        return np.dtype([*pointers, *((name, "i4") for name in lengths)], align=True)

    def padded_values(self, device: Device, replicas: int) -> np.ndarray:
        """The entries as the device stores them, rows padded with zeros; kept arrays once for each replica."""
        rows = 1 if len(self.shape) == 1 else self.shape[0]
        copies = 1 if self.values is not None else replicas
        out = np.zeros((copies * rows, self.row(device)), dtype=self.stored)
        if self.values is not None:
            out[:, : self.shape[-1]] = self.values
        return out


@final
@frozen(eq=False)
class Struct:
    """A C++ struct: members in order, and constants known to the compiler.

    Parameters
    ----------
    name : str
        Of the struct.
    members : mapping of str to int, float, bool, Fraction, Array or Struct
        The values, by member.
    constants : mapping of str to int or bool
        `static constexpr` members.
    typedefs : mapping of str to str
        Names for other types inside the struct.
    derived : str
        The struct that the C++ half makes of this one; a nested member has that type.
    """

    name: str
    members: Mapping[str, Any]
    constants: Mapping[str, int | bool] = field(factory=dict)
    typedefs: Mapping[str, str] = field(factory=dict)
    derived: str = ""

    def text(self, shared: frozenset[str] = frozenset()) -> str:
        """The type; arrays whose `struct.member` is in `shared` lie in shared memory."""
        lines = [f"struct {self.name} {{"]
        lines += [f"    typedef {kind} {name};" for name, kind in self.typedefs.items()]
        for name, value in self.constants.items():
            kind = "bool" if isinstance(value, bool) else "i64"
            lines.append(f"    static constexpr {kind} {name} = {int(value)};")
        lines += [f"    {_cpp(value, f'{self.name}.{name}' in shared)} {name};" for name, value in self.members.items()]
        arrays = [f"f({name});" for name, value in self.members.items() if _settles(value)]
        nested = [f"{name}.each(f);" for name, value in self.members.items() if isinstance(value, Struct)]
        lines.append(f"    template <class F> MH_FN void each(F f) {{ {' '.join(arrays + nested) or '(void)f;'} }}")
        lines.append("};")
        return "\n".join(lines) + "\n"

    def dtype(self) -> np.dtype[Any]:
        """The layout, as both compilers lay it out."""
        return np.dtype([(name, _dtype(value)) for name, value in self.members.items()], align=True)

    def pack(
        self, device: Device, buffers: dict[str, Buffer], replicas: int = 1, workers: int = 1, path: str = ""
    ) -> np.ndarray:
        """The bytes of the value; arrays are uploaded, and stand in `buffers` by `struct.member`.

        Parameters
        ----------
        device : Device
            Where they are uploaded to.
        buffers : dict
            Receives the arrays.
        replicas, workers : int
            Copies of kept arrays, one for each block of a walk, and of scratch, one for each evaluating team.
        path : str, optional
            Put before the names in `buffers`, so that nested structs of one type do not meet.
        """
        out = np.zeros((), dtype=self.dtype())
        for name, value in self.members.items():
            if isinstance(value, Struct):
                out[name] = value.pack(device, buffers, replicas, workers, f"{path}{name}/")
            elif isinstance(value, Array):
                buffer = device.upload(value.padded_values(device, workers if value.scratch else replicas))
                buffers[f"{path}{self.name}.{name}"] = buffer
                pointer, stride = device.pointer(buffer), value.row(device)
                pointers = (pointer,) if value.values is not None else (pointer, pointer)
                out[name] = (*pointers, *value.shape, stride, *((0,) if len(value.shape) == 2 else ()))
            elif isinstance(value, Fraction):
                out[name] = (value.numerator, value.denominator)
            else:
                out[name] = value
        return out

    def arrays(self) -> Iterator[tuple[str, Array]]:
        """The array members that a block may hold itself, with their names, `struct.member`, nested ones included.

        A name comes as often as structs of that type are nested.
        """
        for name, value in self.members.items():
            if _settles(value):
                yield f"{self.name}.{name}", value
            if isinstance(value, Struct):
                yield from value.arrays()


def _settles(value: Any) -> bool:
    """Whether a member is an array that a block may place in its own memory."""
    return isinstance(value, Array) and not value.scratch


def _cpp(value: Any, shared: bool) -> str:
    if isinstance(value, Array):
        return value.cpp(shared)
    if isinstance(value, Struct):
        return value.derived
    if isinstance(value, Fraction):
        return "Ratio"
    return {bool: "bool", int: "i64", float: "double", np.int32: "i32"}[type(value)]


def _dtype(value: Any) -> np.dtype[Any]:
    if isinstance(value, Array | Struct):
        return value.dtype()
    if isinstance(value, Fraction):
        return np.dtype([("numerator", "i8"), ("denominator", "i8")], align=True)
    return np.dtype({bool: "?", int: "i8", float: "f8", np.int32: "i4"}[type(value)])


def _fields(thing: Any) -> tuple[attrs.Attribute[Any], ...]:
    """The attrs fields of an object; none where its class is no attrs class."""
    fields = attrs.fields(type(thing)) if attrs.has(type(thing)) else ()
    return tuple(field for field in fields if "python only" not in field.metadata)


def struct_of(thing: Neighborhood | Part, representation: Representation, device: Device) -> Struct:
    """The generated struct `<class>Data` of a neighborhood or a part: n, its fields, constants, and kept arrays."""
    name = type(thing).__name__
    derived = thing.cpp_name if isinstance(thing, Neighborhood) else name
    generated = thing.struct_name if isinstance(thing, Neighborhood) else f"{name}Data"
    members: dict[str, Any] = {"n": np.int32(representation.length)}
    for attribute in _fields(thing):
        members[attribute.name] = _member(thing, attribute, representation, device)
    facts = thing.constants(representation) if isinstance(thing, Neighborhood) else {}
    members |= {name: value for name, value in facts.items() if not isinstance(value, bool)}
    if isinstance(thing, Neighborhood | Part):
        for kept_name, kept in thing.state(representation).items():
            members[kept_name] = Array(kept.shape, cpp_type(kept.dtype), np.dtype(kept.dtype))
    known = {name: value for name, value in facts.items() if isinstance(value, bool)}
    return Struct(generated, members, known, derived=derived)


def _member(thing: Any, attribute: attrs.Attribute[Any], representation: Representation, device: Device) -> Any:
    value = getattr(thing, attribute.name)
    if "data" in attribute.metadata:
        return _data(value, attribute.metadata["data"][0], device)
    if value is None:
        return -1
    if isinstance(value, Neighborhood | Part):
        return struct_of(value, representation, device)
    if isinstance(value, Fraction):
        return value
    plain = value.item() if isinstance(value, np.generic) else value
    for kind in (bool, int, float):  # not their subclasses: C++ knows np.float64 and enumerations by these names
        if isinstance(plain, kind):
            return kind(plain)
    raise InputError(
        f"{type(thing).__name__}.{attribute.name} is {value!r}, which has no C++ type.",
        "declare arrays with data(), or use numbers, fractions and parts.",
    )


def _data(value: Any, dtype: str, device: Device) -> Any:
    if np.ndim(value) == 0:
        return np.int32(value) if dtype == "int32" else value
    return Array(value.shape, cpp_type(dtype), device.stored(value), value)


def structs_of_problem(problem: Problem, device: Device) -> tuple[Struct, Struct]:
    """The generated structs of a problem: `<class>State`, what is kept, and `<class>Data`, n, fields and tables."""
    name = type(problem).__name__
    members: dict[str, Any] = {"n": np.int32(problem.representation.length)}
    for attribute in _fields(problem):
        if "data" in attribute.metadata:
            members[attribute.name] = _data(getattr(problem, attribute.name), attribute.metadata["data"][0], device)
    for table_name, table in problem.tables.items():
        members[table_name] = _data(table, str(table.dtype), device)
    kept: dict[str, Any] = {"n": members["n"]}
    for kept_name, declared in problem.state.items():
        kept[kept_name] = _kept(problem, kept_name, declared, members)
    state = Struct(f"{name}State", kept, derived=f"{name}State")
    return state, Struct(f"{name}Data", members, problem.constants, {"State": f"{name}State"}, derived=name)


def _kept(problem: Problem, name: str, declared: Kept, members: Mapping[str, Any]) -> Array:
    stored = problem.cost_type if declared.dtype == "cost" else declared.dtype
    if stored in members and isinstance(members[stored], Array):
        return Array(declared.shape, "", members[stored].stored, scratch=declared.scratch)
    if stored not in _CPP:
        known = ", ".join(["cost", *(m for m, v in members.items() if isinstance(v, Array)), *_CPP])
        raise InputError(f"{type(problem).__name__}.state: {name} has the type {stored!r}.", f"use one of {known}.")
    return Array(declared.shape, cpp_type(stored), np.dtype(stored), scratch=declared.scratch)
