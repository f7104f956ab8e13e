"""Who looks at a race: watchers, to which it is one run, and the reporter."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, Protocol, final

from attrs import define

from metaheur.running.view import View
from metaheur.watch.watcher import Watcher, next_look_of

__all__ = ["Looking", "Reporter", "Reporting"]


class Reporter(Protocol):
    """An object that is told how a race goes."""

    def begin(self, cost: Any, how: str) -> None:
        """Report the cost of a first solution, before anything is compiled, and how it was made."""

    def preparing(self, name: str) -> AbstractContextManager[None]:
        """A search is being compiled."""

    def report(self, name: str, view: View, before: float) -> None:
        """Report where a search stands; `before` are the seconds of the race that other searches took."""


@final
@define(eq=False)
class Looking(Watcher):
    """Shows a race to a watcher as if it were one run, whose search is the one that has its turn."""

    watcher: Watcher
    begun: bool = False
    last: View | None = None

    def begin(self, view: View) -> None:
        if not self.begun:
            self.watcher.begin(view)
        self.begun, self.last = True, view

    def next_look(self, view: View) -> int | None:
        return next_look_of(self.watcher, view)

    def look(self, view: View) -> None:
        self.last = view
        self.watcher.look(view)

    def end(self, view: View) -> None:
        self.last = view

    def close(self) -> None:
        """The race is over."""
        if self.begun and self.last is not None:
            self.watcher.end(self.last)


@final
@define(eq=False)
class Reporting(Watcher):
    """Tells the reporter where a search stands, and notes at which time of the race the search improved."""

    reporter: Reporter | None
    name: str = ""
    before: float = 0.0

    def look(self, view: View) -> None:
        if self.reporter is not None:
            self.reporter.report(self.name, view, self.before)
