"""OrOpt: move a short segment of a permutation to another place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any, ClassVar, Self, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.move import Edges, Move, WholeRing, blocks
from metaheur.neighborhood import Neighborhood, foreign, numbered
from metaheur.representation import Representation, Solution, is_cyclic
from metaheur.tours.tour import Exchange, Step, Tour
from metaheur.validate import whole_field

__all__ = ["OrOpt", "OrOptMove"]


@final
@frozen
class OrOptMove(Move):
    """Move the segment of `length` items that begins at position i by `shift` positions, and perhaps reverse it.

    The items that it passes move by `length` positions the other way. Positions are counted around the permutation:
    behind the last comes the first.

    Parameters
    ----------
    i : int
        Position of the segment's first item, from 0 on.
    length : int
        Number of items of the segment, from 1 on.
    shift : int
        Positions to the right; to the left where negative. Not 0.
    reverse : int
        1 where the segment arrives in the opposite order, else 0.
    """

    i: Any
    length: Any
    shift: Any
    reverse: Any

    unsigned: ClassVar[tuple[str, ...]] = ("i", "length", "reverse")

    def apply(self, x: Solution) -> Solution:
        """The permutation after the move, shape (n,), or (m, n) for moves whose fields have the shape (m,)."""
        i, length, shift, reverse = (
            np.asarray(each)[..., None] for each in (self.i, self.length, self.shift, self.reverse)
        )
        n, passed, left = len(x), np.abs(shift), shift < 0
        begin = np.where(left, i + shift, i)
        here = (np.arange(n) - begin) % n  # positions as seen from the first one that changes
        arrival, departure = np.where(left, 0, passed), np.where(left, passed, 0)
        within = here - arrival
        inside = (within >= 0) & (within < length)
        segment = departure + np.where(reverse, length - 1 - within, within)
        others = np.where(left, here - length, here + length)
        there = np.where(here >= length + passed, here, np.where(inside, segment, others))
        moved: Solution = x[(begin + there) % n]
        return moved

    def inverse(self) -> Self:
        """The move that brings the segment back."""
        return type(self)(self.i + self.shift, self.length, -self.shift, self.reverse)

    def edges(self, ring: WholeRing) -> Edges:
        """The segment and the items that it passes are exchanged."""
        i, length, shift = np.asarray(self.i), np.asarray(self.length), np.asarray(self.shift)
        right = shift > 0
        begin, middle = np.where(right, i, i + shift), np.where(right, i + length, i)
        return blocks(ring, begin, middle, i + length + np.maximum(shift, 0), 4 + self.reverse * np.where(right, 1, 2))


@final
@frozen
class OrOpt(Neighborhood):
    """All moves of a segment of 1 ... longest items to another place, in both orientations, each result once.

    I. Or, "Traveling salesman-type combinatorial problems and their relation to the logistics of regional blood
    banking", 1976, with segments of up to three items.

    Parameters
    ----------
    longest : int, default 3
        The most items of a segment. On a cyclic permutation of n items it counts no more than (n-3) // 2 and
        (n-1) // 3, so that no two moves give the same short tour. It has no moves where n < 5.

    Notes
    -----
    Segments come in kinds: one item; two as they are; two reversed; three as they are; and so on. Index k runs through
    the kinds, then through the positions i where the segment begins, a group each, then through the places where it can
    go: from left to right, or, on a cyclic permutation, from the nearest on around it.

    Each result is numbered once. Moving a segment past fewer items than it holds equals moving those items past it, so
    an unreversed segment moves at least `length` places to the right or `length + 1` to the left. A reversed one moves
    at least one place to the right or two to the left: moving it past one item equals reversing both together. On a
    cyclic permutation all moves go to the right, and leave as many items on the left as a move there would have passed.
    """

    longest: int = whole_field(1, 2**31 - 1, default=3)

    source: ClassVar[str] = "or_opt.cuh"

    def constants(self, representation: Representation) -> Mapping[str, bool]:
        """`cyclic`: whether the permutation is a tour, whose last and first item are neighbors."""
        return {"cyclic": is_cyclic(representation)}

    @property
    def move_types(self) -> tuple[type[Move], ...]:
        """`OrOptMove`."""
        return (OrOptMove,)

    def supports(self, representation: Representation) -> bool:
        """Permutations, cyclic or not."""
        return representation.arranges

    def size(self, representation: Representation) -> int:
        """On cyclic permutations the sum of n (n-3l), l = 1, 2, ..., and of n (n-l-2), l = 2, 3, ....

        Raises
        ------
        InputError
            If it is 2**63 or more.
        """
        size = sum(int(kind.before(kind.rows)) for kind in self._kinds(representation))
        if size >= 2**63:
            raise InputError(
                f"{self!r} on {representation!r} has {size} moves, beyond 64 bits (2**63 - 1).",
                "use shorter segments, or candidates: Restricted(OrOpt(), candidates).",
            )
        return size

    def moves(self, representation: Representation) -> Iterator[OrOptMove]:
        """Every kind of segment, every position, every place."""
        n, cyclic = representation.length, is_cyclic(representation)
        for kind in self._kinds(representation):
            for i in range(kind.rows):
                left = () if cyclic else range(-i, -kind.far + 1)
                right = range(kind.near, (n - kind.length - kind.far if cyclic else n - kind.length - i) + 1)
                yield from (OrOptMove(i, kind.length, shift, kind.reverse) for shift in (*left, *right))

    def move(self, representation: Representation, k: int) -> OrOptMove:
        """The k-th move: its kind by subtraction, its row by a corrected division."""
        found = self.batch(representation, np.array([numbered(self, representation, k)]))
        return OrOptMove(*(int(each[0]) for each in (found.i, found.length, found.shift, found.reverse)))

    def index(self, representation: Representation, move: OrOptMove) -> int:
        """The moves of the kinds before, of the rows before, and of the places before."""
        base = 0
        for kind in self._kinds(representation):
            if (kind.length, kind.reverse) == (move.length, move.reverse):
                k = kind.place(int(move.i), int(move.shift))
                if k >= 0:
                    return base + int(kind.before(int(move.i))) + k
            base += int(kind.before(kind.rows))
        raise foreign(self, representation, move, "it is out of range, or another one leads to the same solution")

    def batch(self, representation: Representation, indices: np.ndarray) -> OrOptMove:
        """The moves of many indices at once."""
        k = np.array(indices, dtype=np.int64)
        i, length, shift, reverse = np.zeros((4, *k.shape), np.int64)
        base = 0
        for kind in self._kinds(representation):
            end = base + int(kind.before(kind.rows))
            here = (base <= k) & (k < end)
            row, place = kind.unrank(k[here] - base)
            i[here], shift[here] = row, kind.shift(row, place)
            length[here], reverse[here] = kind.length, kind.reverse
            base = end
        return OrOptMove(i, length, shift, reverse)

    @property
    def variants(self) -> int:
        """Two for the item alone, four for each longer segment."""
        return 4 * self.longest - 2

    def connecting_move(self, representation: Representation, p: int, q: int, variant: int) -> OrOptMove | None:
        """A segment that begins or ends with the item at p goes beside the item at q, so that these two are neighbors.

        Ways 0 and 1: the item alone, behind or before q. Then for segments of 2, 3, ... items: it begins with the item,
        and goes behind q; the same, reversed, before q; it ends with the item, and goes before q; the same, reversed,
        behind q. The move may be one that `index` does not know, because it numbers another with the same result.
        """
        n, cyclic = representation.length, is_cyclic(representation)
        length, form = (1, 2 * variant) if variant < 2 else (2 + (variant - 2) // 4, (variant - 2) % 4)
        before, reverse = int(form in (1, 2)), form % 2
        i = p if form < 2 else p - length + 1
        i = i % n if cyclic else i
        if i < 0 or length > self._longest(representation) or (not cyclic and i + length > n):
            return None
        passed = q - (i + length - 1)
        if cyclic:
            passed %= n
            shift = passed - before
            found = 0 < passed <= n - length and 0 < shift < n - length
        else:
            shift = passed - before if passed > 0 else q - i + 1 - before
            found = (passed > 0 or q < i) and shift != 0
        return OrOptMove(i, length, shift, reverse) if found else None

    def exchanges(self, tour: Tour, item: int) -> Iterator[Exchange]:
        """The segments that begin with the item, in both directions: it goes beside a candidate, behind or before.

        A candidate is tried only where it is nearer than the gain of the segment's removal.
        """
        edge, longest = tour.edge, min(self.longest, len(tour.items) - 3)
        for side in (0, 1):
            before, last = tour.beside(item, 1 - side), item
            segments = []  # last, behind, gain of its removal
            for _ in range(longest):
                behind = tour.beside(last, side)
                segments.append((last, behind, edge(before, item) + edge(last, behind) - edge(before, behind)))
                last = behind
            most = max((removed for _, _, removed in segments), default=0)
            for candidate, way in product(tour.candidates[item], (0, 1)):
                added, other = edge(item, candidate), tour.beside(candidate, side ^ way)
                if most <= tour.least(item, candidate):
                    break
                for last, behind, removed in segments[: tour.steps_to(item, candidate, side)]:
                    if removed <= added or candidate == (before, behind)[way]:
                        continue
                    total = removed + (edge(candidate, other) - added) - edge(last, other)
                    yield total, _steps(before, item, last, behind, candidate, other, way)

    def _kinds(self, representation: Representation) -> list[_Kind]:
        n, cyclic = representation.length, is_cyclic(representation)
        lengths = range(1, self._longest(representation) + 1)
        return [_Kind(n, cyclic, length, r) for length in lengths for r in ((0, 1) if length > 1 else (0,))]

    def _longest(self, representation: Representation) -> int:
        n = representation.length
        return min(self.longest, (n - 3) // 2, (n - 1) // 3) if is_cyclic(representation) else min(self.longest, n - 1)


def _steps(  # noqa: PLR0913, PLR0917 - the six ends of three edges
    before: int, item: int, last: int, behind: int, candidate: int, other: int, way: int
) -> tuple[Step, ...]:
    """The reversals that put the segment item ... last between a candidate and the one behind (way 0) or before it."""
    if way == 1:
        first = (before, item, other, candidate)
        return (first,) if other == behind else (first, (before, other, behind, last))
    first, third = (before, item, candidate, other), (candidate, last, item, other)
    return (first, third) if candidate == behind else (first, (before, candidate, behind, last), third)


def _triangle(a: Any) -> Any:
    a = np.maximum(a, 0)
    return a * (a + 1) // 2


@final
@frozen
class _Kind:
    """Segments of one length and orientation in a permutation of n items: a row for each position where one begins."""

    n: int
    cyclic: bool
    length: int
    reverse: int

    @property
    def near(self) -> int:
        """The fewest items to pass to the right."""
        return 1 if self.reverse else self.length

    @property
    def far(self) -> int:
        """The fewest items to pass to the left."""
        return 2 if self.reverse else self.length + 1

    @property
    def rows(self) -> int:
        return self.n if self.cyclic else self.n - self.length + 1

    @property
    def width(self) -> int:
        """The number of moves of a row; of a row in the middle where the permutation is not cyclic."""
        return self.n - self.length - self.near - self.far + 1

    def before(self, i: Any) -> Any:
        """The number of moves in the rows before row i."""
        if self.cyclic:
            return i * self.width
        right = self.n - self.length - self.near + 1
        return _triangle(i - self.far) + _triangle(right) - _triangle(np.minimum(right, right - i))

    def left(self, i: Any) -> Any:
        """The number of moves of row i to the left."""
        return 0 * i if self.cyclic else np.maximum(0, i - self.far + 1)

    def unrank(self, k: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The rows of indices, and the places in them."""
        i = np.minimum(k // max(1, self.width), self.rows - 1)
        while (wrong := self.before(i) > k).any():
            i = i - wrong
        while (wrong := self.before(i + 1) <= k).any():
            i = i + wrong
        return i, k - self.before(i)

    def shift(self, i: Any, place: Any) -> Any:
        """By how many positions the segment moves, to the left if negative."""
        left = self.left(i)
        return np.where(place < left, place - i, place - left + self.near)

    def place(self, i: int, shift: int) -> int:
        """The number of a move in its row; -1 if the row does not have it."""
        most = self.n - self.length - (self.far if self.cyclic else i)
        if not 0 <= i < self.rows:
            return -1
        if not self.cyclic and -i <= shift <= -self.far:
            return i + shift
        return int(self.left(i)) + shift - self.near if self.near <= shift <= most else -1
