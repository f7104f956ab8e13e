"""Hill climbing: the best improvement, until there is none."""

from __future__ import annotations

from functools import cached_property
from typing import final

from attrs import field, frozen

from metaheur.loops.scan import Scan
from metaheur.neighborhood import Neighborhood
from metaheur.parts import Improving
from metaheur.searches.composed import Composed

__all__ = ["HillClimbing"]


@final
@frozen
class HillClimbing(Composed):
    """Best-improvement local search: it ends in the first local optimum.

    Parameters
    ----------
    neighborhood : Neighborhood
        The moves; a local optimum is a solution that none of them improves.
    tolerance : float, default 1e-9
        Where costs are floats, by how much a move must lower them, as a share of the cost; see `Improving`.
    """

    neighborhood: Neighborhood
    tolerance: float = field(default=1e-9, kw_only=True)

    def __attrs_post_init__(self) -> None:
        """Refuse what the loop refuses."""
        _ = self.loop

    @cached_property
    def loop(self) -> Scan:
        """A scan that accepts improving moves only, and ends where there is none."""
        return Scan(self.neighborhood, acceptance=Improving(self.tolerance), ends_where_refused=True)
