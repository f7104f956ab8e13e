"""The time of a run in compiled code and in Python, and what devices counted."""

from __future__ import annotations

from operator import add
from threading import Lock
from typing import final

from attrs import astuple, define, evolve, field, frozen

from metaheur.machine.pace import now

__all__ = ["Meter", "Performance", "Spent"]


@final
@frozen
class Spent:
    """Launches, seconds and bytes of compiled code.

    `launches`: calls of entries: kernels on a GPU, native calls on a CPU. `seconds`: seconds in these calls, and
    waiting for them. `nbytes`: bytes copied to and from a GPU's memory, without the bytes that the GPU itself reads and
    writes in the host's memory. `occupancy`, `kernel_seconds`, `evaluation_seconds`, `archiving_seconds`: as in
    `Performance`.
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
        sums = Spent(*map(add, astuple(self), astuple(other)))
        return evolve(sums, occupancy=max(self.occupancy, other.occupancy))

    def beside(self, other: Spent) -> Spent:
        """The sum for devices that worked at the same time: the seconds are those of the longest one."""
        longest = Spent(*map(max, astuple(self), astuple(other)))
        return evolve(longest, launches=self.launches + other.launches, nbytes=self.nbytes + other.nbytes)


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
