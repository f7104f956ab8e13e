"""Pairs: two items that belong together, such as a pickup and its delivery, go to other places."""

from __future__ import annotations

from typing import ClassVar, Self, final

from attrs import frozen

from metaheur.move import Move
from metaheur.representation import Solution

__all__ = ["PairsMove"]


@final
@frozen
class PairsMove(Move):
    """Two items of one list are taken out, and put behind two places of one list; O(1).

    Parameters
    ----------
    first_at, second_at : int
        The places before the two items; that of the second may be the first item.
    first_to, second_to : int
        The places behind which they go, different from each other; that of the second may be the first item.
    """

    first_at: int
    second_at: int
    first_to: int
    second_to: int

    source: ClassVar[str] = "pairs_move.cuh"
    unsigned: ClassVar[tuple[str, ...]] = ("first_at", "second_at", "first_to", "second_to")

    def apply(self, x: Solution) -> Solution:
        """The solution after the move, shape (n,)."""
        moved = x.copy()
        first, second = int(x[self.first_at]), int(x[self.second_at])
        moved[self.first_at] = moved[first]
        before = self.first_at if self.second_at == first else self.second_at
        moved[before] = moved[second]
        for item, place in ((first, self.first_to), (second, self.second_to)):
            moved[item], moved[place] = moved[place], item
        return moved

    def inverse(self) -> Self:
        """The move that brings both items back."""
        return type(self)(self.first_to, self.second_to, self.first_at, self.second_at)
