"""Time: how long a chunk of iterations is, when a run must look up, and Ctrl-C."""

from __future__ import annotations

import math
import signal
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import perf_counter, sleep
from types import FrameType
from typing import TypeVar, final

from attrs import define

__all__ = ["AIM", "NEVER", "Alarm", "Clock", "Pace", "StepCut", "aside", "interrupted_by", "interruptible"]

T = TypeVar("T")

CHUNK = 0.1
"""Seconds that a chunk of iterations aims at."""

GROWTH = 16
"""How many times as long a chunk may be as the one before: what a launch costs comes a few times less at the start."""

AIM = 0.05
"""Seconds between two looks at a run; the pieces of a long step aim at it, too."""

LOOK = 0.02
"""Seconds between two looks at an alarm while native code works."""


class StepCut(Exception):
    """A step was broken off between two chunks of evaluations, before it decided anything."""


@final
@define(eq=False)
class Alarm:
    """Says whether a run must end now: its time is over, or somebody pressed Ctrl-C; and when to let it look.

    Parameters
    ----------
    deadline : float
        In seconds of `time.perf_counter`; infinite for never.
    interrupted : callable
        Whether somebody pressed Ctrl-C.
    look : float
        When stopping criteria and watchers want to look at the run next, in the same seconds; infinite for never. A
        runner whose steps may take long ends its chunk then, in the middle of a step if need be.
    """

    deadline: float = math.inf
    interrupted: Callable[[], bool] = bool
    look: float = math.inf

    def rings(self) -> bool:
        """Whether the run must end now."""
        return self.interrupted() or perf_counter() >= self.deadline

    def due(self) -> bool:
        """Whether the run is to be looked at now."""
        return perf_counter() >= self.look

    def check(self) -> None:
        """Break the step off if the run must end now.

        Raises
        ------
        StepCut
            For the runner, which keeps the state before the step.
        """
        if self.rings():
            raise StepCut

    def allow(self, seconds: float) -> None:
        """Break the step off where something that cannot be broken off would take longer than what is left.

        Raises
        ------
        StepCut
            As `check` does, once the alarm rings.
        """
        if seconds > self.left():
            self.wait()
            raise StepCut

    def wait(self) -> None:
        """Sleep until it rings."""
        while not self.rings():
            self.pause()

    def pause(self) -> None:
        """Sleep until the next look at the alarm."""
        sleep(min(LOOK, self.left()))

    def left(self) -> float:
        """Seconds until the deadline, not negative."""
        return max(0.0, self.deadline - perf_counter())

    def watch(
        self, work: Callable[[], None], cancel: Callable[[], None], pause: Callable[[], None] | None = None
    ) -> None:
        """Do the work in a thread of its own, and cancel it when the alarm rings: a native call hears no signal.

        Parameters
        ----------
        work : callable
            Ends soon after it was cancelled. What it raises is raised here.
        cancel : callable
            Called again every 20 ms until the work has ended.
        pause : callable, optional
            The same from when the alarm asks for a look, for work that can end where a step does.
        """
        done, failed = threading.Event(), []

        def attempt() -> None:
            try:
                work()
            except BaseException as error:
                failed.append(error)
            finally:
                done.set()

        worker = threading.Thread(target=attempt, daemon=True)
        worker.start()
        while not done.wait(min(LOOK, self.left()) or LOOK):
            if self.rings():
                cancel()
            elif pause is not None and self.due():
                pause()
        worker.join()
        if failed:
            raise failed[0]


def aside(work: Callable[[], T]) -> Generator[None, None, T]:
    """Do native work, which hears no alarm, in a thread of its own.

    Yields every 20 ms, so that whoever iterates can look at other things; returns what the work does. Whoever closes
    the generator waits until the work has ended.
    """
    from concurrent.futures import ThreadPoolExecutor, wait

    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(work)
        while not wait([future], LOOK).done:
            yield
        return future.result()


NEVER = Alarm()
"""An alarm that never rings."""


@final
class Clock:
    """Seconds since now, after those of the runs before."""

    def __init__(self, before: float) -> None:
        self.zero = perf_counter() - before

    def seconds(self) -> float:
        """Seconds so far."""
        return perf_counter() - self.zero


@final
@define
class Pace:
    """How many iterations a chunk has: 1 at first, then up to 16 times as many as before, so that it takes 100 ms.

    A chunk takes longer only if its iterations are slower than those of the chunk before.
    """

    length: int = 1
    each: float = 0.0

    def within(self, seconds: float) -> int:
        """Iterations of the next chunk, fewer where so little time is left."""
        if self.length * self.each <= seconds:
            return self.length
        return max(1, int(seconds / self.each))

    def measure(self, made: int, seconds: float) -> None:
        """Learn from a chunk; one that ended early says nothing of longer ones."""
        if not made:
            return
        self.each = seconds / made
        room = GROWTH * self.length if made >= self.length else self.length
        self.length = max(1, min(room, int(CHUNK / self.each))) if self.each else room


_asked: ContextVar[Callable[[], bool] | None] = ContextVar("asked", default=None)


@contextmanager
def interrupted_by(asked: Callable[[], bool]) -> Iterator[None]:
    """Have the runs of this thread ask somebody else whether Ctrl-C was pressed, and leave the signal alone."""
    token = _asked.set(asked)
    try:
        yield
    finally:
        _asked.reset(token)


@contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """On the main thread, note the first Ctrl-C instead of raising; yields whether there was one."""
    asked = _asked.get()
    if asked is not None:
        yield asked
        return
    noted: list[int] = []

    def note(number: int, _: FrameType | None) -> None:
        if noted:
            raise KeyboardInterrupt
        noted.append(number)

    previous = signal.getsignal(signal.SIGINT)
    main = threading.current_thread() is threading.main_thread()
    if not main or previous in (None, signal.SIG_IGN):  # a handler that is not Python's; a job in the background
        yield lambda: False
        return
    signal.signal(signal.SIGINT, note)
    try:
        yield lambda: bool(noted)
    finally:
        signal.signal(signal.SIGINT, previous)
