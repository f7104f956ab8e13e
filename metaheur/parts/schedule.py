"""Schedule: how a temperature falls."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.device.source import Source
from metaheur.parts.part import Part
from metaheur.validate import real_field, whole_field

__all__ = ["Geometric", "Schedule"]


class Schedule(Part):
    """Says what a temperature becomes, from trial to trial, by additions and multiplications only."""

    @abstractmethod
    def next(self, temperature: Any, trials: Any) -> Any:
        """The temperature after so many trials in all, from the one before the last of them; arrays entry by entry.

        In C++: ``double next(double temperature, i64 trials) const``.
        """

    @abstractmethod
    def over(self, temperature: Any) -> Any:
        """Whether the schedule has ended. In C++: ``bool over(double temperature) const``."""


@final
@frozen
class Geometric(Schedule):
    """The temperature is multiplied by a rate after every so many trials.

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

    rate: float = real_field(0, 1, above=True, below=True, default=0.95, maybe="use 0.95.")
    every: int = whole_field(default=1000)
    last: float = real_field(0, default=0.0)

    source: ClassVar[Source] = Source(
        "struct Geometric : GeometricData {\n"
        "    MH_FN double next(double temperature, i64 trials) const {\n"
        "        return trials % every == 0 ? temperature * rate : temperature;\n"
        "    }\n"
        "    MH_FN bool over(double temperature) const { return temperature < last; }\n"
        "};",
        "metaheur/parts/geometric.cuh",
    )

    def next(self, temperature: Any, trials: Any) -> Any:
        return np.where(np.asarray(trials) % self.every == 0, np.multiply(temperature, self.rate), temperature)[()]

    def over(self, temperature: Any) -> Any:
        return temperature < self.last
