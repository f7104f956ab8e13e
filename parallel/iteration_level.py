"""Iteration-level parallelism: the neighborhood of one walk is spread over a device."""

from __future__ import annotations

from time import perf_counter
from typing import Any, final

import attrs
from attrs import field, frozen

from metaheur.device.array_evaluator import ArrayEvaluator
from metaheur.device.cuda import Cuda
from metaheur.device.device import Device
from metaheur.device.evaluator import DeviceEvaluator
from metaheur.device.names import device_of, require_name
from metaheur.errors import DeviceError, InputError
from metaheur.evaluator import Evaluator, NumpyEvaluator, python_cost
from metaheur.loops.resident import ResidentScan
from metaheur.loops.scan import Scan
from metaheur.neighborhood import Neighborhood
from metaheur.parallel.model import Bound, ParallelModel
from metaheur.parts import Forgetful
from metaheur.parts.part import Part
from metaheur.problem import Problem
from metaheur.representation import Solution
from metaheur.search import Search, Until, neighborhood_of

__all__ = ["IterationLevel"]

CUDA_FROM = 200
"""Length of a solution from which one resident walk on a GPU is faster than one on a CPU core (measured for QAP)."""


def _named(_: Any, __: Any, name: Any) -> None:
    require_name(name)


def _flag(_: Any, attribute: Any, value: Any) -> None:
    if value is not None and not isinstance(value, bool):
        raise InputError(f"{attribute.name} is True, False or None, but it is {value!r}.")


def _count(_: Any, attribute: Any, value: Any) -> None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
        raise InputError(f"{attribute.name} is a number from 1 on, but it is {value!r}.", "use None.")


STREAM_FROM = 1 << 21
"""Moves from which a neighborhood is streamed in every step where nothing is forbidden and changes of cost have no O(1)
update: the whole device then evaluates it, not the few blocks or the one thread of a resident walk."""

STREAM_ALWAYS_FROM = 1 << 26
"""Moves from which it is streamed wherever nothing is forbidden: changes of cost that are kept would take memory."""

GRID_FROM = 20_000
"""Moves from which eight blocks that share a walk are faster than one (measured for QAP)."""


@final
@frozen
class IterationLevel(ParallelModel):
    """The neighborhood's indices are spread over the threads of a device.

    Parameters
    ----------
    device : str, default "auto"
        "numpy" (the Python halves alone), "host" (compiled, on the CPU), "cuda", "cuda:1", ..., or "auto": numpy where
        something has no C++ half; else a GPU where there is one and solutions have at least 200 entries, where it
        beats a CPU core; else the host; numpy where there is no compiler. The choice and its reason stand in the
        result.
    resident : bool, optional
        True keeps the whole walk on the device, many iterations a launch; False is Luong's scheme: the device
        evaluates, `Search.step` in Python decides. None, the default: resident where all halves are there; but not
        where a search without memory scans 2**21 moves or more and their changes of cost have no O(1) update, or 2**26
        moves, which are then streamed through the whole device and take no memory.
    threads : int, optional
        CPU threads that share the evaluation of one neighborhood where the walk is not resident; None for all cores
        where it is large enough.
    blocks : int, optional
        Blocks of a GPU that share a resident walk; None lets the size decide.
    """

    device: str = field(default="auto", validator=_named)
    resident: bool | None = field(default=None, kw_only=True, validator=_flag)
    threads: int | None = field(default=None, kw_only=True, validator=_count)
    blocks: int | None = field(default=None, kw_only=True, validator=_count)

    def bind(self, search: Search[Any], problem: Problem) -> Bound:
        """Choose the device, compile, upload."""
        neighborhood = neighborhood_of(search)
        neighborhood.require(problem.representation, f"this {type(problem).__name__}")
        name, reason = self._choose(search, problem)
        missing = _missing_halves(search, problem)
        resident = self.resident
        if resident is None:
            resident = not missing and name != "numpy"
        if resident and (missing or name == "numpy"):
            reason = f"{missing[0]} has no C++ half" if missing else 'device="numpy" runs the Python halves'
            raise InputError(f"resident=True keeps the walk on a device, but {reason}.", "use resident=None.")
        if name == "numpy":
            evaluator = NumpyEvaluator(problem, neighborhood)
            return _Stepped(search, problem, evaluator, "numpy", "NumPy, the Python halves", reason, 0.0)
        started = perf_counter()
        device = device_of(name)
        streaming = self._streaming(search, problem, device) if resident and self.resident is None else None
        if resident and streaming is None:
            assert search.loop is not None  # no half is missing
            scan = ResidentScan(problem, search.loop, device, blocks=self._blocks(device, search.loop, problem))
            return _Resident(problem, scan, device.name, device.description, reason, perf_counter() - started)
        on_device = streaming or _evaluator(problem, neighborhood, device, self.threads)
        took = perf_counter() - started
        return _Stepped(search, problem, on_device, device.name, device.description, reason, took)

    def _choose(self, search: Search[Any], problem: Problem) -> tuple[str, str]:
        """The device, and why."""
        if self.device != "auto":
            return self.device, "asked for"
        if missing := _lacking([problem, neighborhood_of(search)]):
            return "numpy", f"{missing[0]} has no C++ half"
        n = problem.representation.length
        reason = f"solutions have {n} entries, fewer than the {CUDA_FROM} from which one walk is faster on a GPU"
        if n >= CUDA_FROM:
            try:
                return device_of("cuda").name, f"a GPU is there, and solutions have at least {CUDA_FROM} entries"
            except DeviceError as error:
                reason = error.reason
        try:
            return device_of("host").name, reason
        except DeviceError as error:
            return "numpy", error.reason

    def _streaming(self, search: Search[Any], problem: Problem, device: Device) -> Evaluator | None:
        """What evaluates a neighborhood so large that its changes of cost had better not be kept, and need not be."""
        loop = search.loop
        if loop is None or not isinstance(loop.memory, Forgetful):
            return None
        size = loop.neighborhood.size(problem.representation)
        if size < STREAM_FROM:
            return None
        evaluator = DeviceEvaluator(problem, loop.neighborhood, device, self.threads)
        return evaluator if size >= STREAM_ALWAYS_FROM or "update" not in evaluator.offers else None

    def _blocks(self, device: Device, scan: Scan, problem: Problem) -> int:
        """Blocks that share a walk: more where each has enough to do between two exchanges."""
        if device.kind != "cuda":
            return 1
        if self.blocks is not None:
            return self.blocks
        return 8 if scan.neighborhood.size(problem.representation) >= GRID_FROM else 1


def _missing_halves(search: Search[Any], problem: Problem) -> list[str]:
    """What keeps a walk from being resident: the things that have no C++ half."""
    loop = search.loop
    if loop is None:
        return [*_lacking([problem, neighborhood_of(search)]), type(search).__name__]
    return _lacking([problem, loop.neighborhood, loop.memory, loop.aspiration, loop.selection, loop.acceptance])


def _lacking(things: list[Any]) -> list[str]:
    """The things that have no C++ half, and those that they are made of."""
    lacking = []
    for thing in things:
        if type(thing).source is None:
            lacking.append(type(thing).__name__)
        fields = attrs.fields(type(thing)) if attrs.has(type(thing)) else ()
        values = [getattr(thing, field.name) for field in fields]
        lacking += _lacking([value for value in values if isinstance(value, Neighborhood | Part)])
    return lacking


def _evaluator(problem: Problem, neighborhood: Neighborhood, device: Device, threads: int | None) -> Evaluator:
    """By kernels; where there is no C++ half, by `Problem.costs` on arrays of the GPU."""
    if isinstance(device, Cuda) and _lacking([problem, neighborhood]):
        return ArrayEvaluator(problem, neighborhood, device)
    return DeviceEvaluator(problem, neighborhood, device, threads)


@final
@frozen(eq=False)
class _Stepped(Bound):
    """`Search.step` in Python, with any evaluator."""

    search: Search[Any]
    problem: Problem
    evaluator: Evaluator
    device: str
    description: str
    reason: str
    compile_seconds: float
    resident: bool = False

    def cost(self, x: Solution) -> int | float:
        """The Python half's cost."""
        return python_cost(self.problem, x)

    def advance(self, state: Any, until: Until) -> tuple[Any, list[tuple[int, int | float]]]:
        """Step by step."""
        improvements = []
        while True:
            state = self.search.step(state, self.evaluator)
            walk = state.walk
            if walk.improved_at == walk.iteration:
                improvements.append((walk.iteration, walk.best.cost))
            if self.search.done(state) or until.reached(walk):
                return state, improvements


@final
@frozen(eq=False)
class _Resident(Bound):
    """A scan that stays on its device."""

    problem: Problem
    scan: ResidentScan
    device: str
    description: str
    reason: str
    compile_seconds: float
    resident: bool = True

    def cost(self, x: Solution) -> int | float:
        """The Python half's cost."""
        return python_cost(self.problem, x)

    def advance(self, state: Any, until: Until) -> tuple[Any, list[tuple[int, int | float]]]:
        """Many iterations a launch."""
        return self.scan.advance(state, until)
