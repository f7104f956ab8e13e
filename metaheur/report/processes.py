"""Processes that make the runs of an experiment."""

from __future__ import annotations

import os
import pickle
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, final

from attrs import define, field, frozen

from metaheur.errors import InputError
from metaheur.machine.pace import interrupted_by
from metaheur.report.experiment import ExperimentRun
from metaheur.report.workers import Batch, Setup, Workers
from metaheur.validate import whole_field

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

__all__ = ["Processes"]

BETWEEN_CHECKS = 0.1
"""Seconds between two looks at whether somebody pressed Ctrl-C."""


@final
@frozen
class Processes(Workers):
    """Processes of this machine, which are spawned; a script that uses them must guard its main part.

    That is, the main part of the script stands below ``if __name__ == "__main__":``. Searches and problems are pickled.
    If Python makes the steps and a neighborhood is large, each process would use all cores;
    ``IterationLevel("host", threads=1)`` limits it to one.

    Parameters
    ----------
    count : int
        The number of processes.
    """

    count: int = whole_field(1, 4096)

    def made(
        self, setup: Setup, batches: Sequence[Batch], interrupted: Callable[[], bool]
    ) -> Iterator[list[ExperimentRun]]:
        pool = _Pool(_pickled(setup), deque(batches))
        for each in setup.compiling(batches):  # once, not by each process
            each.value()
        try:
            for _ in range(min(self.count, len(batches))):
                pool.start()
            while pool.workers:
                if interrupted():
                    pool.interrupt()
                yield from pool.wait()
        finally:
            pool.close()


@final
@define(eq=False)
class _Worker:
    """A process, the connection to it, and its batch; `ready` when it has received what all runs share."""

    process: SpawnProcess
    connection: Connection
    batch: Batch = ()
    ready: bool = False


@final
@define(eq=False)
class _Pool:
    """Processes that work until no batch is left."""

    payload: bytes
    pending: deque[Batch]
    workers: list[_Worker] = field(factory=list)
    interrupted: bool = False

    def start(self) -> None:
        """Start a process; it ignores Ctrl-C until it can handle it."""
        import multiprocessing
        from multiprocessing import resource_tracker

        context = multiprocessing.get_context("spawn")
        if getattr(multiprocessing.current_process(), "_inheriting", False):
            raise InputError(
                "run_many was called while one of its own processes was starting.",
                'write if __name__ == "__main__": above it; or use workers=Threads(4).',
            )
        here, there = context.Pipe()
        process = context.Process(target=_work, args=(there, self.payload), daemon=True)
        resource_tracker.ensure_running()  # here, since it lets this thread receive Ctrl-C again
        with _interrupts_blocked():
            process.start()
        there.close()
        self.workers.append(_Worker(process, here))

    def interrupt(self) -> None:
        """Let every run end with the result that it has."""
        if not self.interrupted:
            self.interrupted = True
            self.pending.clear()
            for worker in self.workers:
                with suppress(OSError, TypeError):
                    os.kill(worker.process.pid, signal.SIGINT)  # type: ignore[arg-type]

    def wait(self) -> Iterator[list[ExperimentRun]]:
        """The runs that arrive within a tenth of a second; idle processes get the next batches."""
        from multiprocessing.connection import wait

        ready = wait([worker.connection for worker in self.workers], BETWEEN_CHECKS)
        for worker in [each for each in self.workers if each.connection in ready]:
            try:
                message = worker.connection.recv()
            except (EOFError, OSError):
                yield self._runs_of_dead(worker)
                continue
            if isinstance(message, str):
                raise InputError(message, "define classes in a module, not at a prompt; or use workers=Threads(4).")
            if worker.ready:
                yield message
            worker.ready, worker.batch = True, ()
            self._next(worker)

    def _next(self, worker: _Worker) -> None:
        worker.batch = self.pending.popleft() if self.pending else ()
        with suppress(OSError):  # a process that has just died is handled at the next look
            worker.connection.send(worker.batch or None)
        if not worker.batch:
            self._end(worker)

    def _end(self, worker: _Worker) -> None:
        worker.connection.close()
        worker.process.join()
        self.workers.remove(worker)

    def _runs_of_dead(self, worker: _Worker) -> list[ExperimentRun]:
        """The failed runs of a process that died; start another process if there is more to do."""
        worker.process.join()
        how, pid = _cause(worker.process.exitcode), worker.process.pid
        self._end(worker)
        if not worker.ready and not self.interrupted:
            raise InputError(
                f"A process that was to make runs ended while it started ({how}); its own message is above.",
                'write if __name__ == "__main__": above run_many in a script; or use workers=Threads(4).',
            )
        if self.pending:
            self.start()
        error = f"WorkerDied: the process {pid}, which made this run, {how}"
        return [task.run(None, error) for task in worker.batch]

    def close(self) -> None:
        """End every process, even if it works."""
        for worker in self.workers:
            worker.process.terminate()
            worker.connection.close()
        for worker in self.workers:
            worker.process.join()


def _cause(code: int | None) -> str:
    """How a process ended."""
    if code is None or code >= 0:
        return f"ended with the status {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    return f"was killed by {name}"


def _pickled(setup: Setup) -> bytes:
    try:
        return pickle.dumps(setup)
    except Exception as error:  # any error of a user's class
        raise InputError(
            f"What the runs share cannot be sent to another process: {type(error).__name__}: {error}.",
            "define classes and functions in a module; or use workers=Threads(4).",
        ) from error


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Block Ctrl-C in this thread, and in processes that it starts."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(connection: Connection, payload: bytes) -> None:
    """The work of a process: batch after batch, until there are no more."""
    asked: list[int] = []
    os.setpgrp()  # a terminal's Ctrl-C is for the experiment, which passes it on once
    signal.signal(signal.SIGINT, lambda number, _: asked.append(number))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_follow_parent, daemon=True).start()
    try:
        setup: Setup = pickle.loads(payload)
    except Exception as error:
        connection.send(f"A process cannot read what the runs share: {type(error).__name__}: {error}.")
        return
    connection.send([])  # ready
    with interrupted_by(lambda: bool(asked)), suppress(EOFError, OSError):
        while (batch := connection.recv()) is not None:
            connection.send(setup.make(batch, lambda: bool(asked)))


def _follow_parent() -> None:
    """End this process together with its parent, even if the parent was killed."""
    from multiprocessing import parent_process
    from multiprocessing.connection import wait

    parent = parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)
