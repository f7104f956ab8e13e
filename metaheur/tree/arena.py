"""Memory for arrays that come and go: memory that no array needs any more is used again.

Memory that a process has not touched before costs a page fault every 4 KiB, which takes longer than branching the nodes
that lie there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, final

import numpy as np
from attrs import define, field

__all__ = ["Arena", "Strip", "lie_together", "together"]

SMALLEST = 1 << 16

BLOCK = 1 << 25
"""The least number of bytes of a strip's block; the system provides a page when the page is first written."""


@final
@define(eq=False)
class Arena:
    """Lends arrays; when nobody refers to an array any more, its memory is lent again.

    `most`: the most bytes of unused memory that are kept.
    """

    most: int = 1 << 28
    _free: dict[int, list[np.ndarray]] = field(factory=lambda: defaultdict(list), init=False)
    _unused: int = field(default=0, init=False)

    def copy(self, array: np.ndarray) -> np.ndarray:
        """A copy of an array."""
        if array.nbytes < SMALLEST:
            return array.copy()
        out = self.lend(array.nbytes)[: array.nbytes].view(array.dtype).reshape(array.shape)
        out[...] = array
        return out

    def lend(self, count: int) -> np.ndarray:
        """Memory for so many bytes, rounded up to a power of two: an array of uint8."""
        size = 1 << (count - 1).bit_length()
        if self._free[size]:
            self._unused -= size
            raw = self._free[size].pop()
        else:
            raw = np.empty(size, np.uint8)
        return np.asarray(_Loan(self, raw))

    def back(self, raw: np.ndarray) -> None:
        """Take back memory that was lent."""
        if self._unused + raw.size <= self.most:
            self._unused += raw.size
            self._free[raw.size].append(raw)


@final
class _Loan:
    """NumPy's views of lent memory refer to this object: it is deleted with the last view, and returns the memory."""

    def __init__(self, arena: Arena, raw: np.ndarray) -> None:
        self.arena, self.raw = arena, raw
        self.__array_interface__: dict[str, Any] = raw.__array_interface__

    def __del__(self) -> None:
        self.arena.back(self.raw)


@final
@define(eq=False)
class Strip:
    """Memory that is written from one end to the other, block by block: for arrays that come and go in the same order.

    `arena`: lends the blocks.
    """

    arena: Arena
    _block: np.ndarray = field(factory=lambda: np.zeros(0, np.uint8), init=False)
    _at: int = field(default=0, init=False)

    def room(self, count: int) -> np.ndarray:
        """So many free bytes: after the bytes kept last, if the block is long enough, else in a new block."""
        if self._block.size < self._at + count:
            self._block, self._at = self.arena.lend(max(BLOCK, count)), 0
        return self._block[self._at : self._at + count]

    def keep(self, count: int) -> np.ndarray:
        """The first bytes of the room; they are not written again while an array refers to them."""
        self._at += count
        return self._block[self._at - count : self._at]


def lie_together(arrays: Sequence[np.ndarray]) -> bool:
    """Whether arrays lie one behind the other in memory that was lent."""
    block = arrays[0].base
    if not isinstance(block, np.ndarray) or not isinstance(block.base, _Loan):
        return False
    end = arrays[0].ctypes.data
    for array in arrays:
        if array.base is not block or array.ctypes.data != end or not array.flags.c_contiguous:
            return False
        end += array.nbytes
    return True


def together(arrays: Sequence[np.ndarray]) -> np.ndarray:
    """The rows of all arrays as one array: a copy only if they do not lie one behind the other."""
    if not lie_together(arrays):
        return np.concatenate(arrays)
    first, size = arrays[0], sum(array.nbytes for array in arrays)
    block: Any = first.base
    at = first.ctypes.data - block.ctypes.data
    rows: np.ndarray = block[at : at + size].view(first.dtype).reshape(-1, *first.shape[1:])
    return rows
