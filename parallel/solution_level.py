"""Solution-level parallelism: the evaluation of whole solutions is spread over a device."""

from __future__ import annotations

from typing import Any, final

from attrs import evolve, field, frozen

from metaheur.device.cuda.cuda import Cuda
from metaheur.device.halves import reads
from metaheur.device.names import device_for, device_of
from metaheur.errors import InputError
from metaheur.evaluators.arrays import ArrayEvaluator
from metaheur.evaluators.device import DeviceEvaluator
from metaheur.evaluators.numpy import NumpyEvaluator
from metaheur.evaluators.whole import WholeEvaluator
from metaheur.machine.pace import Alarm
from metaheur.parallel.choose import require_steps, require_walks
from metaheur.problem import Problem
from metaheur.runners.stepped import Stepped
from metaheur.running.runner import Facts, ParallelModel, Runner
from metaheur.running.thresholds import Thresholds, walk_on_gpu
from metaheur.search import Search
from metaheur.validate import device_field, instance_field, whole_field
from metaheur.wings import filled

__all__ = ["SolutionLevel"]


@final
@frozen
class SolutionLevel(ParallelModel):
    """Each solution is evaluated in full by many threads; neighbors are solutions like any others, and Python decides.

    For costs that take long and have no formula for their changes, and for neighborhoods too small to fill a device.
    The Python halves of search and neighborhood are enough. If a problem has a C++ half with `cost`, a block of a GPU
    evaluates a solution, or the cores of a CPU share the solutions; they share the sums of a single solution if its
    evaluation takes 0.1 ms or more and trials are faster so. A problem in Python alone is evaluated by its `costs`, on
    NumPy's arrays or, on a GPU, on CuPy's.

    Parameters
    ----------
    device : str, default "auto"
        "numpy", "host", "cuda", "cuda:1", ..., or "auto": numpy if the problem has no C++ half, or if there is no
        compiler; else a GPU, if there is one and solutions have at least 200 entries; else the host.
    walks : int, default 1
        The number of walks, which step one after the other: walk w of the seed s has the key (s, w).
    executor : concurrent.futures.Executor, callable or WorkerPool, optional
        Workers, such as processes here or on other machines, that evaluate side by side what the walks ask for: the
        children of a generation, the neighbors of a step, the starts. ``partial(ProcessPoolExecutor, 4)`` is short for
        ``WorkerPool(partial(ProcessPoolExecutor, 4))``, which also takes a ledger, a limit of time and a policy for
        failures.
    thresholds : Thresholds, optional
        The sizes that decide.

    Raises
    ------
    InputError
        When the model is bound: if the C++ half has no `cost`; on a GPU, if there is neither a C++ half nor `costs`; on
        the host, if there is no C++ half.
    """

    device: str = device_field()
    walks: int = whole_field(1, 2**31 - 1, default=1, kw_only=True)
    executor: Any = field(default=None, kw_only=True)
    thresholds: Thresholds = instance_field(Thresholds, factory=Thresholds, kw_only=True)

    def require(self, problem: Problem) -> None:
        """Refuse more walks than can begin."""
        require_walks(self.walks, problem)

    def on(self, device: str) -> SolutionLevel:
        return evolve(self, device=device)

    def bind(self, search: Search[Any], problem: Problem) -> Runner:
        """Choose the device, compile, upload; with an executor, send the problem to its workers."""
        if self.executor is not None:
            return _by_workers(self, search, problem)
        require_steps(search, "SolutionLevel")
        search.require(problem)
        gpu, why = walk_on_gpu(problem.representation.length, 1, 1, self.thresholds)
        missing = () if reads(problem) else (type(problem).__name__,)
        name, reason = device_for(self.device, missing, gpu=gpu, why=why)
        alarm = Alarm()
        solutions, words = _solutions(problem, name, alarm)
        count = "One walk" if self.walks == 1 else f"{self.walks:,} walks, one after the other"
        spread = f"{count}: {name} evaluates whole solutions, Python decides"
        facts = Facts(name, words, reason, spread=spread)
        return Stepped(search, WholeEvaluator(solutions, search.neighborhood), facts, alarm)


def _by_workers(model: SolutionLevel, search: Search[Any], problem: Problem) -> Runner:
    """The runner of a model with an executor, by the wing that has workers."""
    for hook in filled("by_workers"):
        runner: Runner = hook(model, search, problem)
        return runner
    raise InputError("SolutionLevel.executor needs the package metaheur.open, which is not installed.")


def _solutions(
    problem: Problem, name: str, alarm: Alarm
) -> tuple[NumpyEvaluator | ArrayEvaluator | DeviceEvaluator, str]:
    """The evaluator of solutions on a device, and the device in words."""
    if name == "numpy":
        return NumpyEvaluator(problem, alarm=alarm), "NumPy, the Python halves"
    device, kind = device_of(name), type(problem).__name__
    if not reads(problem):
        if isinstance(device, Cuda):
            return ArrayEvaluator(problem, device, alarm=alarm), device.description
        raise InputError(
            f"SolutionLevel evaluates solutions on {name}, but {kind} has no C++ half.", 'use device="numpy".'
        )
    evaluator = DeviceEvaluator(problem, device, alarm=alarm)
    if not evaluator.has_cost:
        raise InputError(
            f"SolutionLevel evaluates whole solutions on {name}, but the C++ half of {kind} has no `cost`.",
            "add `cost`, or use IterationLevel, which evaluates moves.",
        )
    return evaluator, device.description
