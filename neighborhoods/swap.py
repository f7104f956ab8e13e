"""Swap: exchange the items at two positions of a permutation."""

from __future__ import annotations

from collections.abc import Iterator
from math import isqrt
from typing import Any, ClassVar, Self, final

import numpy as np
from attrs import frozen

from metaheur.move import Edges, Move, WholeRing
from metaheur.neighborhood import Neighborhood, foreign, numbered
from metaheur.representation import Representation, Solution

__all__ = ["Swap", "SwapMove"]


@final
@frozen
class SwapMove(Move):
    """Exchange the items at the positions i < j.

    Parameters
    ----------
    i, j : int
        Positions, 0 <= i < j < n; or two int64 arrays of one shape, which stand for that many moves.
    """

    i: Any
    j: Any

    unsigned: ClassVar[tuple[str, ...]] = ("i", "j")

    def apply(self, x: Solution) -> Solution:
        """The permutation with both items exchanged, shape (n,), or (m, n) for m moves."""
        if not isinstance(self.i, np.ndarray):
            moved = x.copy()
            moved[self.i], moved[self.j] = x[self.j], x[self.i]
            return moved
        moved = np.tile(x, (len(self.i), 1))
        rows = np.arange(len(self.i))
        moved[rows, self.i], moved[rows, self.j] = x[self.j], x[self.i]
        return moved

    def inverse(self) -> Self:
        """The move itself: a swap undoes itself."""
        return self

    def placements(self, x: Solution) -> tuple[tuple[Any, Any], ...]:
        """Position i receives the item of j, and j the item of i."""
        return (self.i, x.take(self.j)), (self.j, x.take(self.i))

    def edges(self, ring: WholeRing) -> Edges:
        """Each item leaves the neighbors of its place for those of the other; two neighbors remain neighbors."""
        i, j = self.i, self.j
        beside = [(i, ring.place(i - 1)), (i, ring.place(i + 1)), (j, ring.place(j - 1)), (j, ring.place(j + 1))]
        joined = [(i + j - here, other) for here, other in beside]
        return Edges(tuple(_apart(p, q, i, j) for p, q in joined), tuple(beside))


def _apart(p: Any, q: Any, i: Any, j: Any) -> tuple[Any, Any]:
    """The pair (p, q); (i, j) where p and q are one place, as between neighbors."""
    same = np.equal(p, q)
    return np.where(same, i, p)[()], np.where(same, j, q)[()]


@final
@frozen
class Swap(Neighborhood):
    """All exchanges of two items of a permutation: n (n-1) / 2 moves.

    Index k runs through (0, 1), (0, 2), ... (0, n-1), (1, 2), ...; a group is the moves with the same i. Exact for
    every n up to 2**31 - 1 (Luong, Melab and Talbi 2009, section 4.3, with integer roots).
    """

    source: ClassVar[str] = "swap.cuh"
    grouped: ClassVar[bool] = True

    @property
    def writes(self) -> int:
        """Two positions."""
        return 2

    @property
    def move_types(self) -> tuple[type[Move], ...]:
        """`SwapMove`."""
        return (SwapMove,)

    def supports(self, representation: Representation) -> bool:
        """Permutations, cyclic or not."""
        return representation.arranges

    @property
    def variants(self) -> int:
        """Two: the place behind the item, or the one before it."""
        return 2

    def connecting_move(self, representation: Representation, p: int, q: int, variant: int) -> SwapMove | None:
        """The item at q changes places with the one behind p (variant 0) or before p (variant 1)."""
        n, beside = representation.length, p + 1 if variant == 0 else p - 1
        return None if beside == q or not 0 <= beside < n else SwapMove(*sorted((beside, q)))

    def size(self, representation: Representation) -> int:
        """n (n-1) / 2."""
        n = representation.length
        return n * (n - 1) // 2

    def groups(self, representation: Representation) -> int:
        """One for each item but the last."""
        return representation.length - 1

    def group(self, representation: Representation, g: int) -> range:
        """The exchanges of the item at position g with those behind it."""
        n = representation.length
        first = g * (2 * n - 1 - g) // 2
        return range(first, first + n - 1 - g)

    def towards(self, representation: Representation, x: Solution, guide: Solution, at: int) -> SwapMove | None:
        """The item that the position has in the other solution comes from where it is."""
        if x[at] == guide[at]:
            return None
        return SwapMove(*sorted((at, int(np.flatnonzero(x == guide[at])[0]))))

    def moves(self, representation: Representation) -> Iterator[SwapMove]:
        """Every pair i < j, row by row."""
        n = representation.length
        return (SwapMove(i, j) for i in range(n) for j in range(i + 1, n))

    def move(self, representation: Representation, k: int) -> SwapMove:
        """The k-th pair: the row is an integer square root of the number of moves from k on."""
        n, size, k = representation.length, self.size(representation), numbered(self, representation, k)
        i = n - 2 - (isqrt(8 * (size - 1 - k) + 1) - 1) // 2
        return SwapMove(i, k - i * (2 * n - 1 - i) // 2 + i + 1)

    def index(self, representation: Representation, move: SwapMove) -> int:
        """i (2n - 1 - i) / 2 + j - i - 1."""
        n = representation.length
        if not 0 <= move.i < move.j < n:
            raise foreign(self, representation, move, f"0 <= i < j < {n}")
        return int(move.i) * (2 * n - 1 - int(move.i)) // 2 + int(move.j) - int(move.i) - 1

    def batch(self, representation: Representation, indices: np.ndarray) -> SwapMove:
        """The moves of many indices at once: a float root, corrected until the row holds the index."""
        n = representation.length
        k = np.asarray(indices, dtype=np.int64)
        after = self.size(representation) - 1 - k
        row = ((np.sqrt(8.0 * after + 1.0) - 1.0) / 2.0).astype(np.int64)
        row -= row * (row + 1) // 2 > after
        row += (row + 1) * (row + 2) // 2 <= after
        i = n - 2 - row
        return SwapMove(i, k - i * (2 * n - 1 - i) // 2 + i + 1)
