"""LinKernighan: exchanges of variable depth, along chains of removed and added edges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, NamedTuple, final

import numpy as np
from attrs import Attribute, field, frozen

from metaheur.errors import InputError
from metaheur.fields import data
from metaheur.loops.tour_descent import TourDescent
from metaheur.neighborhoods.by_candidates import require_candidates
from metaheur.representation import Representation
from metaheur.tours.tour import Exchange, Step, Tour
from metaheur.validate import whole_numbers

__all__ = ["LinKernighan"]

DEEPEST = 5
"""The most edges that an exchange removes."""


def _breadth(value: Any) -> tuple[int, ...]:
    return whole_numbers(value, "breadth", 1)


@final
@frozen(eq=False)
class LinKernighan(TourDescent):
    """Descend to a local optimum by sequential exchanges of up to five edges.

    The edge between an item and its neighbor is removed. An edge is added from the item to one of its candidates, which
    loses one of its two edges, and so on: a chain of edges that are removed and added in turn, while the removed edges
    cost more than the added ones. The chain may be closed after each removed edge. The first exchange that closes it to
    one cheaper tour is made; before, the tour may be in pieces, so that all sequential exchanges are found. Items wait
    in a queue, as in `CandidateDescent`, and a whole descent is one iteration.

    Parameters
    ----------
    candidates : array_like, shape (n, k)
        For each item 0 ... n-1 other items, the nearest first; five by `TSP.alpha_nearest` suffice.
    breadth : tuple of int, default (5, 5, 3)
        How many candidates are tried for the first added edge, for the second, and so on; one to four numbers. An
        exchange removes one edge more than there are numbers: (8,) is 2-opt, (8, 8) 3-opt.

    Notes
    -----
    The cost must be the sum of the edges of a cyclic permutation: see `metaheur.tours.edges.EdgeSum`.

    S. Lin and B. W. Kernighan, "An effective heuristic algorithm for the traveling-salesman problem", Operations
    Research 21, 1973; K. Helsgaun, "General k-opt submoves for the Lin-Kernighan TSP heuristic", Mathematical
    Programming Computation 1, 2009 (sequential k-opt moves without intermediate tours).
    """

    candidates: np.ndarray = data("int32", ndim=2)
    breadth: tuple[int, ...] = field(default=(5, 5, 3), converter=_breadth, metadata={"python only": True})

    source: ClassVar[str] = "lin_kernighan.cuh"

    @breadth.validator
    def _depth(self, _: Attribute[Any], value: tuple[int, ...]) -> None:
        if not 1 <= len(value) < DEEPEST:
            raise InputError(
                f"`breadth` must have 1 ... {DEEPEST - 1} numbers, one for each added edge but one, but is {value}.",
                "use breadth=(5, 5, 3).",
            )

    def __attrs_post_init__(self) -> None:
        """Refuse an array that is not a candidate list."""
        require_candidates(self.candidates)

    def constants(self, representation: Representation) -> Mapping[str, int | bool]:
        """`takes_best`; whether a `third`, `fourth`, `fifth` edge is removed; the breadth of each added edge."""
        given = dict(enumerate(self.breadth, start=1))
        names = dict(zip(("third", "fourth", "fifth"), range(2, DEEPEST), strict=True))
        depths = {name: edge in given for name, edge in names.items()}
        breadths = {f"breadth_{edge}": given.get(edge, 0) for edge in range(1, DEEPEST)}
        return {**super().constants(representation), **depths, **breadths}

    def exchanges(self, tour: Tour, item: int) -> Iterator[Exchange]:
        """A gain of 0 and no steps where the chain cannot be closed to a cheaper tour."""
        for side in (0, 1):
            first = tour.beside(item, side)
            removed = [_Removed(first, item, tour.positions[first if side else item], bool(side))]
            yield from self._extended(tour, removed, side, tour.edge(first, item))

    def _extended(self, tour: Tour, removed: list[_Removed], side: int, gain: Any) -> Iterator[Exchange]:
        """The exchanges that remove more edges than these, which are worth `gain` more than the added ones."""
        start, place = removed[-1].to, 0
        for to in tour.candidates[start]:
            if place == self.breadth[len(removed) - 1] or gain <= tour.least(start, to):
                break
            left = gain - tour.edge(start, to)
            if left <= 0 or to in (tour.beside(start, 0), tour.beside(start, 1)):
                continue
            place += 1
            for way in (0, 1):
                end = tour.beside(to, way)
                tail = tour.positions[end if way else to]
                if any(edge.tail == tail for edge in removed):
                    continue
                more = [*removed, _Removed(to, end, tail, not way)]
                opened = left + tour.edge(to, end)
                if len(removed) > 1 or way == side:
                    won = opened - tour.edge(end, removed[0].item)
                    segments = _Segments(more) if won > 0 else None
                    whole = segments is not None and segments.one_tour()
                    yield (won, segments.steps(len(tour.items))) if segments and whole else (0, ())
                if len(more) <= len(self.breadth):
                    yield from self._extended(tour, more, side, opened)


class _Removed(NamedTuple):
    """A removed edge between two items: the position of the one that comes first, and whether that is `item`."""

    item: int
    to: int
    tail: int
    ahead: bool


class _Segments:
    """The segments between removed edges, in the order of the tour.

    Segment s has the ends 2 s, its first item, and 2 s + 1, its last one. `joined`: to which end an added edge leads
    from each. `items`: the item at each end. `tails`: the position of the last item of each segment.
    """

    def __init__(self, removed: list[_Removed]) -> None:
        k = len(removed)
        order = sorted(range(k), key=lambda e: removed[e].tail)
        self.tails = [removed[e].tail for e in order]
        self.items, ends = [0] * (2 * k), {}
        for s, e in enumerate(order):
            edge, tail, head = removed[e], 2 * s + 1, (2 * s + 2) % (2 * k)
            ends[e] = (tail, head) if edge.ahead else (head, tail)
            self.items[ends[e][0]], self.items[ends[e][1]] = edge.item, edge.to
        self.joined = [0] * (2 * k)
        for e in range(k):
            one, other = ends[e][1], ends[(e + 1) % k][0]
            self.joined[one], self.joined[other] = other, one

    def one_tour(self) -> bool:
        """Whether the added edges join the segments to one tour."""
        end, count = self.joined[1], 1
        while end:
            end, count = self.joined[end ^ 1], count + 1
        return count == len(self.tails)

    def steps(self, n: int) -> tuple[Step, ...]:
        """The reversals that lead to the new tour; the longest segment stays in its place.

        Segment after segment comes to its place, and is turned if it has to be.
        """
        k, found = len(self.tails), list[Step]()
        lengths = [(self.tails[s] - self.tails[s - 1]) % n for s in range(k)]
        stays = lengths.index(max(lengths))
        now = [2 * ((stays + s) % k) for s in range(k + 1)]  # where segments are entered, from that which stays on

        def turn(s: int, last: int) -> None:
            one, other = self.items[now[s]], self.items[now[last] ^ 1]
            if one != other:
                found.append((self.items[now[s - 1] ^ 1], one, other, self.items[now[last + 1]]))
            now[s : last + 1] = [end ^ 1 for end in now[s : last + 1][::-1]]

        end = 2 * stays
        for s in range(1, k):
            end = self.joined[end ^ 1]
            at = next(at for at in range(s, k) if now[at] // 2 == end // 2)
            if at > s or now[s] != end:
                turn(s, at)
            if now[s] != end:
                turn(s, s)
        return tuple(found)
