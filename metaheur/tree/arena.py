"""Memory for arrays that come and go: what is no longer used is used again.

Memory that a process has not touched before costs a page fault every 4 KiB, which takes longer than to branch the nodes
that lie there.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any, final

import numpy as np
from attrs import define, field

__all__ = ["Arena"]

SMALLEST = 1 << 16


@final
@define(eq=False)
class Arena:
    """Lends arrays; the memory of one that nobody has any more is lent again.

    Parameters
    ----------
    most : int, default 256 MiB
        Bytes of unused memory that are kept.
    """

    most: int = 1 << 28
    _free: dict[int, list[np.ndarray]] = field(factory=lambda: defaultdict(list), init=False)
    _unused: int = field(default=0, init=False)

    def copy(self, array: np.ndarray) -> np.ndarray:
        """A copy of an array."""
        if array.nbytes < SMALLEST:
            return array.copy()
        size = 1 << (array.nbytes - 1).bit_length()
        if self._free[size]:
            self._unused -= size
            raw = self._free[size].pop()
        else:
            raw = np.empty(size, np.uint8)
        out = np.asarray(_Loan(self, raw))[: array.nbytes].view(array.dtype).reshape(array.shape)
        out[...] = array
        return out

    def back(self, raw: np.ndarray) -> None:
        """Take memory back."""
        if self._unused + raw.size <= self.most:
            self._unused += raw.size
            self._free[raw.size].append(raw)


@final
class _Loan:
    """What NumPy's views of the memory refer to; the last of them lets go of it."""

    def __init__(self, arena: Arena, raw: np.ndarray) -> None:
        self.arena, self.raw = arena, raw
        self.__array_interface__: dict[str, Any] = raw.__array_interface__

    def __del__(self) -> None:
        self.arena.back(self.raw)
