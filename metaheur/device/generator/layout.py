"""A generated C++ struct: the text of the type, and the bytes of the value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, final

import numpy as np
from attrs import evolve, field, frozen

if TYPE_CHECKING:
    from metaheur.device.generator.target import Buffer, Target

__all__ = ["CPP", "Member", "Struct", "rounded"]

CPP: Mapping[str, str] = {
    "bool": "bool",
    "uint8": "u8",
    "int8": "i8",
    "uint16": "u16",
    "int16": "i16",
    "uint32": "u32",
    "int32": "i32",
    "uint64": "u64",
    "int64": "i64",
    "float64": "double",
}
"""The C++ names of NumPy's types."""


@final
@frozen(eq=False)
class Member:
    """A member that is an array or a kept number.

    `shape`: up to two lengths; () for a kept number. `value_type`: C++ type of an entry. `stored`: type in the device's
    memory. `values`, numpy.ndarray: read-only data; None for a kept array, which starts with zeros. `scratch`,
    `divided`, `table`, `far`, `late`: as in `Array`. `saved`: whether a kept array is part of the search's state.
    `place`: where the array lies, a `Place` in arrays.cuh; by default data is read-only, kept arrays lie in global
    memory. `first`: in constant memory, the entries before it.
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
        """Entries from one row to the next: of a long matrix with few columns, such as candidates, 8 instead of 32."""
        padded = device.padded(self.shape[-1], self.stored) if self.shape else 1
        few = len(self.shape) == 2 and self.shape[-1] <= 8 and (self.far or self.values is not None)
        return 8 if few and padded == 32 else padded

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

    `name`: of the generated struct. `members`: the values, by member. `constants`: `static constexpr` members.
    `typedefs`: names for other types inside the struct. `derived`: the type that the C++ half makes of this one, which
    a nested member has. `parts`: the members that are the problems which a problem is made of. `lists`: tuples of
    components by the names of their fields: how many members each stands for. `views`: the named parts of solutions,
    the first of which begins at entry 0. `levels`: the names of the levels of costs, which `levels(...)` packs by the
    members `weight_of_...` and `reach_of_...`.
    """

    name: str
    members: Mapping[str, Any]
    constants: Mapping[str, int | bool] = field(factory=dict)
    typedefs: Mapping[str, str] = field(factory=dict)
    derived: str = ""
    parts: tuple[str, ...] = ()
    lists: Mapping[str, int] = field(factory=dict)
    views: tuple[str, ...] = ()
    levels: tuple[str, ...] = ()

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
        for number, name in enumerate(self.views):
            begin = f"x + first_of_{name}" if number else "x"
            lines.append(f"    MH_FN const Item* {name}_of(const Item* x) const {{ return {begin}; }}")
        if self.levels:
            lines.append(_levels(self.levels))
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

    def write(self, out: np.ndarray, device: Target, buffers: Mapping[str, Buffer], path: str = "") -> None:
        """Write the bytes of the value.

        `out`, numpy.ndarray, shape (): where they are written, a view of `dtype`. `device`: where the arrays lie.
        `buffers`: the arrays by their paths, those of this struct below `path`. `path`: put before the names.
        """
        for name, value in self.members.items():
            if isinstance(value, Struct):
                value.write(out[name], device, buffers, f"{path}{name}.")
            elif isinstance(value, Member):
                out[name] = value.packed(device, buffers[f"{path}{name}"])
            elif isinstance(value, Fraction):
                out[name] = (value.numerator, value.denominator)
            else:
                out[name] = value

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


def _levels(names: Sequence[str]) -> str:
    """The C++ function that packs the levels of a cost, or of a change of it; a level beyond its reach is marked."""
    given = ", ".join(f"i64 {name}" for name in names)
    near = " && ".join(f"-reach_of_{name} <= {name} && {name} <= reach_of_{name}" for name in names)
    total = " + ".join(f"weight_of_{name} * {name}" for name in names)
    return f"    MH_FN i64 levels({given}) const {{ return {near} ? {total} : -(i64(3) << 61); }}"


def _visitor(name: str, own: list[str], inner: list[str], qualifier: str = "") -> str:
    calls = [f"f({each});" for each in own] + [f"{each}.{name}(f);" for each in inner]
    return f"    template <class F> MH_FN void {name}(F f){qualifier} {{ {' '.join(calls) or '(void)f;'} }}"


def _list(name: str, count: int) -> Iterator[str]:
    """The C++ of a tuple of components: the list of their types, and a call of f for the k-th component."""
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


def rounded(nbytes: int) -> int:
    """The bytes of an array in shared memory, where each array begins at a multiple of 16 bytes."""
    return -(-nbytes // 16) * 16
