"""Tails: two lists exchange what lies behind two places."""

from __future__ import annotations

from typing import ClassVar, Self, final

from attrs import frozen

from metaheur.move import Move
from metaheur.representation import Solution

__all__ = ["TailsMove"]


@final
@frozen
class TailsMove(Move):
    """Two lists exchange their tails, the items behind place p and behind place q; O(1).

    Parameters
    ----------
    p, q : int
        Places in different lists: items, or heads.
    p_end, q_end : int
        The last places of the two lists: their last items, or the heads of empty lists.
    """

    p: int
    q: int
    p_end: int
    q_end: int

    source: ClassVar[str] = "tails_move.cuh"
    unsigned: ClassVar[tuple[str, ...]] = ("p", "q", "p_end", "q_end")

    def apply(self, x: Solution) -> Solution:
        """The solution after the move, shape (n,)."""
        moved = x.copy()
        moved[[self.p, self.q]] = moved[[self.q, self.p]]
        back = self.inverse()
        ends = [back.p_end, back.q_end]  # the heads follow the last places again
        moved[ends] = moved[ends[::-1]]
        return moved

    def inverse(self) -> Self:
        """The move that brings the tails back."""
        p_end = self.p if self.q_end == self.q else self.q_end
        q_end = self.q if self.p_end == self.p else self.p_end
        return type(self)(self.p, self.q, p_end, q_end)
