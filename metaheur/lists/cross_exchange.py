"""CROSS exchange: the items behind one place change places with those behind another one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, final

from attrs import field, frozen

from metaheur.component import Representation
from metaheur.lists.before import Before
from metaheur.lists.places import HasLists, lists_in
from metaheur.lists.segments import SegmentsAt, kind_of, kinds, segment_of
from metaheur.lists.segments_move import SegmentsMove
from metaheur.move import Move
from metaheur.neighborhood import Neighborhood, foreign, numbered
from metaheur.neighborhoods.swap import Swap, SwapMove
from metaheur.validate import true_or_false, whole_field

__all__ = ["CrossExchange"]


@final
@frozen
class CrossExchange(Neighborhood):
    """Segments of 1 ... longest items behind two places change places, in one list or in two; O(1).

    A move is infeasible where a segment would reach beyond its list, or over the other place. With ``longest=1`` two
    items are exchanged.

    Parameters
    ----------
    longest : int, default 3
        The most items of each segment.
    reverse : bool, default False
        Whether segments of two items or more may arrive in the opposite order, too.

    Notes
    -----
    Of K kinds of segments, as `Relocate` has them, and n places, index (a K + b) n (n-1) / 2 + k exchanges a segment of
    kind a behind p with one of kind b behind q, where k is the number of the pair p < q as `Swap` numbers it.

    E. Taillard, P. Badeau, M. Gendreau, F. Guertin and J.-Y. Potvin, "A tabu search heuristic for the vehicle routing
    problem with soft time windows", Transportation Science 31, 1997.
    """

    longest: int = whole_field(1, 2**15, default=3)
    reverse: bool = field(default=False, validator=true_or_false)

    source: ClassVar[str] = "cross_exchange.cuh"

    pairs: Swap = field(default=Swap(), init=False, repr=False)

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
        """Two for each pair of kinds: the item leads its segment, or ends it."""
        return 2 * self._kinds**2

    @property
    def _kinds(self) -> int:
        return kinds(self.longest, self.reverse)

    def supports(self, representation: Representation) -> bool:
        """Lists."""
        return isinstance(representation, HasLists)

    def constants(self, representation: Representation) -> dict[str, int]:
        """`kinds` of segments, and `items`."""
        return {"kinds": self._kinds, "items": lists_in(representation).items}

    def size(self, representation: Representation) -> int:
        """K^2 n (n-1) / 2."""
        return self._kinds**2 * self.pairs.size(representation)

    def moves(self, representation: Representation) -> Iterator[SegmentsAt]:
        """Kinds by kinds, every pair of places."""
        n, every = representation.length, [segment_of(kind, self.reverse) for kind in range(self._kinds)]
        for (first, turned), (second, back) in ((a, b) for a in every for b in every):
            for p in range(n):
                yield from (
                    SegmentsAt(p, q, first, second, turned + 2 * back, lists_in(representation))
                    for q in range(p + 1, n)
                )

    def move(self, representation: Representation, k: int) -> SegmentsAt:
        """Quotient and remainder by the number of pairs, and the pair as `Swap` numbers it."""
        both, pair = divmod(numbered(self, representation, k), self.pairs.size(representation))
        swap = self.pairs.move(representation, pair)
        (first, turned), (second, back) = (segment_of(kind, self.reverse) for kind in divmod(both, self._kinds))
        return SegmentsAt(swap.i, swap.j, first, second, turned + 2 * back, lists_in(representation))

    def index(self, representation: Representation, move: Any) -> int:
        """(a K + b) n (n-1) / 2, and the number of the pair; p and q may be in either order."""
        ends = [(int(move.p), int(move.first), int(move.turned) & 1), (int(move.q), int(move.second), move.turned >> 1)]
        (p, first, turned), (q, second, back) = sorted(ends)
        a, b = kind_of(first, turned, self.reverse), kind_of(second, back, self.reverse)
        if not (0 <= p < q < representation.length and 0 <= min(a, b) <= max(a, b) < self._kinds):
            raise foreign(self, representation, move, f"two places, and 1 ... {self.longest} items behind each")
        pair = self.pairs.index(representation, SwapMove(p, q))
        return (a * self._kinds + b) * self.pairs.size(representation) + pair

    def near(
        self, representation: Representation, item: int, candidate: int, variant: int, before: Before
    ) -> SegmentsAt:
        """The move that brings an item, at an end of its segment, to a candidate.

        The variant is twice the number of the two kinds, and 1 more where the item ends its segment. The candidate
        precedes the other segment; it follows the other segment if the item is the last of its own in the new order.
        """
        both, ends = divmod(variant, 2)
        (first, turned), (second, back) = (segment_of(kind, self.reverse) for kind in divmod(both, self._kinds))
        p = before(item, first if ends else 1)
        q = before(candidate, second + 1) if ends != turned else candidate
        return SegmentsAt(p, q, first, second, turned + 2 * back, lists_in(representation))
