"""Schedule: how a temperature falls."""

from __future__ import annotations

from abc import abstractmethod
from math import ceil
from typing import Any, ClassVar, Self, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.fields import Factor, Range
from metaheur.lazy import expressible
from metaheur.part import Part
from metaheur.validate import real, real_field, whole, whole_field

__all__ = ["DynamicSpan", "Fixed", "Geometric", "Linear", "LundyMees", "Schedule"]


class Schedule(Part):
    """Computes the temperature of the next trial, by additions, multiplications and divisions only."""

    @abstractmethod
    def next(self, temperature: Any, sampled: Any, accepted: Any) -> Any:
        """The temperature of the next trial; arrays entry by entry.

        In C++: ``double next(double temperature, i64 sampled, i64 accepted) const``.

        Parameters
        ----------
        temperature : float
            The present one.
        sampled, accepted : int
            The number of trials at this temperature, 1 or more, and how many of these were accepted.
        """

    def over(self, temperature: Any, idle: Any) -> Any:
        """Whether the schedule has ended; arrays entry by entry. Never by default.

        In C++: ``bool over(double temperature, i64 idle) const``.

        Parameters
        ----------
        temperature : float
            The present one.
        idle : int
            The number of temperatures in a row, up to the last one, at which no trial was accepted.
        """
        return (temperature < 0) & (idle < 0)

    @property
    def endless(self) -> bool:
        """Whether it certainly never ends; where `over` is not defined by default."""
        return type(self).over is Schedule.over


@final
@frozen
class Fixed(Schedule):
    """The temperature never changes, as in Metropolis' own sampling."""

    source: ClassVar[str] = "fixed.cuh"

    def next(self, temperature: Any, sampled: Any, accepted: Any) -> Any:
        return temperature


@final
@frozen
class Geometric(Schedule):
    """The temperature is multiplied by a rate after every `every` trials.

    Parameters
    ----------
    rate : float, default 0.95
        Above 0 and below 1.
    every : int, default 1000
        Trials at one temperature.
    last : float, default 0.0
        The schedule ends when the temperature is below this; 0 for never.

    Notes
    -----
    S. Kirkpatrick, C. D. Gelatt and M. P. Vecchi, "Optimization by simulated annealing", Science 220, 1983.
    """

    rate: float = real_field(
        0, 1, above=True, below=True, default=0.95, maybe="use 0.95.", metadata={"tune": Range(0.8, 0.999)}
    )
    every: int = whole_field(default=1000, metadata={"tune": Factor()})
    last: float = real_field(0, default=0.0)

    source: ClassVar[str] = "geometric.cuh"

    @classmethod
    @expressible
    def between(cls, first: float, last: float, trials: int, steps: int = 1000) -> Self:
        """The schedule that falls from one temperature to another in so many trials, and ends there.

        Parameters
        ----------
        first, last : float
            The temperatures, above 0.
        trials : int
            In all.
        steps : int, default 1000
            Temperatures on the way, at most; fewer where as many trials at each of them are then nearer to `trials`.
        """
        first, last = _falling(first, last)
        every = ceil(whole(trials, "trials", 1) / whole(steps, "steps", 1))
        rate = (last / first) ** (1 / (trials // every))
        return cls(rate, every, last * (1 + 1e-9))

    def next(self, temperature: Any, sampled: Any, accepted: Any) -> Any:
        return _chosen(sampled >= self.every, temperature * self.rate, temperature)

    def over(self, temperature: Any, idle: Any) -> Any:
        return temperature < self.last

    @property
    def endless(self) -> bool:
        return not self.last


@final
@frozen
class Linear(Schedule):
    """The temperature falls by the same amount after every `every` trials, and not below 0.

    Parameters
    ----------
    step : float
        The amount, in units of cost, above 0.
    every : int, default 1
        Trials at one temperature.
    last : float, default 0.0
        The schedule ends when the temperature is this or lower.
    """

    step: float = real_field(0, above=True, metadata={"tune": Factor()})
    every: int = whole_field(default=1, metadata={"tune": Factor()})
    last: float = real_field(0, default=0.0)

    source: ClassVar[str] = "linear.cuh"

    @classmethod
    @expressible
    def between(cls, first: float, last: float, trials: int) -> Self:
        """The schedule that falls from one temperature to another in so many trials, and ends there.

        Parameters
        ----------
        first, last : float
            The temperatures; the last one may be 0.
        trials : int
            In all.
        """
        first, last = _falling(first, last, zero=True)
        step = (first - last) / whole(trials, "trials", 1)
        return cls(step, 1, last + step / 2)

    def next(self, temperature: Any, sampled: Any, accepted: Any) -> Any:
        lower = temperature - self.step
        return _chosen(sampled >= self.every, _chosen(lower > 0.0, lower, 0.0), temperature)

    def over(self, temperature: Any, idle: Any) -> Any:
        return temperature <= self.last


@final
@frozen
class LundyMees(Schedule):
    """The temperature T becomes T / (1 + beta T) after every trial.

    Parameters
    ----------
    beta : float
        Above 0, in 1 / units of cost.
    last : float, default 0.0
        The schedule ends when the temperature is below this; 0 for never.

    Notes
    -----
    M. Lundy and A. Mees, "Convergence of an annealing algorithm", Mathematical Programming 34, 1986. D. T. Connolly,
    "An improved annealing scheme for the QAP", European Journal of Operational Research 46, 1990.
    """

    beta: float = real_field(0, above=True, metadata={"tune": Factor()})
    last: float = real_field(0, default=0.0)

    source: ClassVar[str] = "lundy_mees.cuh"

    @classmethod
    @expressible
    def between(cls, first: float, last: float, trials: int) -> Self:
        """The schedule that falls from one temperature to another in so many trials, and ends there.

        Parameters
        ----------
        first, last : float
            The temperatures, above 0.
        trials : int
            In all.
        """
        first, last = _falling(first, last)
        beta = (first - last) / (whole(trials, "trials", 1) * first * last)
        return cls(beta, last * (1 + 1e-9))

    def next(self, temperature: Any, sampled: Any, accepted: Any) -> Any:
        return temperature / (1.0 + self.beta * temperature)

    def over(self, temperature: Any, idle: Any) -> Any:
        return temperature < self.last

    @property
    def endless(self) -> bool:
        return not self.last


@final
@frozen
class DynamicSpan(Schedule):
    """The temperature is multiplied by a rate after `sampled` trials, or earlier after `accepted` accepted trials.

    Parameters
    ----------
    rate : float, default 0.95
        Above 0 and below 1.
    sampled : int, default 1000
        Trials at one temperature, at most.
    accepted : int, default 100
        Accepted trials at one temperature, at most.
    spans : int, default 5
        The schedule ends when no trial was accepted at so many temperatures in a row.

    Notes
    -----
    The cut-offs of D. S. Johnson et al., "Optimization by simulated annealing: an experimental evaluation, part I",
    Operations Research 37, 1989.
    """

    rate: float = real_field(
        0, 1, above=True, below=True, default=0.95, maybe="use 0.95.", metadata={"tune": Range(0.8, 0.999)}
    )
    sampled: int = whole_field(default=1000, metadata={"tune": Factor()})
    accepted: int = whole_field(default=100, metadata={"tune": Factor()})
    spans: int = whole_field(default=5, metadata={"tune": Range(1, 20)})

    source: ClassVar[str] = "dynamic_span.cuh"

    def next(self, temperature: Any, sampled: Any, accepted: Any) -> Any:
        full = (sampled >= self.sampled) | (accepted >= self.accepted)
        return _chosen(full, temperature * self.rate, temperature)

    def over(self, temperature: Any, idle: Any) -> Any:
        return idle >= self.spans


def _chosen(truth: Any, yes: Any, no: Any) -> Any:
    """`yes` where the truth holds, else `no`; arrays entry by entry."""
    if isinstance(truth, bool):
        return yes if truth else no
    return np.where(truth, yes, no)[()]


def _falling(first: float, last: float, *, zero: bool = False) -> tuple[float, float]:
    """Check two temperatures, of which the second must be lower."""
    first, last = float(real(first, "first", 0, above=True)), float(real(last, "last", 0, above=not zero))
    if last >= first:
        raise InputError(f"A temperature must fall, but `first` is {first} and `last` {last}.", "exchange them.")
    return first, last
