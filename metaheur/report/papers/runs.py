"""The runs from which a paper's tables are computed, those on one core by several processes if asked for."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from fnmatch import fnmatch
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import Final, Self, final

from attrs import frozen

from metaheur import stop
from metaheur.errors import InputError
from metaheur.problem import Problem
from metaheur.report.experiment import Experiment
from metaheur.report.papers.columns import Planned
from metaheur.report.papers.paper import PaperTable, tables_of
from metaheur.report.run_many import run_many
from metaheur.report.workers import ThisThread, Workers
from metaheur.validate import whole_field

__all__ = ["Effort", "RunsOfPlan", "make_core_runs", "runs_of"]

DAY: Final = 86_400.0
"""The most seconds of a run without a limit; a limit of time keeps runs from sharing a launch."""


@final
@frozen
class Effort:
    """How much is done for each number of a table.

    Parameters
    ----------
    runs : int, optional
        Runs of an instance, at most; by default as many as theirs.
    seconds : float, optional
        Seconds of a run, at most; its work is then extrapolated, and one walk of a core stands for all of its walks.
    total : float, optional
        Seconds after which no row is begun but the first of each table; the tables share them.
    plans : tuple of (str, Effort), optional
        Patterns of the names of plans, with their own runs and seconds, such as ``(("GPU*", Effort(50)),)``. Of several
        patterns that match a plan, the last one counts; what it leaves out is as for all plans.
    processes : int, default 1
        Processes that make the runs on one core, before the first table. Cores that are busy slow each other down.
    """

    runs: int | None = whole_field(default=None, maybe="leave it out.")
    seconds: float | None = None
    total: float | None = None
    plans: tuple[tuple[str, Effort], ...] = ()
    processes: int = whole_field(1, 4096, default=1)

    def __attrs_post_init__(self) -> None:
        """Refuse what has no meaning together."""
        if self.total is not None and self.processes > 1:
            raise InputError(
                f"`processes` is {self.processes}, which make all runs on one core before the first table, but `total` "
                f"is {self.total}.",
                "leave one of them out; the command's --quick has a total.",
            )

    def of(self, plan: str) -> Effort:
        """How much is done for the runs of a plan."""
        own = [each for pattern, each in self.plans if fnmatch(plan, pattern)]
        if not own:
            return self
        runs, seconds = own[-1].runs, own[-1].seconds
        return Effort(self.runs if runs is None else runs, self.seconds if seconds is None else seconds)

    @classmethod
    def quick(cls) -> Self:
        """One run of 0.3 s, and no new row after 45 s."""
        return cls(1, 0.3, 45.0)


@final
@frozen(eq=False)
class RunsOfPlan:
    """The runs of a plan on an instance.

    Parameters
    ----------
    table, instance, plan : str
        Their names.
    planned : Planned
        The runs.
    problem : Problem
        The instance.
    effort : Effort
        How much is done for them.
    """

    table: str
    instance: str
    plan: str
    planned: Planned
    problem: Problem
    effort: Effort

    @property
    def seeds(self) -> range:
        """Their seeds."""
        return range(min(self.planned.runs, self.effort.runs or self.planned.runs))

    def made(self, folder: Path, workers: Workers, seeds: Sequence[int]) -> Experiment:
        """The runs with these seeds: recorded ones, and new ones by the workers."""
        limit = stop.seconds(DAY if self.effort.seconds is None else self.effort.seconds)
        work = self.planned.budget.stop
        return run_many(
            {self.table: self.planned.search},
            {self.instance: self.problem},
            stop=limit if work is None else work | limit,
            seeds=seeds,
            start=self.planned.start,
            parallel={self.plan: self.planned.model},
            workers=workers,
            folder=folder,
            progress=False,
        )


def runs_of(paper: PaperTable, row: str, plan: str, problems: Sequence[Problem], effort: Effort) -> list[RunsOfPlan]:
    """The runs of a plan on each instance of a row."""
    own, several, found = effort.of(plan), len(problems) > 1, []
    for place, problem in enumerate(problems):
        planned = paper.plans[plan](row, problem)
        planned = planned if own.seconds is None else planned.with_one_walk()
        found.append(RunsOfPlan(paper.name, f"{row}, {place}" if several else row, plan, planned, problem, own))
    return found


def make_core_runs(paper: str, tables: Sequence[PaperTable], rows: str, effort: Effort, folder: Path) -> None:
    """Make the runs on one core of some tables by several processes; runs that fail are made again later.

    Parameters
    ----------
    paper : str
        The name of the paper.
    tables : sequence of PaperTable
        Some of its tables.
    rows : str
        A pattern of the names of rows.
    effort : Effort
        How much is done, and by how many processes.
    folder : path
        Where the runs are recorded.

    Raises
    ------
    InputError
        If a process ends while it makes a run.
    """
    tasks = [task for table in tables for row in table.matching(rows) for task in _tasks(paper, table, row, effort)]
    others = active_children()
    with ProcessPoolExecutor(effort.processes, get_context("spawn"), _may_be_interrupted) as pool:
        try:  # the larger instances, which take longer, are the last ones of a table
            for future in as_completed([pool.submit(task.make, effort, folder) for task in reversed(tasks)]):
                future.result()
        except BrokenProcessPool as error:
            raise InputError(
                f"One of {effort.processes} processes ended while it made a run; its own message is above.",
                "there is too little memory: use fewer processes.",
            ) from error
        except BaseException:  # runs that have begun are lost, recorded ones are not
            for process in set(active_children()).difference(others):
                process.terminate()
            raise


def _may_be_interrupted() -> None:
    """End this process without a word when the user presses Ctrl-C between two runs."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@final
@frozen
class _Task:
    """A run on one core, by the names of its paper, table, row and plan, the place of its instance, and its seed."""

    paper: str
    table: str
    row: str
    plan: str
    place: int
    seed: int

    def make(self, effort: Effort, folder: Path) -> None:
        """Make and record the run, in a process of its own."""
        table = next(each for each in tables_of(self.paper) if each.name == self.table)
        runs = runs_of(table, self.row, self.plan, table.problems(self.row), effort)[self.place]
        if any(each.status == "interrupted" for each in runs.made(folder, ThisThread(), (self.seed,)).runs):
            raise KeyboardInterrupt


def _tasks(paper: str, table: PaperTable, row: str, effort: Effort) -> Iterator[_Task]:
    """The runs on one core of a row."""
    try:
        problems = table.problems(row)
    except InputError:  # the row is left out, and its note tells why
        return
    for plan in table.plans:
        for place, runs in enumerate(runs_of(table, row, plan, problems, effort)):
            if runs.planned.on_one_core:
                yield from (_Task(paper, table.name, row, plan, place, seed) for seed in runs.seeds)
