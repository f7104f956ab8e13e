"""Where a chunk of iterations ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from attrs import frozen

if TYPE_CHECKING:
    from metaheur.walk import Walk

__all__ = ["Until"]


@final
@frozen
class Until:
    """Where a chunk of iterations ends, for each walk: at the first iteration where one of these holds.

    Parameters
    ----------
    iteration : int
        That many iterations in all.
    cost : int, float or None
        The best cost is at most this.
    stagnation : int or None
        That many iterations since the best cost was found.
    improvement : bool
        The best cost has just improved.
    evaluated : int or None
        That many moves evaluated in all.
    branched : int or None
        That many nodes branched in all, of an exact search.
    """

    iteration: int
    cost: int | float | None = None
    stagnation: int | None = None
    improvement: bool = False
    evaluated: int | None = None
    branched: int | None = None

    def reached(self, walk: Walk) -> bool:
        """Whether the chunk ends here."""
        return (
            walk.iteration >= self.iteration
            or (self.cost is not None and walk.best.cost <= self.cost)
            or (self.stagnation is not None and walk.iteration - walk.improved_at >= self.stagnation)
            or (self.improvement and walk.improved_at == walk.iteration)
            or (self.evaluated is not None and walk.evaluated >= self.evaluated)
        )
