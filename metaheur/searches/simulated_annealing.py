"""Simulated annealing."""

from __future__ import annotations

from functools import cached_property
from typing import final

from attrs import field, frozen

from metaheur.loops.trial import Trial
from metaheur.neighborhood import Neighborhood
from metaheur.parts import Geometric, Metropolis, Schedule
from metaheur.searches.composed import Composed

__all__ = ["SimulatedAnnealing"]


@final
@frozen
class SimulatedAnnealing(Composed):
    """Simulated annealing: random moves, accepted by Metropolis' criterion under a falling temperature.

    An iteration is one trial. The search ends with its schedule.

    Parameters
    ----------
    neighborhood : Neighborhood
        The moves.
    temperature : float
        The first temperature, in units of cost.
    schedule : Schedule, default Geometric()
        How it falls.

    Notes
    -----
    S. Kirkpatrick, C. D. Gelatt and M. P. Vecchi, "Optimization by simulated annealing", Science 220, 1983.
    """

    neighborhood: Neighborhood
    temperature: float
    schedule: Schedule = field(factory=Geometric)

    def __attrs_post_init__(self) -> None:
        """Refuse what the loop refuses."""
        _ = self.loop

    @cached_property
    def loop(self) -> Trial:
        """Trials under Metropolis' criterion."""
        return Trial(self.neighborhood, Metropolis(self.temperature, self.schedule))
