"""The progress of an experiment: a bar on a terminal or in a notebook, nothing elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from metaheur.report.experiment import ExperimentRun
from metaheur.watch.progress import bar_on

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

__all__ = ["RunsBar", "runs_bar"]


class RunsBar:
    """Counts the runs that have ended.

    `bar`: the bar that shows the count; None to show nothing. `total`: the number of all runs. `there`: the runs that
    were made earlier.
    """

    def __init__(self, bar: Bar | None, total: int, there: Iterable[ExperimentRun]) -> None:
        self.bar, self.total, self.ended, self.failed = bar, total, 0, 0
        for run in there:
            self._count(run)
        if bar is not None:
            bar.add_task("", total=total, completed=self.ended, **self._texts("no run has ended yet"))

    def show(self, run: ExperimentRun) -> None:
        """Count a run that has just ended."""
        self._count(run)
        if self.bar is not None:
            (task,) = self.bar.task_ids
            last = f"{_found(run)} by {run.search} on {run.problem}, seed {run.seed}"
            self.bar.update(task, completed=self.ended, refresh=True, **self._texts(last))

    def _count(self, run: ExperimentRun) -> None:
        self.ended += 1
        self.failed += run.status == "failed"

    def _texts(self, last: str) -> dict[str, Any]:
        failed = f", {self.failed:,} failed" if self.failed else ""
        return {"runs": f"{self.ended:,} of {self.total:,} runs{failed}", "last": last}


def _found(run: ExperimentRun) -> str:
    """The cost that a run found, or the number of solutions of its front."""
    if run.result is None:
        return run.status
    front = run.result.front
    return f"{run.result.cost:,}" if front is None else f"front of {len(front):,}"


@contextmanager
def runs_bar(total: int, there: Iterable[ExperimentRun], *, shown: bool = True) -> Iterator[RunsBar]:
    """A bar on standard error while runs are made, if that is a terminal or a notebook.

    `total`: the number of all runs. `there`: the runs that were made earlier. `shown`: False to show nothing anywhere.
    """
    bar = bar_on(sys.stderr, "runs", "last", clock=True) if shown else None
    counting = RunsBar(bar, total, there)
    if bar is None:
        yield counting
        return
    with bar:
        yield counting
