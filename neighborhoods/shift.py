"""Shift: insertions where values repeat, such as in multisets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Self, final

from attrs import field, frozen

from metaheur.move import DependentMove, Move
from metaheur.neighborhood import Neighborhood, numbered
from metaheur.neighborhoods.insertion import Insertion, InsertionMove
from metaheur.representation import Representation, Solution

__all__ = ["Shift", "ShiftMove"]


@final
@frozen
class ShiftMove(DependentMove):
    """Take the entry at position i out and put it in at position j; infeasible where both hold the same value.

    It stands for an `InsertionMove`, which problems know.

    Parameters
    ----------
    i, j : int
        Positions before and after, 0 <= i, j < n, i != j.
    """

    i: int
    j: int

    unsigned: ClassVar[tuple[str, ...]] = ("i", "j")

    def resolve(self, x: Solution) -> InsertionMove | None:
        """The insertion; None where positions i and j hold the same value."""
        return None if x[self.i] == x[self.j] else InsertionMove(self.i, self.j)

    def inverse(self) -> Self:
        """From j back to i."""
        return type(self)(self.j, self.i)


@final
@frozen
class Shift(Neighborhood):
    """All moves of one entry to another position, numbered as those of `Insertion`, where values repeat.

    A move to a position that holds the same value is infeasible: it changes nothing, or leads to the same solution as a
    move to a position before that. `Interchange` exchanges two entries; permutations have `Insertion`.
    """

    source: ClassVar[str] = "shift.cuh"

    places: Insertion = field(default=Insertion(), init=False, repr=False)

    @property
    def move_types(self) -> tuple[type[Move], ...]:
        """`InsertionMove`, for which the moves stand."""
        return (InsertionMove,)

    @property
    def partial(self) -> bool:
        """True: equal values do not pass each other."""
        return True

    def supports(self, representation: Representation) -> bool:
        """Solutions whose entries may trade their values, such as multisets; not permutations."""
        return representation.exchanges and not representation.arranges

    def size(self, representation: Representation) -> int:
        """(n-1)**2."""
        return self.places.size(representation)

    def moves(self, representation: Representation) -> Iterator[ShiftMove]:
        """Entry by entry, every other position but the one before."""
        return (ShiftMove(move.i, move.j) for move in self.places.moves(representation))

    def move(self, representation: Representation, k: int) -> ShiftMove:
        """The k-th move, as in `Insertion`."""
        move = self.places.move(representation, numbered(self, representation, k))
        return ShiftMove(move.i, move.j)

    def index(self, representation: Representation, move: Any) -> int:
        """As in `Insertion`."""
        return self.places.index(representation, InsertionMove(move.i, move.j))
