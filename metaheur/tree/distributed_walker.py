"""Explorers in slices, each a task of a worker; the intervals of a worker that dies go to another one."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import BrokenExecutor, Executor, Future
from itertools import pairwise
from typing import Any, final

import numpy as np
from attrs import define, field

from metaheur.device.names import device_of
from metaheur.errors import CheckFailed, CompileError, DeviceError, InputError
from metaheur.problem import Problem
from metaheur.running.runner import as_they_end, require_answer, returned
from metaheur.tree.compiled_walker import CompiledWalker
from metaheur.tree.local_walker import LocalWalker
from metaheur.tree.part import Nodes
from metaheur.tree.python_walker import PythonWalker
from metaheur.tree.tree_parts import TreeParts
from metaheur.tree.walker import Slice, Walker, joined_slices, part_of

__all__ = ["DistributedWalker", "walker_on"]

Arrays = Mapping[str, np.ndarray]


def walker_on(
    parts: TreeParts, problem: Problem, device: str, threads: int = 1, placement: str = "auto"
) -> LocalWalker:
    """Explorers on a device, a GPU with the parts' data in some memory."""
    if device == "numpy":
        return PythonWalker(parts, problem)
    return CompiledWalker(parts, problem, device_of(device, placement), threads if device == "host" else 1)


@final
class _Worker(threading.local):
    """The memory of a worker, which is a thread of some process: the explorers of its last jobs."""

    def __init__(self) -> None:
        self.walkers: dict[bytes, Walker] = {}

    def walker(self, job: bytes) -> Walker:
        """The explorers of a job."""
        if job not in self.walkers:
            while len(self.walkers) > 3:
                self.walkers.pop(next(iter(self.walkers)))
            self.walkers[job] = walker_on(*pickle.loads(job))
        return self.walkers[job]


_WORKER = _Worker()


def _explore(job: bytes, arrays: Arrays, threshold: int, steps: int, options: Mapping[str, bool]) -> Slice:
    """A task: advance a slice of the explorers by one round. It can be repeated, with the same result."""
    walker = _WORKER.walker(job)
    walker.load(arrays)
    walker.explore(threshold, steps, **options)
    return walker.slice()


@final
@define(eq=False)
class DistributedWalker(Walker):
    """Explorers whose intervals go to workers and back in every round; between two rounds they are in this process.

    `parts`: the parts of the search. `devices`: a device for each slice. `executor`: an executor with `submit`, or a
    function that makes an executor and is called again when the executor breaks. `retries`: the most times that the
    lost slices of a round are submitted again.
    """

    parts: TreeParts
    problem: Problem
    devices: tuple[str, ...]
    executor: Executor | Callable[[], Executor]
    retries: int = 3
    count: int = field(default=0, init=False)
    _here: PythonWalker = field(init=False)
    _jobs: list[bytes] = field(init=False)
    _pool: Executor = field(init=False)
    _last: Slice | None = field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        """Pack search and problem for the workers."""
        self._here = PythonWalker(self.parts, self.problem)
        try:
            self._jobs = [pickle.dumps((self.parts, self.problem, device, 1)) for device in self.devices]
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise InputError(
                f"{type(self.problem).__name__} and its tree cannot be sent to workers: {error}.",
                "define their classes in a module, not in a function.",
            ) from error
        self._pool = self.executor if isinstance(self.executor, Executor) else self.executor()

    def load(self, arrays: Arrays) -> None:
        self._here.load(arrays)
        self.count, self._last = self._here.count, None

    def arrays(self) -> dict[str, np.ndarray]:
        return self._here.arrays()

    def steal(self) -> None:
        self._here.steal()

    def slice(self) -> Slice:
        return self._here.slice() if self._last is None else self._last

    @property
    def reports(self) -> np.ndarray:
        return self.slice().reports

    @property
    def shares_left(self) -> np.ndarray:
        return self.slice().shares_left

    def found(self, e: int) -> Nodes:
        found: Nodes = self.slice().found[e]
        return found

    def fault(self, e: int) -> tuple[int, int, int, int]:
        depth, of_father, lower, upper = self.slice().faults[e].tolist()
        return depth, of_father, lower, upper

    def explore(self, threshold: int, steps: int, *, completes: bool, eager: bool) -> None:
        arrays = self._here.arrays()
        cuts = [self.count * i // len(self._jobs) for i in range(len(self._jobs) + 1)]
        slices = [part_of(arrays, a, b) for a, b in pairwise(cuts)]
        options = {"completes": completes, "eager": eager}
        found = self._all([(each, threshold, steps, options) for each in slices])
        self._last = joined_slices(found, cuts)
        self._here.load(self._last.arrays)

    def _all(self, tasks: list[tuple[Any, ...]]) -> list[Any]:
        """The results of all tasks; tasks that are lost are submitted again."""
        found: dict[int, Any] = {}
        error: BaseException | None = None
        for _ in range(self.retries + 1):
            if isinstance(error, BrokenExecutor):
                self._renew(error)
            error = self._round(tasks, found)
            if error is None:
                return [found[i] for i in range(len(tasks))]
        raise DeviceError(
            f"{len(tasks) - len(found)} of {len(tasks)} slices were lost {self.retries + 1} times: {error!r}.",
            "look at the workers' logs; a checkpoint can be resumed.",
        ) from error

    def _round(self, tasks: list[tuple[Any, ...]], found: dict[int, Any]) -> BaseException | None:
        """Submit the tasks that have no result yet; return the last error, if a task was lost."""
        error: BaseException | None = None
        futures: dict[int, Future[Any]] = {}
        try:
            for i in (i for i in range(len(tasks)) if i not in found):
                futures[i] = self._pool.submit(_explore, self._jobs[i], *tasks[i])
        except (BrokenExecutor, RuntimeError) as lost:
            error = lost
        for i, future in as_they_end(futures):
            try:
                answer = returned(self._pool, future)
            except (CheckFailed, CompileError, InputError):
                raise
            except Exception as lost:
                error = lost
            else:
                slice_like = isinstance(answer, tuple) and len(answer) == len(self.slice())
                require_answer(self._pool, answer, slice_like and len(answer[1]) == len(tasks[i][0]["heights"]))
                found[i] = answer
        return error

    def _renew(self, error: BaseException) -> None:
        """Make another executor in place of a broken one."""
        if isinstance(self.executor, Executor):
            raise DeviceError(
                f"The executor is broken ({error!r}), and cannot be made again.",
                "give a function that makes one, such as partial(ProcessPoolExecutor, 4).",
            ) from error
        self._pool = self.executor()
