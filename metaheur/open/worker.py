"""The work of a worker: it evaluates one solution, within a limit of time."""

from __future__ import annotations

import os
import pickle
import signal
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from time import perf_counter
from types import FrameType
from typing import Any, final

import numpy as np
from attrs import frozen

from metaheur.evaluators.costs import python_cost
from metaheur.problem import Problem

__all__ = ["Answered", "evaluate_one"]

MOST_JOBS = 4
"""The most problems that a worker remembers."""

_PROBLEMS: dict[str, Problem] = {}


@final
@frozen
class Answered:
    """The answer of a worker.

    `cost`: the cost, as `python_cost` returns it; None if there is none. `fault`: why there is none, in words; "" if
    the worker only does not know the problem. `seconds`: how long it took. `worker`: who answers.
    """

    cost: Any = None
    fault: str = ""
    seconds: float = 0.0
    worker: str = ""


def evaluate_one(digest: str, job: bytes | None, x: np.ndarray, limit: float | None) -> Answered:
    """Evaluate a solution.

    `digest`: the name of the problem. `job`: the problem, pickled; None where workers are taken to know it. `x`: the
    solution. `limit`: the most seconds; None for no limit.
    """
    worker = f"{socket.gethostname()}:{os.getpid()}"
    problem = _PROBLEMS.get(digest)
    if problem is None:
        if job is None:
            return Answered(worker=worker)
        problem = pickle.loads(job)
        while len(_PROBLEMS) >= MOST_JOBS:
            with suppress(KeyError, StopIteration):  # another thread was faster
                del _PROBLEMS[next(iter(_PROBLEMS))]
        _PROBLEMS[digest] = problem
    began, known = perf_counter(), problem
    try:
        cost = within(limit, lambda: python_cost(known, x))
    except Exception as error:
        fault = f"{type(error).__name__}: {error}".partition("\n")[0]
        return Answered(None, fault, perf_counter() - began, worker)
    return Answered(cost, "", perf_counter() - began, worker)


def within(limit: float | None, work: Callable[[], Any]) -> Any:
    """The result of some work; TimeoutError if it takes longer than so many seconds.

    On the main thread of a process an alarm of the operating system breaks Python code off; on other threads, the work
    is left to itself when its time is over.
    """
    if limit is None:
        return work()
    if threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer"):
        return _alarmed(limit, work)
    return _left(limit, work)


def _alarmed(limit: float, work: Callable[[], Any]) -> Any:
    def ring(_: int, __: FrameType | None) -> None:
        raise TimeoutError(f"it took longer than {limit:g} seconds")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, limit)
    try:
        return work()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _left(limit: float, work: Callable[[], Any]) -> Any:
    found: list[Any] = []
    failed: list[BaseException] = []

    def attempt() -> None:
        try:
            found.append(work())
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=attempt, daemon=True)
    thread.start()
    thread.join(limit)
    if failed:
        raise failed[0]
    if not found:
        raise TimeoutError(f"it took longer than {limit:g} seconds")
    return found[0]
