"""Evaluation on a device: Luong, Melab and Talbi's scheme."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import Any, final

import numpy as np
from attrs import define, field

from metaheur.component import reads
from metaheur.device.device import Buffer, CompiledUnit, Device
from metaheur.device.generator.kernels import compiled_kernels
from metaheur.device.generator.record import EVALUATED_MOVE, types_of
from metaheur.device.generator.structs import struct_of
from metaheur.device.host.openmp import has_openmp
from metaheur.device.memory import allocate
from metaheur.errors import InputError
from metaheur.evaluators.evaluator import (
    LOWEST,
    Evaluator,
    NeighborhoodEvaluator,
    as_costs,
    largest,
    numbers,
    python_cost,
    unmarked,
    wide_type,
)
from metaheur.evaluators.selection import Selection
from metaheur.evaluators.shells import THREADS, Offers, moves_of, solutions
from metaheur.machine.pace import AIM, NEVER, Alarm
from metaheur.machine.processors import cores
from metaheur.neighborhood import Neighborhood
from metaheur.problem import Problem
from metaheur.random import Key
from metaheur.representation import Permutation, Solution
from metaheur.validate import whole
from metaheur.walk import EvaluatedSolution

__all__ = ["DeviceEvaluator", "DeviceNeighborhoodEvaluator"]

CHUNK = 1 << 24
"""Moves whose changes of cost lie on the device at a time, at most."""

FIRST_CHUNK = {"host": 1 << 16, "cuda": 1 << 26}
"""Moves of the first chunk; the next ones take a twentieth of a second, so that somebody can stop a long step."""

NEAR = 1 << 16
"""Bytes of changes of cost up to which a device writes them into the host's memory."""

BLOCKS = 1056
"""Blocks of a GPU's grid that evaluate a neighborhood, at most: four for each of 132 processors."""

ONE_LAUNCH = 1 << 17
"""Elementary operations of a neighborhood up to which one block makes a move and evaluates all, in one launch."""

SERIAL_BELOW = 1 << 20
"""Elementary operations of a neighborhood (moves times length) below which one CPU thread is enough."""


def threads_for(device: Device, size: int, length: int, threads: int | None) -> int:
    """CPU threads, or blocks of a GPU's grid, that share a neighborhood."""
    if device.kind == "cuda":
        return max(1, min(BLOCKS, -(-size // THREADS)))
    if threads is not None:
        threads = whole(threads, "threads", 1, cores(), maybe="use None for all.")
    elif size * length < SERIAL_BELOW:
        threads = 1
    else:
        threads = cores()
    return threads if threads == 1 or has_openmp() else 1


@final
@define(eq=False)
class DeviceEvaluator(Evaluator):
    """Solutions and moves by their C++ halves.

    Parameters
    ----------
    problem : Problem
        With a C++ half.
    device : Device
        Where to evaluate.
    neighborhood : Neighborhood, optional
        The search's, with a C++ half.
    threads : int, optional
        CPU threads that share a neighborhood; None takes all cores where it is large enough.
    alarm : Alarm, optional
        Asked between chunks whether to break off.
    """

    problem: Problem
    device: Device
    neighborhood: Neighborhood | None = None
    threads: int | None = None
    alarm: Alarm = NEVER
    _made: dict[int, DeviceNeighborhoodEvaluator] = field(factory=dict, init=False, repr=False)
    _rows: _Rows | None = field(default=None, init=False, repr=False)

    @property
    def native_devices(self) -> tuple[Device, ...]:
        return (self.device,)

    def cost(self, x: Solution) -> Any:
        """The C++ half's cost where there is one, the Python half's otherwise."""
        return _plain(self.costs(np.asarray(x)[None])[0])

    def costs(self, xs: np.ndarray) -> np.ndarray:
        """The C++ half's costs where there is one, the Python half's otherwise."""
        return self._whole().costs(xs)

    def starts(self, keys: Sequence[Key]) -> np.ndarray:
        """The random starts of many walks, a row each: what `Representation.starts` draws."""
        return self._whole().starts(keys)

    @property
    def has_cost(self) -> bool:
        """Whether the problem's C++ half evaluates whole solutions."""
        return self._whole().has_cost

    def _whole(self) -> _Rows:
        if self._rows is None:
            self._rows = _Rows(self.problem, self.device)
        return self._rows

    def of(self, neighborhood: Neighborhood) -> DeviceNeighborhoodEvaluator:
        found = self._made.get(id(neighborhood))
        if found is None or found.neighborhood is not neighborhood:
            found = DeviceNeighborhoodEvaluator(self.problem, neighborhood, self.device, self.threads, self.alarm)
            self._made[id(neighborhood)] = found
        return found


def _plain(number: Any) -> Any:
    """A cost as a Python number, or as a tuple of such."""
    return tuple(number.tolist()) if np.ndim(number) else number.item()


@final
@define(eq=False)
class _Rows:
    """Full evaluations of many solutions."""

    problem: Problem
    device: Device
    _unit: CompiledUnit = field(init=False)
    _buffers: dict[str, Buffer] = field(init=False)
    _count: int = field(init=False, default=0)
    has_cost: bool = field(init=False)
    _arguments: Buffer = field(init=False)
    _answer: np.ndarray = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._unit = compiled_kernels(self.problem, solutions(openmp=True), self.device)
        self._buffers = allocate(self._unit.unit, self.device)
        self._answer, self._buffers["answer"] = self.device.pinned(1, np.int64)
        self._resize(1)
        self._unit.launch("capabilities", self._arguments)
        self.device.wait()
        self.has_cost = bool(Offers.COST & int(self._answer[0]))

    def _resize(self, count: int) -> None:
        problem, types = self.problem, self._unit.unit.types
        self._count = count
        self._buffers["xs"] = self.device.zeros(count * problem.representation.length, types.item)
        self._buffers["costs"] = self.device.zeros(count * max(1, types.objectives), types.total)
        self._buffers["keys"] = self.device.zeros(2 * count, np.uint32)
        pointers = {name: self.device.pointer(self._buffers[name]) for name in ("xs", "costs", "keys", "answer")}
        space = problem.representation
        numbers = {
            "teams": cores() if self.device.kind == "host" else 1,
            "values": space.values,
            "permutes": isinstance(space, Permutation),
        }
        packed = self._unit.unit.arguments(self.device, self._buffers, {**pointers, **numbers})
        self._arguments = self.device.upload(packed)

    def costs(self, xs: np.ndarray) -> np.ndarray:
        if not self.has_cost:
            costs = [python_cost(self.problem, x) for x in xs]
            return np.array(costs, wide_type(self.problem))
        if len(xs) > self._count:
            self._resize(len(xs))
        self.device.write(self._buffers["xs"], np.asarray(xs, self._unit.unit.types.item))
        self._unit.launch("costs", self._arguments, len(xs), blocks=min(len(xs), 1 << 16))
        shape = (len(xs), *numbers(self.problem))
        found = self.device.download(self._buffers["costs"], 0, math.prod(shape))
        return as_costs(self.problem, found, "cost").reshape(shape)

    def starts(self, keys: Sequence[Key]) -> np.ndarray:
        space, count = self.problem.representation, len(keys)
        if count > self._count:
            self._resize(count)
        self.device.write(self._buffers["keys"], np.array([(key.seed, key.walk) for key in keys], np.uint32))
        self._unit.launch("draw", self._arguments, count, blocks=max(1, min(-(-count // THREADS), 1 << 16)))
        found = self.device.download(self._buffers["xs"], 0, count * space.length)
        return np.array(found, space.dtype).reshape(count, space.length)


@final
@define(eq=False)
class DeviceNeighborhoodEvaluator(NeighborhoodEvaluator):
    """Changes of cost on a device; what the problem keeps beside a solution is advanced from move to move.

    Parameters
    ----------
    problem, neighborhood : Problem, Neighborhood
        Both with C++ halves.
    device : Device
        Where to evaluate.
    threads : int, optional
        CPU threads that share the neighborhood; None takes all cores where it is large enough.
    alarm : Alarm, optional
        Asked between chunks whether to break off.
    """

    problem: Problem
    neighborhood: Neighborhood
    device: Device
    threads: int | None = None
    alarm: Alarm = NEVER
    offers: Offers = field(init=False)
    _size: int = field(init=False)
    _teams: int = field(init=False)
    _chunk: int = field(init=False)
    _run: int = field(init=False)
    _count: int = field(init=False, default=0)
    _small: bool = field(init=False)
    _units: dict[Selection, tuple[CompiledUnit, Buffer]] = field(init=False, factory=dict)
    _buffers: dict[str, Buffer] = field(init=False)
    _host: dict[str, np.ndarray] = field(init=False, factory=dict)
    _near: np.ndarray | None = field(init=False, default=None)
    _at: EvaluatedSolution | None = field(init=False, default=None)

    def __attrs_post_init__(self) -> None:
        """Compile, and place the data on the device."""
        space, device = self.problem.representation, self.device
        self._size = self.neighborhood.size(space)
        self._teams = threads_for(device, self._size, space.length, self.threads)
        unit = self._compile(LOWEST)
        types = unit.unit.types
        warps = self._teams * (THREADS // 32 if device.kind == "cuda" else 1)
        self._buffers = allocate(unit.unit, device, workers=warps)
        for name, dtype in (
            ("cost", np.dtype([("now", types.numpy("Total"))])),
            ("found", EVALUATED_MOVE.dtype(types)),
            ("answer", np.dtype(np.int64)),
        ):
            self._host[name], self._buffers[name] = device.pinned(1, dtype)
        self._buffers["x"] = device.zeros(space.length, types.item)
        self._buffers["best"] = device.zeros(self._teams * EVALUATED_MOVE.dtype(types).itemsize, np.uint8)
        self._buffers["done"] = device.zeros(1, np.uint32)
        self._buffers["count"] = device.zeros(1, np.int64)
        self._chunk = max(1, min(self._size, CHUNK))
        self._buffers["scratch"] = self._buffers["out"] = device.zeros(
            1, types.cost
        )  # until it is known what is needed
        unit.launch("capabilities", self._bind(unit))
        device.wait()
        self.offers = Offers(int(self._host["answer"][0]))
        if not self.offers & (Offers.DELTA | Offers.GROUPS):
            threads = self._teams * (THREADS if device.kind == "cuda" else 1)
            self._buffers["scratch"] = device.zeros(threads * space.length, types.item)
        out = self._chunk * max(1, types.objectives)
        if out * types.cost.itemsize <= NEAR:
            self._near, self._buffers["out"] = device.pinned(out, types.cost)
        else:
            self._buffers["out"] = device.zeros(out, types.cost)
        self._run = FIRST_CHUNK[device.kind]
        self._small = self._size <= self._chunk and self._size * space.length <= ONE_LAUNCH
        self._units[LOWEST] = unit, self._bind(unit)

    def _compile(self, selection: Selection) -> CompiledUnit:
        shell = moves_of(self.neighborhood, selection, openmp=self._teams > 1)
        unit: CompiledUnit = compiled_kernels(self.problem, shell, self.device)
        return unit

    def _bind(self, unit: CompiledUnit) -> Buffer:
        """The unit's arguments on the device."""
        return self.device.upload(self._arguments(unit))

    def _arguments(self, unit: CompiledUnit) -> np.ndarray:
        names = ("x", "cost", "out", "best", "done", "found", "answer", "count", "scratch")
        values = {name: self.device.pointer(self._buffers[name]) for name in names}
        return unit.unit.arguments(self.device, self._buffers, {**values, "teams": self._teams})

    def _unit(self, selection: Selection) -> tuple[CompiledUnit, Buffer]:
        """The compiled unit with that score, and its arguments on the device."""
        found = self._units.get(selection)
        if found is None:
            unit = self._compile(selection)
            for path, buffer in allocate(unit.unit, self.device).items():
                self._buffers.setdefault(path, buffer)
            found = self._units[selection] = unit, self._bind(unit)
        return found

    def _launch(self, entry: str, value: int = 0, blocks: int = 1, selection: Selection = LOWEST) -> None:
        unit, arguments = self._units.get(selection) or self._unit(selection)
        unit.launch(entry, arguments, value, blocks=blocks)

    def _is_next(self, solution: EvaluatedSolution) -> bool:
        """Whether one move of this neighborhood leads from the solution on the device to this one."""
        origin = solution.origin
        return (
            origin is not None
            and self._at is not None
            and origin.before() is self._at
            and origin.neighborhood is self.neighborhood
        )

    def _follow(self, solution: EvaluatedSolution) -> None:
        """Bring the solution on the device, and what is kept beside it, to this one."""
        if solution is self._at:
            return
        if self._is_next(solution):
            assert solution.origin is not None
            self._launch("advance", solution.origin.index)
        else:
            self.device.write(self._buffers["x"], np.asarray(solution.solution, self.problem.representation.dtype))
            self._launch("prepare")
        self._stand_on(solution)

    def _stand_on(self, solution: EvaluatedSolution) -> None:
        self._at = solution
        self._host["cost"]["now"] = solution.cost

    def resampled(self, neighborhood: Neighborhood) -> DeviceNeighborhoodEvaluator:
        self.neighborhood = neighborhood
        types = types_of(self.problem, (neighborhood,))
        struct = struct_of(neighborhood, self.problem.representation, self.device, types)
        for unit, arguments in self._units.values():
            packed = self._arguments(unit)
            packed["neighborhood"] = struct.pack(self.device, self._buffers, "neighborhood.")
            self.device.write(arguments, packed.reshape(1))
        return self

    def delta(self, solution: EvaluatedSolution, k: int) -> Any:
        self._follow(solution)
        self._host["cost"]["now"] = solution.cost
        self._launch("one", k)
        self.device.wait()
        delta = self._finite(self._host["found"]["delta"])[0]
        infeasible = self.neighborhood.partial and bool((delta == largest(delta.dtype)).all())
        return None if infeasible else _plain(delta)

    def deltas(self, solution: EvaluatedSolution) -> np.ndarray:
        if not self._size:
            return np.zeros((0, *numbers(self.problem)), wide_type(self.problem))
        if self._step(solution):
            return self._changes(self._size)
        if self._size <= self._chunk and self._size <= self._run:
            return next(self.chunks(solution))[1]
        out = np.empty((self._size, *numbers(self.problem)), self._units[LOWEST][0].unit.types.cost)
        for first, deltas in self.chunks(solution):
            out[first : first + len(deltas)] = deltas
        return out

    def chunks(self, solution: EvaluatedSolution) -> Iterator[tuple[int, np.ndarray]]:
        """At most 2**24 moves at a time: the device's memory does not grow with the neighborhood."""
        first = 0
        self._follow(solution)
        while first < self._size:
            began, end = self._begin_chunk(first, self._chunk)
            self._launch("evaluate", first, self._teams)
            yield first, self._changes(end - first)
            self._end_chunk(began, end - first)
            first = end

    def rehearse(self, solution: EvaluatedSolution, rounds: int) -> None:
        """Evaluate the first chunk again and again, and leave the changes of cost where they are: for timing.

        Parameters
        ----------
        solution : EvaluatedSolution
            Whose neighborhood.
        rounds : int
            How often.
        """
        self._follow(solution)
        self._limit(min(self._size, self._chunk))
        for _ in range(rounds):
            self._launch("evaluate", 0, self._teams)
        self.device.wait()

    def _changes(self, count: int) -> np.ndarray:
        shape = (count, *numbers(self.problem))
        if self._near is None:
            return self._finite(self.device.download(self._buffers["out"], 0, math.prod(shape))).reshape(shape)
        self.device.wait()
        return self._finite(self._near[: math.prod(shape)]).reshape(shape)

    def _finite(self, deltas: np.ndarray) -> np.ndarray:
        """Changes of cost, refused where they are none."""
        in_full = not self.offers & (Offers.DELTA | Offers.GROUPS)
        return unmarked(self.problem, deltas, self._host["cost"]["now"][0] if in_full else None)

    def _limit(self, count: int) -> None:
        """How many moves a chunk has: it lies on the device, where every thread reads it, and seldom changes."""
        if count != self._count:
            self.device.write(self._buffers["count"], np.array([count]))
            self._count = count

    def _begin_chunk(self, first: int, limit: int) -> tuple[float, int]:
        """The time, and where the chunk that begins at an index ends: groups evaluated together are not divided."""
        if first:
            self.alarm.check()
        began, count = perf_counter(), min(limit, self._run)
        while True:
            self._limit(count)
            if first + count >= self._size or Offers.GROUPS not in self.offers:
                return began, min(first + count, self._size)
            self._launch("cut", first)
            self.device.wait()
            end = int(self._host["answer"][0])
            if end > first:
                return began, end
            if count >= limit:
                raise InputError(
                    f"A group of {self.neighborhood!r} has more than {count} moves, too many for deltas() of "
                    f"{type(self.problem).__name__}."
                )
            count = min(limit, 2 * count)

    def _end_chunk(self, began: float, made: int) -> None:
        """The next chunk takes a twentieth of a second."""
        took = perf_counter() - began
        if took > 2 * AIM:
            self._run = max(1, int(made * AIM / took))
        elif made >= self._run:
            self._run = min(8 * self._run, max(self._run, int(made * AIM / took)))

    def _step(self, solution: EvaluatedSolution) -> bool:
        """Follow the solution and evaluate, in one launch: where that is faster, and one move away."""
        if not self._small or not self._is_next(solution):
            return False
        assert solution.origin is not None
        self._host["cost"]["now"] = solution.cost
        self._launch("step", solution.origin.index)
        self._stand_on(solution)
        return True

    def best(self, solution: EvaluatedSolution, selection: Selection = LOWEST) -> tuple[int, int | float]:
        """The best move, reduced to one on the device."""
        if not reads(selection):
            return super().best(solution, selection)
        return self.best_between(solution, 0, self._size, selection)

    def aligned(self, index: int) -> int:
        """The last index, up to this one, before which a share of the moves may end: groups are not divided."""
        if Offers.GROUPS not in self.offers or not 0 < index < self._size:
            return index
        self._limit(index)
        self._launch("cut", 0)
        self.device.wait()
        return int(self._host["answer"][0])

    def best_between(
        self, solution: EvaluatedSolution, first: int, last: int, selection: Selection = LOWEST
    ) -> tuple[int, int | float]:
        """The best of a share of the moves, reduced to one on the device.

        Parameters
        ----------
        solution : EvaluatedSolution
            Whose neighborhood.
        first, last : int
            The moves first ... last - 1; each end is `aligned`.
        selection : Selection, default Lowest()
            Makes scores of changes of cost; with a C++ half.

        Returns
        -------
        index : int
            -1 if every move is infeasible, or there is none.
        delta : int or float
            Its change of cost.
        """
        index, delta, lowest = -1, 0, None
        limit = self._chunk if Offers.GROUPS in self.offers else self._size
        while first < last:
            began, end = self._begin_chunk(first, min(limit, last - first))
            self._follow(solution)
            self._launch("best", first, self._teams, selection)
            self.device.wait()
            self._finite(self._host["found"]["delta"])
            score, change, k = self._host["found"][0].tolist()
            if k >= 0 and (lowest is None or score < lowest):
                index, delta, lowest = k, change, score
            self._end_chunk(began, end - first)
            first = end
        return index, delta
