"""AdjacentSwap: exchange two neighbors of a permutation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.move import Move
from metaheur.neighborhood import Neighborhood, foreign, numbered
from metaheur.neighborhoods.swap import SwapMove
from metaheur.representation import Representation

__all__ = ["AdjacentSwap"]


@final
@frozen
class AdjacentSwap(Neighborhood):
    """All exchanges of two neighbors of a permutation: n-1 moves.

    Move k exchanges the items at the positions k and k + 1; all moves form one group. The last and the first item are
    not exchanged, not even on cyclic permutations.
    """

    source: ClassVar[str] = "adjacent_swap.cuh"

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

    def size(self, representation: Representation) -> int:
        """n - 1."""
        return representation.length - 1

    def moves(self, representation: Representation) -> Iterator[SwapMove]:
        """Every pair of neighbors, from the first position on."""
        return (SwapMove(k, k + 1) for k in range(representation.length - 1))

    def move(self, representation: Representation, k: int) -> SwapMove:
        """The exchange of positions k and k + 1."""
        k = numbered(self, representation, k)
        return SwapMove(k, k + 1)

    def index(self, representation: Representation, move: SwapMove) -> int:
        """The first of its two positions."""
        n = representation.length
        if not 0 <= move.i < n - 1 or move.j != move.i + 1:
            rule = f"0 <= i < j = i + 1 < {n}"
            raise foreign(self, representation, move, rule, "use Swap, which exchanges any two items.")
        return int(move.i)

    def batch(self, representation: Representation, indices: np.ndarray) -> SwapMove:
        """The moves of many indices at once."""
        k = np.asarray(indices, dtype=np.int64)
        return SwapMove(k, k + 1)
