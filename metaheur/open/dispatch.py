"""Dispatch: gives solutions to workers, takes answers in any order, and gives lost solutions to workers again."""

from __future__ import annotations

import hashlib
import pickle
from collections import deque
from concurrent.futures import BrokenExecutor, CancelledError
from queue import Empty, SimpleQueue
from time import sleep
from typing import Any, final

import numpy as np
from attrs import define, field

from metaheur.errors import DeviceError, InputError
from metaheur.machine.pace import LOOK, now
from metaheur.open.known import Evaluation, KnownCosts
from metaheur.open.worker import Answered, evaluate_one
from metaheur.open.worker_pool import WorkerPool
from metaheur.parallel.distributed import PAUSE, end_workers, submitted
from metaheur.problem import Problem, levels_of
from metaheur.running.runner import require_answer, short

__all__ = ["Dispatch"]

MOST_NAMED = 8
"""The most workers that a line of progress names."""

RENEWALS = 3
"""How often an executor is made again for one task that it does not take."""

LOST = 3
"""How often a solution is lost together with others before it is evaluated alone."""


@final
@define(eq=False)
class _Task:
    """A solution that a worker has, or that waits for one.

    `tries`: how often it was answered by a failure. `lost`: how often its worker was lost. `future`: what the executor
    returned; None while it waits. `executor`: the number of the executor that has it, of those made so far. `began`:
    when it was given to it. `whole`: whether the problem goes with it.
    """

    key: bytes
    x: np.ndarray
    tries: int = 0
    lost: int = 0
    future: Any = None
    executor: int = 0
    began: float = 0.0
    whole: bool = False


@final
@define(eq=False)
class Dispatch:
    """The solutions that workers evaluate, and the costs that they have found.

    `pool`: the workers. `problem`: the problem of the solutions. `known`: takes the costs. `arrived`: the keys of
    solutions that were evaluated, in the order of their arrival. `workers`: the evaluations and the seconds of each
    worker.
    """

    pool: WorkerPool
    problem: Problem
    known: KnownCosts
    executor: Any = field(init=False)
    tasks: dict[bytes, _Task] = field(init=False, factory=dict)
    arrived: list[bytes] = field(init=False, factory=list)
    workers: dict[str, tuple[int, float]] = field(init=False, factory=dict)
    failures: int = field(init=False, default=0)
    lost: int = field(init=False, default=0)
    _job: bytes = field(init=False)
    _digest: str = field(init=False)
    _made: int = field(init=False, default=1)
    _flying: int = field(init=False, default=0)
    _waiting: deque[_Task] = field(init=False, factory=deque)
    _alone: deque[_Task] = field(init=False, factory=deque)
    _answers: SimpleQueue[tuple[_Task, Any]] = field(init=False, factory=SimpleQueue)

    def __attrs_post_init__(self) -> None:
        """Pack the problem for the workers."""
        try:
            self._job = pickle.dumps(self.problem)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise InputError(
                f"{type(self.problem).__name__} cannot be sent to workers: {error}.",
                "define its class in a module, not in a function.",
            ) from error
        self._digest = hashlib.sha256(self._job).hexdigest()
        self.executor = self.pool.made()

    @property
    def flying(self) -> int:
        """How many solutions are with workers."""
        return self._flying

    def ask(self, key: bytes, x: np.ndarray) -> None:
        """Give a solution to a worker, unless its cost is known or one has it already."""
        if key not in self.tasks and self.known.get(key) is None:
            task = self.tasks[key] = _Task(key, x)
            self._waiting.append(task)
            self._submit_waiting()

    def take(self, seconds: float = LOOK) -> bool:
        """Wait for an answer, and take all answers that have arrived; return whether there was one."""
        try:
            self._settle(*self._answers.get(timeout=seconds))
        except Empty:
            return False
        while not self._answers.empty():
            self._settle(*self._answers.get())
        return True

    def close(self) -> None:
        """Submit nothing more, and shut down an executor that was made for this run."""
        for task in self.tasks.values():
            if task.future is not None:
                task.future.cancel()
        self.tasks.clear()
        self._waiting.clear()
        self._alone.clear()
        self.known.close()
        if not hasattr(self.pool.executor, "submit"):
            self.executor.shutdown(wait=False)

    def words(self) -> str:
        """The numbers of evaluations, of failures and of lost solutions, in words."""
        found = [f"{len(self.arrived):,} evaluations by {len(self.workers)} workers"]
        found += [f"{self.failures:,} of them failed and cost the most"] * bool(self.failures)
        found += [f"{self.lost:,} lost with their workers and asked again"] * bool(self.lost)
        return ", ".join(found)

    def at_work(self) -> str:
        """The present work of the workers, in a line."""
        given = [task for task in self.tasks.values() if task.future is not None]
        longest = f", the longest for {now() - min(task.began for task in given):.3g} s" if given else ""
        found = [f"{self.words()}; {len(given)} are asked for{longest}, {len(self.tasks) - len(given)} wait"]
        busiest = sorted(self.workers.items(), key=lambda each: each[1], reverse=True)
        found += [f"{name}: {count} of {seconds / count:.3g} s each" for name, (count, seconds) in busiest[:MOST_NAMED]]
        return "; ".join(found)

    def _submit_waiting(self) -> None:
        """Give waiting solutions to workers; a solution that was lost too often is evaluated alone."""
        while self._waiting and not self._alone:
            self._submit(self._waiting.popleft())
        if self._alone and not self._flying:
            self._submit(self._alone[0])

    def _submit(self, task: _Task) -> None:
        whole = task.whole or not self.workers  # nobody has the problem yet
        sent = (evaluate_one, self._digest, self._job if whole else None, task.x, self.pool.timeout)
        for attempt in range(RENEWALS + 1):
            try:
                task.future = submitted(self.executor, *sent)
                break
            except BrokenExecutor as error:
                if attempt == RENEWALS:
                    raise
                sleep(PAUSE * 4**attempt)
                self._renew(error)
        if not callable(getattr(task.future, "add_done_callback", None)):
            raise InputError(
                f"{type(self.executor).__name__}.submit must return a future, but returned {short(task.future)}.",
                "use an executor of concurrent.futures, such as ProcessPoolExecutor.",
            )
        task.executor, task.began = self._made, now()
        self._flying += 1
        task.future.add_done_callback(lambda future: self._answers.put((task, future)))

    def _settle(self, task: _Task, future: Any) -> None:
        """Take an answer, or evaluate the solution again."""
        self._flying -= 1
        if self.tasks.get(task.key) is not task:
            return
        task.future = None
        error = CancelledError("it was cancelled") if future.cancelled() else future.exception()
        if error is not None:  # not raised here: its traceback would keep this run, and the ledger open
            self._is_lost(task, error)
        else:
            answer = future.result()
            require_answer(self.executor, answer, isinstance(answer, Answered))
            count, seconds = self.workers.get(answer.worker, (0, 0.0))
            self.workers[answer.worker] = count + 1, seconds + answer.seconds
            if answer.cost is not None:
                self._keep(task, answer.cost, answer.seconds)
            elif answer.fault:
                self._has_failed(task, answer.fault, answer.seconds)
            else:
                task.whole = True
                self._again(task)
        self._submit_waiting()

    def _again(self, task: _Task) -> None:
        if not self._alone or task is not self._alone[0]:
            self._waiting.append(task)

    def _keep(self, task: _Task, cost: Any, seconds: float, *, failed: bool = False) -> None:
        self.known.add(task.key, Evaluation(task.x, cost, seconds, task.tries + (not failed), failed))
        self.arrived.append(task.key)
        del self.tasks[task.key]
        if self._alone and task is self._alone[0]:
            self._alone.popleft()

    def _has_failed(self, task: _Task, fault: str, seconds: float) -> None:
        """Evaluate a failed solution again, or apply the policy for failures."""
        task.tries += 1
        if task.tries < self.pool.failed.tries:
            self._again(task)
        elif self.pool.failed.then == "worst":
            self.failures += 1
            self._keep(task, worst(self.problem), seconds, failed=True)
        else:
            raise InputError(
                f"{type(self.problem).__name__}.cost failed for {short(task.x.tolist())}: {fault}.",
                'use WorkerPool(..., failed="worst"), or Retry(3).',
            )

    def _is_lost(self, task: _Task, error: BaseException) -> None:
        """Evaluate a solution again whose worker is lost."""
        task.lost += 1
        self.lost += 1
        if isinstance(error, BrokenExecutor) and task.executor == self._made:
            self._renew(error)
        if self._alone and task is self._alone[0]:
            task.tries = max(task.tries, self.pool.failed.tries - 1)
            self._has_failed(task, f"its worker was lost {task.lost} times, at last without any other: {error!r}", 0.0)
        elif task.lost >= LOST:
            self._alone.append(task)
        else:
            self._waiting.append(task)

    def _renew(self, error: BaseException) -> None:
        """Make the executor again."""
        if hasattr(self.pool.executor, "submit"):
            raise DeviceError(
                f"The executor is broken ({error!r}), and cannot be made again.",
                "give a function that makes one, such as partial(ProcessPoolExecutor, 4).",
            ) from error
        end_workers(self.executor)
        self.executor = self.pool.made()
        self._made += 1


def worst(problem: Problem) -> Any:
    """The largest possible cost."""
    levels = levels_of(problem)
    if levels is not None:
        return levels.packed([high for _, high in levels.bounds])
    most = 1e306 if problem.cost_type == "float64" else 2**62 - 1
    return (most,) * len(problem.objectives) if problem.objectives else most
