"""Lines on standard error that report the progress of a race."""

from __future__ import annotations

import shutil
import sys
from math import isinf
from typing import Any, TextIO, final

from attrs import define

from metaheur.machine.ahead import underway
from metaheur.machine.pace import now
from metaheur.running.shown import cost_text
from metaheur.running.view import View
from metaheur.watch.announcement import announced, clearing, say

__all__ = ["Lines"]

BETWEEN_LINES = 0.5
"""Seconds between two lines."""

BETWEEN_STATES = 0.2
"""Seconds between two states of the line that is written anew on a terminal."""


@final
@define(eq=False)
class Lines:
    """Writes a line for each better solution, at most two a second, and a line when a search is being compiled.

    On a terminal, the last line shows where the race stands, and is written anew a few times a second.

    `stream`: the file that is written; standard error by default. `limit`: the limit of seconds.
    """

    stream: TextIO | None = None
    limit: float | None = None
    best: Any = None
    reported_at: float = -1.0
    drawn: float = -1.0

    @property
    def _out(self) -> TextIO:
        return self.stream or sys.stderr

    def begin(self, cost: Any, how: str) -> None:
        """Report the cost of a first solution, before anything is compiled, and how it was made."""
        self._line(0.0, cost_text(cost), how)

    def preparing(self, name: str) -> Any:
        """A search is being compiled."""
        return announced(f"compiling {name}", self._out)

    def _line(self, seconds: float, cost: str, how: str) -> None:
        say(f"{self._begin()}{seconds:8.1f} s  {cost:>14}  {how}", self._out)

    def report(self, name: str, view: View, before: float) -> None:
        """Report where a search stands; `before` are the seconds of the race that other searches took."""
        cost, time = view.cost, now()
        if self.best is None or (time - self.reported_at >= BETWEEN_LINES and self._better(cost, view)):
            self.best, self.reported_at, self.drawn = cost, time, -1.0
            shown = f"{len(view.front):,} solutions" if view.front is not None else cost_text(cost)
            self._line(before + view.seconds, shown, name)
        if self._begin() and time - self.drawn >= BETWEEN_STATES:
            self.drawn = time
            text = f"{self._standing(name, view, before + view.seconds)}"[: shutil.get_terminal_size().columns - 1]
            say(f"{self._begin()}{text}", self._out, end="")

    def _standing(self, name: str, view: View, elapsed: float) -> str:
        """The text of the line that is written anew."""
        limit = "" if self.limit is None or isinf(self.limit) else f" of {self.limit:g}"
        best = "" if isinstance(self.best, tuple) else f"  {self.best:,}"
        rate = view.evaluated / view.seconds if view.seconds else 0.0
        compiled = "".join(f"; compiling {other}, {seconds:.1f} s" for other, seconds in underway()[:1])
        return f"{elapsed:8.1f}{limit} s{best}  {rate:,.0f} moves/s  {name}{compiled}"

    def __enter__(self) -> None:
        """The race begins."""

    def __exit__(self, *error: object) -> None:
        """Take the line away that is written anew: the race is over."""
        if self._begin() and self.drawn >= 0:
            say(self._begin(), self._out, end="")

    def _begin(self) -> str:
        """What begins a line where another one is written anew."""
        return clearing(self._out)

    def _better(self, cost: Any, view: View) -> bool:
        if view.front is not None:
            return True
        return bool(cost > self.best if view.problem.maximise else cost < self.best)
