"""A session: a compiled unit on one device, with the memory that it works on."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from numbers import Integral, Real
from typing import Any, final

import numpy as np
from attrs import define, field

from metaheur.device.device import Buffer, CompiledUnit, Device
from metaheur.device.generator.layout import Member, Struct
from metaheur.errors import InputError

__all__ = ["Session", "copies_of"]

PROBE = "capabilities"
"""The entry that answers what the C++ halves of a unit offer. It reads no array, and no number but its answer."""


def copies_of(member: Member, walks: int, league: int, *, tabulates: bool) -> int:
    """How many copies of a kept array the walks need.

    Parameters
    ----------
    member : Member
        The array.
    walks : int
        How many walks there are.
    league : int
        Blocks that share a walk: each needs a replica, unless the array is divided among them.
    tabulates : bool
        Whether there are tables of all moves; without them such an array needs no memory.
    """
    if member.table and not tabulates:
        return 0
    divided = member.divided and member.place != "Own"  # memory of a block's own is not divided
    return walks if divided or not member.shape else walks * league


@final
@define(eq=False)
class _Slot:
    """The memory that a pointer leads to.

    Parameters
    ----------
    dtype : numpy.dtype
        Of an entry: a number, a row of numbers or a struct.
    buffer : Buffer
        The memory on the device.
    near : numpy.ndarray, optional
        The memory on the host, shape (count,) or (count, K); where both are one, `buffer` is None.
    given : bool
        Whether the memory belongs to the caller.
    """

    dtype: np.dtype[Any]
    buffer: Buffer
    near: np.ndarray | None = None
    given: bool = False
    count: int = field(init=False)  # entries
    width: int = field(init=False)  # entries of the buffer for one of `dtype`: bytes of a struct, numbers of a row
    plain: bool = field(init=False)  # whether an entry is a number

    def __attrs_post_init__(self) -> None:
        self.width = _flat(self.dtype)[1]
        self.count = int(self.buffer.size) // self.width if self.near is None else len(self.near)
        self.plain = not (self.dtype.names or self.dtype.shape)


@final
@define(eq=False)
class _Memory:
    """The members of `Arguments`, which sessions can share.

    Parameters
    ----------
    slots : mapping of str to _Slot
        The memory that pointers lead to.
    values : mapping of str to object
        Numbers and addresses.
    changes : int
        How often a value or an address was changed.
    """

    slots: dict[str, _Slot] = field(factory=dict)
    values: dict[str, Any] = field(factory=dict)
    changes: int = 0

    def give(self, name: str, value: Any) -> None:
        """Set a number or an address."""
        self.values[name] = value
        self.changes += 1


@final
class Session:
    """A compiled unit on one device, with the memory that it works on.

    The members of the unit's `Arguments` get memory by their names; the types are those that its shell declares. There
    are four kinds of memory: arrays of the problem and of the components (`keep`), arrays on the device (`own`), arrays
    that the host reads and writes directly (`near`), and arrays on both sides (`mirror`). `set` passes numbers, and
    arrays that already are on the device. Every member must have been given before an entry is launched.

    Parameters
    ----------
    compiled : CompiledUnit
        The unit, such as `neighborhood.kernel(problem, device)`.
    device : Device
        The device that it was compiled for.
    shared : Session, optional
        A session of another unit with members of the same names and types. Both sessions have one memory; of the
        arrays that `keep` makes, they share those that are equal in both units.

    Attributes
    ----------
    compiled : CompiledUnit
    unit : TranslationUnit
        The text of the unit, and the layout of its arguments.
    device : Device
    arrays : mapping of str to Member
        The arrays and kept numbers of the problem and of the components, by paths such as "problem.weights".
    """

    def __init__(self, compiled: CompiledUnit, device: Device, shared: Session | None = None) -> None:
        self.compiled, self.unit, self.device, self.shared = compiled, compiled.unit, device, shared
        self._memory: _Memory = _Memory() if shared is None else shared._memory
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
        """Make the arrays of the problem and of the components: data is copied, what is kept begins with zeros.

        Parameters
        ----------
        walks : int, default 1
            How many walks keep arrays and numbers.
        league : int, default 1
            Blocks that share a walk: each has a replica of the arrays that are not divided among them.
        workers : int, default 1
            Teams that need scratch memory of their own: threads of a CPU, warps of a GPU.
        tabulates : bool, default True
            Whether there are tables of all moves.
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
        """Memory on the device for a pointer, zeros at first; if it has less than `count` entries, it is made anew.

        Parameters
        ----------
        name : str
            The member of `Arguments`.
        count : int, default 1
            Entries of the type that the pointer leads to.

        Returns
        -------
        Buffer
            The memory; structs are bytes.
        """
        dtype, slot = self._pointee(name), self._memory.slots.get(name)
        if slot is None or slot.given or slot.near is not None or slot.count < count:
            flat, width = _flat(dtype)
            slot = _Slot(dtype, self.device.zeros(count * width, flat))
            self._lead(name, slot, slot.buffer)
        return slot.buffer

    def near(self, name: str, count: int = 1) -> np.ndarray:
        """Memory of the host for a pointer, which the device reads and writes directly; zeros at first.

        Returns
        -------
        numpy.ndarray, shape (count,), or (count, K) where costs have K numbers
            The memory itself. Read it after `Device.wait`, or by `read`.
        """
        dtype = self._pointee(name)
        near, pinned = self._pinned(dtype, count)
        self._lead(name, _Slot(dtype, None, near), pinned)
        return near

    def mirror(self, name: str, count: int = 1) -> np.ndarray:
        """Memory on both sides for a pointer; on a CPU both are one. `send` and `receive` copy.

        Returns
        -------
        numpy.ndarray, shape (count,), or (count, K) where costs have K numbers
            The host's side.
        """
        if self.device.kind != "cuda":
            return self.near(name, count)
        dtype = self._pointee(name)
        flat, width = _flat(dtype)
        slot = _Slot(dtype, self.device.zeros(count * width, flat), self._pinned(dtype, count)[0])
        self._lead(name, slot, slot.buffer)
        assert slot.near is not None
        return slot.near

    def set(self, **values: Any) -> None:
        """Give members of `Arguments` numbers, or memory of one's own.

        Parameters
        ----------
        **values : int, float, Buffer or None
            By member. An array must be on the device (CuPy's on a GPU, NumPy's on a CPU), contiguous and of the type
            that the pointer leads to; the session refers to it. None for a pointer that the entries do not use.

        Raises
        ------
        InputError
            If there is no such member, or the value does not fit.
        """
        for name, value in values.items():
            dtype = self._member(name)
            if value is None:
                self._memory.slots.pop(name, None)
                self._memory.give(name, 0)
            elif getattr(value, "ndim", 0):
                pointee = self.unit.pointees.get(name)
                _require_fits(name, pointee, value)
                buffer = value if pointee is None or not pointee.names else value.view(np.uint8)
                self._lead(name, _Slot(pointee or np.dtype(value.dtype), buffer, given=True), value)
            else:
                _require_number(name, value, dtype, pointer=name in self.unit.pointees)
                self._memory.give(name, value)

    def place(self, name: str, value: Struct | Buffer | float) -> None:
        """Replace what `Arguments` has of a component.

        Parameters
        ----------
        name : str
            A struct, such as "neighborhood"; or the path of a kept array or number, such as "state.permuted".
        value : Struct, Buffer or number
            A struct of the same layout, around the same arrays; for an array, memory of one's own of the same size; for
            a kept number, its value.
        """
        if name in self.unit.structs:
            self._placed[name] = value
            if self._packed is not None:
                self._packed[name] = value.pack(self.device, self._buffers(), f"{name}.")
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
        """Overwrite entries; on a GPU after what was launched before.

        Parameters
        ----------
        name : str
            A member of `Arguments`, or the path of an array that is kept.
        array : array_like
            The new entries.
        first : int, default 0
            The first of them.
        """
        slot = self._slot(name)
        fits = slot.plain and getattr(array, "dtype", None) == slot.dtype
        entries = np.ascontiguousarray(array) if fits else _entries(name, slot.dtype, array)
        count = entries.size if slot.plain else len(entries)
        if first < 0 or first + count > slot.count:
            raise _outside(name, slot, first, count)
        if slot.buffer is not None:
            self.device.write(slot.buffer, entries, first * slot.width)
        elif slot.near is not None:
            slot.near[first : first + count] = entries.reshape(slot.near[first : first + count].shape)

    def read(self, name: str, first: int = 0, count: int | None = None) -> np.ndarray:
        """Entries after everything that was launched before; on a CPU the memory itself.

        Parameters
        ----------
        name : str
            A member of `Arguments`, or the path of an array that is kept.
        first : int, default 0
            The first of them.
        count : int, optional
            How many; all that follow by default.

        Returns
        -------
        numpy.ndarray, shape (count,), or (count, K) where costs have K numbers
            In the type that the pointer leads to.
        """
        slot = self._slot(name)
        if count is None:
            count = slot.count - first
        if first < 0 or count < 0 or first + count > slot.count:
            raise _outside(name, slot, first, count)
        if slot.buffer is None and slot.near is not None:
            self.device.wait()
            return slot.near[first : first + count]
        found = self.device.download(slot.buffer, first * slot.width, count * slot.width)
        if slot.plain:
            return found
        return found.view(slot.dtype) if slot.dtype.names else found.reshape(count, *slot.dtype.shape)

    def send(self, *names: str) -> None:
        """Copy the host's side of mirrors to the device; where both sides are one, there is nothing to do."""
        for name in names:
            slot = self._slot(name)
            if slot.buffer is not None and slot.near is not None:
                self.device.write(slot.buffer, slot.near)

    def receive(self, name: str) -> np.ndarray:
        """Copy the device's side of a mirror to the host's, after everything that was launched before; returns it."""
        slot = self._slot(name)
        assert slot.near is not None
        found = self.read(name)
        if slot.buffer is not None:  # as bytes: NumPy copies structs member by member
            slot.near.view(np.uint8)[...] = found.view(np.uint8)
        return slot.near

    # ---- launches ----------------------------------------------------------------------------------------------------

    def launch(self, entry: str, value: int = 0, *, blocks: int = 1) -> None:
        """Run an entry; a GPU runs what is launched in order.

        Parameters
        ----------
        entry : str
            Its name.
        value : int, default 0
            A number that is passed along, such as the index of a move.
        blocks : int, default 1
            Of a GPU's grid; a CPU takes its threads from the arguments.

        Raises
        ------
        InputError
            If something that the entry may use has no memory yet.
        """
        arguments = self._arguments
        if arguments is None or self._packed_at != self._memory.changes:
            arguments = self._upload(entry)
        self.compiled.launch(entry, arguments, value, blocks=blocks)

    def arguments(self) -> Buffer:
        """`Arguments` on the device, for entries that are launched by other means; ask again after each change.

        A CuPy kernel takes them with a number: `compiled.function("deltas")((blocks,), (threads,),
        (session.arguments(), numpy.int64(0)))`.

        Raises
        ------
        InputError
            As `launch`.
        """
        if self._arguments is None or self._packed_at != self._memory.changes:
            return self._upload("")
        return self._arguments

    def _upload(self, entry: str) -> Buffer:
        """Pack the arguments as they are now, into new memory: launches that are queued on a GPU read the old one."""
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
        """`Arguments` for a probe, which asks no struct."""
        packed = np.zeros((), self.unit.dtype)
        for name, value in self._values().items():
            packed[name] = value
        return packed

    def _pack(self) -> np.ndarray:
        arrays = self._buffers()
        packed = self.unit.arguments(self.device, arrays, self._values())
        for path, value in self._placed.items():
            if isinstance(value, Struct):
                packed[path] = value.pack(self.device, arrays, f"{path}.")
                continue
            struct, (*outer, name) = packed, path.split(".")
            for each in outer:
                struct = struct[each]
            struct[name]["value"] = value
        return packed

    def _require_complete(self, entry: str) -> None:
        """Refuse to launch what may use memory that nobody has given."""
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
        """The type of a member, refused where there is none."""
        found = self.unit.members.get(name)
        if found is None:
            known = ", ".join(self.unit.members)
            raise InputError(f"`Arguments` has no member {name!r} besides its structs.", f"use one of {known}.")
        return found

    def _pointee(self, name: str) -> np.dtype[Any]:
        """What a member leads to, refused where this is not known."""
        self._member(name)
        found = self.unit.pointees.get(name)
        if found is None:
            raise InputError(
                f"`{name}` of `Arguments` must be a pointer to a type that Python knows: other members have no memory.",
                "use set().",
            )
        return found

    def _lead(self, name: str, slot: _Slot, buffer: Buffer) -> None:
        """Have a pointer lead to memory."""
        self._memory.slots[name] = slot
        self._memory.give(name, self.device.pointer(buffer))

    def _pinned(self, dtype: np.dtype[Any], count: int) -> tuple[np.ndarray, Buffer]:
        """Pinned memory: its entries as the host sees them, and as the device does."""
        base, numbers = dtype.base, dtype.shape
        host, there = self.device.pinned(count * prod(numbers), base)
        return host.reshape(count, *numbers), there

    def _has(self, path: str, member: Member) -> bool:
        """Whether there is an array that another unit can use as its own."""
        mine = self.arrays.get(path)
        if mine is None or not _equal(mine, member):
            return False
        return path in self._held or (self.shared is not None and self.shared._has(path, member))

    def _buffer(self, path: str) -> Buffer:
        """The memory of an array that is kept; None without any."""
        if path in self._held or self.shared is None:
            return self._held.get(path)
        return self.shared._buffer(path)

    def _buffers(self) -> dict[str, Buffer]:
        return {path: self._buffer(path) for path in self.arrays}

    def _slot(self, name: str) -> _Slot:
        """The memory behind a name, refused where there is none."""
        slot = self._memory.slots.get(name)
        if slot is None and name in self.arrays:
            buffer = self._buffer(name)
            slot = None if buffer is None else _Slot(self.arrays[name].stored, buffer)
        if slot is None:
            raise InputError(f"`{name}` has no memory.", "call keep(), own(), near(), mirror() or set() first.")
        return slot


def _flat(dtype: np.dtype[Any]) -> tuple[np.dtype[Any], int]:
    """How the device stores an entry: as numbers of a type, or as bytes; and how many."""
    return (np.dtype(np.uint8), dtype.itemsize) if dtype.names else (dtype.base, prod(dtype.shape))


def _entries(name: str, dtype: np.dtype[Any], array: Any) -> np.ndarray:
    """The entries to write, one a row: numbers are converted, but neither fractions to integers nor other structs."""
    values = np.asarray(array)
    if values.dtype != dtype and (dtype.names or (dtype.base.kind != "f" and values.dtype.kind not in "iub")):
        raise InputError(f"`{name}` holds entries of the type {dtype}, but {array!r} was to be written.")
    return np.ascontiguousarray(values, dtype.base).reshape(-1, *dtype.shape)


def _equal(one: Member, other: Member) -> bool:
    """Whether one memory can serve two arrays."""
    if (one.cpp(), one.shape) != (other.cpp(), other.shape):
        return False
    return one.values is other.values or (
        one.values is not None and other.values is not None and np.array_equal(one.values, other.values)
    )


def _require_fits(name: str, pointee: np.dtype[Any] | None, array: Buffer) -> None:
    """Refuse memory of another type than a pointer leads to, or with gaps."""
    if not array.flags.c_contiguous:
        raise InputError(f"`{name}` must be contiguous.", "copy it first.")
    if pointee is not None and array.dtype not in ({pointee, np.dtype(np.uint8)} if pointee.names else {pointee.base}):
        raise InputError(
            f"`{name}` must have the type {pointee.base}, but has {array.dtype}.", "convert it by astype() first."
        )


def _require_number(name: str, value: Any, dtype: np.dtype[Any], *, pointer: bool) -> None:
    """Refuse what a number in C++ cannot be."""
    if pointer:
        raise InputError(
            f"`{name}` is a pointer, and cannot be {value!r}.", "pass an array on the device, or use own() and write()."
        )
    whole = isinstance(value, Integral | np.bool_)
    if (dtype.kind in "iub" and not whole) or (dtype.kind == "f" and not (whole or isinstance(value, Real))):
        raise InputError(f"`{name}` must be a number of the type {dtype}, but is {value!r}.")


def _outside(name: str, slot: _Slot, first: int, count: int) -> InputError:
    """The refusal of entries that are not there."""
    return InputError(
        f"`{name}` has {slot.count} entries, but those from {first} to {first + count - 1} are asked for.",
        "make more room by own().",
    )
