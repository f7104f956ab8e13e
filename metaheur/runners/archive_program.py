"""The program of a search for a front: archives that stay on a device."""

from __future__ import annotations

from typing import Any, final

from attrs import evolve, frozen

from metaheur.component import Component
from metaheur.device.device import Device
from metaheur.device.halves import lacking
from metaheur.problem import Problem
from metaheur.runners.archiving import Archiving
from metaheur.runners.pipelined import Pipelined
from metaheur.running.program import Program, Wishes
from metaheur.running.runner import Facts, Runner

__all__ = ["ArchiveProgram"]


@final
@frozen
class ArchiveProgram(Program):
    """Keeps the archives of a Pareto local search on a device; many walks advance one after the other."""

    search: Any

    @property
    def components(self) -> tuple[Component, ...]:
        """The components on the device: the selection of members, the explorations and the archive."""
        return (self.search.selection, *self.search.explore, self.search.archive)

    def lacking(self, problem: Problem) -> list[str]:
        return lacking(problem, self.search.neighborhood, *self.components)

    def runner(self, problem: Problem, wishes: Wishes, device: Device | None, facts: Facts) -> Runner:
        assert device is not None
        if wishes.walks > 1:
            facts = evolve(facts, spread=f"{facts.spread}, one after the other")
        return Pipelined(Archiving(problem, self.search), device, facts)
