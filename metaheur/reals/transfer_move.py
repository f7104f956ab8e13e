"""Transfer: one entry gives an amount to another one."""

from __future__ import annotations

from typing import Any, ClassVar, Self, final

from attrs import frozen

from metaheur.move import Move
from metaheur.representation import Solution

__all__ = ["TransferMove"]


@final
@frozen
class TransferMove(Move):
    """Entry `giver` falls by an amount, and entry `taker` rises by it; infeasible if one leaves its domain.

    Parameters
    ----------
    giver, taker : int
        Different positions.
    amount : int
        In quanta, 1 or more.
    giver_most, taker_most : int
        The largest values of both entries.
    """

    giver: int
    taker: int
    amount: int
    giver_most: int
    taker_most: int

    source: ClassVar[str] = "transfer_move.cuh"
    unsigned: ClassVar[tuple[str, ...]] = ("giver", "taker", "amount", "giver_most", "taker_most")

    def _given(self, x: Solution) -> int:
        """The amount; 0 if the move is infeasible."""
        fits = int(x[self.giver]) >= self.amount and int(x[self.taker]) + self.amount <= self.taker_most
        return self.amount if fits else 0

    def resolve(self, x: Solution) -> Move | None:
        """The move itself; None if it is infeasible."""
        return self if self._given(x) else None

    def apply(self, x: Solution) -> Solution:
        """The solution after the move, shape (n,); a copy of x if the move is infeasible."""
        moved, given = x.copy(), self._given(x)
        moved[self.giver] -= given
        moved[self.taker] += given
        return moved

    def inverse(self) -> Self:
        """The amount goes back."""
        return type(self)(self.taker, self.giver, self.amount, self.taker_most, self.giver_most)

    def placements(self, x: Solution) -> tuple[tuple[Any, Any], ...]:
        """The new values of the giver and the taker."""
        given = self._given(x)
        return (self.giver, int(x[self.giver]) - given), (self.taker, int(x[self.taker]) + given)
