"""The program of an exact search: it searches one tree on any device."""

from __future__ import annotations

from typing import Any, ClassVar, final

from attrs import frozen

from metaheur.device.device import Device
from metaheur.problem import Problem
from metaheur.running.program import Alternatives, Program, Wishes
from metaheur.running.runner import Facts, Runner
from metaheur.tree.order import Frontier
from metaheur.tree.runner import bind

__all__ = ["TreeProgram"]


@final
@frozen
class TreeProgram(Program):
    """Searches one tree on a device.

    `search`: the exact search.
    """

    search: Any

    alone: ClassVar[bool] = True
    kinds: ClassVar[tuple[str, ...]] = ("numpy", "host", "cuda")

    def lacking(self, problem: Problem) -> list[str]:
        missing: list[str] = self.search.parts.lacking()
        return missing

    def suits_gpu(self, problem: Problem, wishes: Wishes, cores: int) -> tuple[bool, str]:
        return False, "a CPU is faster if few nodes are open, and the number of open nodes is not known in advance"

    def alternatives(self) -> Alternatives:
        """The tree on each device; NumPy only for open nodes, since Ctrl-C cannot end a round of explorers there."""
        if self.search.incumbent == "eager":  # the nodes would depend on the device
            return Alternatives()
        return Alternatives(self.kinds if isinstance(self.search.order, Frontier) else ("host", "cuda"))

    def runner(self, problem: Problem, wishes: Wishes, device: Device | None, facts: Facts) -> Runner:
        return bind(self.search, problem, facts, wishes.threads, "auto" if device is None else device.placement)
