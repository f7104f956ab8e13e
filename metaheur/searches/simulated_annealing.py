"""Simulated annealing."""

from __future__ import annotations

from functools import cached_property
from math import ceil, log
from typing import Any, final

from attrs import Factory, evolve, field, frozen

from metaheur.errors import InputError
from metaheur.fields import Factor
from metaheur.loops.loop import Composed
from metaheur.loops.trial import Trial
from metaheur.neighborhood import Neighborhood
from metaheur.parts import Acceptance, AtRandom, ByLevel, Cooling, Geometric, Metropolis, TrialOrder
from metaheur.problem import Problem, level_names, levels_of
from metaheur.searches.temperature import start_temperatures
from metaheur.validate import instance_field

__all__ = ["SimulatedAnnealing"]


STEPS = 1000
"""Temperatures of a schedule of a given length."""


def _temperatures(value: Any) -> Any:
    """A temperature, or a tuple of them."""
    return tuple(value) if isinstance(value, list | tuple) else value


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
    temperature : float or tuple of float, optional
        The first temperature, in units of cost. By default `run` measures it, as `start_temperature` does. With levels,
        one for each: the highest level that a change alters decides. A single number is that of the lowest level, above
        which nothing may then become worse.
    schedule : Schedule or tuple of Schedule, optional
        How the temperature falls, or that of each level: by default Geometric(), if the temperature is given. If it is
        measured, by default down to three thousandths of it, and up again and again, each time for twice as many
        trials: for any budget.
    reheats : int, default 0
        How often the temperature rises again when the schedule is over.
    share : float, default 1.0
        Each rise leads to this share of the temperature that the rise before led to.
    stretch : int, default 1
        After each rise the schedule takes so many times as many trials as before: with 2, and many reheats, no budget
        must be known.
    weights : tuple of int
        What a unit of each level is in the one number that searches see; `run` sets it.
    order : TrialOrder, default AtRandom()
        Which move is tried next. `InSweeps()` is faster where a change of cost takes as long as to draw a move: flips
        of a `QUBO` or `MaxCut`.

    Notes
    -----
    S. Kirkpatrick, C. D. Gelatt and M. P. Vecchi, "Optimization by simulated annealing", Science 220, 1983.
    """

    neighborhood: Neighborhood
    temperature: Any = field(default=None, converter=_temperatures, metadata={"tune": Factor()})
    schedule: Any = field(
        default=Factory(lambda self: None if self.temperature is None else Geometric(), takes_self=True)
    )
    reheats: int = field(default=0, kw_only=True)
    share: float = field(default=1.0, kw_only=True)
    stretch: int = field(default=1, kw_only=True)
    weights: tuple[int, ...] = field(default=(), kw_only=True)
    order: TrialOrder = instance_field(TrialOrder, "use InSweeps().", factory=AtRandom, kw_only=True)

    @cached_property
    def loop(self) -> Trial:
        """Trials under Metropolis' criterion."""
        temperatures = self.temperature if isinstance(self.temperature, tuple) else (self.temperature,)
        given = Geometric() if self.schedule is None else self.schedule
        schedules = given if isinstance(given, tuple) else (given,) * len(temperatures)
        if len(schedules) != len(temperatures):
            raise InputError(
                f"There are {len(schedules)} schedules for {len(temperatures)} temperatures.",
                "give one for each level.",
            )
        decides: list[Acceptance] = [
            Metropolis(Cooling(each, schedule, reheats=self.reheats, share=self.share, stretch=self.stretch))
            for each, schedule in zip(temperatures, schedules, strict=True)
        ]
        while len(decides) > 1:
            *decides, first, others = decides
            weight = self.weights[len(decides)] if self.weights else None
            decides.append(ByLevel(first, others, weight))
        return Trial(self.neighborhood, decides[0], order=self.order)

    @property
    def _levels(self) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """The first temperatures, and the schedules: of each level, or of the only one."""
        given = self.schedule if isinstance(self.schedule, tuple) else (self.schedule,)
        firsts = self.temperature if isinstance(self.temperature, tuple) else (self.temperature,) * len(given)
        return firsts, given

    @property
    def fall(self) -> int:
        """The trials of the first fall of a temperature that rises again and again for longer; 0 if it does not."""
        return max(map(_trials, *self._levels)) if self.stretch > 1 and self.reheats else 0

    def within(self, trials: int) -> SimulatedAnnealing:
        """The annealing that falls once, from the first temperature to the last one, in at most about so many trials.

        Parameters
        ----------
        trials : int
            The length of the schedule, at least 1.

        Raises
        ------
        InputError
            If a schedule is not a `Geometric` that ends, so that it has no last temperature.
        """
        schedules = []
        for first, schedule in zip(*self._levels, strict=True):
            if not _trials(first, schedule):
                raise InputError(
                    f"{schedule!r} has no last temperature, so it cannot end after {trials:,} trials.",
                    "give a Geometric with `last`.",
                )
            schedules.append(Geometric.between(first, schedule.last, trials, min(trials, STEPS)))
        fallen = tuple(schedules) if isinstance(self.schedule, tuple) else schedules[0]
        return evolve(self, schedule=fallen, reheats=0, stretch=1)

    def fitted(self, problem: Problem) -> SimulatedAnnealing:
        """The search with a temperature, and a schedule, for a problem."""
        levels, number = levels_of(problem), len(self.temperature) if isinstance(self.temperature, tuple) else 0
        if number and number != len(level_names(problem)):
            raise InputError(
                f"There are {number} temperatures, but costs of {type(problem).__name__} have "
                f"{len(level_names(problem)) or 'no'} levels.",
                "give one temperature for each level.",
            )
        if number and levels is not None:
            return evolve(self, weights=levels.weights)
        if self.temperature is not None or problem.objectives:  # which a search for one objective refuses
            return self
        temperatures = tuple(float(f"{each:.3g}") for each in start_temperatures(problem, self.neighborhood, seed=0))
        first = temperatures[0] if levels is None else temperatures
        found = evolve(self, temperature=first, weights=() if levels is None else levels.weights)
        if self.schedule is not None or self.reheats:
            return found
        schedules = tuple(Geometric(0.95, problem.representation.length, 0.003 * each) for each in temperatures)
        return evolve(found, schedule=schedules[0] if levels is None else schedules, reheats=60, stretch=2)


def _trials(first: Any, schedule: Any) -> int:
    """The trials of a fall, 0 if it has no end."""
    if not (isinstance(schedule, Geometric) and schedule.last and first) or schedule.rate >= 1:
        return 0
    return schedule.every * ceil(max(0.0, log(schedule.last / first) / log(schedule.rate)))
