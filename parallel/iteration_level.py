"""Iteration-level parallelism: the neighborhood of one walk is spread over a device."""

from __future__ import annotations

from typing import Any, final

from attrs import evolve, field, frozen

from metaheur.device.cuda.cuda import Cuda
from metaheur.device.device import Device
from metaheur.device.generator.placement import placement_field
from metaheur.device.halves import lacking
from metaheur.device.names import device_for, device_of
from metaheur.errors import InputError
from metaheur.evaluators.arrays import ArrayEvaluator
from metaheur.evaluators.device import DeviceEvaluator
from metaheur.evaluators.evaluator import Evaluator
from metaheur.evaluators.offers import Offers, offers_of
from metaheur.evaluators.partitioned import PartitionedEvaluator
from metaheur.machine.pace import Alarm
from metaheur.parallel.choose import lack, require_staged, require_steps, streams
from metaheur.parallel.several import names_of, weights_field
from metaheur.problem import Problem
from metaheur.runners.stepped import Stepped, stepped_in_python
from metaheur.running.program import Program, Wishes, lacking_of
from metaheur.running.runner import Facts, ParallelModel, Runner, in_python
from metaheur.running.thresholds import Thresholds, walk_on_gpu
from metaheur.search import Search
from metaheur.validate import device_field, whole_field

__all__ = ["IterationLevel"]


def _flag(_: Any, attribute: Any, value: Any) -> None:
    if value is not None and not isinstance(value, bool):
        raise InputError(f"`{attribute.name}` must be True, False or None, but is {value!r}.")


def _some(value: Any) -> tuple[str, ...] | None:
    return None if value is None else names_of(value)


@final
@frozen
class IterationLevel(ParallelModel):
    """The neighborhood's indices are spread over the threads of a device.

    Parameters
    ----------
    device : str, default "auto"
        "numpy" (the Python halves alone), "host" (compiled, on the CPU), "cuda", "cuda:1", ..., or "auto". "auto" takes
        numpy if a component has no C++ half, or if there is no compiler; else a GPU, if there is one and solutions have
        at least 200 entries, from which it is faster than a CPU core; else the host. The result has the choice and its
        reason.
    resident : bool, optional
        True keeps the whole walk on the device, with many iterations in a launch. False is Luong's scheme: the device
        evaluates, and `Search.step` in Python decides. None, the default, is True if all C++ halves exist, with one
        exception: a search without memory scans 2**26 moves or more, or 2**21 whose changes of cost have no O(1)
        update. The whole device then evaluates these moves, and keeps no table of them.
    threads : int, optional
        CPU threads that share the evaluation of one neighborhood if the walk is not resident; None for all cores if the
        neighborhood is large enough.
    blocks : int, optional
        Blocks of a GPU that share a resident walk: up to 16 form a cluster on compute capability 9.0, up to 8 on later
        GPUs; None lets the size decide.
    placement : {"auto", "shared", "global", "read-only", "texture", "constant"}, default "auto"
        The memory of a GPU for the problem's data; see `Cuda`. It changes only the time. "shared" is for resident
        walks.
    devices : tuple of str, optional
        Several devices that share each neighborhood, such as ("cuda:0", "cuda:1") or ("host", "cuda"): a thread of the
        host leads each device, and the host compares their best moves. For large neighborhoods; Python decides between
        two evaluations.
    weights : tuple of float, optional
        The devices' shares; None to measure their speeds. Results do not depend on the shares.
    thresholds : Thresholds, optional
        The sizes that decide.
    """

    device: str = device_field()
    resident: bool | None = field(default=None, kw_only=True, validator=_flag)
    threads: int | None = whole_field(default=None, maybe="use None.", kw_only=True)
    blocks: int | None = whole_field(default=None, maybe="use None.", kw_only=True)
    placement: str = placement_field()
    thresholds: Thresholds = field(factory=Thresholds, kw_only=True)
    devices: tuple[str, ...] | None = field(default=None, converter=_some, kw_only=True)
    weights: tuple[float, ...] | None = weights_field()

    def on(self, device: str) -> IterationLevel:
        if self.devices:
            names = ", ".join(self.devices)
            raise InputError(f"IterationLevel names its devices itself: {names}.", "leave `devices` out.")
        return evolve(self, device=device)

    def bind(self, search: Search[Any], problem: Problem) -> Runner:
        """Choose the device, compile, upload."""
        if self.devices:
            require_steps(search, "IterationLevel(devices=...)")
        search.require(problem)
        if self.devices:
            return self._partitioned(search, problem)
        program = search.program
        if self.device == "numpy" and not self.resident and not (program is not None and program.alone):
            return stepped_in_python(search, problem, 1, "asked for")
        missing = lacking_of(search, problem)
        wishes = Wishes(shares=True, blocks=self.blocks, threads=self.threads, thresholds=self.thresholds)
        name, reason = self._device_for(search, problem, wishes, missing)
        if program is not None and program.alone:
            device = None if name == "numpy" else device_of(name, self.placement)
            facts = in_python(reason) if device is None else Facts(device.name, device.description, reason)
            runner: Runner = program.runner(problem, wishes, device, facts)
            return runner
        if self.resident and (missing or name == "numpy"):
            why = lack(missing) if missing else 'device="numpy" runs the Python halves'
            raise InputError(f"resident=True keeps the walk on a device, but {why}.", "use resident=None.")
        if name == "numpy":
            return stepped_in_python(search, problem, 1, reason)
        device = device_of(name, self.placement)
        facts = Facts(device.name, device.description, reason)
        resident = not missing and self.resident is not False
        resident = resident and (bool(self.resident) or not self._streams(program, problem, device))
        require_staged(search, device, resident=resident)
        if resident:
            spread = f"One walk, resident on {device.name}"
            runner = program.runner(problem, wishes, device, evolve(facts, resident=True, spread=spread))
        else:
            spread, alarm = f"One walk: {device.name} evaluates its neighborhoods, Python decides", Alarm()
            evaluator = _ready(self._evaluator(search, problem, device, alarm), search)
            runner = Stepped(search, evaluator, evolve(facts, spread=spread), alarm)
        return runner

    def _device_for(self, search: Search[Any], problem: Problem, wishes: Wishes, missing: list[str]) -> tuple[str, str]:
        """The name of the device, and why."""
        program, length = search.program, problem.representation.length
        if program is None:
            gpu, why = walk_on_gpu(length, 1, 1, self.thresholds)
        else:
            gpu, why = program.suits_gpu(problem, wishes, 1)
        alone = program is not None and program.alone
        needed = missing if alone else lacking(problem, *search.neighborhoods)  # steps need less than a program
        return device_for(self.device, needed, gpu=gpu, why=why)

    def _partitioned(self, search: Search[Any], problem: Problem) -> Runner:
        """A runner whose every evaluation is spread over several devices."""
        assert self.devices is not None
        if missing := lacking(problem, *search.neighborhoods):
            raise InputError(f"Several devices share a neighborhood, but {lack(missing)}.", "use one device.")
        if self.resident:
            raise InputError("A walk that several devices share cannot be resident.", "use resident=None.")
        alarm = Alarm()
        devices = [device_of(name, self.placement) for name in self.devices]
        for device in devices:
            require_staged(search, device, resident=False)
        parts = [DeviceEvaluator(problem, device, search.neighborhood, self.threads, alarm) for device in devices]
        evaluator = _ready(PartitionedEvaluator(problem, parts, self.weights), search)
        words = "; ".join(dict.fromkeys(device.description for device in devices))
        names = "+".join(self.devices)
        spread = f"One walk: {names} share its neighborhoods, Python decides"
        facts = Facts(names, words, "asked for", spread=spread)
        return Stepped(search, evaluator, facts, alarm)

    def _evaluator(self, search: Search[Any], problem: Problem, device: Device, alarm: Alarm) -> Evaluator:
        """The evaluator on a device: by kernels; without a C++ half, by `Problem.costs` on arrays of the GPU."""
        if isinstance(device, Cuda) and lacking(problem, *search.neighborhoods):
            return ArrayEvaluator(problem, device, search.neighborhood, alarm)
        return DeviceEvaluator(problem, device, search.neighborhood, self.threads, alarm)

    def _streams(self, program: Program, problem: Problem, device: Device) -> bool:
        """Whether a whole device evaluates each step, since a table of all changes of cost would be too large."""
        scanned = program.streamed
        if scanned is None or (size := scanned.size(problem.representation)) < self.thresholds.stream_from:
            return False
        updates = Offers.UPDATE in offers_of(problem, scanned, device)
        return streams(size, updates=updates, thresholds=self.thresholds)


def _ready(evaluator: Evaluator, search: Search[Any]) -> Evaluator:
    """An evaluator whose kernels are compiled, so that the run need not compile."""
    for neighborhood in search.neighborhoods:
        evaluator.of(neighborhood)
    return evaluator
