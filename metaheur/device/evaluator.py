"""The neighborhood evaluated on a device: Luong, Melab and Talbi's scheme."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, final

import numpy as np
from attrs import define, field

from metaheur.device.device import Buffer, Device, Module
from metaheur.device.kernel import EVALUATION_THREADS, Kernel, evaluation_kernel, found_type, total_type
from metaheur.device.layout import struct_of
from metaheur.errors import InputError
from metaheur.evaluator import Evaluator, python_cost
from metaheur.neighborhood import Neighborhood
from metaheur.parts.selection import Lowest, Selection
from metaheur.problem import Problem
from metaheur.representation import Solution
from metaheur.search import Incumbent

__all__ = ["DeviceEvaluator"]

HAS_COST, HAS_DELTA, HAS_GROUPS = 1, 2, 8
OFFERS = ("cost", "delta", "update", "groups")
PIECE = 1 << 24
"""Moves whose changes of cost lie on the device at a time."""

LOWEST = Lowest()
ONE_LAUNCH = 1 << 17
"""Elementary operations of a neighborhood up to which one block makes a move and evaluates all, in one launch."""

SERIAL_BELOW = 1 << 20
"""Elementary operations of a neighborhood (moves times length) below which one CPU thread is enough."""


@final
@define(eq=False)
class DeviceEvaluator(Evaluator):
    """All changes of cost on a device; what the problem keeps beside a solution is advanced from move to move.

    Parameters
    ----------
    problem, neighborhood : Problem, Neighborhood
        Both with C++ halves.
    device : Device
        Where to evaluate.
    threads : int, optional
        CPU threads that share a neighborhood; None takes all cores where it is large enough.
    """

    problem: Problem
    neighborhood: Neighborhood
    device: Device
    threads: int | None = None
    _size: int = field(init=False)
    _parts: int = field(init=False)
    _buffers: dict[str, Buffer] = field(init=False, factory=dict)
    _packed: dict[str, np.ndarray] = field(init=False, factory=dict)
    _units: dict[Selection, tuple[Module, Buffer, Kernel]] = field(init=False, factory=dict)
    _serial: int = field(init=False, default=-1)
    _members: int = field(init=False, default=0)
    _piece: int = field(init=False, default=1)
    _small: bool = field(init=False)
    _mirror: Any = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Compile, and place the data on the device."""
        self._size = self.neighborhood.size(self.problem.representation)
        self._parts = self._choose_parts()
        length, device = self.problem.representation.length, self.device
        zeros = {
            "x": np.zeros(length, self.problem.representation.dtype),
            "out": np.zeros(1, self.problem.cost_type),
            "best": np.array([(0, 0, -1)] * self._parts, found_type(self.problem)),  # -1: a part that no thread took
            "total": np.zeros(1, total_type(self.problem)),
            "scratch": np.zeros(1, self.problem.representation.dtype),
        }
        self._buffers = {name: device.upload(_bytes(array)) for name, array in zeros.items()}
        self._members = int(self._launch("members", total=True))
        if not self._members & (HAS_DELTA | HAS_GROUPS):
            threads = self._parts * (EVALUATION_THREADS if device.kind == "cuda" else 1)
            self._buffers["scratch"] = device.upload(np.zeros(threads * length, self.problem.representation.dtype))
        self._piece = max(1, min(self._size, PIECE))
        self._buffers["out"] = device.upload(np.zeros(self._piece, self.problem.cost_type))
        self._small = self._size <= self._piece and self._size * length <= ONE_LAUNCH
        self._mirror = device.mirror(self._buffers["out"])
        self._units.clear()  # their arguments name the buffers before

    @property
    def offers(self) -> tuple[str, ...]:
        """What the C++ half offers for these moves, of "cost", "delta", "update" and "groups"."""
        return tuple(name for bit, name in enumerate(OFFERS) if self._members >> bit & 1)

    def _choose_parts(self) -> int:
        """CPU threads, or blocks of the GPU's grid."""
        if self.device.kind == "cuda":
            return max(1, min(1024, -(-self._size // EVALUATION_THREADS)))
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        if self.threads is not None:
            if self.threads < 1 or self.threads > cores:
                raise InputError(f"threads is {self.threads}, but this machine has {cores} cores.", "use None for all.")
            return self.threads
        return 1 if self._size * self.problem.representation.length < SERIAL_BELOW else cores

    def _unit(self, selection: Selection) -> tuple[Module, Buffer, Kernel]:
        """The compiled unit with that score, and its arguments on the device."""
        found = self._units.get(selection)
        if found is None:
            kernel = evaluation_kernel(self.problem, self.neighborhood, self.device, selection)
            found = self.compile(kernel), self.device.upload(self._arguments(kernel)), kernel
            self._units[selection] = found
        return found

    @property
    def _workers(self) -> int:
        """Evaluating teams that need scratch of their own: CPU threads, or warps."""
        return self._parts * (EVALUATION_THREADS // 32 if self.device.kind == "cuda" else 1)

    def compile(self, kernel: Kernel) -> Module:
        """The kernel for this device; with OpenMP where several threads are to share the work."""
        return self.device.compile(kernel.text, openmp=self._parts > 1)

    def _arguments(self, kernel: Kernel) -> np.ndarray:
        for name, struct in kernel.structs.items():
            if name == "selection" or name not in self._packed:
                self._packed[name] = struct.pack(self.device, self._buffers, workers=self._workers)
        numbers = {"parts": self._parts, "count": self._piece}
        pointers = {name: self.device.pointer(self._buffers[name]) for name in kernel.pointers if name not in numbers}
        return kernel.arguments(self._packed, {**pointers, **numbers})

    def _launch(
        self, entry: str, value: int = 0, blocks: int = 1, *, selection: Selection = LOWEST, total: bool = False
    ) -> Any:
        module, arguments, _ = self._units.get(selection) or self._unit(selection)
        module.launch(entry, arguments, value, blocks=blocks)
        return self.device.download(self._buffers["total"]).view(total_type(self.problem))[0].item() if total else None

    def _follow(self, incumbent: Incumbent) -> None:
        """Bring the solution on the device, and what is kept beside it, to the incumbent."""
        if incumbent.serial == self._serial:
            return
        if incumbent.origin is not None and incumbent.origin[0] == self._serial:
            self._launch("advance", incumbent.origin[1])
        else:
            self.device.write(self._buffers["x"], np.asarray(incumbent.solution, self.problem.representation.dtype))
            self._launch("prepare")
        self._serial = incumbent.serial

    def moved_to(self, neighborhood: Neighborhood) -> Evaluator:
        """Itself, at another moment: the neighborhood's struct is written anew."""
        self.neighborhood = neighborhood
        struct = struct_of(neighborhood, self.problem.representation, self.device)
        self._packed["neighborhood"] = struct.pack(self.device, self._buffers)
        self._serial = -1  # the index that led to an incumbent names another move now
        for _, arguments, kernel in self._units.values():
            self.device.write(arguments, _bytes(self._arguments(kernel).reshape(1)))
        return self

    def cost(self, x: Solution) -> int | float:
        """The C++ half's cost where there is one, the Python half's otherwise."""
        if not self._members & HAS_COST:
            return python_cost(self.problem, x)
        self.device.write(self._buffers["x"], np.asarray(x))
        self._serial = -1
        return self._launch("cost", total=True)  # type: ignore[no-any-return]

    def deltas(self, incumbent: Incumbent) -> np.ndarray:
        """All changes of cost, read back from the device."""
        if not self._size:
            return np.zeros(0, self.problem.cost_type)
        if self._size <= self._piece:
            return next(self.pieces(incumbent))[1]
        out = np.empty(self._size, self.problem.cost_type)
        for first, piece in self.pieces(incumbent):
            out[first : first + piece.size] = piece
        return out

    def pieces(self, incumbent: Incumbent) -> Iterator[tuple[int, np.ndarray]]:
        """The changes of cost piece by piece, 2**24 moves at a time: the device's memory does not grow with them."""
        first = 0
        while first < self._size:
            if not self._step(incumbent):
                self._follow(incumbent)
                self._launch("evaluate", first, self._parts)
            end = self._end(first)
            yield first, self.device.download(self._buffers["out"], self._mirror)[: end - first]
            first = end

    def _step(self, incumbent: Incumbent) -> bool:
        """Follow the incumbent and evaluate, in one launch: where that is faster, and one move away."""
        if not self._small or incumbent.origin is None or incumbent.origin[0] != self._serial:
            return False
        self._launch("step", incumbent.origin[1])
        self._serial = incumbent.serial
        return True

    def rehearse(self, incumbent: Incumbent, rounds: int) -> None:
        """Evaluate the first piece some times and leave it on the device: what the kernel alone takes."""
        self._follow(incumbent)
        for _ in range(rounds):
            self._launch("evaluate", 0, self._parts)
        self._launch("members", total=True)  # waits

    def _end(self, first: int) -> int:
        """Where the piece that begins at an index ends: groups that are evaluated together are not divided."""
        if first + self._piece >= self._size or not self._members & HAS_GROUPS:
            return min(first + self._piece, self._size)
        end: int = self._launch("cut", first, total=True)
        if end <= first:
            raise InputError(
                f"A group of {self.neighborhood!r} has more than {PIECE} moves, too many for deltas() of "
                f"{type(self.problem).__name__}."
            )
        return int(end)

    def best(self, incumbent: Incumbent, selection: Selection = LOWEST) -> tuple[int, int | float]:
        """The best move, chosen on the device: only the best of each part is read back, and memory stays constant."""
        if not self._size:
            return -1, 0
        if type(selection).source is None:
            return super().best(incumbent, selection)
        self._follow(incumbent)
        found, first = [], 0
        while first < self._size:
            self._launch("best", first, self._parts, selection=selection)
            found.append(self.device.download(self._buffers["best"]).view(found_type(self.problem)).copy())
            first = self._end(first) if self._members & HAS_GROUPS else self._size
        parts = np.concatenate(found)
        parts = parts[parts["index"] >= 0]
        if not parts.size:
            return -1, 0
        lowest = parts[parts["score"] == parts["score"].min()]
        best = lowest[lowest["index"].argmin()]
        return int(best["index"]), best["delta"].item()


def _bytes(array: np.ndarray) -> np.ndarray:
    return array.view(np.uint8) if array.dtype.names is not None else array
