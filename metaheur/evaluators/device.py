"""Evaluation on a device, by the scheme of Luong, Melab and Talbi."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, final

import numpy as np
from attrs import define, field, frozen

from metaheur.device.device import Device
from metaheur.device.generator.kernels import compiled_kernels
from metaheur.device.halves import reads, undrawn
from metaheur.device.host.openmp import has_openmp
from metaheur.device.session import Session
from metaheur.errors import InputError
from metaheur.evaluators.costs import as_costs, numbers, python_cost, require_levels, wide_type
from metaheur.evaluators.evaluator import LOWEST, Evaluator, NeighborhoodEvaluator, Selection, largest, unmarked
from metaheur.evaluators.neighborhood_kernels import NeighborhoodKernels
from metaheur.evaluators.offers import Offers
from metaheur.evaluators.shells import THREADS, solutions
from metaheur.machine.pace import AIM, NEVER, Alarm, now
from metaheur.machine.processors import cores, sharing
from metaheur.neighborhood import Neighborhood
from metaheur.problem import Problem, levels_of
from metaheur.random import Key
from metaheur.representation import Solution
from metaheur.validate import whole, whole_field
from metaheur.walk import EvaluatedSolution

__all__ = ["DeviceEvaluator", "DeviceNeighborhoodEvaluator", "Launches"]

FIRST_CHUNK = {"host": 1 << 16, "cuda": 1 << 26}
"""Moves of the first chunk. Later chunks take a twentieth of a second each, so that a long step can be stopped."""

BLOCKS = 1056
"""The most blocks of a GPU's grid that evaluate a neighborhood: eight for each of 132 processors."""

SERIAL_BELOW = 1 << 20
"""If all moves take fewer elementary operations (moves times length), one CPU thread evaluates them."""


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
@frozen
class Launches:
    """How the evaluation of a neighborhood is divided into launches; the answers do not depend on it.

    `chunk`: the most moves whose changes of cost are on the device at one time. `step_below`: up to so many elementary
    operations of all moves together (moves times length), one launch makes a move and evaluates all others.
    """

    chunk: int = whole_field(default=1 << 24)
    step_below: int = whole_field(0, default=1 << 17)


@final
@define(eq=False)
class DeviceEvaluator(Evaluator):
    """Evaluates solutions and moves by C++ halves.

    `problem`: a problem with a C++ half. `device`: where to evaluate. `neighborhood`: the neighborhood of the search,
    with a C++ half. `threads`: CPU threads that share a neighborhood; None takes all cores where it is large enough.
    `alarm`: between two chunks it is asked whether to stop. `launches`: how the evaluation of a neighborhood is
    divided.
    """

    problem: Problem
    device: Device
    neighborhood: Neighborhood | None = None
    threads: int | None = None
    alarm: Alarm = NEVER
    launches: Launches = field(default=Launches(), kw_only=True)
    _made: dict[int, DeviceNeighborhoodEvaluator] = field(factory=dict, init=False, repr=False)
    _rows: _Rows | None = field(default=None, init=False, repr=False)

    @property
    def native_devices(self) -> tuple[Device, ...]:
        return (self.device,)

    def cost(self, x: Solution) -> Any:
        """The cost by the C++ half; by the Python half if the C++ half has no `cost`."""
        return _plain(self.costs(np.asarray(x)[None])[0])

    def costs(self, xs: np.ndarray) -> np.ndarray:
        """The costs by the C++ half; by the Python half if the C++ half has no `cost`."""
        return self._whole().costs(xs)

    def starts(self, keys: Sequence[Key]) -> np.ndarray:
        """The random starts of many walks, a row each: the same as by `Representation.starts`."""
        return self._whole().starts(keys)

    @property
    def has_cost(self) -> bool:
        """Whether the problem's C++ half evaluates whole solutions."""
        return self._whole().has_cost

    def compile(self) -> None:
        """Compile now what draws and evaluates whole solutions, instead of at the first use."""
        self._whole()

    def _whole(self) -> _Rows:
        if self._rows is None:
            self._rows = _Rows(self.problem, self.device, self.threads)
        return self._rows

    def of(self, neighborhood: Neighborhood) -> DeviceNeighborhoodEvaluator:
        found = self._made.get(id(neighborhood))
        if found is None or found.neighborhood is not neighborhood:
            found = self._made[id(neighborhood)] = DeviceNeighborhoodEvaluator(
                self.problem, neighborhood, self.device, self.threads, self.alarm, self.launches
            )
        return found


def _plain(number: Any) -> Any:
    """A cost as a Python number, or as a tuple of Python numbers."""
    return tuple(number.tolist()) if np.ndim(number) else number.item()


TRIALS = 3
"""Evaluations of one solution in each way, the shortest of which tells how long it takes."""

SHARED_SECONDS = 1e-4
"""Seconds of an evaluation from which several threads share it."""


@final
@define(eq=False)
class _Rows:
    """Evaluates many solutions in full, and draws random ones."""

    problem: Problem
    device: Device
    threads: int | None = None
    has_cost: bool = field(init=False)
    _session: Session = field(init=False)
    _count: int = field(init=False, default=-1)
    _seconds: dict[int, list[float]] = field(init=False, factory=dict)  # of one solution, by threads

    def __attrs_post_init__(self) -> None:
        unit = compiled_kernels(self.problem, solutions(openmp=True), self.device)
        self._session = session = Session(unit, self.device)
        session.keep()
        session.near("answer")
        session.set(teams=1, sharers=1)
        session.launch("capabilities")
        self.has_cost = bool(Offers.COST & int(session.read("answer")[0]))

    def _make_room(self, count: int) -> None:
        """Make memory for so many solutions, unless there is enough."""
        if count <= self._count:
            return
        length = self.problem.representation.length
        for name, entries in (("xs", count * length), ("costs", count), ("keys", 2 * count)):
            self._session.own(name, entries)
        self._count = count

    def _share(self, count: int) -> None:
        """Have the threads of a CPU share so many solutions, unless they are few."""
        if self.device.kind == "host":
            work = count * self.problem.representation.length
            self._session.set(teams=sharing(self.threads or cores(), work))

    def _sharers(self, count: int) -> int:
        """How many threads of a CPU share the sums of one solution: all, if trials were faster so."""
        threads = self.threads or cores()
        if self.device.kind != "host" or count > 1 or threads == 1:
            return 1
        alone, shared = (self._seconds.get(each, []) for each in (1, threads))
        if len(alone) < TRIALS or min(alone) < SHARED_SECONDS:
            return 1
        return threads if len(shared) < TRIALS or min(shared) < min(alone) else 1

    def costs(self, xs: np.ndarray) -> np.ndarray:
        if not self.has_cost:
            costs = [python_cost(self.problem, x) for x in xs]
            return np.array(costs, wide_type(self.problem))
        session = self._session
        self._make_room(len(xs))
        session.write("xs", xs)
        self._share(len(xs))
        sharers = self._sharers(len(xs))
        session.set(sharers=sharers)
        began = now()
        session.launch("costs", len(xs), blocks=min(len(xs), 1 << 16))
        if len(xs) == 1 and len(tried := self._seconds.setdefault(sharers, [])) < TRIALS:
            tried.append(now() - began)
        found = np.array(session.read("costs", 0, len(xs)))  # the next call writes there
        if levels := levels_of(self.problem):
            require_levels(levels, found, f"The cost of the C++ half of {type(self.problem).__name__}")
        return as_costs(self.problem, found, "cost")

    def starts(self, keys: Sequence[Key]) -> np.ndarray:
        space, count = self.problem.representation, len(keys)
        if undrawn(space):
            return space.starts(keys)
        self._make_room(count)
        self._session.write("keys", np.array([(key.seed, key.walk) for key in keys], np.uint32))
        self._share(count)
        self._session.launch("draw", count, blocks=max(1, min(-(-count // THREADS), 1 << 16)))
        found = self._session.read("xs", 0, count * space.length)
        return np.array(found, space.dtype).reshape(count, space.length)


@final
@define(eq=False)
class DeviceNeighborhoodEvaluator(NeighborhoodEvaluator):
    """Evaluates moves on a device, and updates the kept arrays of the problem after each move.

    `problem`, `neighborhood`: both with C++ halves. `device`: where to evaluate. `threads`: CPU threads that share the
    neighborhood; None takes all cores where it is large enough. `alarm`: between two chunks it is asked whether to
    stop. `launches`: how the evaluation is divided.
    """

    problem: Problem
    neighborhood: Neighborhood
    device: Device
    threads: int | None = None
    alarm: Alarm = NEVER
    launches: Launches = Launches()
    _kernels: NeighborhoodKernels = field(init=False)
    _size: int = field(init=False)
    _run: int = field(init=False)
    _small: bool = field(init=False)
    _in_full: bool = field(init=False)  # whether moved solutions are evaluated in full
    _marks: bool = field(init=False)  # whether compiled code can mark a change of cost; see `unmarked`
    _at: EvaluatedSolution | None = field(init=False, default=None)

    def __attrs_post_init__(self) -> None:
        """Compile, and copy the data to the device."""
        length = self.problem.representation.length
        self._size = size = self.neighborhood.size(self.problem.representation)
        teams, chunk = threads_for(self.device, size, length, self.threads), max(1, min(size, self.launches.chunk))
        self._kernels = NeighborhoodKernels(self.problem, self.neighborhood, self.device, teams, chunk)
        self._run = FIRST_CHUNK[self.device.kind]
        self._in_full = not self.offers & (Offers.DELTA | Offers.GROUPS)
        self._marks = self._in_full or self._kernels.cost_type.kind == "f"
        self._small = size <= chunk and size * length <= self.launches.step_below

    @property
    def size(self) -> int:
        return self._size

    @property
    def offers(self) -> Offers:
        """The ways in which the C++ halves evaluate the moves."""
        return self._kernels.offers

    def _is_next(self, solution: EvaluatedSolution) -> bool:
        """Whether one move of this neighborhood leads from the solution on the device to the given one."""
        origin = solution.origin
        return (
            origin is not None
            and self._at is not None
            and origin.before() is self._at
            and origin.neighborhood is self.neighborhood
        )

    def _follow(self, solution: EvaluatedSolution) -> None:
        """Make this solution the one on the device, and update the kept arrays beside it."""
        if solution is self._at:
            return
        if self._is_next(solution):
            assert solution.origin is not None
            self._kernels.launch("advance", solution.origin.index)
        else:
            self._kernels.write(solution.solution)
        self._stand_on(solution)

    def _stand_on(self, solution: EvaluatedSolution) -> None:
        self._at = solution
        self._kernels.cost[0] = solution.cost

    def resampled(self, neighborhood: Neighborhood) -> DeviceNeighborhoodEvaluator:
        self.neighborhood = neighborhood
        self._kernels.resampled(neighborhood)
        return self

    def delta(self, solution: EvaluatedSolution, k: int) -> Any:
        self._follow(solution)
        self._kernels.cost[0] = solution.cost
        self._kernels.launch("one", k)
        self.device.wait()
        delta = self._finite(self._kernels.found["delta"])[0]
        infeasible = self.partial and bool((delta == largest(delta.dtype)).all())
        return None if infeasible else _plain(delta)

    def deltas(self, solution: EvaluatedSolution) -> np.ndarray:
        if not self._size:
            return np.zeros((0, *numbers(self.problem)), wide_type(self.problem))
        if self._step(solution):
            return self._changes(self._size)
        if self._size <= self._kernels.chunk and self._size <= self._run:
            return next(self.chunks(solution))[1]
        out = np.empty((self._size, *numbers(self.problem)), self._kernels.cost_type)
        for first, deltas in self.chunks(solution):
            out[first : first + len(deltas)] = deltas
        return out

    def chunks(self, solution: EvaluatedSolution) -> Iterator[tuple[int, np.ndarray]]:
        """As in `NeighborhoodEvaluator`; `launches` says how many moves each has at most."""
        first = 0
        self._follow(solution)
        while first < self._size:
            began, end = self._begin_chunk(first, self._kernels.chunk)
            self._kernels.launch("evaluate", first, self._kernels.teams)
            yield first, self._changes(end - first)
            self._end_chunk(began, end - first)
            first = end

    def _changes(self, count: int) -> np.ndarray:
        return self._finite(self._kernels.changes(count))

    def _finite(self, deltas: np.ndarray) -> np.ndarray:
        """The changes of cost, unless the C++ half has marked one as wrong: that is refused."""
        if self._marks:
            return unmarked(self.problem, deltas, self._kernels.cost[0] if self._in_full else None)
        return deltas

    def _begin_chunk(self, first: int, limit: int) -> tuple[float, int]:
        """The time now, and the end of a chunk, which does not divide a group of moves."""
        if first:
            self.alarm.check()
        began, count = now(), min(limit, self._run)
        while True:
            self._kernels.limit(count)
            if first + count >= self._size or Offers.GROUPS not in self.offers:
                return began, min(first + count, self._size)
            end = self._kernels.answer("cut", first)
            if end > first:
                return began, end
            if count >= limit:
                raise InputError(
                    f"A group of {self.neighborhood!r} has more than {count} moves, too many for deltas() of "
                    f"{type(self.problem).__name__}."
                )
            count = min(limit, 2 * count)

    def _end_chunk(self, began: float, made: int) -> None:
        """Choose the size of the next chunk, so that it takes a twentieth of a second."""
        took = now() - began
        if took > 2 * AIM:
            self._run = max(1, int(made * AIM / took))
        elif made >= self._run:
            self._run = min(8 * self._run, max(self._run, int(made * AIM / took)))

    def _step(self, solution: EvaluatedSolution) -> bool:
        """Make a move and evaluate all moves in one launch, if possible and faster; returns whether it was done."""
        if not self._small or not self._is_next(solution):
            return False
        assert solution.origin is not None
        self._kernels.cost[0] = solution.cost
        self._kernels.launch("step", solution.origin.index)
        self._stand_on(solution)
        return True

    def best(self, solution: EvaluatedSolution, selection: Selection = LOWEST) -> tuple[int, int | float]:
        """The best move, which the device finds."""
        if not reads(selection):
            return super().best(solution, selection)
        return self.best_between(solution, 0, self._size, selection)

    def aligned(self, index: int) -> int:
        """The largest index, not above the given one, at which the moves can be divided without dividing a group."""
        if Offers.GROUPS not in self.offers or not 0 < index < self._size:
            return index
        self._kernels.limit(index)
        return self._kernels.answer("cut")

    def best_between(
        self, solution: EvaluatedSolution, first: int, last: int, selection: Selection = LOWEST
    ) -> tuple[int, int | float]:
        """The best of some moves, which the device finds.

        `solution`: the solution whose moves are evaluated. `first`, `last`: the moves first ... last - 1; both numbers
        are `aligned`. `selection`: makes scores of changes of cost; it has a C++ half. Returns `index`: the index of
        the move; -1 if there is no feasible one. `delta`: its change of cost.
        """
        index, delta, lowest = -1, 0, None
        limit = self._kernels.chunk if Offers.GROUPS in self.offers else self._size
        while first < last:
            began, end = self._begin_chunk(first, min(limit, last - first))
            self._follow(solution)
            found = self._kernels.best(first, selection)
            self._finite(found["delta"])
            score, change, k = found[0].tolist()
            if k >= 0 and (lowest is None or score < lowest):
                index, delta, lowest = k, change, score
            self._end_chunk(began, end - first)
            first = end
        return index, delta
