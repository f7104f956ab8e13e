"""The time of a call and of a run: what is used and left, and the parts in compiled code and in Python."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from threading import Lock, local
from time import perf_counter
from typing import Self, final

from attrs import define, field, frozen

__all__ = ["Meter", "Performance", "Spent", "TimeBudget", "compiling", "now"]


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


_THREAD = local()


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
        course = Course.begin(bound(...), stop, watchers, TimeBudget())  # each search has a clock of its own
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


@final
@frozen
class Spent:
    """Launches, seconds and bytes of compiled code.

    Parameters
    ----------
    launches : int
        Calls of entries: kernels on a GPU, native calls on a CPU.
    seconds : float
        Seconds in these calls, and waiting for them.
    nbytes : int
        Bytes copied to and from a GPU's memory, without the bytes that the GPU itself reads and writes in the host's
        memory.
    occupancy, kernel_seconds, evaluation_seconds, archiving_seconds : float
        As in `Performance`.
    """

    launches: int = 0
    seconds: float = 0.0
    nbytes: int = 0
    occupancy: float = 0.0
    kernel_seconds: float = 0.0
    evaluation_seconds: float = 0.0
    archiving_seconds: float = 0.0

    def __add__(self, other: Spent) -> Spent:
        """The sum of both, which ran one after the other."""
        return Spent(
            self.launches + other.launches,
            self.seconds + other.seconds,
            self.nbytes + other.nbytes,
            max(self.occupancy, other.occupancy),
            self.kernel_seconds + other.kernel_seconds,
            self.evaluation_seconds + other.evaluation_seconds,
            self.archiving_seconds + other.archiving_seconds,
        )

    @classmethod
    def side_by_side(cls, each: Iterable[Spent]) -> Self:
        """The sum for devices that worked at the same time: the seconds are those of the longest one."""
        parts = list(each)
        return cls(
            sum(part.launches for part in parts),
            max((part.seconds for part in parts), default=0.0),
            sum(part.nbytes for part in parts),
            max((part.occupancy for part in parts), default=0.0),
            max((part.kernel_seconds for part in parts), default=0.0),
            max((part.evaluation_seconds for part in parts), default=0.0),
            max((part.archiving_seconds for part in parts), default=0.0),
        )


@final
@define(eq=False)
class Meter:
    """Counts what a device's compiled code takes; see `Spent`. Several threads may use it at once.

    ``with meter:`` counts the seconds of a call; those of calls at the same time count once.
    """

    launches: int = 0
    seconds: float = 0.0
    nbytes: int = 0
    kernel_seconds: float = 0.0
    _calls: int = 0  # that have not returned
    _began: float = 0.0
    _lock: Lock = field(factory=Lock, repr=False)

    def __enter__(self) -> None:
        with self._lock:
            if not self._calls:
                self._began = now()
            self._calls += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._calls -= 1
            if not self._calls:
                self.seconds += now() - self._began

    def count(self, *, launches: int = 0, nbytes: int = 0, kernel_seconds: float = 0.0) -> None:
        """Add launches, bytes, and seconds in which a GPU ran kernels."""
        with self._lock:
            self.launches += launches
            self.nbytes += nbytes
            self.kernel_seconds += kernel_seconds

    def reset(self) -> None:
        """Count anew from now on; of calls that have not returned, the rest counts."""
        with self._lock:
            self.launches, self.seconds, self.nbytes, self.kernel_seconds = 0, 0.0, 0, 0.0
            self._began = now()

    def read(self) -> Spent:
        """The counts so far, with the calls that have not returned."""
        with self._lock:
            seconds = self.seconds + (now() - self._began if self._calls else 0.0)
            return Spent(self.launches, seconds, self.nbytes, kernel_seconds=self.kernel_seconds)


@final
@frozen
class Performance:
    """The time of a run in compiled code and in Python; after a `resume`, since then.

    Parameters
    ----------
    moves : int
        Moves evaluated by all walks together, as the sequential definition counts them.
    seconds : float
        Time since the call of `run`, without compiling.
    compile_seconds : float
        Time to compile or load kernels; not part of `seconds`.
    native_seconds : float
        The part of `seconds` in compiled code: in kernels and waiting for them, or in native calls on a CPU. If several
        devices or workers share the walks, the seconds of the one that worked longest. 0 for Python alone, and for
        slices of an exact search that workers explore, since these do not report their time.
    launches : int
        Calls of compiled code.
    nbytes : int
        Bytes copied to and from GPUs, without the bytes that a GPU itself reads and writes in the host's memory.
    occupancy : float
        The share of a GPU's places for threads that resident walks take, 0 ... 1; 0 for other runs.
    kernel_seconds : float
        The part of `native_seconds` in which a GPU ran kernels: by its own clock if walks are resident, else the time
        of waiting for kernels and their results; 0 on a CPU.
    evaluation_seconds, archiving_seconds : float
        The parts of `native_seconds` of a Pareto local search, resident on a device, in which neighborhoods were
        evaluated, and in which neighbors were compared with the archive and archived; 0 for other runs.
    """

    moves: int = 0
    seconds: float = 0.0
    compile_seconds: float = 0.0
    native_seconds: float = 0.0
    launches: int = 0
    nbytes: int = 0
    occupancy: float = 0.0
    kernel_seconds: float = 0.0
    evaluation_seconds: float = 0.0
    archiving_seconds: float = 0.0

    @property
    def moves_per_second(self) -> float:
        """Evaluated moves per second; 0 if no time passed."""
        return self.moves / self.seconds if self.seconds else 0.0

    @property
    def python_seconds(self) -> float:
        """Seconds in Python, between launches; all seconds if there was no launch."""
        return max(0.0, self.seconds - self.native_seconds)

    @property
    def python_share(self) -> float:
        """The share of the time in Python, 0 ... 1; 0 if no time passed."""
        return self.python_seconds / self.seconds if self.seconds else 0.0

    def __str__(self) -> str:
        moved = f", {self.nbytes / 1e6:,.1f} MB copied" if self.nbytes else ""
        kernels = f", {self.kernel_seconds:,.3f} s in kernels" if self.kernel_seconds else ""
        filled = f", {100 * self.occupancy:.0f} % of a GPU's threads" if self.occupancy else ""
        return (
            f"{self.launches:,} launches{kernels}{moved}{filled}; {100 * self.python_share:.1f} % of the time in Python"
        )
