"""Reversal: some items that follow each other in a list, in the opposite order."""

from __future__ import annotations

from typing import ClassVar, Self, final

from attrs import frozen

from metaheur.lists.segments_move import link
from metaheur.move import Move
from metaheur.representation import Solution

__all__ = ["ReversalMove"]


@final
@frozen
class ReversalMove(Move):
    """The items `first` ... `last`, which follow place p, in the opposite order: 2-opt in a list.

    Its time grows with the number of items, as each of them then follows another one.

    Parameters
    ----------
    p, first, last : int
        A place, the item behind it, and another item further on in the list.
    """

    p: int
    first: int
    last: int

    source: ClassVar[str] = "reversal_move.cuh"
    unsigned: ClassVar[tuple[str, ...]] = ("p", "first", "last")

    def apply(self, x: Solution) -> Solution:
        """The solution after the move, shape (n,)."""
        moved, items = x.copy(), [self.first]
        while items[-1] != self.last:
            items.append(int(x[items[-1]]))
        link(moved, self.p, items[::-1], x[self.last])
        return moved

    def inverse(self) -> Self:
        """The reversal of the same items, whose ends are exchanged."""
        return type(self)(self.p, self.last, self.first)
