"""The members of a loop that a resident runner uses."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from metaheur.component import Component
from metaheur.search import LoopState, Search

if TYPE_CHECKING:
    from metaheur.neighborhood import Neighborhood

__all__ = ["Driven"]


class Driven(Search[LoopState], Component):
    """A search that a runner can keep on a device: `metaheur.loops.Loop` is its only subclass.

    `descends`: whether the walk's current solution is always its best one.
    """

    facts: ClassVar[tuple[str, ...]] = ("descends",)

    @property
    def descends(self) -> bool:
        """Whether the walk's current solution is always the best one since it began; False by default."""
        return False

    @property
    def divides(self) -> bool:
        """Whether several blocks of a GPU can share a walk; False by default."""
        return False

    @property
    def tries(self) -> bool:
        """Whether every step evaluates one move; False by default."""
        return False

    def examines(self, moves: int) -> int:
        """About how many moves of a neighborhood the threads of a block share in a step; 0 if only a few.

        By default all moves of a loop that divides, and otherwise 0.

        `moves`: the size of the neighborhood.
        """
        return moves if self.divides else 0

    @property
    def reads_state(self) -> bool:
        """Whether a step reads the kept arrays of the problem; True by default."""
        return True

    @property
    def scans(self) -> Neighborhood | None:
        """The neighborhood that each step evaluates completely, if the step depends on the solution alone; or None."""
        return None
