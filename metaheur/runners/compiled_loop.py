"""A loop that is composed and compiled for a device, ready for a runner to launch."""

from __future__ import annotations

from typing import final

from attrs import field, frozen

from metaheur.device.device import CompiledUnit, Device
from metaheur.device.generator.kernels import compiled_kernels
from metaheur.device.host.openmp import has_openmp
from metaheur.errors import DeviceError, InputError
from metaheur.evaluators.device import DeviceEvaluator
from metaheur.machine.processors import sharing
from metaheur.problem import Problem
from metaheur.runners.drive import Team, drive
from metaheur.runners.driven import Driven

__all__ = ["CompiledLoop"]

TRIAL = 32
"""Elementary operations of an iteration that evaluates one move."""


@final
@frozen(eq=False)
class CompiledLoop:
    """A loop on a problem, compiled for a device.

    `problem`: with a C++ half. `loop`: with C++ halves of all that it is made of. `device`: where to run. `team`: the
    owner of a walk on a GPU; a block by default. `threads`: CPU threads that draw and evaluate the first solutions;
    None takes all cores. `solutions`: draws and evaluates the first solutions of many walks; a new one by default.
    `unit`: the entry `drive`.
    """

    problem: Problem
    loop: Driven
    device: Device
    team: Team = Team()
    threads: int | None = field(default=None, kw_only=True)
    solutions: DeviceEvaluator = field(kw_only=True)
    unit: CompiledUnit = field(init=False)

    @unit.default
    def _compiled(self) -> CompiledUnit:
        if self.team.league > 1 and not self.loop.divides:
            raise InputError(f"A walk of {type(self.loop).__name__} cannot be shared by several blocks.", "use one.")
        if self.team.per == "cluster" and self.device.kind == "cuda" and self.device.largest_cluster == 1:
            raise DeviceError(
                f"Blocks cannot form clusters on {self.device.name} ({self.device.description}): that takes compute "
                "capability 9.0.",
                'use per="block".',
            )
        unit: CompiledUnit = compiled_kernels(
            self.problem, drive(self.loop, self.problem, self.device, self.team), self.device
        )
        return unit

    @solutions.default
    def _evaluator(self) -> DeviceEvaluator:
        return DeviceEvaluator(self.problem, self.device, threads=self.threads)

    def abreast(self, walks: int, threads: int) -> int:
        """How many of these walks a CPU with so many threads runs at the same time."""
        return min(walks, threads if has_openmp() else 1)

    def sharing(self, walks: int, iterations: int, threads: int) -> int:
        """How many CPU threads share the iterations of the walks; one thread if it is done soon."""
        space = self.problem.representation
        moves = 1 if self.loop.tries else max((n.size(space) for n in self.loop.neighborhoods), default=1)
        return sharing(threads, max(TRIAL, moves) * iterations * walks)
