"""Time: what a call has used, the length of chunks of iterations, the next look at a run, and Ctrl-C."""

from __future__ import annotations

import math
import signal
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import perf_counter, sleep
from types import FrameType
from typing import Any, TypeVar, final

import numpy as np
from attrs import define

__all__ = [
    "AIM",
    "FIRST",
    "NEVER",
    "Alarm",
    "Pace",
    "StepCut",
    "TimeBudget",
    "aside",
    "compiling",
    "interrupted_by",
    "interruptible",
    "now",
    "running",
    "running_budget",
    "waited",
]

T = TypeVar("T")

CHUNK = 0.1
"""The target length of a chunk of iterations, in seconds."""

LONGEST = 1.0
"""The most that this target becomes where walks wait for each other."""

GROWTH = 16
"""The largest ratio of the lengths of a chunk and the one before; large, so that few short chunks pay a launch."""

AIM = 0.05
"""Seconds between two looks at a run; also the target length of the parts of a long step."""

FIRST = 0.2
"""Seconds that the first chunk may take, even if starts have used up the limit."""

LOOK = 0.02
"""Seconds between two looks at an alarm while native code works."""


NAP = 0.0005
"""Seconds between two looks at a GPU that works."""


def now() -> float:
    """The time in seconds, from a moment that never changes."""
    return perf_counter()


@final
class _Compiling:
    """The seconds in which a thread compiled; a compilation inside another one counts once."""

    def __init__(self) -> None:
        self.seconds, self.depth, self.began = 0.0, 0, 0.0

    def read(self) -> float:
        """The seconds so far, with a compilation that goes on."""
        return self.seconds + (now() - self.began if self.depth else 0.0)


_THREAD = threading.local()


def _compiling_here() -> _Compiling:
    """What this thread has compiled."""
    found: _Compiling | None = getattr(_THREAD, "watch", None)
    if found is None:
        found = _THREAD.watch = _Compiling()
    return found


@contextmanager
def compiling() -> Iterator[None]:
    """Count the seconds of this thread as compiling: no limit of time includes them.

    A thread that waits until others have compiled counts its waiting in the same way.
    """
    watch = _compiling_here()
    if not watch.depth:
        watch.began = now()
    watch.depth += 1
    try:
        yield
    finally:
        watch.depth -= 1
        if not watch.depth:
            watch.seconds += now() - watch.began


def waited(seconds: float) -> None:
    """Count seconds in which this thread waited for another process that compiled, as compiling."""
    _compiling_here().seconds += seconds


@final
class TimeBudget:
    """The time of a call of `run`, `resume`, `run_many` or `solve`, in seconds since the call, without compiling.

    A call makes one budget before it does anything else, and passes it to all that takes time: reading, candidates,
    starts, calibration, trials, a race, the run. Each of them asks how much is `left`, takes a `part` of it, and does
    less where it does not fit.

    Parameters
    ----------
    limit : float, default inf
        The seconds that the call may use.
    before : float, default 0
        Seconds that were used before the call, by the run that is resumed.

    Attributes
    ----------
    cuts : list of str
        What was done smaller because time was short, a sentence each; `Result.plan` ends with them.

    Notes
    -----
    `solve` uses it as follows::

        budget = TimeBudget(limit)  # the first line, before a file is read
        problem = problem_from_file(path)  # counts
        trial = budget.part(0.1)  # a trial may use a tenth of what is left
        course = Course.begin(binding(...), stop, watchers, TimeBudget())  # each search has a clock of its own
        stop = seconds(course.view.seconds + budget.left())  # ends when the call's time is over

    Units that are compiled in other threads, side by side, do not count either if the thread of the budget waits for
    them in ``with compiling():``. The budget reads the clock of the thread that made it.
    """

    def __init__(self, limit: float = math.inf, before: float = 0.0) -> None:
        self.limit, self.before, self._watch = limit, before, _compiling_here()
        self.cuts: list[str] = []
        self._compiled, self._call = self._watch.read(), now()

    @property
    def compile_seconds(self) -> float:
        """Seconds since the call in which its thread compiled, or waited for others that did."""
        return self._watch.read() - self._compiled

    def seconds(self) -> float:
        """Seconds that are used."""
        return self.before + max(0.0, now() - self._call - self.compile_seconds)

    def left(self) -> float:
        """Seconds that are left, not negative; infinite without a limit."""
        return max(0.0, self.limit - self.seconds())

    def deadline(self) -> float:
        """The time of `now` at which it is over, if nothing is compiled until then: for an `Alarm`."""
        return now() + self.left()

    def over(self) -> bool:
        """Whether the time is over."""
        return self.seconds() >= self.limit

    def part(self, share: float, most: float = math.inf) -> TimeBudget:
        """A budget that begins now, of a share (0 ... 1) of the seconds left, but at most `most` seconds."""
        return TimeBudget(min(share * self.left(), most))


_running: ContextVar[TimeBudget | None] = ContextVar("running", default=None)


@contextmanager
def running(budget: TimeBudget) -> Iterator[None]:
    """Let what is prepared for a call, such as candidates, ask how much of its time is left."""
    token = _running.set(budget)
    try:
        yield
    finally:
        _running.reset(token)


def running_budget() -> TimeBudget:
    """The budget of the call that goes on; one without a limit where there is none."""
    return _running.get() or TimeBudget()


class StepCut(Exception):
    """Breaks a step off; the walk stays where the step began.

    `found`: the solution that the step had reached; it is kept if it is the best one so far.
    """

    def __init__(self, found: Any = None) -> None:
        super().__init__()
        self.found = found


@final
@define(eq=False)
class Alarm:
    """The end of a run by its deadline or by Ctrl-C, and the time of the next look at the run.

    `deadline`: the time at which the run must end, in seconds of `now`; infinite for never. `interrupted`: a function
    that returns whether the user pressed Ctrl-C. `look`: the time of the next look by stopping criteria and watchers,
    in the same seconds; infinite for never. A runner with long steps ends its chunk at this time, also in the middle of
    a step.
    """

    deadline: float = math.inf
    interrupted: Callable[[], bool] = bool
    look: float = math.inf

    def rings(self) -> bool:
        """Whether the run must end now."""
        return self.interrupted() or now() >= self.deadline

    def due(self) -> bool:
        """Whether it is time for a look at the run."""
        return now() >= self.look

    def check(self) -> None:
        """Break the step off if the run must end now."""
        if self.rings():
            raise StepCut

    def pause(self) -> None:
        """Sleep until the next look at the alarm."""
        sleep(min(LOOK, self.left()))

    def nap(self) -> None:
        """Sleep a moment, which is short beside a launch of a GPU."""
        sleep(NAP)

    def left(self) -> float:
        """Seconds until the deadline, not negative."""
        return max(0.0, self.deadline - now())

    def watch(
        self, work: Callable[[], None], cancel: Callable[[], None], pause: Callable[[], None] | None = None
    ) -> None:
        """Do work in a thread of its own, and cancel it when the alarm rings: no signal interrupts a native call.

        `work`: the work, which ends soon after it was cancelled. An exception in it is raised here. `cancel`: cancels
        the work; called every 20 ms until the work has ended. `pause`: asks the work to end after a step; called every
        20 ms from when it is time for a look at the run.
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
    """Do native work, which an alarm cannot interrupt, in a thread of its own.

    Yields every 20 ms, so that the caller can do other things, and returns the result of the work. `close` waits until
    the work has ended.
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
@define
class Pace:
    """The number of iterations of a chunk: 1 at first, then up to 16 times as many as before, until it takes 100 ms.

    A chunk takes longer if its iterations are slower than those of the chunk before, and where walks wait for each
    other: the more iterations, the more equal are the times of walks whose single iterations differ.
    """

    length: int = 1
    each: float = 0.0

    def within(self, seconds: float) -> int:
        """Iterations of the next chunk; fewer if less time is left."""
        if self.length * self.each <= seconds:
            return self.length
        return max(1, int(seconds / self.each))

    def measure(self, made: int, seconds: float, work: np.ndarray) -> None:
        """Learn from the seconds of a chunk; a chunk that ended early does not count.

        `made`: its iterations. `seconds`: how long it took. `work`: moves that each walk has evaluated in it, of walks
        that go on.
        """
        if not made:
            return
        self.each = seconds / made
        room = GROWTH * self.length if made >= self.length else self.length
        uneven = work.max() / work.mean() if work.any() else 1.0
        aim = min(LONGEST, CHUNK * uneven**2)
        self.length = max(1, min(room, int(aim / self.each))) if self.each else room


_asked: ContextVar[Callable[[], bool] | None] = ContextVar("asked", default=None)


@contextmanager
def interrupted_by(asked: Callable[[], bool]) -> Iterator[None]:
    """Let the runs of this thread call a function to learn of Ctrl-C, and leave the signal alone."""
    token = _asked.set(asked)
    try:
        yield
    finally:
        _asked.reset(token)


@contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """On the main thread, record the first Ctrl-C instead of raising; yields a function that tells whether it came."""
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
    if not main or previous in (
        None,
        signal.SIG_IGN,
    ):  # a handler of others; a background job
        yield lambda: False
        return
    try:
        signal.signal(signal.SIGINT, note)
    except ValueError:  # a subinterpreter, whose threads no signal reaches
        yield lambda: False
        return
    try:
        yield lambda: bool(noted)
    finally:
        signal.signal(signal.SIGINT, previous)
