"""Segments: what follows two places of lists is exchanged, or moved from one to the other."""

from __future__ import annotations

from typing import Any, ClassVar, Self, final

from attrs import frozen

from metaheur.move import Move
from metaheur.representation import Solution

__all__ = ["SegmentsMove", "link", "walk"]


@final
@frozen
class SegmentsMove(Move):
    """The `first` items behind place p change places with the `second` items behind place q; O(1).

    With `second` = 0 the items behind p go behind q. Both places stay where they are, so that the inverse is the move
    with p and q exchanged. An optional item that goes behind itself is left out; one that is left out, and so follows
    itself, is put into a list by p = itself.

    Parameters
    ----------
    p, q : int
        Places: items, or heads of lists.
    first, second : int
        Numbers of items, 1 or more and 0 or more. They follow p and q, lie in lists, and do not overlap with p or q.
    turned : int
        1 where the first segment arrives in the opposite order, 2 where the second one does, 3 for both, else 0.
    """

    p: int
    q: int
    first: int
    second: int
    turned: int

    source: ClassVar[str] = "segments_move.cuh"
    unsigned: ClassVar[tuple[str, ...]] = ("p", "q", "first", "second", "turned")

    def apply(self, x: Solution) -> Solution:
        """The solution after the move, shape (n,)."""
        moved = x.copy()
        one, other = walk(x, self.p, self.first), walk(x, self.q, self.second)
        after, beyond = x[one[-1]], x[other[-1]]
        link(moved, self.p, other[:0:-1] if self.turned & 2 else other[1:], after)
        link(moved, self.q, one[:0:-1] if self.turned & 1 else one[1:], beyond)
        return moved

    def inverse(self) -> Self:
        """The move that brings both segments back."""
        return type(self)(self.q, self.p, self.first, self.second, self.turned)


def walk(x: Solution, place: int, count: int) -> list[int]:
    """A place, and so many items or heads that follow it."""
    found = [place]
    for _ in range(count):
        found.append(int(x[found[-1]]))
    return found


def link(x: Solution, place: int, items: list[int], beyond: Any) -> None:
    """Put items behind a place, one after the other, and the place `beyond` behind the last."""
    for item in (*items[::-1], place):
        x[item], beyond = beyond, item
