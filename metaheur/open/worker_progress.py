"""Lines of progress about the workers that evaluate solutions."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TextIO, final

from attrs import define, field

from metaheur.errors import InputError
from metaheur.machine.pace import now
from metaheur.running.view import View
from metaheur.validate import real_field
from metaheur.watch import Watcher

__all__ = ["WorkerProgress"]


@final
@define(eq=False)
class WorkerProgress(Watcher):
    """Writes lines about the workers of a `WorkerPool`: the solutions asked for, the answers of each, long evaluations.

    Which worker has which solution is known to the executor alone; a worker is named, by its machine and process, from
    its first answer on. Beside `Progress`, which shows how far the run is.

    Parameters
    ----------
    every : float, default 10.0
        Seconds between two lines; the last one comes at the end.
    stream : text file, optional
        The stream to write to; standard error by default.

    Raises
    ------
    InputError
        When the run begins: if no workers evaluate its solutions.
    """

    every: float = real_field(0, default=10.0)
    stream: TextIO | None = None
    _shown: float = field(default=0.0, init=False, repr=False)

    def begin(self, view: View) -> None:
        self._lines(view)
        self._shown = now()

    def look(self, view: View) -> None:
        if now() - self._shown >= self.every:
            self.end(view)

    def end(self, view: View) -> None:
        self._shown = now()
        print(self._lines(view)(), file=self.stream or sys.stderr)

    @staticmethod
    def _lines(view: View) -> Callable[[], str]:
        found: Any = getattr(view.problem, "at_work", None)
        if found is None:
            raise InputError(
                "WorkerProgress needs workers that evaluate solutions, but this run has none.",
                "use parallel=SolutionLevel(executor=...), or the watcher Progress.",
            )
        lines: Callable[[], str] = found
        return lines
