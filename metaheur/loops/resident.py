"""The scan's resident twin: many iterations a launch, the same trajectory as repeated steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import floor
from typing import Any, cast, final

import numpy as np
from attrs import define, field

from metaheur.device.device import Buffer, Device, Module
from metaheur.device.kernel import Kernel, compose, total_type
from metaheur.device.layout import Struct
from metaheur.loops.scan import MEMORY_STREAM, SAMPLE_STREAM, Scan, ScanState
from metaheur.problem import Problem
from metaheur.search import Incumbent, Until, Walk

__all__ = ["ResidentScan", "scan_kernel"]

ROOM = 1024
"""Improvements that one launch can report; it ends when they are used up."""

REBASE = 1 << 30
"""Iterations after which the expiries, kept in 32 bits for each move, are counted anew."""

RESERVED = 2048
"""Bytes of shared memory that the shell itself takes."""

NEVER = 2**62
"""An iteration that no run reaches."""


def control_type(problem: Problem) -> np.dtype[Any]:
    """The layout of `Control` in scan.cuh."""
    total = total_type(problem)
    return np.dtype(
        [
            *((name, "i8") for name in ("iteration", "end", "improved_at", "base", "stagnation")),
            *((name, total) for name in ("cost", "best", "target")),
            *((name, "u4") for name in ("seed", "walk")),
            *((name, "i4") for name in ("has_target", "on_improvement", "fresh", "optimum", "improvements", "room")),
        ],
        align=True,
    )


def scan_kernel(  # noqa: PLR0913 - keyword-only, the shape of the launch
    problem: Problem, scan: Scan, device: Device, *, threads: int, blocks: int, shared_memory: int
) -> tuple[Kernel, int]:
    """The unit of a resident scan, and the bytes of shared memory that a block of it takes.

    Parameters
    ----------
    problem : Problem
        With a C++ half.
    scan : Scan
        All parts with C++ halves.
    device : Device
        Where it is to run.
    threads, blocks : int
        Of a walk on a GPU.
    shared_memory : int
        Bytes that a block may take: arrays are placed there as long as they fit, the most used first.
    """
    space = problem.representation
    size = scan.neighborhood.size(space)
    taken = 0

    def place(structs: Mapping[str, Struct]) -> tuple[frozenset[str], dict[str, int]]:
        nonlocal taken
        wanted = Counter({"MH_SHARED_SOLUTION": _rounded(space.length * space.dtype.itemsize)})
        for struct in ("state", "problem", "memory", "neighborhood"):
            for name, array in structs[struct].arrays():
                wanted[name] += _rounded(array.nbytes(device))
        wanted["MH_SHARED_TABLE"] = _rounded(size * np.dtype(problem.cost_type).itemsize)
        wanted["MH_SHARED_UNTIL"] = _rounded(size * 4)
        chosen = set()
        for name, nbytes in wanted.items():
            if taken + nbytes <= shared_memory:
                taken += nbytes
                chosen.add(name)
        return frozenset(chosen), {name: int(name in chosen) for name in wanted if name.startswith("MH_")}

    kernel = compose(
        problem,
        scan.neighborhood,
        {
            "memory": scan.memory,
            "aspiration": scan.aspiration,
            "selection": scan.selection,
            "acceptance": scan.acceptance,
        },
        device,
        defines={
            "MH_THREADS": threads,
            "MH_BLOCKS": blocks,
            "MH_TILE": 8,
            "MH_MEMORY_STREAM": MEMORY_STREAM,
            "MH_SAMPLE_STREAM": SAMPLE_STREAM,
        },
        shells=["loops/scan.cuh", f"loops/scan_{device.kind}.cuh"],
        pointers=("x", "best", "table", "until", "control", "improvements", "exchange", "scratch"),
        shared=place,
    )
    return kernel, taken


def _rounded(nbytes: int) -> int:
    """What an array takes of shared memory, where each begins at a multiple of 16 bytes."""
    return -(-nbytes // 16) * 16


@final
@define(eq=False)
class ResidentScan:
    """A scan that stays on a device.

    Parameters
    ----------
    problem : Problem
        With a C++ half.
    scan : Scan
        All parts with C++ halves.
    device : Device
        Where to run.
    blocks : int, default 1
        Blocks of a GPU that share the walk.
    threads : int, default 1024
        Threads of a block of a GPU.
    """

    problem: Problem
    scan: Scan
    device: Device
    blocks: int = 1
    threads: int = 1024
    _module: Module = field(init=False)
    _buffers: dict[str, Buffer] = field(init=False, factory=dict)
    _arguments: Buffer = field(init=False)
    _last: ScanState | None = field(init=False, default=None)
    _base: int = field(init=False, default=0)

    def __attrs_post_init__(self) -> None:
        """Compile, and place the data on the device."""
        problem, device = self.problem, self.device
        space = problem.representation
        size = max(1, self.scan.neighborhood.size(space))
        shared_memory = max(0, device.shared_memory - RESERVED)
        kernel, shared = scan_kernel(
            problem, self.scan, device, threads=self.threads, blocks=self.blocks, shared_memory=shared_memory
        )
        self._module = device.compile(kernel.text, cooperative=self.blocks > 1, shared=shared)
        workers = self.blocks * (self.threads if device.kind == "cuda" else 1)
        arrays = {
            "x": np.zeros(self.blocks * space.length, space.dtype),
            "best": np.zeros(space.length, space.dtype),
            "table": np.zeros(size, problem.cost_type),
            "until": np.zeros(size, np.int32),
            "control": np.zeros(1, control_type(problem)).view(np.uint8),
            "improvements": np.zeros(ROOM, self._improvement_type()).view(np.uint8),
            "exchange": np.zeros(8 + 2 * self.blocks * 24, np.uint8),
            "scratch": np.zeros(workers * space.length, space.dtype),
        }
        self._buffers = {name: device.upload(array) for name, array in arrays.items()}
        warps = max(1, workers // 32)
        packed = {n: s.pack(device, self._buffers, self.blocks, warps) for n, s in kernel.structs.items()}
        pointers = {name: device.pointer(self._buffers[name]) for name in kernel.pointers}
        self._arguments = device.upload(kernel.arguments(packed, pointers))

    def _improvement_type(self) -> np.dtype[Any]:
        return np.dtype([("iteration", "i8"), ("cost", total_type(self.problem))])

    def advance(self, state: ScanState, until: Until) -> tuple[ScanState, list[tuple[int, int | float]]]:
        """Iterate until the first iteration where `until` is reached or the scan is done; at least once.

        Returns
        -------
        state : ScanState
            The state there, equal to that of repeated `Scan.step`.
        improvements : list of (int, int or float)
            Iteration and cost of every new best solution on the way.
        """
        improvements: list[tuple[int, int | float]] = []
        while True:
            state = self._launch(state, until, improvements)
            if state.local_optimum or until.reached(state.walk):
                return state, improvements

    def _launch(self, state: ScanState, until: Until, improvements: list[tuple[int, int | float]]) -> ScanState:
        control = self._control(state, until)
        if state is not self._last:
            self._detach()
            self._load(state)
        self.device.write(self._buffers["control"], control.reshape(1).view(np.uint8))
        if self.blocks > 1:
            self.device.write(self._buffers["exchange"], np.zeros(8, np.uint8))
        self._module.launch("scan", self._arguments, blocks=self.blocks)
        ended = self.device.download(self._buffers["control"]).view(control_type(self.problem))[0]
        count = int(ended["improvements"])
        if count:
            rows = self.device.download(self._buffers["improvements"]).view(self._improvement_type())[:count]
            improvements += [(int(row["iteration"]), row["cost"].item()) for row in rows]
        self._last = self._state(state, ended)
        return self._last

    def _control(self, state: ScanState, until: Until) -> np.ndarray:
        walk = state.walk
        fresh = state is not self._last or walk.iteration - self._base >= REBASE
        if fresh:
            self._base = walk.iteration
        control = np.zeros((), control_type(self.problem))
        values = {
            "iteration": walk.iteration,
            "end": min(until.iteration, walk.iteration + REBASE),
            "improved_at": walk.improved_at,
            "base": self._base,
            "stagnation": NEVER if until.stagnation is None else until.stagnation,
            "cost": walk.current.cost,
            "best": walk.best.cost,
            "target": self._target(until),
            "seed": walk.key.seed,
            "walk": walk.key.walk,
            "has_target": until.cost is not None,
            "on_improvement": until.improvement,
            "fresh": fresh,
            "room": ROOM,
        }
        for name, value in values.items():
            control[name] = value
        return control

    def _target(self, until: Until) -> int | float:
        """The cost to reach in the type of costs: rounded down, and within its ends."""
        if until.cost is None:
            return 0
        if total_type(self.problem).kind == "f":
            return until.cost
        return floor(max(-(2**63), min(2**63 - 1, until.cost)))

    def _memory(self) -> dict[str, tuple[str, tuple[int, ...]]]:
        """The memory's kept arrays: where they lie, and their shapes."""
        memory = self.scan.memory
        declared = memory.state(self.problem.representation)
        return {name: (f"{type(memory).__name__}Data.{name}", kept.shape) for name, kept in declared.items()}

    def _detach(self) -> None:
        """The state that is about to leave the device keeps its arrays, which on the host are the device's memory."""
        if self._last is not None and self.device.kind == "host":
            kept = cast(dict[str, np.ndarray], self._last.kept)
            kept.update({name: array.copy() for name, array in kept.items()})

    def _load(self, state: ScanState) -> None:
        self.device.write(self._buffers["x"], np.asarray(state.walk.current.solution))
        for name, (buffer, shape) in self._memory().items():
            array = self._buffers[buffer]
            padded = np.zeros((shape[0] if len(shape) == 2 else 1, array.shape[-1]), array.dtype)
            padded[:, : shape[-1]] = state.kept[name]
            self.device.write(array, padded)

    def _state(self, before: ScanState, ended: Any) -> ScanState:
        space, walk = self.problem.representation, before.walk
        steps = int(ended["iteration"]) - walk.iteration
        improved = int(ended["improvements"]) > 0
        solution = self.device.download(self._buffers["x"])[: space.length].copy()
        current = Incumbent(space, solution, ended["cost"].item())
        best = walk.best
        if improved:
            best = Incumbent(space, self.device.download(self._buffers["best"]).copy(), ended["best"].item())
        kept = {}
        for name, (buffer, shape) in self._memory().items():
            whole = self.device.download(self._buffers[buffer])
            rows = whole[: shape[0] if len(shape) == 2 else 1, : shape[-1]]
            kept[name] = rows if len(shape) == 2 else rows[0]
        moved = Walk(
            walk.key,
            current,
            best,
            int(ended["iteration"]),
            walk.evaluated + steps * self.scan.neighborhood.size(space),
            int(ended["improved_at"]),
        )
        return ScanState(moved, kept, bool(ended["optimum"]))
