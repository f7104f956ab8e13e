"""The abstract class of watchers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

from metaheur.errors import InputError

if TYPE_CHECKING:
    from metaheur.running.view import View

__all__ = ["Watcher", "failure_of", "next_look_of", "require_one_objective"]


class Watcher(ABC):
    """Looks at a run and never changes it: a watcher reads the view, and writes none of its objects.

    A run enters `preparing`, calls `begin`, then `look` as often as `next_look` requires, and always `end`, also after
    an exception. A watcher refuses a run in `begin`; a watcher that fails later ends the run, and the Result says so.
    One watcher may serve several runs, one after the other.
    """

    def preparing(self) -> AbstractContextManager[object]:
        """Entered before anything is compiled, and left when the walks stand at their starts; nothing by default."""
        return nullcontext()

    def begin(self, view: View) -> None:  # noqa: B027 - optional
        """Called before the first step, also after a `resume`; does nothing by default."""

    def next_look(self, view: View) -> int | None:
        """The later iteration at which to look next; None, the default, to look whenever a chunk ends.

        Chunks end some twenty times a second, so None also serves a watcher that looks at certain times.
        """
        return None

    @abstractmethod
    def look(self, view: View) -> None:
        """Called at the iteration of `next_look`."""

    def end(self, view: View) -> None:  # noqa: B027 - optional
        """Called when the run is over; if `view.intact` is false, a step broke off. Does nothing by default."""


def next_look_of(watcher: Watcher, view: View) -> int | None:
    """The iteration at which a watcher looks next."""
    at = watcher.next_look(view)
    if at is not None and at <= view.iterations:
        raise InputError(
            f"{type(watcher).__name__}.next_look must return an iteration after {view.iterations}, where the run is, "
            f"but returned {at}.",
            "return a later iteration, or None.",
        )
    return at


def require_one_objective(watcher: Watcher, view: View) -> None:
    """Refuse a run with several objectives."""
    objectives = view.problem.objectives
    if objectives:
        raise InputError(
            f"{type(watcher).__name__} watches the costs of one objective, but this {type(view.problem).__name__} has "
            f"{', '.join(objectives)}.",
            "write a Watcher whose `look` reads view.front.",
        )


def failure_of(watcher: Watcher, what: str, error: Exception) -> str:
    """What a watcher failed with, in words."""
    return f"{type(watcher).__name__}.{what}: {type(error).__name__}: {error}"
