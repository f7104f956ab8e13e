"""Hill climbing: improving moves, until no move improves."""

from __future__ import annotations

from functools import cached_property
from typing import final

from attrs import field, frozen

from metaheur.loops import Loop
from metaheur.loops.loop import Composed
from metaheur.neighborhood import Neighborhood
from metaheur.parts import Improving, Plateau
from metaheur.searches.pivoting import BestImprovement, Pivoting
from metaheur.validate import instance_field, whole_field

__all__ = ["HillClimbing"]


@final
@frozen
class HillClimbing(Composed):
    """Makes an improving move in each iteration; the search ends at the first local optimum.

    Parameters
    ----------
    neighborhood : Neighborhood
        The moves; a local optimum is a solution that no move improves.
    pivoting : Pivoting, default BestImprovement()
        Which improving move is made: the best, the first, a random one, or the best of a sample.
    neutral : int, default 0
        How many moves in a row may leave the cost as it is.
    tolerance : float, default 1e-9
        If costs are floats: by which share of the cost a move must lower it; see `Improving`. Without effect if
        neutral moves are made.
    """

    neighborhood: Neighborhood
    pivoting: Pivoting = instance_field(Pivoting, "use FirstImprovement().", factory=BestImprovement)
    neutral: int = whole_field(0, default=0, kw_only=True)
    tolerance: float = field(default=1e-9, kw_only=True)

    @cached_property
    def loop(self) -> Loop:
        """The loop of the pivoting rule."""
        acceptance = Plateau(self.neutral) if self.neutral else Improving(self.tolerance)
        return self.pivoting.loop(self.neighborhood, acceptance)
