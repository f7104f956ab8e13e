"""Interchange: two entries with different values trade them; for subsets, a member and an item that is none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Self, final

from attrs import field, frozen

from metaheur.move import Move
from metaheur.neighborhood import Neighborhood, numbered
from metaheur.neighborhoods.swap import Swap, SwapMove
from metaheur.representation import Representation, Solution

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

    def size(self, representation: Representation) -> int:
        """n (n-1) / 2."""
        return self.pairs.size(representation)

    def groups(self, representation: Representation) -> int:
        """One for each position but the last."""
        return self.pairs.groups(representation)

    def group(self, representation: Representation, g: int) -> range:
        """The pairs of position g with those behind it."""
        return self.pairs.group(representation, g)

    def moves(self, representation: Representation) -> Iterator[InterchangeMove]:
        """Every pair i < j, row by row."""
        n = representation.length
        return (InterchangeMove(i, j) for i in range(n) for j in range(i + 1, n))

    def move(self, representation: Representation, k: int) -> InterchangeMove:
        """The k-th pair, as in `Swap`."""
        swap = self.pairs.move(representation, numbered(self, representation, k))
        return InterchangeMove(swap.i, swap.j)

    def index(self, representation: Representation, move: InterchangeMove | SwapMove) -> int:
        """i (2n - 1 - i) / 2 + j - i - 1."""
        return self.pairs.index(representation, SwapMove(move.i, move.j))
