"""The tables of a paper made again: theirs, ours and the ratio, from records."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatch
from math import inf
from pathlib import Path
from typing import Final, Self, final

from attrs import define, field, frozen

from metaheur import run, stop
from metaheur.device.cuda.cuda import gpus
from metaheur.errors import InputError
from metaheur.machine.processors import cores
from metaheur.problem import Problem
from metaheur.report.experiment import Experiment, ExperimentRun
from metaheur.report.papers.columns import Cell, MadeRuns, Planned
from metaheur.report.papers.paper import PaperTable, chosen_tables
from metaheur.report.papers.seen import Seen
from metaheur.report.processes import Processes
from metaheur.report.run_many import run_many
from metaheur.report.table import Table
from metaheur.report.workers import Batch, Setup, ThisThread, Workers
from metaheur.validate import whole_field

__all__ = ["Effort", "MadeTable", "make_again", "table_again"]

DAY: Final = 86_400.0
"""The most seconds of a run without a limit; a limit of time keeps runs from sharing a launch."""

MOMENT: Final = 0.05
"""Seconds of a run that opens a GPU."""

NOT_RUN: Final = "not run"


@final
@frozen
class Effort:
    """How much is done for each number of a table.

    `runs`: runs of an instance, at most; by default as many as theirs. `seconds`: seconds of a run, at most; its work
    is then extrapolated, and one walk of a core stands for all of its walks. `total`: seconds after which no row is
    begun but the first of each table; the tables share them. `plans`, tuple of (str, Effort or None): patterns of the
    names of plans, with their own runs and seconds, such as ``(("GPU*", Effort(50)),)``. A row or a part of a table may
    stand before the plan: "tai30a, core", "annealing, GPU*". None leaves the plans out, for example because another
    machine makes them. Of several patterns that match a plan, the last one counts; what it leaves out is as for all
    plans. `processes`: the most runs on one core that are made at the same time, by processes.
    Busy cores slow each other down.
    """

    runs: int | None = whole_field(default=None, maybe="leave it out.")
    seconds: float | None = None
    total: float | None = None
    plans: tuple[tuple[str, Effort | None], ...] = ()
    processes: int = whole_field(1, 4096, default=1)

    def of(self, plan: str, *places: str) -> Effort | None:
        """How much is done for the runs of a plan; None if it is left out. `places`: of it, a row, part of a table."""
        names = _names(plan, places)
        own = [each for pattern, each in self.plans if any(fnmatch(name, pattern) for name in names)]
        if not own:
            return self
        if own[-1] is None:
            return None
        runs, seconds = own[-1].runs, own[-1].seconds
        return Effort(self.runs if runs is None else runs, self.seconds if seconds is None else seconds)

    @classmethod
    def quick(cls) -> Self:
        """One run of 0.3 s, and no new row after 45 s."""
        return cls(1, 0.3, 45.0)


def _names(plan: str, places: Sequence[str]) -> list[str]:
    """What a pattern may match of a plan: its name alone, or behind a row or a part of a table."""
    return [plan, *(f"{each}, {plan}" for each in places if each)]


@final
@frozen(eq=False)
class MadeTable:
    """A table that was made again; ``print(made)`` shows it.

    `name`: what the paper calls it. `title`: what it is of. `table`: their numbers, and for each of our columns ours,
    in the mean, and theirs divided by ours. ``±``: the standard deviation of the seconds of several runs on an
    instance. ``~``: extrapolated, because the clock ended a run before all its work, or because a run stands for many.
    ``>``: a lower bound, because a run ended without a proof or before its end. "not run": there is no GPU, and no
    record of a run; a note names columns that no row has for this reason, which are left out. `made_by`: for each kind
    of runs, the devices on which they were made, and their seeds. `notes`: rows that are left out, with the reason,
    runs that failed, and proofs that are missing. `runs`: the runs, from records or new.
    """

    name: str
    title: str
    table: Table
    made_by: tuple[str, ...]
    notes: tuple[str, ...]
    runs: tuple[ExperimentRun, ...]

    def __str__(self) -> str:
        title = f"{self.name[0].upper()}{self.name[1:]}: {self.title}"
        return "\n".join([title, str(self.table), *self.made_by, *self.notes])


@final
@frozen
class _Nobody(Workers):
    """Makes no run: the experiment contains only recorded runs."""

    def made(
        self, setup: Setup, batches: Sequence[Batch], interrupted: Callable[[], bool]
    ) -> Iterator[list[ExperimentRun]]:
        return iter(())


def make_again(  # noqa: PLR0913 - the options of the command
    paper: str,
    *,
    table: int | None = None,
    figure: int | None = None,
    rows: str = "*",
    effort: Effort = Effort(),
    folder: str | os.PathLike[str],
) -> Iterator[MadeTable]:
    """Make the tables of a paper again, on a core and, where there is one, on a GPU.

    `paper`: one of `PAPERS`. `table`, `figure`: the number of one table, or of one figure, whose numbers are then a
    table; by default all. `rows`: a pattern of the names of rows, or several with commas between; tables without such a
    row are left out. `effort`: how much is done; by default runs and their work are theirs. A note counts the rows that
    are left out for want of time; the same call with the same folder goes on with these rows. `folder`: where the runs
    are recorded; recorded ones are not made again. Where there is no GPU, records of runs on one are used all the same.
    """
    chosen = chosen_tables(paper, table=table, figure=figure, rows=rows)
    _require_plans(effort, chosen)
    end = time.monotonic() + (inf if effort.total is None else effort.total)
    for left, each in zip(range(len(chosen), 0, -1), chosen, strict=True):
        now = time.monotonic()
        yield table_again(each, rows, Path(folder), effort, until=now + (end - now) / left)


def _require_plans(effort: Effort, tables: Sequence[PaperTable]) -> None:
    """Refuse patterns that match no plan of these tables."""
    plans = [*dict.fromkeys(plan for each in tables for plan in each.plans)]
    names = [name for each in tables for plan in each.plans for name in _names(plan, (each.part, *each.theirs))]
    for pattern, _ in effort.plans:
        if not any(fnmatch(name, pattern) for name in names):
            told = "; ".join(plans) or "none"
            raise InputError(f"`effort` names {pattern!r}, which matches no plan; the plans are: {told}.")


def table_again(paper: PaperTable, rows: str, folder: Path, effort: Effort, *, until: float = inf) -> MadeTable:
    """The table; no row but the first is begun after `until`."""
    making = _Making(paper, folder, effort)
    wanted = paper.matching(rows)
    for place, name in enumerate(wanted):
        if making.names and time.monotonic() > until:
            later = f"{len(wanted) - place} rows, from {name} on"
            making.notes.append(f"There was no time for {later}: the same command goes on with them.")
            break
        making.add(name)
    return making.done()


@final
@define(eq=False)
class _Making:
    """A table while its rows are made."""

    paper: PaperTable
    folder: Path
    effort: Effort
    names: list[tuple[str]] = field(factory=list)
    cells: list[tuple[Cell, ...]] = field(factory=list)
    notes: list[str] = field(factory=list)
    runs: list[ExperimentRun] = field(factory=list)
    seen: Seen = field(factory=Seen)
    opened: int = 0  # GPUs that have run something

    def add(self, name: str) -> None:
        """Make a row, or note why it is left out."""
        paper = self.paper
        try:
            problems = paper.problems(name)
        except InputError as error:
            self.notes.append(f"{name} is left out: {' '.join(str(error).split())}")
            return
        made = {}
        for plan in paper.plans:
            effort = self.effort.of(plan, name, paper.part)
            if effort is not None and (found := self._made(name, plan, problems, effort)) is not None:
                made[plan] = found
        self.names.append((name,))
        self.cells.append((*paper.theirs[name], *self._ours(name, made)))
        self.notes += [f"{name}: {text}" for rows, text in paper.remarks.items() if fnmatch(name, rows)]

    def _ours(self, name: str, made: dict[str, MadeRuns]) -> Iterator[Cell]:
        """The cells of our columns."""
        for column in self.paper.ours.values():
            theirs = None if column.against is None else self.paper.theirs[name][column.against]
            known = set(column.uses) <= made.keys()
            ours, ratio = column.cells(name, made, theirs) if known else (NOT_RUN, None)
            yield from (ours, ratio) if column.ratio else (ours,)

    def _made(self, name: str, plan: str, problems: Sequence[Problem], effort: Effort) -> MadeRuns | None:
        """The runs of a plan; None if they need GPUs, and there are neither these nor records."""
        several = len(problems) > 1
        plans = [self.paper.plans[plan](name, problem) for problem in problems]
        plans = [each if effort.seconds is None else each.with_one_walk() for each in plans]
        done = []
        for place, (problem, planned) in enumerate(zip(problems, plans, strict=True)):
            experiment = self._run(f"{name}, {place}" if several else name, plan, planned, problem, effort)
            if any(each.status == "interrupted" for each in experiment.runs):
                raise KeyboardInterrupt
            self.runs += experiment.runs
            for each in experiment.failures:
                self.notes.append(f"{each.problem}, {plan}, seed {each.seed} failed: {each.error}")
            done.append(experiment)
        if not any(each.runs for each in done):
            return None
        complete = all(len(each.results()) == each.planned for each in done)
        made = MadeRuns(plans[0], tuple(result for each in done for result in each.results()) if complete else ())
        if made.note:
            self.notes.append(f"{name}, {plan}: {made.note}.")
        self.seen.add(name, plan, made, alike=self.paper.alike)
        return made

    def _run(self, name: str, plan: str, planned: Planned, problem: Problem, effort: Effort) -> Experiment:
        """The runs of a plan on an instance: recorded ones, and new ones where they can be made here."""
        self._open(planned, problem)
        limit = stop.seconds(DAY if effort.seconds is None else effort.seconds)
        work = planned.budget.stop
        return run_many(
            {self.paper.name: planned.search},
            {name: problem},
            stop=limit if work is None else work | limit,
            seeds=range(min(planned.runs, effort.runs or planned.runs)),
            start=planned.start,
            parallel={plan: planned.model},
            workers=self._workers(planned),
            folder=self.folder,
            progress=False,
        )

    def _open(self, planned: Planned, problem: Problem) -> None:
        """Run a moment on more GPUs than before, so that no run that is measured opens them."""
        if self.opened < planned.gpus <= gpus():
            self.opened = planned.gpus
            run(planned.search, problem, stop=stop.seconds(MOMENT), start=planned.start, parallel=planned.model)

    def _workers(self, planned: Planned) -> Workers:
        """Who makes the runs of a plan."""
        if gpus() < planned.gpus or cores() < planned.cores:
            return _Nobody()
        several = planned.on_one_core and self.effort.processes > 1
        return Processes(self.effort.processes) if several else ThisThread()

    def done(self) -> MadeTable:
        """The table of the rows so far, without columns that no row has."""
        paper, absent = self.paper, []
        header, kept = [paper.rows, *paper.columns], list(range(len(paper.columns)))
        place = len(kept)
        for name, column in paper.ours.items():
            heads = (f"ours, {name}", "ratio") if column.ratio else (f"ours, {name}",)
            if self.cells and all(row[place] == NOT_RUN for row in self.cells):
                absent.append(name)
            else:
                header += heads
                kept += range(place, place + len(heads))
            place += len(heads)
        efforts = {plan: self.effort.of(plan, paper.part) for plan in paper.plans}
        chosen = [name for name in absent if None in map(efforts.get, paper.ours[name].uses)]
        lacking = [name for name in absent if name not in chosen]
        if lacking:
            self.notes.insert(0, f"Not run, because this machine has too few GPUs or cores: {'; '.join(lacking)}.")
        if chosen:
            self.notes.insert(0, f"Left out, as was asked: {'; '.join(chosen)}.")
        self.notes += [paper.remarks[""]] if "" in paper.remarks else []
        self.notes += self.seen.notes(len(self.names))
        if self.effort.processes > 1:
            self.notes.append(f"Up to {self.effort.processes} runs on one core were made at the same time.")
        cells = tuple(tuple(row[k] for k in kept) for row in self.cells)
        table = Table(tuple(header), tuple(self.names), cells)
        return MadeTable(paper.name, paper.title, table, tuple(self._made_by()), tuple(self.notes), tuple(self.runs))

    def _made_by(self) -> Iterator[str]:
        """For each plan the devices of its runs, and their seeds."""
        for plan in self.paper.plans:
            runs = [each for each in self.runs if each.model == plan and each.result is not None]
            if runs:
                devices = dict.fromkeys(each.result.description for each in runs if each.result is not None)
                most = max(each.seed for each in runs)
                yield f"{plan}: {'; '.join(devices)}; {'seed 0' if not most else f'seeds 0 ... {most}'}."
