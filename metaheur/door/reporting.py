"""Lines on standard error that report the progress of a race."""

from __future__ import annotations

import os
import shutil
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from math import isinf
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

BETWEEN_STATES = 0.2
"""Seconds between two states of the line that is written anew on a terminal."""


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


def _say(text: str, stream: TextIO, end: str = "\n") -> None:
    with suppress(OSError, ValueError):  # the stream is closed
        stream.write(f"{text}{end}")
        stream.flush()


@final
@define(eq=False)
class Lines:
    """Writes a line for each better solution, at most two a second, and a line when a search is being compiled.

    On a terminal, the last line shows where the race stands, and is written anew a few times a second.

    Parameters
    ----------
    stream : text file, optional
        The file that is written; standard error by default.
    limit : float, optional
        The limit of seconds.
    """

    stream: TextIO | None = None
    limit: float | None = None
    best: Any = None
    reported_at: float = -1.0
    drawn: float = -1.0

    @property
    def _out(self) -> TextIO:
        return self.stream or sys.stderr

    def preparing(self, name: str) -> Any:
        """A search is being compiled."""
        return announced(f"{self._begin()}compiling {name}", self._out)

    def report(self, name: str, view: View, before: float) -> None:
        """Report where a search stands; `before` are the seconds of the race that other searches took."""
        cost, time = view.cost, now()
        if self.best is None or (time - self.reported_at >= BETWEEN_LINES and self._better(cost, view)):
            self.best, self.reported_at, self.drawn = cost, time, -1.0
            shown = f"{len(view.front):,} solutions" if view.front is not None else f"{cost:,}"
            _say(f"{self._begin()}{before + view.seconds:8.1f} s  {shown:>14}  {name}", self._out)
        if self._begin() and time - self.drawn >= BETWEEN_STATES:
            self.drawn = time
            text = f"{self._standing(name, view, before + view.seconds)}"[: shutil.get_terminal_size().columns - 1]
            _say(f"{self._begin()}{text}", self._out, end="")

    def _standing(self, name: str, view: View, elapsed: float) -> str:
        """The text of the line that is written anew."""
        limit = "" if self.limit is None or isinf(self.limit) else f" of {self.limit:g}"
        best = "" if isinstance(self.best, tuple) else f"  {self.best:,}"
        rate = view.evaluated / view.seconds if view.seconds else 0.0
        return f"{elapsed:8.1f}{limit} s{best}  {rate:,.0f} moves/s  {name}"

    def __enter__(self) -> None:
        """The race begins."""

    def __exit__(self, *error: object) -> None:
        """Take the line away that is written anew: the race is over."""
        if self._begin() and self.drawn >= 0:
            _say(self._begin(), self._out, end="")

    def _begin(self) -> str:
        """What begins a line where another one is written anew: the codes that go to its begin and clear it."""
        terminal = self._out.isatty() and os.environ.get("TERM", "dumb") != "dumb"
        return "\r\x1b[K" if terminal else ""

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
