"""Hill climbing: the best improvement, until there is none."""

from __future__ import annotations

from functools import cached_property
from typing import final

from attrs import frozen

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
    """

    neighborhood: Neighborhood

    @cached_property
    def loop(self) -> Scan:
        """A scan that accepts improving moves only."""
        return Scan(self.neighborhood, acceptance=Improving())
