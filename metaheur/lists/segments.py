"""Segments at places: which items a move takes, if there are enough of them."""

from __future__ import annotations

from typing import Self, final

from attrs import field, frozen

from metaheur.lists.places import HasLists
from metaheur.lists.segments_move import SegmentsMove, walk
from metaheur.move import DependentMove
from metaheur.representation import Solution

__all__ = ["SegmentsAt", "kind_of", "kinds", "segment_of"]


@final
@frozen
class SegmentsAt(DependentMove):
    """A `SegmentsMove`, where both places have so many items behind them; infeasible where they do not.

    Parameters
    ----------
    p, q, first, second, turned : int
        As of `SegmentsMove`.
    space : Lists
        The representation.
    """

    p: int
    q: int
    first: int
    second: int
    turned: int
    space: HasLists = field(repr=False, metadata={"python only": True})

    def resolve(self, x: Solution) -> SegmentsMove | None:
        """The move; None where a segment would reach beyond its list, or over the other place."""
        p, q, items = self.p, self.q, self.space.items
        move, lone = SegmentsMove(p, q, self.first, self.second, self.turned), self.first == 1 and self.second == 0
        if not len(x):
            return move
        if p == q or (q < items and x[q] == q):
            return None
        if p < items and x[p] == p:
            return move if lone else None
        one, other = walk(x, p, self.first)[1:], walk(x, q, self.second)[1:]
        if max(one) >= items or max(other, default=0) >= items or p in other:
            return None
        if q in one:
            return move if lone and self.space.optional else None
        return move

    def inverse(self) -> Self:
        """The move with the places exchanged."""
        return type(self)(self.q, self.p, self.first, self.second, self.turned, self.space)


def kinds(longest: int, reverse: bool) -> int:
    """How many kinds of segments there are: of each length, from two items on in both orders if `reverse`."""
    return 2 * longest - 1 if reverse else longest


def segment_of(kind: int, reverse: bool) -> tuple[int, int]:
    """The length of a segment of a kind, and 1 if it is turned, else 0."""
    return ((kind + 3) // 2, int(kind > 0 and kind % 2 == 0)) if reverse else (kind + 1, 0)


def kind_of(length: int, turned: int, reverse: bool) -> int:
    """The kind of a segment: the inverse of `segment_of`."""
    return (max(0, 2 * length - 3) + turned) if reverse else length - 1
