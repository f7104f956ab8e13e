"""The values of a unit's arguments: numbers, and memory with its type, its size and its contents."""

from __future__ import annotations

from math import prod
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, final

import numpy as np
from attrs import define, field

from metaheur.errors import InputError

if TYPE_CHECKING:
    from metaheur.device.device import Buffer, Device

__all__ = ["ArgumentValues", "Slot", "flat", "require_fits", "require_number"]


def flat(dtype: np.dtype[Any]) -> tuple[np.dtype[Any], int]:
    """How a device stores an entry.

    `dtype`: a number, a row of numbers or a struct. Returns `dtype`: of the numbers that are stored; a struct is stored
    as bytes. `width`: how many of them an entry takes.
    """
    return (np.dtype(np.uint8), dtype.itemsize) if dtype.names else (dtype.base, prod(dtype.shape))


@final
@define(eq=False)
class Slot:
    """The memory that a pointer leads to.

    `dtype`: the type of an entry: a number, a row of numbers or a struct. `buffer`: the memory on the device; None if
    it is that of the host. `near`, numpy.ndarray: the memory of the host, shape (count,), or (count, K) for rows of K
    numbers. `given`: whether the memory belongs to the caller. `count`: how many entries there are.
    """

    dtype: np.dtype[Any]
    buffer: Buffer
    near: np.ndarray | None = None
    given: bool = False
    count: int = field(init=False)
    _width: int = field(init=False)
    _plain: bool = field(init=False)  # whether an entry is a number

    def __attrs_post_init__(self) -> None:
        """Count the entries."""
        self._width = flat(self.dtype)[1]
        self.count = int(self.buffer.size) // self._width if self.near is None else len(self.near)
        self._plain = not (self.dtype.names or self.dtype.shape)

    def write(self, device: Device, name: str, array: Any, first: int) -> None:
        """Overwrite entries from the one numbered `first` on, after all launches so far; messages call them `name`."""
        fits = self._plain and hasattr(array, "dtype") and array.dtype == self.dtype  # NumPy takes None for float64
        entries = np.ascontiguousarray(array).reshape(-1) if fits else self._converted(name, array)
        count = len(entries)
        if first < 0 or first + count > self.count:
            raise self._too_few(name, first, count)
        if not count:
            return
        if self.buffer is not None:
            device.write(self.buffer, entries, first * self._width)
        elif self.near is not None:
            device.wait()  # for launches that still read it
            self.near[first : first + count] = entries

    def read(self, device: Device, name: str, first: int, count: int | None) -> np.ndarray:
        """`count` entries from the first one on, or all that follow, after all launches; messages call them `name`."""
        if count is None:
            count = self.count - first
        if first < 0 or count < 0 or first + count > self.count:
            raise self._too_few(name, first, count)
        if self.buffer is None and self.near is not None:
            device.wait()
            return self.near[first : first + count]
        found = device.download(self.buffer, first * self._width, count * self._width)
        if self._plain:
            return found
        return found.view(self.dtype) if self.dtype.names else found.reshape(count, *self.dtype.shape)

    def _converted(self, name: str, array: Any) -> np.ndarray:
        """Entries of the right type, one in each row; numbers are converted, except fractions to integers."""
        values, dtype = np.asarray(array), self.dtype
        if values.dtype != dtype and (dtype.names or (dtype.base.kind != "f" and values.dtype.kind not in "iub")):
            raise InputError(f"`{name}` holds entries of the type {dtype}, but {array!r} was to be written.")
        return np.ascontiguousarray(values, dtype.base).reshape(-1, *dtype.shape)

    def _too_few(self, name: str, first: int, count: int) -> InputError:
        return InputError(
            f"`{name}` has {self.count} entries, but those from {first} to {first + count - 1} are asked for.",
            "make more room by own().",
        )


@final
@define(eq=False)
class ArgumentValues:
    """The memory and the values that the members of a unit's arguments have.

    `slots`: the memory that pointers lead to, by member. `values`: numbers and addresses, by member. `changes`: how
    often a number or an address was changed.
    """

    slots: dict[str, Slot] = field(factory=dict)
    values: dict[str, Any] = field(factory=dict)
    changes: int = 0

    def give(self, name: str, value: Any) -> None:
        """Set a number or an address. `name`: the member."""
        self.values[name] = value
        self.changes += 1


def require_fits(name: str, dtype: np.dtype[Any] | None, array: Buffer) -> None:
    """Refuse an array on the device to which a pointer, the member `name`, cannot lead; `dtype` is None if unknown."""
    if not array.flags.c_contiguous:
        raise InputError(
            f"`{name}` must be contiguous, but its rows have the strides {array.strides}.", "copy it first."
        )
    if dtype is not None and array.dtype not in ({dtype, np.dtype(np.uint8)} if dtype.names else {dtype.base}):
        raise InputError(f"`{name}` must have the type {dtype.base}, but has {array.dtype}.", "convert it by astype().")


def require_number(name: str, value: Any, dtype: np.dtype[Any], *, pointer: bool) -> None:
    """Refuse a value that the member `name`, of this type or a pointer, cannot have."""
    if pointer:
        raise InputError(
            f"`{name}` is a pointer, and cannot be {value!r}.", "pass an array on the device, or use own() and write()."
        )
    whole = isinstance(value, Integral | np.bool_)
    if (dtype.kind in "iub" and not whole) or (dtype.kind == "f" and not (whole or isinstance(value, Real))):
        raise InputError(f"`{name}` must be a number of the type {dtype}, but is {value!r}.")
