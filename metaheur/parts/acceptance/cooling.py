"""Cooling: a temperature that follows a schedule, and may rise again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.fields import COUNT, NOT_NEGATIVE, Array, Factor
from metaheur.part import Kept, Part
from metaheur.parts.acceptance.acceptance import Acceptance
from metaheur.parts.acceptance.schedule import Fixed, Schedule
from metaheur.representation import Representation
from metaheur.validate import instance_field, real_field, whole_field
from metaheur.walk import EvaluatedSolution

__all__ = ["CooledAcceptance", "Cooling", "cooling_of"]


@final
@frozen
class Cooling(Part):
    """A temperature, or a threshold, that follows a schedule from trial to trial.

    Parameters
    ----------
    first : float, optional
        The first temperature, in units of cost, above 0; if it is None, `run` measures it before the walks begin.
    schedule : Schedule, default Fixed()
        How the temperature falls.
    reheats : int, default 0
        How often the temperature rises again when the schedule is over.
    share : float, default 1.0
        The temperature after a rise, as a share of the one after the rise before; at the first rise, of `first`.
    stretch : int, default 1
        After each rise the schedule takes so many times as many trials as before; at most 1000.

    Notes
    -----
    Kept are `level`, the present temperature; `sampled` and `accepted`, the numbers of steps of the schedule and of
    accepted trials at this temperature; `idle`, at how many temperatures in a row no trial was accepted; `top`, the
    temperature that the last rise led to; `rises`, the number of rises; `pace`, the trials in a step of the schedule;
    and `waited`, the trials since its last step.
    """

    first: float | None = real_field(0, above=True, default=None, metadata={"tune": Factor()})
    schedule: Schedule = instance_field(Schedule, "use Geometric().", factory=Fixed)
    reheats: int = whole_field(0, default=0, kw_only=True)
    share: float = real_field(0, above=True, default=1.0, kw_only=True)
    stretch: int = whole_field(1, 1000, default=1, kw_only=True)

    source: ClassVar[str] = "cooling.cuh"

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """The numbers that the class's notes name."""
        counts = dict.fromkeys(("sampled", "accepted", "idle", "rises", "waited"), Array((), "int64", within=COUNT))
        levels = dict.fromkeys(("level", "top"), Array((), "float64", within=NOT_NEGATIVE))
        return {**levels, **counts, "pace": Array((), "int64", within=(1, 2**52))}

    def init(self, start: EvaluatedSolution) -> Mapping[str, np.ndarray]:
        if self.first is None:
            raise InputError(
                "A cooling has no first temperature: `run` measures it, but no walk can begin without it.",
                "use fitted(search, problem), or name the temperature.",
            )
        counts = {name: np.array(0) for name in ("sampled", "accepted", "idle", "rises", "waited")}
        return {"level": np.array(self.first), "top": np.array(self.first), **counts, "pace": np.array(1)}

    def record(self, kept: Kept, accepted: bool) -> None:
        """Take note of a trial; writes the kept numbers.

        In C++: ``void record(bool accepted)``.

        Parameters
        ----------
        kept : mapping
            What the cooling keeps.
        accepted : bool
            Whether the trial was accepted.
        """
        kept["accepted"][()] = made = kept["accepted"].item() + accepted  # Python's numbers are the faster ones
        pace, waited = kept["pace"].item(), kept["waited"].item() + 1
        kept["waited"][()] = waited % pace
        if waited < pace:
            return
        before, sampled = kept["level"].item(), kept["sampled"].item() + 1
        kept["sampled"][()] = sampled
        level = self.schedule.next(before, sampled, made // pace)
        if level == before:
            return
        kept["level"][()], kept["sampled"][()] = level, 0
        kept["idle"][()] = 0 if made else kept["idle"] + 1
        kept["accepted"][()] = 0
        if kept["rises"] < self.reheats and self.schedule.over(level, kept["idle"][()]):
            kept["top"][()] *= self.share
            kept["level"][()], kept["idle"][()] = kept["top"], 0
            kept["rises"][()] += 1
            kept["pace"][()] *= self.stretch

    def over(self, kept: Kept) -> bool:
        """Whether the schedule has ended, for the last time. In C++: ``bool over() const``."""
        return bool(self.schedule.over(kept["level"].item(), kept["idle"].item()))

    @property
    def endless(self) -> bool:
        """Whether its schedule certainly never ends."""
        return self.schedule.endless


class CooledAcceptance(Acceptance):
    """Accepts by a temperature, or a threshold, that falls; the search ends with the schedule.

    `cooling`: the temperature and how it falls; a field of each subclass.
    """

    cooling: Cooling

    def record(self, kept: Kept, accepted: bool, cost: int | float, best: int | float) -> None:
        self.cooling.record(kept["cooling"], accepted)

    def ended(self, kept: Kept) -> bool:
        return self.cooling.over(kept["cooling"])

    @property
    def endless(self) -> bool:
        return self.cooling.endless


def cooling_of(value: Cooling | float) -> Cooling:
    """A cooling; a number stands for that temperature, fixed."""
    if isinstance(value, Part) and not isinstance(value, Cooling):
        raise InputError(f"{value!r} is not a Cooling.", "use Cooling(100.0, Geometric()).")
    return value if isinstance(value, Cooling) else Cooling(value)
