"""A watcher looks at a run and never changes it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from metaheur.errors import InputError

if TYPE_CHECKING:
    from metaheur.running.view import View

__all__ = ["Watcher", "next_look_of"]


class Watcher(ABC):
    """Looks at a run. It reads the view and writes nothing that the view leads to.

    A run calls `begin`, then `look` as often as `next_look` asks for it, and always `end`, also where the run breaks
    off by an exception. What can be refused is refused in `begin`; a watcher that fails later ends the run, and its
    Result says so. One watcher may serve one run after another.
    """

    def begin(self, view: View) -> None:  # noqa: B027 - optional
        """The run stands at its first iteration, or where a `resume` takes it up; nothing by default."""

    def next_look(self, view: View) -> int | None:
        """The iteration after the view's at which to look next; None, the default, for whenever a chunk ends.

        A chunk ends some twenty times a second, so None also serves those who want to look at a certain time.
        """
        return None

    @abstractmethod
    def look(self, view: View) -> None:
        """The run stands at the iteration that was asked for."""

    def end(self, view: View) -> None:  # noqa: B027 - optional
        """The run is over. Where `view.intact` is false, a step broke off; nothing by default."""


def next_look_of(watcher: Watcher, view: View) -> int | None:
    """The iteration at which a watcher looks next.

    Raises
    ------
    InputError
        If it is not one after the view's.
    """
    at = watcher.next_look(view)
    if at is not None and at <= view.iterations:
        raise InputError(
            f"{type(watcher).__name__}.next_look must return an iteration after {view.iterations}, where the run is, "
            f"but returned {at}.",
            "return a later iteration, or None.",
        )
    return at
