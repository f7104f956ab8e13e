"""A paper's table: its numbers, and how ours are made."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Final, final

from attrs import frozen

from metaheur.errors import InputError
from metaheur.problem import Problem
from metaheur.report.papers.columns import Column, Plan

__all__ = ["PAPERS", "PaperTable", "Rate", "chosen_tables", "instance_file", "require_data_folder", "tables_of"]

PAPERS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "boukedjar2012": "boukedjar2012",
        "delevacq2012": "delevacq2012",
        "luong2009": "luong2009",
        "luong2011-flowshop": "luong2011_flowshop",
        "luong2011-multistart": "luong2011_multistart",
    }
)
"""The papers whose tables can be made again, and their modules here."""


@final
@frozen
class Rate:
    """Seconds of a part of the paper's work, which a table has where the clock ended runs.

    `title`: of the table then. `parts`: in how many such parts the work of a row is divided, by the row's name; a
    thousand times fewer where cells are milliseconds. `said`: the sentence that says so.
    """

    title: str
    parts: Callable[[str], float]
    said: str


@final
@frozen(eq=False, kw_only=True)
class PaperTable:
    """A table of a paper: its numbers, and how to make ours.

    `number`: its number in the paper, among the tables or the figures. `part`: which part of the table it is, where
    rows of a part have the names of rows of another one. `kind`, one of "table", "figure": what the paper calls it.
    `title`: what it is of, and in which units. `rows`: what a row is of. `columns`: the names of their columns.
    `theirs`: their numbers, by the name of a row. `problems`: the instances of a row, of which numbers are the mean;
    raises InputError if they are not at hand. `plans`: the runs from which our columns are computed, by name. `ours`:
    our columns. `remarks`: what a reader must know of rows, by patterns of their names; behind "" what is true of the
    whole table. `seconds`: so many of their columns, the first ones, are seconds. `rate`: what pages have where seconds
    of ours are extrapolated. `alike`: whether whole runs of a row with as many walks are the same on all devices.
    """

    number: int
    part: str = ""
    kind: str = "table"
    title: str
    rows: str = "instance"
    columns: tuple[str, ...]
    theirs: Mapping[str, tuple[float | None, ...]]
    problems: Callable[[str], Sequence[Problem]]
    plans: Mapping[str, Plan]
    ours: Mapping[str, Column]
    remarks: Mapping[str, str] = MappingProxyType({})
    seconds: int = 0
    rate: Rate | None = None
    alike: bool = True

    @property
    def name(self) -> str:
        """What its runs are called: kind, number, and part."""
        return f"{self.kind} {self.number}{f', {self.part}' if self.part else ''}"

    def matching(self, rows: str) -> tuple[str, ...]:
        """The names of the rows that match a pattern, or one of several with commas between."""
        patterns = (rows, *patterns_of(rows))
        return tuple(name for name in self.theirs if any(fnmatchcase(name, each) for each in patterns))


def patterns_of(rows: str) -> tuple[str, ...]:
    """The patterns of a list with commas."""
    return tuple(each.strip() for each in rows.split(",") if each.strip())


def chosen_tables(
    paper: str, *, table: int | None = None, figure: int | None = None, rows: str = "*"
) -> tuple[PaperTable, ...]:
    """The tables and figures of a paper that have numbers and rows as given.

    `paper`: one of `PAPERS`. `table`, `figure`: the number of one table, or of one figure; by default all. `rows`: a
    pattern of the names of rows, or several with commas between.
    """
    known = tables_of(paper)
    wanted = {("table", table), ("figure", figure)} if (table, figure) != (None, None) else None
    chosen = [each for each in known if wanted is None or (each.kind, each.number) in wanted]
    missing = {each for each in wanted or () if each[1] is not None} - {(each.kind, each.number) for each in known}
    if missing:
        names = ", ".join(dict.fromkeys(f"{each.kind} {each.number}" for each in known))
        raise InputError(f"{paper} has {names}, but not {' '.join(map(str, min(missing)))}.")
    found = [each for each in chosen if each.matching(rows)]
    known_rows = list(dict.fromkeys(name for each in chosen for name in each.theirs))
    whole = any(fnmatchcase(name, rows) for name in known_rows)
    for pattern in (rows,) if whole else patterns_of(rows) or (rows,):
        if not any(fnmatchcase(name, pattern) for name in known_rows):
            raise InputError(f"`rows` {pattern!r} matches no row of {paper}.", f"use some of: {'; '.join(known_rows)}.")
    return tuple(found)


def tables_of(paper: str) -> tuple[PaperTable, ...]:
    """The tables and figures of a paper."""
    if paper not in PAPERS:
        raise InputError(f"`paper` must be one of {', '.join(PAPERS)}, but is {paper!r}.")
    found: tuple[PaperTable, ...] = import_module(f"metaheur.report.papers.{PAPERS[paper]}").tables()
    return found


def require_data_folder(folder: str) -> None:
    """Refuse a folder METAHEUR_DATA that does not exist."""
    if not Path(folder).is_dir():
        raise InputError(f"The folder METAHEUR_DATA, {folder!r}, does not exist.", "it is misspelled; or unset it.")


def instance_file(library: str, name: str, suffix: str) -> Path:
    """The file of a published instance: in the folder METAHEUR_DATA, or downloaded."""
    from metaheur.problems.fetching import fetch

    folder = os.environ.get("METAHEUR_DATA")
    if folder is None:
        return fetch(f"{library}/{name}")
    require_data_folder(folder)
    path = Path(folder) / library / f"{name}{suffix}"
    if not path.exists():
        raise InputError(f"{path} does not exist.", "leave out METAHEUR_DATA, so that it is downloaded.")
    return path
