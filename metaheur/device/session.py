"""A session: a compiled unit on one device, with the memory that it works on."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import TYPE_CHECKING, Any, final

import numpy as np

from metaheur.device.generator.layout import Member, Struct
from metaheur.device.slot import ArgumentValues, Slot, flat, require_fits, require_number
from metaheur.errors import InputError

if TYPE_CHECKING:
    from metaheur.device.device import Buffer, CompiledUnit, Device
    from metaheur.device.generator.unit import TranslationUnit

__all__ = ["Session", "copies_of"]

PROBE = "capabilities"
"""The entry that tells what the C++ halves of a unit offer: it uses only members that have been given."""


def copies_of(member: Member, walks: int, league: int, *, tabulates: bool) -> int:
    """The number of copies of a kept array that the walks need.

    `member`: the array. `walks`: how many walks there are. `league`: blocks that share a walk: each needs a replica,
    unless the array is divided among them. `tabulates`: whether there are tables of all moves; without them such an
    array needs no memory.
    """
    if member.table and not tabulates:
        return 0
    divided = member.divided and member.place != "Own"  # memory of a block's own is not divided
    return walks if divided or not member.shape else walks * league


@final
class Session:
    """A compiled unit on one device, with the memory that it works on.

    The members of the unit's `Arguments` are given by name; their types are those that the shell of the unit declares.
    Memory is of four kinds:

    * `keep` makes the arrays of the problem and of the components;
    * `own` makes an array on the device;
    * `near` makes an array of the host that the device reads and writes directly;
    * `mirror` makes an array on both sides, which `send` and `receive` copy.

    `set` passes numbers, and arrays that are on the device already. An entry can be launched when all members have been
    given; only the entry `capabilities`, by which a unit says what its C++ halves offer, can be launched before.

    `compiled`: the unit, such as `neighborhood.kernel(problem, device)`. `device`: the device for which it was
    compiled. `shared`: a session of another unit, whose members of the same names have the same types. Both sessions
    have the members in common, and those arrays of the problem and of the components that are equal in both units.
    `compiled`: CompiledUnit. `unit`: the text of the unit, and the layout of its arguments. `device`: Device. `arrays`:
    the arrays and kept numbers of the problem and of the components, by paths such as "problem.weights". Raises
    InputError if a member has another type in the unit of `shared`.
    """

    def __init__(self, compiled: CompiledUnit, device: Device, shared: Session | None = None) -> None:
        self.compiled, self.unit, self.device, self.shared = compiled, compiled.unit, device, shared
        self._memory: ArgumentValues = ArgumentValues() if shared is None else shared._memory
        if shared is not None:
            _require_same_types(self.unit, shared.unit)
        self.arrays: Mapping[str, Member] = dict(self.unit.arrays())
        self._held: dict[str, Buffer] = {}
        self._kept: Mapping[str, Any] | None = None if self.arrays else {}
        self._placed: dict[str, Any] = {}  # structs, and the values of kept numbers
        self._packed: np.ndarray | None = None
        self._packed_at = -1
        self._arguments: Buffer = None
        if shared is not None and shared._kept is not None:
            self.keep(**shared._kept)

    # ---- memory ------------------------------------------------------------------------------------------------------

    def keep(self, *, walks: int = 1, league: int = 1, workers: int = 1, tabulates: bool = True) -> None:
        """Make the arrays of the problem and of the components: data is copied, kept arrays begin with zeros.

        `walks`: how many walks keep arrays and numbers. `league`: blocks that share a walk: each has a replica of the
        arrays that are not divided among them. `workers`: teams that need scratch memory of their own: threads of a
        CPU, warps of a GPU. `tabulates`: whether there are tables of all moves.
        """
        for path, member in self.arrays.items():
            if self.shared is not None and self.shared._has(path, member):
                continue
            if member.values is None:
                copies = workers if member.scratch else copies_of(member, walks, league, tabulates=tabulates)
                entries = copies * member.entries(self.device)
                self._held[path] = self.device.zeros(entries, member.stored) if copies else None
            elif path not in self._held:
                self._held[path] = self.device.hold(member.padded_values(self.device, 1), member.place)
        self._kept = {"walks": walks, "league": league, "workers": workers, "tabulates": tabulates}
        self._memory.changes += 1

    def own(self, name: str, count: int = 1) -> Buffer:
        """Make memory on the device, with zeros; memory that was made before stays if it has enough entries.

        `name`: a pointer among the members of `Arguments`. `count`: entries of the type that the pointer leads to.
        Returns the memory; structs are bytes.
        """
        dtype, slot = self._pointee(name), self._memory.slots.get(name)
        if slot is None or slot.given or slot.near is not None or slot.count < count:
            slot = Slot(dtype, self._zeros(dtype, count))
            self._point(name, slot, slot.buffer)
        return slot.buffer

    def near(self, name: str, count: int = 1) -> np.ndarray:
        """Make pinned memory of the host, with zeros, which the device reads and writes directly.

        `name`: a pointer among the members of `Arguments`. `count`: entries of the type that the pointer leads to.
        Returns shape (count,), or (count, K) where costs have K numbers: the memory itself: call `Device.wait` after a
        launch before you look at it, or use `read`.
        """
        dtype = self._pointee(name)
        near, pinned = self._pinned(dtype, count)
        self._point(name, Slot(dtype, None, near), pinned)
        return near

    def mirror(self, name: str, count: int = 1) -> np.ndarray:
        """Make memory on both sides, with zeros, which `send` and `receive` copy; on a CPU, both sides are one.

        `name`: a pointer among the members of `Arguments`. `count`: entries of the type that the pointer leads to.
        Returns shape (count,), or (count, K) where costs have K numbers: the host's side.
        """
        if self.device.kind != "cuda":
            return self.near(name, count)
        dtype = self._pointee(name)
        near, buffer = self._pinned(dtype, count)[0], self._zeros(dtype, count)
        self._point(name, Slot(dtype, buffer, near), buffer)
        return near

    def set(self, **values: Any) -> None:
        """Give members of `Arguments` numbers, or arrays of the caller.

        `**values`: by member. An array must be on the device (a CuPy array on a GPU, a NumPy array on a CPU), be
        contiguous and have the type that the pointer leads to. It is not copied. Pass None for a pointer that no
        launched entry uses. Raises InputError if there is no such member, or the value does not fit.
        """
        for name, value in values.items():
            dtype = self._member(name)
            if value is None:
                self._memory.slots.pop(name, None)
                self._memory.give(name, 0)
            elif getattr(value, "ndim", 0):
                pointee = self.unit.pointees.get(name)
                require_fits(name, pointee, value)
                buffer = value if pointee is None or not pointee.names else value.view(np.uint8)
                self._point(name, Slot(pointee or np.dtype(value.dtype), buffer, given=True), value)
            else:
                require_number(name, value, dtype, pointer=name in self.unit.pointees)
                self._memory.give(name, value)

    def place(self, name: str, value: Any) -> None:
        """Replace what `Arguments` has of a component.

        `name`: a struct, such as "neighborhood"; or the path of a kept array or number, such as "state.permuted".
        `value`: for a struct, one of the same layout, whose arrays stay as they are; for a kept array, memory of the
        caller on the device, of the same size; for a kept number, its value. Raises InputError if there is no such
        array, or the value does not fit.
        """
        if name in self.unit.structs:
            self._placed[name] = value
            if self._packed is not None:
                value.write(self._packed[name], self.device, self._buffers(), f"{name}.")
                self._arguments = None
            return
        member = self.arrays.get(name)
        if member is None:
            raise InputError(f"`{name}` is neither a struct nor a kept array or number of `Arguments`.")
        if not member.shape:
            self._placed[name] = value
        elif getattr(value, "size", 0) and value.dtype == member.stored:
            self._held[name] = value
        else:
            raise InputError(f"`{name}` must be memory on the device of the type {member.stored}, but is {value!r}.")
        self._memory.changes += 1

    # ---- contents ----------------------------------------------------------------------------------------------------

    def write(self, name: str, array: Any, first: int = 0) -> None:
        """Overwrite entries, after all launches so far.

        `name`: a member of `Arguments`, or the path of an array, such as "state.permuted". `array`: the new entries,
        which are converted to the type that the pointer leads to. `first`: the index of the first new entry. Raises
        InputError if they cannot be converted, or there are not so many entries.
        """
        self._slot(name).write(self.device, name, array, first)

    def read(self, name: str, first: int = 0, count: int | None = None) -> np.ndarray:
        """Entries as they are after all launches so far: a copy, or, on a CPU, the memory itself.

        `name`: a member of `Arguments`, or the path of an array, such as "state.permuted". `first`: where they begin.
        `count`: how many; by default all that follow. Returns shape (count,), or (count, K) where costs have K numbers:
        in the type that the pointer leads to. Raises InputError if there are not so many entries.
        """
        return self._slot(name).read(self.device, name, first, count)

    def send(self, *names: str) -> None:
        """Copy the host's side of mirrors to the device; nothing happens where both sides are one."""
        for name in names:
            slot = self._slot(name)
            if slot.buffer is not None and slot.near is not None:
                self.device.write(slot.buffer, slot.near)

    def receive(self, name: str) -> np.ndarray:
        """Copy the device's side of a mirror to the host, after all launches so far, and return the host's side."""
        slot = self._slot(name)
        assert slot.near is not None
        found = self.read(name)
        if slot.buffer is not None:  # as bytes: NumPy copies structs member by member
            slot.near.view(np.uint8)[...] = found.view(np.uint8)
        return slot.near

    # ---- launches ----------------------------------------------------------------------------------------------------

    def launch(self, entry: str, value: int = 0, *, blocks: int = 1) -> None:
        """Run an entry of the unit; a GPU runs all launches in order.

        `entry`: its name. `value`: a number that is passed along, such as the index of a move. `blocks`: of a GPU's
        grid; a CPU takes its threads from the arguments. Raises InputError if a member has not been given, or `keep`
        was not called.
        """
        arguments = self._arguments
        if arguments is None or self._packed_at != self._memory.changes:
            arguments = self._upload(entry)
        self.compiled.launch(entry, arguments, value, blocks=blocks)

    def arguments(self) -> Buffer:
        """The unit's `Arguments` on the device, for entries that are launched by other means.

        They hold what has been given so far: ask again after each change. A CuPy kernel takes them with a number:
        `compiled.function("deltas")((blocks,), (threads,), (session.arguments(), numpy.int64(0)))`.

        Raises InputError as `launch`.
        """
        if self._arguments is None or self._packed_at != self._memory.changes:
            return self._upload("")
        return self._arguments

    def _upload(self, entry: str) -> Buffer:
        """Pack the arguments into new memory: launches that a GPU has not begun yet read the arguments of their own."""
        if entry == PROBE:
            return self.device.upload(self._members())
        if self._packed is None or self._packed_at != self._memory.changes:
            self._require_complete(entry)
            self._packed, self._packed_at = self._pack(), self._memory.changes
        self._arguments = self.device.upload(self._packed)
        return self._arguments

    def _values(self) -> dict[str, Any]:
        """The numbers and addresses of the members so far."""
        return {name: value for name, value in self._memory.values.items() if name in self.unit.members}

    def _members(self) -> np.ndarray:
        """`Arguments` without the structs."""
        packed = np.zeros((), self.unit.dtype)
        for name, value in self._values().items():
            packed[name] = value
        return packed

    def _pack(self) -> np.ndarray:
        arrays = self._buffers()
        packed = self.unit.arguments(self.device, arrays, self._values())
        for path, value in self._placed.items():
            if isinstance(value, Struct):
                value.write(packed[path], self.device, arrays, f"{path}.")
                continue
            struct, (*outer, name) = packed, path.split(".")
            for each in outer:
                struct = struct[each]
            struct[name]["value"] = value
        return packed

    def _require_complete(self, entry: str) -> None:
        """Refuse to launch while something is missing."""
        if self._kept is None:
            raise InputError(
                f"The arrays of {', '.join(self.unit.structs)} have no memory yet.", "call keep() before launch()."
            )
        missing = [name for name in self.unit.members if name not in self._memory.values]
        if missing:
            raise InputError(
                f"{', '.join(f'`{name}`' for name in missing)} of `Arguments` must be given before "
                f"{f'the entry {entry!r} is' if entry else 'an entry is'} launched.",
                "use own(), near(), mirror() or set(); set(name=None) is for a pointer that the entry does not use.",
            )

    # ---- names -------------------------------------------------------------------------------------------------------

    def _member(self, name: str) -> np.dtype[Any]:
        """The type of a member; an unknown name is refused."""
        found = self.unit.members.get(name)
        if found is None:
            known = ", ".join(self.unit.members)
            raise InputError(f"`Arguments` has no member {name!r} besides its structs.", f"use one of {known}.")
        return found

    def _pointee(self, name: str) -> np.dtype[Any]:
        """The type that a pointer leads to; other members are refused."""
        self._member(name)
        found = self.unit.pointees.get(name)
        if found is None:
            raise InputError(
                f"`{name}` of `Arguments` must be a pointer to a type that Python knows: other members have no memory.",
                "use set().",
            )
        return found

    def _point(self, name: str, slot: Slot, buffer: Buffer) -> None:
        """Let a pointer lead to memory."""
        self._memory.slots[name] = slot
        self._memory.give(name, self.device.pointer(buffer))

    def _zeros(self, dtype: np.dtype[Any], count: int) -> Buffer:
        """Memory on the device for so many entries."""
        kind, width = flat(dtype)
        return self.device.zeros(count * width, kind)

    def _pinned(self, dtype: np.dtype[Any], count: int) -> tuple[np.ndarray, Buffer]:
        """Pinned memory: its entries as the host sees them, and as the device does."""
        base, numbers = dtype.base, dtype.shape
        host, there = self.device.pinned(count * prod(numbers), base)
        return host.reshape(count, *numbers), there

    def _has(self, path: str, member: Member) -> bool:
        """Whether this session has an array that another unit can use."""
        mine = self.arrays.get(path)
        if mine is None or not _equal(mine, member):
            return False
        return path in self._held or (self.shared is not None and self.shared._has(path, member))

    def _buffer(self, path: str) -> Buffer:
        """The memory of an array; None if it has none."""
        if path in self._held or self.shared is None:
            return self._held.get(path)
        return self.shared._buffer(path)

    def _buffers(self) -> dict[str, Buffer]:
        return {path: self._buffer(path) for path in self.arrays}

    def _slot(self, name: str) -> Slot:
        """The memory of a member or of an array; names without memory are refused."""
        slot = self._memory.slots.get(name)
        if slot is None and name in self.arrays:
            buffer = self._buffer(name)
            slot = None if buffer is None else Slot(self.arrays[name].stored, buffer)
        if slot is None:
            raise InputError(f"`{name}` has no memory.", "call keep(), own(), near(), mirror() or set() first.")
        return slot


def _require_same_types(unit: TranslationUnit, shared: TranslationUnit) -> None:
    """Refuse units in which members of one name have different types."""
    for types, others in ((unit.members, shared.members), (unit.pointees, shared.pointees)):
        for name, dtype in types.items():
            if others.get(name, dtype) != dtype:
                raise InputError(f"Units with one memory agree on types, but `{name}` is {dtype} and {others[name]}.")


def _equal(one: Member, other: Member) -> bool:
    """Whether two units can use the same memory for an array."""
    if (one.cpp(), one.shape) != (other.cpp(), other.shape):
        return False
    return one.values is other.values or (
        one.values is not None and other.values is not None and np.array_equal(one.values, other.values)
    )
