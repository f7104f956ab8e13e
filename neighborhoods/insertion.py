"""Insertion: take an item of a permutation out and put it in elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Self, final

import numpy as np
from attrs import frozen

from metaheur.move import Edges, Move, WholeRing, blocks
from metaheur.neighborhood import Neighborhood, foreign, numbered
from metaheur.representation import Representation, Solution

__all__ = ["Insertion", "InsertionMove"]


@final
@frozen
class InsertionMove(Move):
    """Take the item at position i out and put it in so that it stands at position j; those between shift by one.

    Parameters
    ----------
    i, j : int
        Positions before and after, 0 <= i, j < n, i != j; or two int64 arrays of one shape, which stand for that many
        moves.
    """

    i: Any
    j: Any

    unsigned: ClassVar[tuple[str, ...]] = ("i", "j")

    def apply(self, x: Solution) -> Solution:
        """The permutation with the item moved, shape (n,), or (m, n) for m moves."""
        p, i, j = np.arange(len(x)), np.asarray(self.i)[..., None], np.asarray(self.j)[..., None]
        before = p + ((i <= p) & (p < j)) - ((j < p) & (p <= i))  # where the item now at p stood
        return x[np.where(p == j, i, before)]

    def inverse(self) -> Self:
        """From j back to i."""
        return type(self)(self.j, self.i)

    def placements(self, x: Solution) -> tuple[tuple[Any, Any], ...]:
        """The item goes to position j; the shift of the items between is ignored."""
        return ((self.j, x.take(self.i)),)

    def departures(self, x: Solution) -> tuple[tuple[Any, Any], ...]:
        """The item leaves position i."""
        return ((self.i, x.take(self.i)),)

    def edges(self, ring: WholeRing) -> Edges:
        """The edges of an exchange of two adjacent blocks: the item, and the items that it passes."""
        i, j = np.asarray(self.i), np.asarray(self.j)
        return blocks(ring, np.minimum(i, j), np.where(i < j, i + 1, i), np.maximum(i, j) + 1, 4)


@final
@frozen
class Insertion(Neighborhood):
    """All moves of one item of a permutation to another position: (n-1)**2 moves.

    A group is the moves of the item at position i, in the order of the positions j where it may go: every j except i
    and i - 1, since the exchange with the item before is already the move (i - 1, i). So group 0 has n - 1 moves and
    every other group n - 2, group i > 0 begins at index i (n - 2) + 1, and different moves lead to different
    permutations (É. Taillard, "Some efficient heuristic methods for the flow shop sequencing problem", European Journal
    of Operational Research 47, 1990, section 3). On cyclic permutations the numbering is the same: rotations and
    reversals are not left out.
    """

    source: ClassVar[str] = "insertion.cuh"
    grouped: ClassVar[bool] = True

    @property
    def move_types(self) -> tuple[type[Move], ...]:
        """`InsertionMove`."""
        return (InsertionMove,)

    def supports(self, representation: Representation) -> bool:
        """Permutations, cyclic or not."""
        return representation.arranges

    @property
    def variants(self) -> int:
        """Two: behind the other item, or before it."""
        return 2

    def connecting_move(self, representation: Representation, p: int, q: int, variant: int) -> InsertionMove | None:
        """The item at p goes right behind the item at q (variant 0), or right before it (variant 1)."""
        to = q + (p > q) - variant
        if to == p:
            return None
        return InsertionMove(to, p) if to == p - 1 else InsertionMove(p, to)

    def size(self, representation: Representation) -> int:
        """(n-1)**2."""
        return (representation.length - 1) ** 2

    def groups(self, representation: Representation) -> int:
        """One for each item."""
        return representation.length

    def group(self, representation: Representation, g: int) -> range:
        """All places of the item at position g, except the one that is a move of the group before."""
        n = representation.length
        first = g * (n - 2) + (g > 0)
        return range(first, first + n - 1 - (g > 0))

    def moves(self, representation: Representation) -> Iterator[InsertionMove]:
        """Item by item, every other position but the one before."""
        n = representation.length
        return (InsertionMove(i, j) for i in range(n) for j in range(n) if j not in (i, i - 1))

    def move(self, representation: Representation, k: int) -> InsertionMove:
        """The k-th move: a division by the length of a group."""
        n, k = representation.length, numbered(self, representation, k)
        if k < n - 1:
            return InsertionMove(0, k + 1)
        i, j = divmod(k - 1, n - 2)
        return InsertionMove(i, j if j < i - 1 else j + 2)

    def index(self, representation: Representation, move: InsertionMove) -> int:
        """i (n-2) + j - 1; or i (n-2) + j + 1 where the item goes to the front, j < i."""
        n, i, j = representation.length, int(move.i), int(move.j)
        if not (0 <= i < n and 0 <= j < n) or j in (i, i - 1):
            raise foreign(
                self,
                representation,
                move,
                f"0 <= i, j < {n}, and j is neither i nor i - 1",
                "the item goes back by one: InsertionMove(i - 1, i) is the same exchange." if j == i - 1 else "",
            )
        if i == 0:
            return j - 1
        return i * (n - 2) + (j + 1 if j < i else j - 1)

    def batch(self, representation: Representation, indices: np.ndarray) -> InsertionMove:
        """The moves of many indices at once."""
        n, k = representation.length, np.asarray(indices, dtype=np.int64)
        i = np.where(k < n - 1, 0, (k - 1) // max(n - 2, 1))
        j = k - i * (n - 2) - (i > 0)
        return InsertionMove(i, np.where(j < i - 1, j, j + 1 + (i > 0)))
