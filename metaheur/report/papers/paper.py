"""A paper's table made again: theirs, ours and the ratio, from records."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from fnmatch import fnmatch
from importlib import import_module
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, final

from attrs import frozen

from metaheur import stop
from metaheur.device.cuda.cuda import gpus
from metaheur.errors import InputError
from metaheur.problem import Problem
from metaheur.report.papers.budget import Budget
from metaheur.report.run_many import run_many
from metaheur.report.table import Table, number_text
from metaheur.running.result import Result
from metaheur.running.runner import ParallelModel
from metaheur.search import Search

__all__ = ["PAPERS", "Column", "MadeTable", "PaperTable", "SpeedUp", "instance_file", "make_again"]

PAPERS: Final[Mapping[str, str]] = MappingProxyType({"boukedjar2012": "boukedjar2012", "luong2009": "luong2009"})
"""The papers whose tables can be made again, and their modules here."""

QUICK, DAY = 0.3, 86_400.0
"""Seconds of a run, at most: of a quick look, and of others. A limit of time keeps runs from sharing a launch."""

QUICK_TOTAL: Final = 45.0
"""Seconds after which a quick look begins no further row; its tables share them."""


@final
@frozen(eq=False)
class Column:
    """A column of ours.

    Parameters
    ----------
    search : Search
        The search.
    model : ParallelModel
        The parallel model.
    against : int
        The place of the column of theirs to which it is compared.
    gpu : bool, default False
        Whether it needs a GPU.
    """

    search: Search[Any]
    model: ParallelModel
    against: int
    gpu: bool = False


@final
@frozen(eq=False)
class SpeedUp:
    """A column of ours: how many times as fast one column is as another one.

    Parameters
    ----------
    fast, slow : str
        The names of both columns.
    against : int
        The place of the column of theirs to which it is compared.
    """

    fast: str
    slow: str
    against: int


@final
@frozen(eq=False)
class PaperTable:
    """A table of a paper: its numbers, and how to make ours.

    Parameters
    ----------
    number : int
        Its number in the paper.
    title : str
        What it is of.
    columns : tuple of str
        The names of their columns.
    theirs : mapping of str to tuple of float or None
        Their seconds and speed-ups, by the name of a row.
    problems : callable
        The instances of a row, of which the seconds are the mean; raises InputError if they are not at hand.
    ours : mapping of str to Column
        Our columns.
    runs : int
        How often they ran each instance.
    budget : Budget
        The work of a run.
    speed_ups : mapping of str to SpeedUp
        Our columns that are computed from others.
    """

    number: int
    title: str
    columns: tuple[str, ...]
    theirs: Mapping[str, tuple[float | None, ...]]
    problems: Callable[[str], Sequence[Problem]]
    ours: Mapping[str, Column]
    runs: int
    budget: Budget
    speed_ups: Mapping[str, SpeedUp] = MappingProxyType({})


@final
@frozen(eq=False)
class MadeTable:
    """A table that was made again; ``print(made)`` shows it.

    Parameters
    ----------
    title : str
        What it is of.
    table : Table
        Their seconds, and for each of our columns our seconds, in the mean, and theirs divided by ours. ``~``: the
        clock ended a run before all iterations, and its seconds are extrapolated. ``>``: a run ended without a proof,
        and seconds are a lower bound. "not run": there is no GPU.
    notes : tuple of str
        Rows that are left out, with the reason, runs that failed, and proofs that are missing.
    """

    title: str
    table: Table
    notes: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join([self.title, str(self.table), *self.notes])


def instance_file(library: str, name: str, suffix: str) -> Path:
    """The file of a published instance: in the folder METAHEUR_DATA, or downloaded.

    Raises
    ------
    InputError
        If it is in neither place.
    """
    from metaheur.problems.fetching import fetch

    folder = os.environ.get("METAHEUR_DATA")
    if folder is None:
        return fetch(f"{library}/{name}")
    path = Path(folder) / library / f"{name}{suffix}"
    if not path.exists():
        raise InputError(f"{path} does not exist.", "leave out METAHEUR_DATA, so that it is downloaded.")
    return path


def make_again(
    paper: str, *, table: int | None = None, rows: str = "*", quick: bool = False, folder: str | os.PathLike[str]
) -> Iterator[MadeTable]:
    """Make the tables of a paper again, on a core and, where there is one, on a GPU.

    Parameters
    ----------
    paper : str
        One of `PAPERS`.
    table : int, optional
        The number of one table; by default all.
    rows : str, default "*"
        A pattern of the names of instances.
    quick : bool, default False
        Whether a single run of 0.3 s at most stands for all of an instance; otherwise runs and their work are theirs.
        A quick look begins no row after 45 s, which its tables share, but makes the first row of each table; a note
        counts the rows that are left out. The next quick look in the same folder goes on with these rows.
    folder : path-like
        Where the runs are recorded; recorded ones are not made again.

    Yields
    ------
    MadeTable

    Raises
    ------
    InputError
        If there is no such paper or table.
    """
    if paper not in PAPERS:
        raise InputError(f"`paper` must be one of {', '.join(PAPERS)}, but is {paper!r}.")
    known: tuple[PaperTable, ...] = import_module(f"metaheur.report.papers.{PAPERS[paper]}").tables()
    chosen = [each for each in known if table in (None, each.number)]
    if not chosen:
        raise InputError(f"{paper} has the tables {[each.number for each in known]}, but not {table}.")
    end = time.monotonic() + QUICK_TOTAL
    for left, each in zip(range(len(chosen), 0, -1), chosen, strict=True):
        now = time.monotonic()
        yield table_again(each, rows, Path(folder), until=now + (end - now) / left if quick else None)


def table_again(paper: PaperTable, rows: str, folder: Path, *, until: float | None) -> MadeTable:
    """The table; with `until`, a quick look, which begins no row but the first after this time."""
    names, cells, notes = list[tuple[str]](), list[tuple[Any, ...]](), list[str]()
    wanted = [name for name in paper.theirs if fnmatch(name, rows)]
    for place, name in enumerate(wanted):
        if names and until is not None and time.monotonic() > until:
            later = f"{len(wanted) - place} rows, from {name} on"
            notes.append(f"The quick look left out {later}: the same command goes on with them.")
            break
        try:
            problems = paper.problems(name)
        except InputError as error:
            notes.append(f"{name} is left out: {error.reason}")
            continue
        found, remarks = _ours(paper, name, problems, folder, quick=until is not None)
        names.append((name,))
        cells.append((*paper.theirs[name], *_cells(paper, paper.theirs[name], found)))
        notes += remarks
    ours = chain.from_iterable((f"ours, {column}", "ratio") for column in (*paper.ours, *paper.speed_ups))
    title = f"Table {paper.number}: {paper.title}, seconds of {paper.budget.words}"
    return MadeTable(title, Table(("instance", *paper.columns, *ours), tuple(names), tuple(cells)), tuple(notes))


def _ours(
    paper: PaperTable, name: str, problems: Sequence[Problem], folder: Path, *, quick: bool
) -> tuple[dict[str, list[Result]], list[str]]:
    """The results for each column that can be made here, and remarks on them."""
    several = len(problems) > 1
    found, remarks = dict[str, list[Result]](), list[str]()
    for column, how in paper.ours.items():
        if how.gpu and not gpus():
            continue
        runs = run_many(
            {f"table {paper.number}": how.search},
            {f"{name}, {place}" if several else name: each for place, each in enumerate(problems)},
            stop=paper.budget.stop | stop.seconds(QUICK if quick else DAY),
            seeds=range(1 if quick else paper.runs),
            parallel={column: how.model},
            folder=folder,
            progress=False,
        )
        found[column] = [] if runs.failures else runs.results()
        remarks += [f"{each.problem}, {column}, seed {each.seed} failed: {each.error}" for each in runs.failures]
        if found[column] and (note := paper.budget.note(found[column])):
            remarks.append(f"{name}, {column}: {note}.")
    return found, remarks


def _cells(
    paper: PaperTable, theirs: Sequence[float | None], found: Mapping[str, Sequence[Result]]
) -> Iterator[str | float | None]:
    """Ours and the ratio, for each of our columns."""
    for column, how in paper.ours.items():
        yield from compared(found[column], theirs[how.against], paper.budget) if column in found else ("not run", None)
    for each in paper.speed_ups.values():
        if not {each.slow, each.fast} <= found.keys():
            yield from ("not run", None)
            continue
        ours = speed_up(found[each.slow], found[each.fast], paper.budget)
        published = theirs[each.against]
        yield from (ours, None if ours is None or published is None else published / ours)


def compared(ours: Sequence[Result], theirs: float | None, budget: Budget) -> tuple[str | None, float | str | None]:
    """Our mean seconds of all the work as text, with the budget's mark, and theirs divided by ours."""
    made = budget.seconds(ours) if ours else None
    if made is None:
        return None, None
    mark, seconds = made
    ratio = None if theirs is None else theirs / seconds
    text = f"{mark}{number_text(float(f'{seconds:.3g}'))}"
    return text, f"<{number_text(ratio)}" if mark == ">" and ratio is not None else ratio


def speed_up(slow: Sequence[Result], fast: Sequence[Result], budget: Budget) -> float | None:
    """The mean seconds of one column divided by those of another one; None unless both did the same work."""
    sides = [budget.seconds(each) if each else None for each in (slow, fast)]
    if sides[0] is None or sides[1] is None or not budget.same(slow, fast):
        return None
    return sides[0][1] / sides[1][1]
