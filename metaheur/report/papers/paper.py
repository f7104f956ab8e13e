"""A paper's table made again: theirs, ours and the ratio, from records."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from fnmatch import fnmatch
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any, Final, final

import numpy as np
from attrs import frozen

from metaheur import stop
from metaheur.device.cuda.cuda import gpus
from metaheur.errors import InputError
from metaheur.problem import Problem
from metaheur.report.run_many import run_many
from metaheur.report.table import Table, number_text
from metaheur.running.result import Result
from metaheur.running.runner import ParallelModel
from metaheur.search import Search

__all__ = ["PAPERS", "MadeTable", "PaperTable", "instance_file", "make_again"]

PAPERS: Final = ("luong2009",)
"""The papers whose tables can be made again."""

QUICK, DAY = 0.3, 86_400.0
"""Seconds of a run, at most: of a quick look, and of others. A limit of time keeps runs from sharing a launch."""

QUICK_TOTAL: Final = 45.0
"""Seconds after which a quick look begins no further row; its tables share them."""


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
        Their seconds, by instance.
    problem : callable
        The instance of a name; raises InputError if it is not at hand.
    search : Search
        The search.
    models : mapping of str to ParallelModel
        Our columns.
    against : mapping of str to int
        For each of our columns, the place of the one of theirs to which it is compared.
    runs, iterations : int
        How often they ran it, and the iterations of a walk.
    """

    number: int
    title: str
    columns: tuple[str, ...]
    theirs: Mapping[str, tuple[float | None, ...]]
    problem: Callable[[str], Problem]
    search: Search[Any]
    models: Mapping[str, ParallelModel]
    against: Mapping[str, int]
    runs: int
    iterations: int


@final
@frozen(eq=False)
class MadeTable:
    """A table that was made again; ``print(made)`` shows it.

    Parameters
    ----------
    title : str
        What it is of.
    table : Table
        Their seconds, and for each of our models our seconds, in the mean, and theirs divided by ours. ``~``: the clock
        ended a run before all iterations, and its seconds are extrapolated.
    notes : tuple of str
        Rows that are left out, with the reason, and runs that failed.
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
        Whether a single run of 0.3 s at most stands for a row, extrapolated; otherwise runs and iterations are theirs.
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
    known: tuple[PaperTable, ...] = import_module(f"metaheur.report.papers.{paper}").tables()
    chosen = [each for each in known if table in (None, each.number)]
    if not chosen:
        raise InputError(f"{paper} has the tables {[each.number for each in known]}, but not {table}.")
    end = time.monotonic() + QUICK_TOTAL
    for left, each in zip(range(len(chosen), 0, -1), chosen, strict=True):
        now = time.monotonic()
        yield table_again(each, rows, Path(folder), until=now + (end - now) / left if quick else None)


def table_again(paper: PaperTable, rows: str, folder: Path, *, until: float | None) -> MadeTable:
    """The table; with `until`, a quick look, which begins no row but the first after this time."""
    models = {name: each for name, each in paper.models.items() if gpus() or name != "GPU"}
    names, cells, notes = list[tuple[str]](), list[tuple[Any, ...]](), list[str]()
    wanted = [name for name in paper.theirs if fnmatch(name, rows)]
    for place, name in enumerate(wanted):
        if names and until is not None and time.monotonic() > until:
            later = f"{len(wanted) - place} rows, from {name} on"
            notes.append(f"The quick look left out {later}: the same command goes on with them.")
            break
        theirs = paper.theirs[name]
        try:
            problem = paper.problem(name)
        except InputError as error:
            notes.append(f"{name} is left out: {error.reason}")
            continue
        ours, failed = _ours(paper, models, name, problem, folder, quick=until is not None)
        notes += failed
        pairs = [compared(ours.get(model), theirs[paper.against[model]], paper.iterations) for model in models]
        names.append((name,))
        cells.append((*theirs, *chain.from_iterable(pairs)))
    header = ("instance", *paper.columns, *chain.from_iterable((f"ours, {model}", "ratio") for model in models))
    title = f"Table {paper.number}: {paper.title}, seconds of {paper.iterations:,} iterations"
    return MadeTable(title, Table(header, tuple(names), tuple(cells)), tuple(notes))


def _ours(  # noqa: PLR0913 - a row
    paper: PaperTable, models: Mapping[str, ParallelModel], name: str, problem: Problem, folder: Path, *, quick: bool
) -> tuple[dict[str, list[Result]], list[str]]:
    """The results for each model, and the errors of runs that failed."""
    found = run_many(
        {f"table {paper.number}": paper.search},
        {name: problem},
        stop=stop.iterations(paper.iterations) | stop.seconds(QUICK if quick else DAY),
        seeds=range(1 if quick else paper.runs),
        parallel=models,
        folder=folder,
        progress=False,
    )
    failed = [f"{name}, {each.model}, seed {each.seed} failed: {each.error}" for each in found.failures]
    idle = {each.model for each in found.runs if each.result and not each.result.walks.iterations.sum()}
    failed += [
        f"{name}, {model}: the clock ended a run before its first iteration." for model in models if model in idle
    ]
    return {model: found.results(model=model) for model in models}, failed


def compared(ours: Sequence[Result] | None, theirs: float | None, iterations: int) -> tuple[str | None, float | None]:
    """Our mean seconds of all iterations as text, with ``~`` if they are extrapolated, and theirs divided by ours."""
    if not ours or any(not each.walks.iterations.sum() for each in ours):
        return None, None
    shares = [float(each.walks.iterations.sum()) / (len(each.walks) * iterations) for each in ours]
    seconds = float(np.mean([each.seconds / share for each, share in zip(ours, shares, strict=True)]))
    text = f"{'~' if min(shares) < 1 else ''}{number_text(float(f'{seconds:.3g}'))}"
    return text, None if theirs is None else theirs / seconds
