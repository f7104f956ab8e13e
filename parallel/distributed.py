"""Several machines: slices of walks on the workers of any `concurrent.futures` executor."""

from __future__ import annotations

import hashlib
import os
import pickle
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import suppress
from functools import partial, reduce
from time import sleep
from typing import Any, final

import numpy as np
from attrs import define, evolve, field, frozen

from metaheur.errors import DeviceError, InputError
from metaheur.machine.pace import CHUNK, Alarm, TimeBudget, now, waited
from metaheur.machine.performance import Spent
from metaheur.parallel.choose import require_steps
from metaheur.parallel.several import nests
from metaheur.parallel.wrapper import ModelWrapper
from metaheur.problem import Problem
from metaheur.runners.joined import shares
from metaheur.runners.stepped import Listed
from metaheur.running.runner import Chunk, Facts, ParallelModel, Runner, as_they_end, require_answer, returned
from metaheur.running.view import Until
from metaheur.search import Search
from metaheur.validate import whole_field
from metaheur.walk import Walks

__all__ = ["Distributed", "end_workers"]

WORTH = 16
"""The least ratio of a task's time to iterate and its time to send states, unless the run must look earlier."""

PAUSE = 0.05
"""Seconds before the first renewal of an executor, four times as many before each later one.

What begins its processes may be about to end, too, and takes no tasks until it has ended.
"""


def _executor(value: Any) -> Any:
    if isinstance(value, type) or not (callable(value) or hasattr(value, "submit")):
        raise InputError(
            f"`executor` must be an executor, or a function that makes an executor, but is {value!r}.",
            "use ProcessPoolExecutor(4), or partial(ProcessPoolExecutor, 4), which can be made again.",
        )
    return value


@final
@frozen
class Distributed(ModelWrapper):
    """The walks of a model in slices, each a task of an executor: processes, Dask, MPI.

    A task takes the states of its walks and returns the states after some iterations; it can be repeated with the same
    result. If a worker dies, only its slice is submitted again. The walks are the same as on one device, for any number
    of slices and workers, and also after the death of workers.

    Parameters
    ----------
    model : ParallelModel
        The walks, and the devices of each worker: ``Multistart(64, device="host", threads=1)``, or a `MultiGPU` for
        workers with several GPUs. If the walks of the model exchange solutions, as in `Islands`, they do so in this
        process, not on the workers: ``Distributed(Islands(model))`` is ``Islands(Distributed(model))``.
    executor : concurrent.futures.Executor, distributed.Client or callable
        An executor with `submit`, whose processes must be spawned, not forked; a client of Dask, to which all tasks
        travel together; or a function that makes one of them, such as ``partial(ProcessPoolExecutor, 4)``. The function
        is called again when the executor breaks, as a pool does when one of its processes is killed.
    slices : int
        Number of tasks at the same time: the number of workers, or a multiple of it.
    iterations : int, optional
        The most iterations of a task, so that a dead worker loses little; None for the iterations of a chunk of the
        run.
    retries : int, default 3
        The most times that the lost slices of a chunk are submitted again.
    """

    model: ParallelModel = field(validator=nests)
    executor: Any = field(converter=_executor)
    slices: int = whole_field(1, 2**20)
    iterations: int | None = whole_field(default=None, maybe="use None.", kw_only=True)
    retries: int = whole_field(0, default=3, kw_only=True)

    def made(self) -> Any:
        """The executor, or one that the function makes."""
        made = self.executor if hasattr(self.executor, "submit") else self.executor()
        if not hasattr(made, "submit"):
            raise InputError(
                f"`Distributed.executor` must make an executor, but {self.executor!r} made {made!r}.",
                "use partial(ProcessPoolExecutor, 4).",
            )
        return made

    @property
    def device(self) -> str:
        """The device of the model, on workers."""
        return f"workers, {self.model.device}"

    def bind(self, search: Search[Any], problem: Problem) -> Runner:
        """Pack search and problem for the workers, which compile them."""
        if meeting := self.model.outside(self):
            return meeting.bind(search, problem)
        require_steps(search, "Distributed")
        search.require(problem)
        try:
            job = pickle.dumps((self.model, search, problem))
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise InputError(
                f"{type(search).__name__} and {type(problem).__name__} cannot be sent to workers: {error}.",
                "define their classes in a module, not in a function; where workers have workers, give a function that "
                "makes their executor.",
            ) from error
        made = self.made()
        words = f"{self.slices} slices of {self.walks} walks by {type(made).__name__}"
        facts = Facts(self.device, words, "asked for", resident=True, spread=words)
        return _Slices(self, search, problem, job, made, facts)


class _Worker(threading.local):
    """The runners of the last few jobs of a worker, which is a thread of some process."""

    def __init__(self) -> None:
        self.bound: dict[str, Runner] = {}


_WORKER = _Worker()


@final
@frozen(eq=False)
class _Answer:
    """The answer of a task.

    `states`: the states of the walks after some iterations; None if the worker does not know the job yet. `spent`:
    launches, seconds and bytes of compiled code. `seconds`: time of all iterations. `compile_seconds`: time to compile.
    """

    states: list[Any] | None = None
    spent: Spent = Spent()
    seconds: float = 0.0
    compile_seconds: float = 0.0

    def answers(self, states: Sequence[Any]) -> bool:
        """Whether it can be the answer of a task with these states: None, or later states of the same walks."""
        return self.states is None or [each.walk.key for each in self.states] == [each.walk.key for each in states]


def _work(  # noqa: PLR0913, PLR0917 - what travels
    digest: str, job: bytes | None, states: Sequence[Any], stopped: np.ndarray, until: Until, left: float
) -> _Answer:
    """A task: advances states of walks until a later iteration, or until the time left is over."""
    bound, budget = _WORKER.bound, TimeBudget()
    runner = bound.get(digest)
    if runner is None:
        if job is None:
            return _Answer()
        model, search, problem = pickle.loads(job)
        while len(bound) > 3:
            bound.pop(next(iter(bound)))
        runner = bound[digest] = model.bind(search, problem)
    runner.count_anew()
    walks = runner.load(states)
    walks.stopped |= stopped
    began = budget.seconds()
    runner.alarm.deadline = now() + left
    walks = runner.advance(walks, until).walks
    seconds = budget.seconds() - began
    return _Answer([walks.state(w) for w in range(len(walks))], runner.spent(), seconds, budget.compile_seconds)


@final
@define(eq=False)
class _Slices(Runner):
    """Walks whose states are sent to workers and back."""

    model: Distributed
    search: Search[Any]
    problem: Problem
    job: bytes
    executor: Any
    facts: Facts
    alarm: Alarm = field(factory=Alarm)
    digest: str = field(init=False)
    _spent: Spent = field(init=False, default=Spent())
    _worked: float = field(init=False, default=0.0)

    def __attrs_post_init__(self) -> None:
        """Make the name of the job, by which a worker knows whether it has the job already."""
        self.digest = hashlib.sha256(self.job).hexdigest()

    def count_anew(self) -> None:
        self._spent = Spent()

    def spent(self) -> Spent:
        """The sum of the workers; the tasks of a chunk count as done side by side."""
        return self._spent

    def paced(self, seconds: float) -> float:
        """The seconds in which workers iterate, reduced if it takes long to send states, for longer chunks."""
        return self._worked * min(1.0, CHUNK / (WORTH * max(seconds - self._worked, 1e-9)))

    def load(self, states: Sequence[Any]) -> Walks:
        return Listed(self.search, list(states))

    def advance(self, walks: Walks, until: Until) -> Chunk:
        if self.model.iterations is not None:
            going = ~(walks.finished | walks.stopped)
            first = int(walks.iterations[going].min()) if going.any() else until.iteration
            until = evolve(until, iteration=min(until.iteration, first + self.model.iterations))
        parts = [part for part in shares(len(walks), (1.0,) * self.model.slices) if part.start < part.stop]
        states = [[walks.state(w) for w in range(part.start, part.stop)] for part in parts]
        stopped = [walks.stopped[part] for part in parts]
        found = self._all(states, stopped, until)
        after = Listed(self.search, [state for answer in found for state in answer.states or ()])
        self._spent += reduce(Spent.beside, (answer.spent for answer in found), Spent())
        self._worked = max(answer.seconds for answer in found)
        after.stopped = walks.stopped
        return Chunk(after)

    def _all(self, states: list[Any], stopped: list[np.ndarray], until: Until) -> list[_Answer]:
        """The answers of all slices; lost slices are submitted again."""
        found: dict[int, _Answer] = {}
        error: BaseException | None = None
        for attempt in range(self.model.retries + 1):
            left = [i for i in range(len(states)) if i not in found]
            error = self._round(left, states, stopped, until, found)
            if error is None:
                return [found[i] for i in range(len(states))]
            if isinstance(error, BrokenExecutor) and attempt < self.model.retries:
                sleep(PAUSE * 4**attempt)
                self._renew(error)
        raise DeviceError(
            f"{len(states) - len(found)} of {len(states)} slices were lost {self.model.retries + 1} times: {error!r}.",
            "look at the workers' logs; a checkpoint can be resumed.",
        ) from error

    def _round(
        self, left: list[int], states: list[Any], stopped: list[np.ndarray], until: Until, found: dict[int, _Answer]
    ) -> BaseException | None:
        """Submit the remaining slices; returns the last error if a slice was lost."""
        error: BaseException | None = None
        seconds, budget = self.alarm.left(), TimeBudget()
        for job in (None, self.job):  # most workers know the job
            asked = [i for i in left if i not in found]
            tasks = {i: (self.digest, job, states[i], stopped[i], until, seconds) for i in asked}
            try:
                for i, answer in _ends(self.executor, tasks):
                    try:
                        result = answer()
                    except InputError:
                        raise
                    except Exception as lost:
                        error = lost
                    else:
                        right = isinstance(result, _Answer) and result.answers(states[i])
                        require_answer(self.executor, result, right)
                        if result.states is not None:
                            found[i] = result
            except BrokenExecutor as lost:
                error = lost
            longest = max((found[i].compile_seconds for i in asked if i in found), default=0.0)
            waited(max(0.0, longest - budget.compile_seconds))  # an executor may work in this very thread
            if all(i in found for i in left):
                return None
        return error or DeviceError("workers forgot their job")

    def _renew(self, error: BaseException) -> None:
        """Replace a broken executor."""
        end_workers(self.executor)
        if hasattr(self.model.executor, "submit"):
            raise DeviceError(
                f"The executor is broken ({error!r}), and cannot be made again.",
                "give a function that makes one, such as partial(ProcessPoolExecutor, 4).",
            ) from error
        self.executor = self.model.made()


def _ends(executor: Any, tasks: Mapping[int, tuple[Any, ...]]) -> Iterator[tuple[int, Callable[[], Any]]]:
    """What returns the answer of each task, as the tasks end."""
    if hasattr(executor, "gather"):
        yield from _together(executor, tasks)
        return
    futures, error = dict[int, Any](), None
    try:
        for i, task in tasks.items():
            futures[i] = submitted(executor, _work, *task)
    except BrokenExecutor as lost:
        error = lost
    for i, future in as_they_end(futures):
        yield i, partial(returned, executor, future)
    if error is not None:
        raise error


def _together(client: Any, tasks: Mapping[int, tuple[Any, ...]]) -> Iterator[tuple[int, Callable[[], Any]]]:
    """The same by a client of Dask, which sends all tasks together: its scheduler works half as long."""
    from distributed import as_completed

    by = partial(client.map, pure=False, retries=0)
    futures = submitted(client, _work, *zip(*tasks.values(), strict=True), by=by)
    places = {future.key: i for i, future in zip(tasks, futures, strict=True)}
    ended = as_completed(futures, with_results=True, raise_errors=False)
    futures.clear()  # see `as_they_end`
    for future, result in ended:
        yield places[future.key], partial(_raised, result)


def _raised(result: Any) -> Any:
    """A result of Dask, or the error that it holds."""
    error = result[1] if isinstance(result, tuple) else result
    if isinstance(error, BaseException):
        raise error
    return result


def submitted(executor: Any, *task: Any, by: Callable[..., Any] | None = None) -> Any:
    """What an executor returns for a task; BrokenExecutor, too, where a pool breaks at this moment."""
    try:
        return (by or executor.submit)(*task)
    except BrokenExecutor:
        raise
    except RuntimeError as refused:
        raise DeviceError(
            f"{type(executor).__name__} takes no tasks: {refused}.",
            "call run before the executor is shut down, or give a function that makes one.",
        ) from refused
    except Exception as lost:  # Dask has errors of its own
        raise BrokenExecutor(f"the executor takes no tasks: {lost}") from lost


def end_workers(executor: Any) -> None:
    """End the processes of a broken pool: a process that it began while it broke would wait for a task for ever.

    The pool's thread waits for this process, and Python waits for this thread before it exits.
    """
    for process in list((getattr(executor, "_processes", None) or {}).values()):
        with suppress(OSError):  # it has ended
            os.kill(process.pid, signal.SIGKILL)
