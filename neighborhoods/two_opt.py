"""TwoOpt: reverse a segment of a permutation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isqrt
from typing import Any, ClassVar, Self, final

import numpy as np
from attrs import frozen

from metaheur.move import Edges, Move, WholeRing
from metaheur.neighborhood import Neighborhood, foreign, numbered
from metaheur.representation import Representation, Solution, is_cyclic
from metaheur.tours.tour import Exchange, Tour

__all__ = ["TwoOpt", "TwoOptMove"]


@final
@frozen
class TwoOptMove(Move):
    """Reverse the segment at the positions i ... j, both included.

    The items outside stay where they are, however long the segment: in a tour, reversing the rest instead would give
    the same tour, but `apply` never does.

    Parameters
    ----------
    i, j : int
        Positions, 0 <= i < j < n; or two int64 arrays of one shape, which stand for that many moves.
    """

    i: Any
    j: Any

    unsigned: ClassVar[tuple[str, ...]] = ("i", "j")

    def apply(self, x: Solution) -> Solution:
        """The permutation with the segment reversed, shape (n,), or (m, n) for m moves."""
        if np.ndim(self.i) == 0:
            moved = x.copy()
            moved[self.i : self.j + 1] = x[self.i : self.j + 1][::-1]
            return moved
        i, j, here = self.i[:, None], self.j[:, None], np.arange(len(x))
        return x[np.where((i <= here) & (here <= j), i + j - here, here)]

    def inverse(self) -> Self:
        """The move itself: a reversal undoes itself."""
        return self

    def edges(self, ring: WholeRing) -> Edges:
        """The ends of the segment exchange the neighbors outside."""
        before, behind = ring.place(self.i - 1), ring.place(self.j + 1)
        return Edges(((before, self.j), (self.i, behind)), ((before, self.i), (self.j, behind)))


@final
@frozen
class TwoOpt(Neighborhood):
    """All reversals of a segment: 2-opt (G. A. Croes, "A method for solving traveling-salesman problems", 1958).

    On a permutation that is not cyclic: all segments of two items or more, n (n-1) / 2 moves. On a cyclic one, each
    exchange of two edges that share no end, once: n (n-3) / 2 moves, none where n < 4. There the item at position 0
    stays where it is, since reversing the other items gives the same tour.

    Notes
    -----
    Index k runs through the pairs (i, j) row by row: (0, 1), (0, 2), ... (0, n-1), (1, 2), ...; on cyclic
    permutations through (1, 2), ... (1, n-2), (2, 3), ... (2, n-1), (3, 4), ... without (1, n-1), which would only turn
    the tour around. A group is the moves with the same i. Exact for every n up to 2**31 - 1.
    """

    source: ClassVar[str] = "two_opt.cuh"

    def constants(self, representation: Representation) -> Mapping[str, bool]:
        """`cyclic`: whether the permutation is a tour, whose last and first item are neighbors."""
        return {"cyclic": is_cyclic(representation)}

    @property
    def move_types(self) -> tuple[type[Move], ...]:
        """`TwoOptMove`."""
        return (TwoOptMove,)

    def supports(self, representation: Representation) -> bool:
        """Permutations, cyclic or not."""
        return representation.arranges

    @property
    def variants(self) -> int:
        """Two: each of the items keeps the one before it, or the one behind it."""
        return 2

    def connecting_move(self, representation: Representation, p: int, q: int, variant: int) -> TwoOptMove | None:
        """The items at p and q become neighbors; each keeps the one before it (variant 0) or behind it (variant 1)."""
        n, (begin, _) = representation.length, _places(representation)
        low, high = sorted((p, q))
        i, j = (low + 1, high) if variant == 0 else (low, high - 1)
        if begin and i == 0:
            i, j = high, n - 1  # the same tour, position 0 in its place
        return TwoOptMove(i, j) if i < j and not (begin and (i, j) == (1, n - 1)) else None

    def exchanges(self, tour: Tour, item: int) -> Iterator[Exchange]:
        """The edge to the next item, then the one to the item before: a candidate takes its place."""
        for side in (0, 1):
            beside = tour.beside(item, side)
            removed = tour.edge(item, beside)
            for candidate in tour.candidates[item]:
                if removed <= tour.least(item, candidate):
                    break
                gain = removed - tour.edge(item, candidate)
                if gain <= 0:
                    continue
                other = tour.beside(candidate, side)
                gain += tour.edge(candidate, other) - tour.edge(beside, other)
                yield gain, ((item, beside, candidate, other),)

    def size(self, representation: Representation) -> int:
        """n (n-1) / 2; n (n-3) / 2 on cyclic permutations."""
        begin, places = _places(representation)
        return max(0, places * (places - 1) // 2 - begin)

    def moves(self, representation: Representation) -> Iterator[TwoOptMove]:
        """Every segment i ... j, row by row."""
        n, (begin, _) = representation.length, _places(representation)
        return (
            TwoOptMove(i, j) for i in range(begin, n) for j in range(i + 1, n) if not (begin and (i, j) == (1, n - 1))
        )

    def move(self, representation: Representation, k: int) -> TwoOptMove:
        """The k-th segment: the row is an integer square root of the number of moves from k on."""
        k, size = numbered(self, representation, k), self.size(representation)
        begin, places = _places(representation)
        row = places - 2 - (isqrt(8 * (size - 1 - k) + 1) - 1) // 2
        i = row + begin
        return TwoOptMove(i, k - _first(row, begin, places) + i + 1)

    def index(self, representation: Representation, move: TwoOptMove) -> int:
        """The number of moves in the rows before, and j - i - 1."""
        n, (begin, places) = representation.length, _places(representation)
        if not begin <= move.i < move.j < n or (begin and (move.i, move.j) == (1, n - 1)):
            but = f", but not (1, {n - 1})" if begin else ""
            raise foreign(self, representation, move, f"{begin} <= i < j < {n}{but}")
        return int(_first(int(move.i) - begin, begin, places)) + int(move.j) - int(move.i) - 1

    def batch(self, representation: Representation, indices: np.ndarray) -> TwoOptMove:
        """The moves of many indices at once: a float root, corrected until the row holds the index."""
        begin, places = _places(representation)
        k = np.asarray(indices, dtype=np.int64)
        after = self.size(representation) - 1 - k
        row = ((np.sqrt(8.0 * after + 1.0) - 1.0) / 2.0).astype(np.int64)
        row -= row * (row + 1) // 2 > after
        row += (row + 1) * (row + 2) // 2 <= after
        row = places - 2 - row
        i = row + begin
        return TwoOptMove(i, k - _first(row, begin, places) + i + 1)


def _places(representation: Representation) -> tuple[int, int]:
    """The first position where a segment may begin, and the number of positions from it on."""
    begin = int(is_cyclic(representation))
    return begin, representation.length - begin


def _first(row: Any, begin: int, places: int) -> Any:
    """The index of the first move of a row; the first row of a cyclic permutation lacks its last move."""
    return row * (2 * places - 1 - row) // 2 - begin * (row > 0)
