"""Work that another thread begins ahead of its use, such as compiling."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from math import isinf
from typing import Any, Generic, TypeVar, final

from metaheur.machine.pace import compiling, now

__all__ = ["Ahead", "compiler_begins", "first_of", "postponed", "underway", "undisturbed"]

T = TypeVar("T")


@final
class Ahead(Generic[T]):
    """The result of a function that another thread calls from now on.

    The thread does not keep the process alive. Work that nobody asks for any more goes on, and its units stay in the
    cache.

    `make`: the function, without arguments. What it raises is raised where its result is asked for. `name`: what it
    prepares, in words. `postponed`: whether the function has left out a measurement, because other threads would
    disturb it.
    """

    def __init__(self, make: Callable[[], T], name: str) -> None:
        self.name, self.began, self.postponed = name, now(), False
        self._make, self._values, self._error = make, list[T](), list[BaseException]()
        self._ended, self._known = threading.Event(), threading.Event()
        threading.Thread(target=self._work, daemon=True, name=f"metaheur: {name}").start()

    def _work(self) -> None:
        _HERE.task = self
        try:
            self._values.append(self._make())
        except BaseException as error:
            self._error.append(error)
        finally:
            _UNDERWAY.pop(self, None)
            self._known.set()
            with _ENDS:
                self._ended.set()
                _ENDS.notify_all()

    def compiles(self) -> None:
        """A compiler begins for this work, so that it takes longer."""
        _UNDERWAY.setdefault(self)
        self._known.set()

    @property
    def ready(self) -> bool:
        """Whether the result is there."""
        return self._ended.is_set()

    def soon(self) -> bool:
        """Whether the result is there, after waiting until it is, or until a compiler has begun."""
        with compiling():
            self._known.wait()
        return self.ready

    def within(self, seconds: float) -> bool:
        """Whether the result is there, after waiting for so many seconds at most; this counts as compiling."""
        with compiling():
            return self._ended.wait(None if isinf(seconds) else seconds)

    def value(self) -> T:
        """The result; the seconds of waiting for it count as compiling."""
        if not self.soon():
            compiler_begins()
        with compiling():
            self._ended.wait()
        if self._error:
            raise self._error[0]
        return self._values[0]


def first_of(several: Sequence[Ahead[Any]]) -> int:
    """The number of the first work whose result is there, after waiting until one is; this counts as compiling."""
    with compiling(), _ENDS:
        _ENDS.wait_for(lambda: any(each.ready for each in several))
    return next(number for number, each in enumerate(several) if each.ready)


_ENDS = threading.Condition()
"""Told whenever a work has ended."""

_HERE = threading.local()
_UNDERWAY: dict[Ahead[Any], None] = {}
"""The works for which a compiler has begun, in order."""


def compiler_begins() -> None:
    """Tell the work of this thread, if any, that a compiler begins."""
    task: Ahead[Any] | None = getattr(_HERE, "task", None)
    if task is not None:
        task.compiles()


def postponed() -> bool:
    """Whether this thread works ahead, so that a measurement must be left out; its work then tells so."""
    task: Ahead[Any] | None = getattr(_HERE, "task", None)
    if task is not None:
        task.postponed = True
    return task is not None


def undisturbed() -> AbstractContextManager[object]:
    """A context for a measurement, and for a long computation in Python: one thread at a time is in it.

    Compilers are no computations in Python: they go on.
    """
    return _ALONE


def _forget() -> None:
    """After a fork: a thread that was in the context is not there any more."""
    global _ALONE  # noqa: PLW0603 - a lock cannot be reset
    _ALONE = threading.RLock()


_ALONE = threading.RLock()
os.register_at_fork(after_in_child=_forget)


def underway() -> list[tuple[str, float]]:
    """The works for which a compiler has begun, and that have not ended: their names, and their seconds so far."""
    return [(each.name, now() - each.began) for each in list(_UNDERWAY)]
