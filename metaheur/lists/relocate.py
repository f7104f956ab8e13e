"""Relocate: some items that follow each other go behind another place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, final

from attrs import field, frozen

from metaheur.component import Representation
from metaheur.lists.before import Before
from metaheur.lists.places import HasLists, lists_in
from metaheur.lists.segments import SegmentsAt, kind_of, kinds, segment_of
from metaheur.lists.segments_move import SegmentsMove
from metaheur.move import Move
from metaheur.neighborhood import Neighborhood, foreign, numbered
from metaheur.validate import true_or_false, whole_field

__all__ = ["Relocate"]


@final
@frozen
class Relocate(Neighborhood):
    """The 1 ... longest items behind a place go behind another place, of the same list or another one; O(1).

    A move is infeasible where the items would reach beyond their list, or where the place is the one that they follow
    or one of them. With optional items, a move of one item behind itself leaves it out; an item that is left out,
    which follows itself, is put into a list by p = itself.

    Parameters
    ----------
    longest : int, default 3
        The most items.
    reverse : bool, default True
        Whether two items or more may arrive in the opposite order, too.

    Notes
    -----
    There are K kinds of segments: one item; two as they are, and turned; three; and so on. Of n places, index
    (kind n + p) n + q takes the items behind p to q: K n^2 moves in K n groups. Two indices lead to one solution where
    a segment passes another one that is as short.

    M. W. P. Savelsbergh, "The vehicle routing problem with time windows: minimizing route duration", ORSA Journal on
    Computing 4, 1992; I. Or, 1976, for segments in one tour.
    """

    longest: int = whole_field(1, 2**15, default=3)
    reverse: bool = field(default=True, validator=true_or_false)

    source: ClassVar[str] = "relocate.cuh"
    grouped: ClassVar[bool] = True

    @property
    def move_types(self) -> tuple[type[Move], ...]:
        """`SegmentsMove`."""
        return (SegmentsMove,)

    @property
    def partial(self) -> bool:
        """True: a list may be too short."""
        return True

    @property
    def variants(self) -> int:
        """Two for each kind: the item leads its segment, or ends it."""
        return 2 * self._kinds

    @property
    def _kinds(self) -> int:
        return kinds(self.longest, self.reverse)

    def supports(self, representation: Representation) -> bool:
        """Lists."""
        return isinstance(representation, HasLists)

    def constants(self, representation: Representation) -> dict[str, int]:
        """`kinds` of segments, `items`, and `removes`: 1 if items may be left out."""
        return {
            "kinds": self._kinds,
            "items": lists_in(representation).items,
            "removes": int(lists_in(representation).optional),
        }

    def size(self, representation: Representation) -> int:
        """K n^2."""
        return self._kinds * representation.length**2

    def groups(self, representation: Representation) -> int:
        """One for each kind and place: K n."""
        return self._kinds * representation.length

    def group(self, representation: Representation, g: int) -> range:
        """All places to which a segment may go."""
        return range(g * representation.length, (g + 1) * representation.length)

    def moves(self, representation: Representation) -> Iterator[SegmentsAt]:
        """Kind by kind, place by place, every place to go to."""
        places = range(representation.length)
        for kind in range(self._kinds):
            length, turned = segment_of(kind, self.reverse)
            yield from (SegmentsAt(p, q, length, 0, turned, lists_in(representation)) for p in places for q in places)

    def move(self, representation: Representation, k: int) -> SegmentsAt:
        """Quotients and remainders by the number of places."""
        rest, q = divmod(numbered(self, representation, k), representation.length)
        kind, p = divmod(rest, representation.length)
        length, turned = segment_of(kind, self.reverse)
        return SegmentsAt(p, q, length, 0, turned, lists_in(representation))

    def index(self, representation: Representation, move: SegmentsAt | SegmentsMove) -> int:
        """(kind n + p) n + q."""
        n, kind = representation.length, kind_of(int(move.first), int(move.turned), self.reverse)
        if not (0 <= move.p < n and 0 <= move.q < n and 0 <= kind < self._kinds and move.second == 0):
            raise foreign(self, representation, move, f"0 <= p, q < {n}, and 1 ... {self.longest} items move")
        return (kind * n + int(move.p)) * n + int(move.q)

    def near(
        self, representation: Representation, item: int, candidate: int, variant: int, before: Before
    ) -> SegmentsAt:
        """The move that brings an item, at an end of its segment, to a candidate.

        The variant is twice the kind of the segment, and 1 more where the item ends it. If the item is the last one of
        the segment in its new order, the candidate follows it; otherwise the item follows the candidate.
        """
        length, turned = segment_of(variant // 2, self.reverse)
        ends = variant % 2
        p = before(item, length if ends else 1)
        q = before(candidate, 1) if ends != turned else candidate
        return SegmentsAt(p, q, length, 0, turned, lists_in(representation))
