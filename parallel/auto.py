"""The planner, which chooses a parallel model for a number of walks."""

from __future__ import annotations

from functools import partial
from typing import Any, final

from attrs import evolve, field, frozen

from metaheur.device.cuda.cuda import gpus
from metaheur.parallel.candidates import alternatives, name_of
from metaheur.parallel.choose import require_walks
from metaheur.parallel.iteration_level import IterationLevel
from metaheur.parallel.multi_gpu import MultiGPU
from metaheur.parallel.multistart import Multistart
from metaheur.problem import Problem
from metaheur.runners.trials import Candidate, Trials
from metaheur.running.program import lacking_of
from metaheur.running.runner import ParallelModel, Runner
from metaheur.running.thresholds import Thresholds
from metaheur.running.view import RunLength
from metaheur.search import Search
from metaheur.validate import instance_field, true_or_false, whole_field

__all__ = ["Auto"]

CALIBRATION = 0.1
"""The largest share of a run's seconds for calibration."""

UNREACHED = 2**62
"""A size that no search has."""


@final
@frozen
class Auto(ParallelModel):
    """Chooses the model and the device for a number of walks; `Result.plan` has the choice and its reason.

    It chooses `IterationLevel` for one walk and `Multistart` for several, or `MultiGPU` if there are enough walks for
    every GPU. Where a run is long enough and there are several ways to run it, short trials compare them, and the cache
    keeps the outcome for this kernel, size and machine. The walks do not depend on the choice; ``parallel="auto"`` is
    short for ``Auto()``.

    Parameters
    ----------
    walks : int, default 1
        Number of walks.
    calibrate : bool, default True
        Whether a short trial decides how several walks are spread over a GPU; see `Multistart`.
    thresholds : Thresholds, optional
        The sizes that decide, and how long trials may take.
    length : RunLength, optional
        The length of the run; `run` and `resume` set it. None makes no trials, as where the model is part of another
        one.
    cores_first : bool, default False
        Whether the cores run the walks unless a trial shows that a GPU is faster, as in `solve`; else the sizes decide
        before any trial.
    """

    walks: int = whole_field(1, 2**31 - 1, default=1)
    calibrate: bool = field(default=True, kw_only=True, validator=true_or_false)
    thresholds: Thresholds = instance_field(Thresholds, factory=Thresholds, kw_only=True)
    length: RunLength | None = field(default=None, kw_only=True, eq=False, repr=False)
    cores_first: bool = field(default=False, kw_only=True, validator=true_or_false)

    def require(self, problem: Problem) -> None:
        """Refuse more walks than fit into the memory of the host."""
        require_walks(self.walks, problem)

    def on(self, device: str) -> ParallelModel:
        """The model for these walks on this device."""
        if self.walks == 1:
            return IterationLevel(device, thresholds=self.thresholds)
        return Multistart(self.walks, device=device, calibrate=self.calibrate, thresholds=self.thresholds)

    def lasting(self, length: RunLength) -> Auto:
        """The same planner, which makes trials if this length allows them."""
        return evolve(self, length=length)

    def bind(self, search: Search[Any], problem: Problem) -> Runner:
        """Choose a model, by the rule or by trials, and bind it."""
        model, reason = self._picked(search, problem)
        runner = model.bind(search, problem)
        if reason:
            runner.facts = evolve(runner.facts, reason=reason)
        if self.length is None or not isinstance(model, IterationLevel | Multistart):
            return runner
        rule = Candidate(name_of(runner.facts), partial(model.bind, search, problem))
        trials = Trials(self.walks, self.length, self.thresholds)
        return trials.fastest(rule, runner, alternatives(search, problem, model, runner.facts))

    @property
    def _limits(self) -> Thresholds:
        """The thresholds, with a share of the run's seconds for calibration."""
        limits, length = self.thresholds, self.length
        if length is None or CALIBRATION * length.seconds >= limits.calibration_seconds:
            return limits
        return evolve(limits, calibration_seconds=CALIBRATION * length.seconds)

    def _picked(self, search: Search[Any], problem: Problem) -> tuple[ParallelModel, str]:
        """The model, and the reason if the model does not give it."""
        if self.cores_first:
            limits = evolve(self._limits, cuda_from=UNREACHED, cuda_walks=UNREACHED, cuda_blocks=UNREACHED)
            why = "no trial has shown that a GPU is faster" if gpus() and not lacking_of(search, problem) else ""
            return evolve(self, thresholds=limits).on("auto"), why
        if self.walks == 1:
            return IterationLevel(thresholds=self.thresholds), ""
        model = Multistart(self.walks, calibrate=self.calibrate, thresholds=self._limits)
        there, least = gpus(), self.thresholds.gpu_walks
        use = min(there, self.walks // least)
        if use < 2 or not model.device_for(search, problem)[0].startswith("cuda"):
            return model, ""
        names = tuple(f"cuda:{i}" for i in range(use))
        return MultiGPU(model, names), f"{there} GPUs are there, and {self.walks:,} walks are at least {least} for each"
