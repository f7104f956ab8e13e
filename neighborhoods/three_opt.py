"""ThreeOpt: cut a permutation at three places and put the pieces together in every other way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from math import comb, isqrt
from typing import Any, ClassVar, Final, Self, final

import numpy as np
from attrs import frozen

from metaheur.move import Edges, Move, WholeRing, blocks
from metaheur.neighborhood import Neighborhood, foreign, numbered
from metaheur.representation import Representation, Solution, is_cyclic
from metaheur.tours.tour import Exchange, Tour

__all__ = ["ThreeOpt", "ThreeOptMove"]

_KINDS: Final = range(1, 8)
_MOST_PLACES: Final = 1_000_000


@final
@frozen
class ThreeOptMove(Move):
    """Reconnect the blocks B = i ... j-1 and C = j ... k-1; the items outside stay where they are.

    Parameters
    ----------
    i, j, k : int
        Cuts 0 <= i < j < k <= n, each before the position of that number; or int64 arrays of one shape.
    kind : int
        1 ... 7, a sum: 1 where B is reversed, 2 where C is reversed, 4 where B and C are exchanged.
    """

    i: Any
    j: Any
    k: Any
    kind: Any

    unsigned: ClassVar[tuple[str, ...]] = ("i", "j", "k", "kind")

    def apply(self, x: Solution) -> Solution:
        """The permutation with the blocks reconnected, shape (n,), or (m, n) for m moves."""
        i, j, k, kind = (np.asarray(each)[..., None] for each in (self.i, self.j, self.k, self.kind))
        here = np.arange(len(x))
        middle = np.where(kind & 4, i + k - j, j)  # where the second block begins
        within = here - np.where(here < middle, i, middle)
        first = (here < middle) ^ (kind & 4 != 0)  # whether the item comes from B
        length, begin = np.where(first, j - i, k - j), np.where(first, i, j)
        turned = (kind & np.where(first, 1, 2)) != 0
        there = begin + np.where(turned, length - 1 - within, within)
        return x[np.where((i <= here) & (here < k), there, here)]

    def inverse(self) -> Self:
        """The move that puts the blocks back: itself where they are not exchanged."""
        exchange = self.kind // 4
        turned = 4 + (self.kind & 1) * 2 + (self.kind & 2) // 2
        middle = self.j + exchange * (self.i + self.k - 2 * self.j)
        return type(self)(self.i, middle, self.k, self.kind + exchange * (turned - self.kind))

    def edges(self, ring: WholeRing) -> Edges:
        """The ends of both blocks get other neighbors."""
        return blocks(ring, *(np.asarray(each) for each in (self.i, self.j, self.k, self.kind)))


@final
@frozen
class ThreeOpt(Neighborhood):
    """All reconnections of three cut edges: 3-opt.

    S. Lin, "Computer solutions of the traveling salesman problem", Bell System Technical Journal 44, 1965.

    With A the items outside of the blocks B and C, and ' for reversed, the seven kinds make of A B C:

    ==== ======== ===============================================
    kind result   what it is
    ==== ======== ===============================================
    1    A B' C   degenerate: one reversal, the last edge is kept
    2    A B C'   degenerate: one reversal, the first edge is kept
    3    A B' C'  pure: three new edges
    4    A C B    pure: blocks exchanged as they are (or-3opt)
    5    A C B'   pure
    6    A C' B   pure
    7    A C' B'  degenerate: B C reversed, the middle edge is kept
    ==== ======== ===============================================

    Degenerate kinds repeat for every third cut, so that each triple of cuts has all seven kinds; use `TwoOpt` to have
    each reversal once. A reversed block holds at least two items, since one item reversed is another
    kind with the same cuts, or no change at all.

    Cuts are 0 ... n, before the first item, between two, behind the last; on a cyclic permutation 1 ... n, so that the
    item at position 0 stays where it is and each of its n edges is a cut. There a few of the moves whose outermost cuts
    are 1 and n give the same tour, reversed; they change no cost.

    Notes
    -----
    Index k runs through the kinds, then through i, j, k from small to large; a group is the moves with the same kind, i
    and j. With m cuts, kind 4 has C(m, 3) moves, kinds 1, 2, 5, 6 have C(m-1, 3), and kinds 3, 7 have C(m-2, 3).
    Exact for every n up to 10**6, which is the limit: more moves would overflow 64 bits.
    """

    source: ClassVar[str] = "three_opt.cuh"

    def constants(self, representation: Representation) -> Mapping[str, bool]:
        """`cyclic`: whether the permutation is a tour, whose last and first item are neighbors."""
        return {"cyclic": is_cyclic(representation)}

    @property
    def move_types(self) -> tuple[type[Move], ...]:
        """`ThreeOptMove`."""
        return (ThreeOptMove,)

    def supports(self, representation: Representation) -> bool:
        """Permutations of up to 10**6 items, cyclic or not."""
        return representation.arranges and representation.length <= _MOST_PLACES

    def size(self, representation: Representation) -> int:
        """The sum of the triples of cuts over the seven kinds."""
        return sum(comb(_places(representation, kind), 3) for kind in _KINDS)

    def moves(self, representation: Representation) -> Iterator[ThreeOptMove]:
        """Every kind, every i < j < k."""
        cuts = range(_begin(representation), representation.length + 1)
        return (
            ThreeOptMove(i, j, k, kind)
            for kind in _KINDS
            for i, j, k in combinations(cuts, 3)
            if j - i > (kind & 1) and k - j > (kind >> 1 & 1)
        )

    def move(self, representation: Representation, k: int) -> ThreeOptMove:
        """The k-th move: its kind by subtraction, its cuts by integer roots."""
        after = numbered(self, representation, k)
        kind = 1
        while after >= comb(_places(representation, kind), 3):
            after -= comb(_places(representation, kind), 3)
            kind += 1
        after = comb(_places(representation, kind), 3) - 1 - after
        a = _root_of_triples(after)
        after -= comb(a, 3)
        b = (isqrt(8 * after + 1) + 1) // 2
        return _placed(representation, kind, a, b, after - comb(b, 2))

    def index(self, representation: Representation, move: ThreeOptMove) -> int:
        """The number of moves of this kind and those below, minus the number of moves of this kind from here on."""
        begin, n = _begin(representation), representation.length
        kind = int(move.kind)
        wide, high = kind & 1, kind >> 1 & 1
        if kind not in _KINDS or not (begin <= move.i < move.j - wide and move.j < move.k - high <= n - high):
            rule = f"kind is 1 ... 7, {begin} <= i < j < k <= {n}, and a reversed block holds two items or more"
            raise foreign(self, representation, move, rule)
        last = _places(representation, kind) - 1 + begin
        a, b, c = last - move.i, last - move.j + wide, last - move.k + wide + high
        total = sum(comb(_places(representation, each), 3) for each in range(1, kind + 1))
        return total - 1 - comb(int(a), 3) - comb(int(b), 2) - int(c)

    def exchanges(self, tour: Tour, item: int) -> Iterator[Exchange]:
        """Sequential 3-opt, reversals included: t2 is the item, t3 a candidate of it, t5 a candidate of t4.

        The edges t1-t2, t3-t4, t5-t6 become t2-t3, t4-t5, t6-t1. Each partial sum of removed less added edges is
        positive: the gain criterion of Lin and Kernighan (1973), which some order of the edges of every improving
        exchange fulfils.
        """
        edge = tour.edge
        for side in (0, 1):  # t2 comes behind t1 as seen from this side
            t1, t2 = tour.beside(item, 1 - side), item
            removed = edge(t1, t2)
            for t3 in tour.candidates[t2]:
                if removed <= tour.least(t2, t3):
                    break
                first = removed - edge(t2, t3)
                if first <= 0 or t3 in {t1, tour.beside(t2, side)}:
                    continue
                t4 = tour.beside(t3, 1 - side)  # a reversal alone closes the tour
                second = first + edge(t3, t4)
                yield second - edge(t4, t1), ((t1, t2, t4, t3),)
                for t5 in tour.candidates[t4]:
                    if second <= tour.least(t4, t5):
                        break
                    third = second - edge(t4, t5)
                    if third <= 0 or t5 in {t3, t1, tour.beside(t4, 1 - side)}:
                        continue
                    within = tour.steps_to(t2, t5, side) < tour.steps_to(t2, t3, side)
                    t6 = tour.beside(t5, side if within else 1 - side)
                    yield third + edge(t5, t6) - edge(t6, t1), ((t1, t2, t4, t3), (t4, t1, t5, t6))
                t4 = tour.beside(t3, side)  # two tours: t5 must lie in that of t2 ... t3
                second = first + edge(t3, t4)
                for t5 in tour.candidates[t4]:
                    if second <= tour.least(t4, t5):
                        break
                    third = second - edge(t4, t5)
                    if third <= 0 or t5 == t3 or tour.steps_to(t2, t5, side) > tour.steps_to(t2, t3, side):
                        continue
                    t6 = tour.beside(t5, side)
                    steps = ((t1, t2, t3, t4), (t1, t3, t6, t5), (t3, t5, t2, t4))
                    yield third + edge(t5, t6) - edge(t6, t1), steps
                    if t5 == t2:
                        continue
                    t6 = tour.beside(t5, 1 - side)
                    yield third + edge(t5, t6) - edge(t6, t1), ((t1, t2, t6, t5), (t2, t5, t3, t4))

    def batch(self, representation: Representation, indices: np.ndarray) -> ThreeOptMove:
        """The moves of many indices at once."""
        k = np.asarray(indices, dtype=np.int64)
        ends = np.cumsum([comb(_places(representation, kind), 3) for kind in _KINDS])
        kind = 1 + np.searchsorted(ends, k, side="right")
        after = ends[np.minimum(kind, 7) - 1] - 1 - k
        a = _roots_of_triples(after)
        after = after - _triples(a)
        b = ((np.sqrt(8.0 * after + 1.0) + 1.0) / 2.0).astype(np.int64)
        b -= b * (b - 1) // 2 > after
        b += b * (b + 1) // 2 <= after
        return _placed(representation, kind, a, b, after - b * (b - 1) // 2)


def _begin(representation: Representation) -> int:
    """The number of the first cut: 1 on cyclic permutations, else 0."""
    return int(is_cyclic(representation))


def _places(representation: Representation, kind: Any) -> Any:
    """A kind has as many moves as this many numbers have triples."""
    return np.maximum(0, representation.length + 1 - _begin(representation) - (kind & 1) - (kind >> 1 & 1))[()]


def _placed(representation: Representation, kind: Any, a: Any, b: Any, c: Any) -> ThreeOptMove:
    """The move whose cuts, numbered from the last one of its kind back, are a > b > c."""
    last = representation.length - (kind & 1) - (kind >> 1 & 1)
    return ThreeOptMove(last - a, last - b + (kind & 1), last - c + (kind & 1) + (kind >> 1 & 1), kind)


def _triples(a: Any) -> Any:
    return a * (a - 1) // 2 * (a - 2) // 3


def _root_of_triples(k: int) -> int:
    """The largest a with C(a, 3) <= k."""
    return int(_roots_of_triples(np.array([k]))[0])


def _roots_of_triples(k: np.ndarray) -> np.ndarray:
    """The largest a with C(a, 3) <= k: a float root, corrected until it is right."""
    a = np.cbrt(6.0 * k).astype(np.int64) + 1
    a -= _triples(a) > k
    a += _triples(a + 1) <= k
    return a
