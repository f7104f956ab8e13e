"""Simulated annealing."""

from __future__ import annotations

from functools import cached_property
from typing import final

from attrs import Factory, evolve, field, frozen

from metaheur.fields import Factor
from metaheur.loops.loop import Composed
from metaheur.loops.trial import Trial
from metaheur.neighborhood import Neighborhood
from metaheur.parts import AtRandom, Cooling, Geometric, Metropolis, Schedule, TrialOrder
from metaheur.problem import Problem
from metaheur.searches.temperature import start_temperature
from metaheur.validate import instance_field

__all__ = ["SimulatedAnnealing"]


@final
@frozen
class SimulatedAnnealing(Composed):
    """Simulated annealing: moves one by one, accepted by Metropolis' criterion under a falling temperature.

    An iteration is one trial. The search ends with its schedule. For other rules, such as late acceptance or the great
    deluge, use a `Trial` with that acceptance.

    Parameters
    ----------
    neighborhood : Neighborhood
        The moves.
    temperature : float, optional
        The first temperature, in units of cost. By default `run` measures it, by `start_temperature`.
    schedule : Schedule, optional
        How the temperature falls: by default Geometric(), if the temperature is given. If it is measured, by default
        down to three thousandths of it, and up again and again, each time for twice as many trials: for any budget.
    reheats : int, default 0
        How often the temperature rises again when the schedule is over.
    share : float, default 1.0
        Each rise leads to this share of the temperature that the rise before led to.
    stretch : int, default 1
        After each rise the schedule takes so many times as many trials as before: with 2, and many reheats, no budget
        must be known.
    order : TrialOrder, default AtRandom()
        Which move is tried next. `InSweeps()` is faster where a change of cost takes as long as to draw a move: flips
        of a `QUBO` or `MaxCut`.

    Notes
    -----
    S. Kirkpatrick, C. D. Gelatt and M. P. Vecchi, "Optimization by simulated annealing", Science 220, 1983.
    """

    neighborhood: Neighborhood
    temperature: float | None = field(default=None, metadata={"tune": Factor()})
    schedule: Schedule | None = field(
        default=Factory(lambda self: None if self.temperature is None else Geometric(), takes_self=True)
    )
    reheats: int = field(default=0, kw_only=True)
    share: float = field(default=1.0, kw_only=True)
    stretch: int = field(default=1, kw_only=True)
    order: TrialOrder = instance_field(TrialOrder, "use InSweeps().", factory=AtRandom, kw_only=True)

    @cached_property
    def loop(self) -> Trial:
        """Trials under Metropolis' criterion."""
        cooling = Cooling(
            self.temperature,
            Geometric() if self.schedule is None else self.schedule,
            reheats=self.reheats,
            share=self.share,
            stretch=self.stretch,
        )
        return Trial(self.neighborhood, Metropolis(cooling), order=self.order)

    def fitted(self, problem: Problem) -> SimulatedAnnealing:
        """The search with a temperature, and a schedule, for a problem."""
        if self.temperature is not None or problem.objectives:  # which a search for one objective refuses
            return self
        first = float(f"{start_temperature(problem, self.neighborhood, seed=0):.3g}")
        if self.schedule is not None or self.reheats:
            return evolve(self, temperature=first)
        schedule = Geometric(0.95, problem.representation.length, 0.003 * first)
        return evolve(self, temperature=first, schedule=schedule, reheats=60, stretch=2)
