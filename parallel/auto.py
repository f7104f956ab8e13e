"""The planner: which parallel model a number of walks is given."""

from __future__ import annotations

from typing import Any, final

from attrs import evolve, field, frozen

from metaheur.device.cuda.cuda import gpus
from metaheur.parallel.choose import require_walks
from metaheur.parallel.iteration_level import IterationLevel
from metaheur.parallel.multi_gpu import MultiGPU
from metaheur.parallel.multistart import Multistart
from metaheur.problem import Problem
from metaheur.running.runner import ParallelModel, Runner
from metaheur.running.thresholds import Thresholds
from metaheur.search import Search
from metaheur.validate import instance_field, true_or_false, whole_field

__all__ = ["Auto"]


@final
@frozen
class Auto(ParallelModel):
    """Picks the model and the device for so many walks; the result says which and why (`Result.plan`).

    One walk is that of `IterationLevel`; several are those of a `Multistart`, or of a `MultiGPU` where there are enough
    walks for every GPU. The walks are the same whatever is picked; ``parallel="auto"`` is short for ``Auto()``.

    Parameters
    ----------
    walks : int, default 1
        How many.
    calibrate : bool, default True
        Whether a short trial decides how several walks are spread over a GPU; see `Multistart`.
    thresholds : Thresholds, optional
        The sizes that decide.
    """

    walks: int = whole_field(1, 2**31 - 1, default=1)
    calibrate: bool = field(default=True, kw_only=True, validator=true_or_false)
    thresholds: Thresholds = instance_field(Thresholds, factory=Thresholds, kw_only=True)

    def require(self, problem: Problem) -> None:
        """Refuse more walks than can begin."""
        require_walks(self.walks, problem)

    def on(self, device: str) -> ParallelModel:
        """One of the models that it picks from, on this device."""
        if self.walks == 1:
            return IterationLevel(device, thresholds=self.thresholds)
        return Multistart(self.walks, device=device, calibrate=self.calibrate, thresholds=self.thresholds)

    def bind(self, search: Search[Any], problem: Problem) -> Runner:
        """Pick a model, and bind it."""
        model, reason = self._picked(search, problem)
        runner = model.bind(search, problem)
        if reason:
            runner.facts = evolve(runner.facts, reason=reason)
        return runner

    def _picked(self, search: Search[Any], problem: Problem) -> tuple[ParallelModel, str]:
        """The model, and why where it cannot say so itself."""
        if self.walks == 1:
            return IterationLevel(thresholds=self.thresholds), ""
        model = Multistart(self.walks, calibrate=self.calibrate, thresholds=self.thresholds)
        there, least = gpus(), self.thresholds.gpu_walks
        use = min(there, self.walks // least)
        if use < 2 or not model.device_for(search, problem)[0].startswith("cuda"):
            return model, ""
        names = tuple(f"cuda:{i}" for i in range(use))
        return MultiGPU(model, names), f"{there} GPUs are there, and {self.walks:,} walks are at least {least} for each"
