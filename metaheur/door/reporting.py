"""Lines on standard error that report the progress of a race."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any, TextIO, final

from attrs import define

from metaheur.machine.performance import now
from metaheur.running.view import View
from metaheur.watch.watcher import Watcher

__all__ = ["Announcing", "Lines", "announced"]

SILENCE = 1.0
"""After so many seconds of silence, a line says what is going on."""

BETWEEN_LINES = 0.5
"""Seconds between two lines."""


@contextmanager
def announced(text: str, stream: TextIO | None = None) -> Iterator[None]:
    """Say what is going on if it takes more than a second, such as compiling."""
    timer = threading.Timer(SILENCE, _say, (f"{text} ...", stream or sys.stderr))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _say(text: str, stream: TextIO) -> None:
    with suppress(OSError, ValueError):  # the stream is closed
        stream.write(f"{text}\n")
        stream.flush()


@final
@define(eq=False)
class Lines:
    """Writes a line for each better solution, at most two a second, and a line when a search is being compiled.

    Parameters
    ----------
    stream : text file, optional
        The file that is written; standard error by default.
    """

    stream: TextIO | None = None
    best: Any = None
    reported_at: float = -1.0

    def preparing(self, name: str) -> Any:
        """A search is being compiled."""
        return announced(f"compiling {name}", self.stream or sys.stderr)

    def report(self, name: str, view: View, before: float) -> None:
        """Report where a search stands; `before` are the seconds of the race that other searches took."""
        cost, time = view.cost, now()
        if self.best is not None and (time - self.reported_at < BETWEEN_LINES or not self._better(cost, view)):
            return
        self.best, self.reported_at = cost, time
        shown = f"{len(view.front):,} solutions" if view.front is not None else f"{cost:,}"
        _say(f"{before + view.seconds:8.1f} s  {shown:>14}  {name}", self.stream or sys.stderr)

    def _better(self, cost: Any, view: View) -> bool:
        if isinstance(cost, tuple):
            return True
        return bool(cost > self.best if view.problem.maximise else cost < self.best)


@final
class Announcing(Watcher):
    """Says that a run is being prepared, if that takes more than a second from now on."""

    def __init__(self, text: str) -> None:
        self._silence = ExitStack()
        self._silence.enter_context(announced(text))

    def begin(self, view: View) -> None:
        self._silence.close()

    def look(self, view: View) -> None:
        """Do nothing."""
