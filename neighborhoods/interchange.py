"""Interchange: two entries with different values trade them; for subsets, a member and an item that is none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Self, final

from attrs import field, frozen

from metaheur.move import Move
from metaheur.neighborhood import Neighborhood, foreign, numbered
from metaheur.neighborhoods.swap import Swap, SwapMove
from metaheur.representation import Representation, Solution
from metaheur.source import Source, piece

__all__ = ["Interchange", "InterchangeMove"]


@final
@frozen
class InterchangeMove(Move):
    """The entries at the positions i < j trade their values; infeasible where these are equal.

    It stands for a `SwapMove`, which problems know.

    Parameters
    ----------
    i, j : int
        Positions, 0 <= i < j < n.
    """

    i: int
    j: int

    unsigned: ClassVar[tuple[str, ...]] = ("i", "j")

    def resolve(self, x: Solution) -> SwapMove | None:
        """The swap; None where both entries have the same value."""
        return None if len(x) and x[self.i] == x[self.j] else SwapMove(self.i, self.j)

    def apply(self, x: Solution) -> Solution:
        """The solution with both values traded, shape (n,)."""
        return SwapMove(self.i, self.j).apply(x)

    def inverse(self) -> Self:
        """The move itself, which undoes itself."""
        return self

    def placements(self, x: Solution) -> tuple[tuple[Any, Any], ...]:
        """Position i receives the value of j, and j the value of i."""
        return SwapMove(self.i, self.j).placements(x)


@final
@frozen
class Interchange(Neighborhood):
    """All pairs of entries that trade their values: n (n-1) / 2 moves, numbered as those of `Swap`.

    So the number of entries with each value stays: bit strings keep their number of ones, vectors of digits the size of
    each class. A pair with equal values is infeasible. Permutations have no such pairs: use `Swap` there.

    In a `Subset` of p of n items a member trades places with an item that is none: p (n-p) moves, all feasible; index
    i (n - p) + j - p is the move that exchanges the positions i < p and j >= p.
    """

    source: ClassVar[str] = "interchange.cuh"
    grouped: ClassVar[bool] = True

    pairs: Swap = field(default=Swap(), init=False, repr=False)

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
        """Solutions in which any two entries may trade their values: bits, digits, multisets, permutations."""
        return representation.exchanges

    def source_on(self, representation: Representation) -> Source | None:
        """Another half for subsets, whose moves are other pairs."""
        return piece("neighborhoods/interchange_members.cuh") if members(representation) else None

    def constants(self, representation: Representation) -> Mapping[str, int]:
        """`p`, the number of members of a subset."""
        return {"p": members(representation)}

    def size(self, representation: Representation) -> int:
        """n (n-1) / 2; p (n-p) for subsets."""
        p = members(representation)
        return p * (representation.length - p) if p else self.pairs.size(representation)

    def groups(self, representation: Representation) -> int:
        """One for each position but the last; one for each member."""
        p = members(representation)
        return p * (p < representation.length) if p else self.pairs.groups(representation)

    def group(self, representation: Representation, g: int) -> range:
        """The pairs of position g with those behind it; with those that are no members."""
        p = members(representation)
        others = representation.length - p
        return range(g * others, (g + 1) * others) if p else self.pairs.group(representation, g)

    def moves(self, representation: Representation) -> Iterator[InterchangeMove]:
        """Every pair i < j, row by row."""
        n, p = representation.length, members(representation)
        return (InterchangeMove(i, j) for i in range(p or n) for j in range(p or i + 1, n))

    def move(self, representation: Representation, k: int) -> InterchangeMove:
        """The k-th pair, as in `Swap`; quotient and remainder for subsets."""
        if p := members(representation):
            i, j = divmod(numbered(self, representation, k), representation.length - p)
            return InterchangeMove(i, p + j)
        swap = self.pairs.move(representation, numbered(self, representation, k))
        return InterchangeMove(swap.i, swap.j)

    def index(self, representation: Representation, move: InterchangeMove | SwapMove) -> int:
        """i (2n - 1 - i) / 2 + j - i - 1; i (n - p) + j - p for subsets."""
        if p := members(representation):
            n = representation.length
            if not 0 <= move.i < p <= move.j < n:
                raise foreign(self, representation, move, f"0 <= i < {p} <= j < {n}")
            return int(move.i) * (n - p) + int(move.j) - p
        return self.pairs.index(representation, SwapMove(move.i, move.j))


def members(representation: Representation) -> int:
    """The number of members of a subset, which come first; 0 for other representations."""
    return int(getattr(representation, "members", 0))
