"""Hill climbing: improving moves, until there is none."""

from __future__ import annotations

from functools import cached_property
from typing import final

from attrs import field, frozen

from metaheur.loops import Loop
from metaheur.loops.composed import Composed
from metaheur.neighborhood import Neighborhood
from metaheur.parts import Improving, Plateau
from metaheur.searches.pivoting import BestImprovement, Pivoting
from metaheur.validate import instance_field, whole_field

__all__ = ["HillClimbing"]


@final
@frozen
class HillClimbing(Composed):
    """Improving moves, one an iteration; it ends in the first local optimum.

    Parameters
    ----------
    neighborhood : Neighborhood
        The moves; a local optimum is a solution that none of them improves.
    pivoting : Pivoting, default BestImprovement()
        Which improving move is made: the best, the first, a random one, the best of a sample.
    neutral : int, default 0
        How many moves in a row may leave the cost as it is.
    tolerance : float, default 1e-9
        Where costs are floats, by how much a move must lower them, as a share of the cost; see `Improving`. It says
        nothing where neutral moves are made.
    """

    neighborhood: Neighborhood
    pivoting: Pivoting = instance_field(Pivoting, "use FirstImprovement().", factory=BestImprovement)
    neutral: int = whole_field(0, default=0, kw_only=True)
    tolerance: float = field(default=1e-9, kw_only=True)

    def __attrs_post_init__(self) -> None:
        """Refuse what the loop refuses."""
        _ = self.loop

    @cached_property
    def loop(self) -> Loop:
        """What the pivoting rule says."""
        acceptance = Plateau(self.neutral) if self.neutral else Improving(self.tolerance)
        return self.pivoting.loop(self.neighborhood, acceptance)
