"""Across copies: entries at the same place of two copies, such as of a column of a matrix, trade their values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, final

from attrs import field, frozen

from metaheur.move import Move
from metaheur.neighborhood import Neighborhood, foreign, numbered
from metaheur.neighborhoods.interchange import InterchangeMove
from metaheur.neighborhoods.swap import Swap, SwapMove
from metaheur.representation import Permutation, Representation

__all__ = ["AcrossCopies"]


@final
@frozen
class AcrossCopies(Neighborhood):
    """Two copies of a repeated space trade their entries at one place: in a matrix, two rows in one column.

    Index place m (m - 1) / 2 + k is the k-th pair of the m copies, numbered as by `Swap`. So each column keeps its
    values. A pair with equal values is infeasible.
    """

    source: ClassVar[str] = "across_copies.cuh"

    pairs: Swap = field(default=Swap(), init=False, repr=False)

    def inner_space(self, name: str, representation: Representation) -> Representation:
        """Arrangements of the copies, whose pairs are numbered."""
        return Permutation(_copies(representation))

    @property
    def writes(self) -> int:
        """Two positions."""
        return 2

    @property
    def move_types(self) -> tuple[type[Move], ...]:
        """`SwapMove`, for which the moves stand."""
        return (SwapMove,)

    @property
    def partial(self) -> bool:
        """True: equal values cannot be traded."""
        return True

    def supports(self, representation: Representation) -> bool:
        """Repeated spaces whose entries depend on nothing: bits and digits."""
        return hasattr(representation, "copies") and representation.exchanges

    def constants(self, representation: Representation) -> Mapping[str, int]:
        """`width`, the length of a copy."""
        return {"width": representation.length // _copies(representation)}

    def size(self, representation: Representation) -> int:
        """The length of a copy times the pairs of copies."""
        copies = _copies(representation)
        return representation.length // copies * (copies * (copies - 1) // 2)

    def moves(self, representation: Representation) -> Iterator[InterchangeMove]:
        """Place by place, every pair of copies."""
        copies = _copies(representation)
        width = representation.length // copies
        return (
            InterchangeMove(a * width + place, b * width + place)
            for place in range(width)
            for a in range(copies)
            for b in range(a + 1, copies)
        )

    def move(self, representation: Representation, k: int) -> InterchangeMove:
        """Quotient and remainder by the pairs of copies."""
        space = self.inner_space("pairs", representation)
        width = representation.length // space.length
        place, rank = divmod(numbered(self, representation, k), self.pairs.size(space))
        pair = self.pairs.move(space, rank)
        return InterchangeMove(pair.i * width + place, pair.j * width + place)

    def index(self, representation: Representation, move: Any) -> int:
        """The pairs at the places before, and the number of the pair."""
        space = self.inner_space("pairs", representation)
        width = representation.length // space.length
        (a, place), (b, other) = divmod(int(move.i), width), divmod(int(move.j), width)
        if place != other or not 0 <= a < b < space.length:
            raise foreign(self, representation, move, "i < j are the same place of two copies")
        return place * self.pairs.size(space) + self.pairs.index(space, SwapMove(a, b))


def _copies(representation: Representation) -> int:
    """The number of copies."""
    return int(representation.copies)  # type: ignore[attr-defined]
