"""Tables that were measured: small files in docs/records/measured, from which ``make figures`` renders pages.

A program of this folder that prints tables also writes their records with ``--save``; ``make bench SAVE=yes`` renews
the records of what it measures.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Self, final

from attrs import asdict, field, frozen

from metaheur.device.host.compiler import processor
from metaheur.device.names import device_of
from metaheur.machine.files import replace_file
from metaheur.machine.processors import cores
from metaheur.report.papers.saving import record_text
from metaheur.report.table import Table
from metaheur.testing import devices_here
from tests.benchmarks.processor_clock import today
from tests.benchmarks.rounds import BASELINE

__all__ = ["MEASURED", "Record", "arguments", "device", "markdown_of", "renew", "report", "row_text"]

MEASURED = Path(__file__).resolve().parents[2] / "docs/records/measured"

Row = tuple[str, ...]


def _texts(texts: Iterable[str]) -> Row:
    return tuple(texts)


def _rows(rows: Iterable[Iterable[str]]) -> tuple[Row, ...]:
    return tuple(map(tuple, rows))


@final
@frozen
class Record:
    """A table that was measured, and how.

    Parameters
    ----------
    title, command, date, device : str
        What was measured, by which line of shell, when and where.
    columns : tuple of str
        The heads of all columns; the first column names the rows.
    rows : tuple of tuple of str
        The cells as a page shows them.
    """

    title: str
    command: str
    date: str
    device: str
    columns: Row = field(converter=_texts)
    rows: tuple[Row, ...] = field(converter=_rows)

    @classmethod
    def read(cls, path: Path) -> Self:
        """The record in a file."""
        return cls(**json.loads(path.read_text("utf-8")))

    def save(self, path: Path) -> None:
        """Write the record to a file; an earlier one is replaced."""
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, record_text(asdict(self)).encode())

    def cell(self, row: str, column: str) -> str:
        """The cell of the row that begins with a text, without a ratio that follows."""
        cells = {each[0]: dict(zip(self.columns, each, strict=True)) for each in reversed(self.rows)}
        return re.split(r", | \(", cells[row][column])[0]

    def markdown(self, rows: str = "", columns: str = "") -> str:
        """The table for a page: its title, how it was measured, and the rows and columns in which patterns are found.

        The first column, of names, is always there.
        """
        places = [0, *(k for k, each in enumerate(self.columns) if k and re.search(columns, each))]
        shown = [[each[k] for k in places] for each in self.rows if re.search(rows, " | ".join(each))]
        assert shown, f"{rows!r} is in no row of {self.title!r}: maybe change the pattern on the page"
        assert places[1:], f"{columns!r} is in no column of {self.title!r}: maybe change the pattern on the page"
        made = f"**{self.title[0].upper()}{self.title[1:]}.** `{self.command}`, {self.date}, {self.device}."
        return f"{made}\n\n{markdown_of([self.columns[k] for k in places], shown)}"


def markdown_of(columns: Iterable[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of texts as Markdown; the first column names the rows."""
    names, cells = zip(*((tuple(row[:1]), tuple(row[1:])) for row in rows), strict=True)
    return Table(tuple(columns), names, cells).markdown()


def device() -> str:
    """This machine: its processor, cores and load, and its first GPU."""
    here = f"{processor()}, {cores()} cores, load {os.getloadavg()[0]:.1f}"
    return f"{device_of('cuda').description}; {here}" if "cuda" in devices_here() else here


def _saved(path: Path, title: str, command: str, columns: Row, rows: Iterable[Iterable[str]]) -> None:
    date = today()
    Record(title, command, date, device(), columns, tuple(map(tuple, rows))).save(path)


def arguments() -> list[str]:
    """The words behind the name of the program, without ``--save``."""
    return [each for each in sys.argv[1:] if each != "--save"]


def report(name: str, title: str, columns: Iterable[str], lines: Iterable[str], folder: Path = MEASURED) -> None:
    """Print a table of Markdown line by line; with ``--save``, write its record.

    Parameters
    ----------
    name : str
        The name of the record.
    title : str
        What is measured.
    columns : iterable of str
        The heads.
    lines : iterable of str
        The rows, each as ``| cell | cell |``.
    folder : Path
        Where records are.
    """
    heads, rows = tuple(columns), list[list[str]]()
    print(f"{title}\n| {' | '.join(heads)} |\n|{' --- |' * len(heads)}", flush=True)
    for line in lines:
        print(line, flush=True)
        rows.append(line.removeprefix("| ").removesuffix(" |").split(" | "))
    if "--save" in sys.argv:
        program = sys.modules["__main__"].__spec__
        command = " ".join(["python -m", program.name if program else sys.argv[0], *_measured(arguments())])
        _saved(folder / f"{name}.json", title, command, heads, rows)


def _measured(words: list[str]) -> list[str]:
    """The words of a command line but those that say where answers are kept and when it ends."""
    apart = {"--answers", "--minutes"}
    return [each for k, each in enumerate(words) if not apart & {each, words[k - 1] if k else ""}]


def row_text(name: str, numbers: Iterable[float]) -> str:
    """A row of Markdown: a name, and numbers with two decimals."""
    return f"| {name} | {' | '.join(f'{each:.2f}' for each in numbers)} |"


def renew(rates: Mapping[str, Mapping[str, Sequence[float]]], command: str, folder: Path = MEASURED) -> list[Path]:
    """Renew the records whose titles are those of rounds; a record with rows of a GPU only where there is one.

    Rounds whose titles differ in ``, n = ...`` alone are the columns of one table.

    Parameters
    ----------
    rates : mapping
        For each title and each name of a work, the rates of all rounds.
    command : str
        The line of shell that measured them.
    folder : Path
        Where records are.

    Returns
    -------
    list of Path
        The records that were renewed.
    """
    tables, renewed = _tables(rates), []
    for path in sorted(folder.glob("*.json")):
        record = Record.read(path)
        found = tables.get(record.title, {})
        if found and any("cuda" in name for name in found) >= any("cuda" in row[0] for row in record.rows):
            columns = tuple(dict.fromkeys(column for cells in found.values() for column in cells))
            rows = [[name, *(cells.get(column, "") for column in columns)] for name, cells in found.items()]
            _saved(path, record.title, command, ("", *columns), rows)
            renewed.append(path)
    return renewed


def _tables(rates: Mapping[str, Mapping[str, Sequence[float]]]) -> dict[str, dict[str, dict[str, str]]]:
    """For each title and each name of a work the cells by their columns: medians, and ratios to the first work."""
    tables: dict[str, dict[str, dict[str, str]]] = {}
    for title, works in rates.items():
        size = re.search(r", n = (\d+)", title)
        table = tables.setdefault(title.replace(size[0], "") if size else title, {})
        first, *others = (name for name in works if name != BASELINE)
        base = median(works[first])
        texts = {first: rate_text(base)}
        for name in others:
            rate = median(works[name])
            texts[name] = f"{rate_text(rate)} ({rate / base:.2f} x)"
        for name, text in texts.items():
            table.setdefault(name, {})[f"n = {int(size[1]):,}" if size else "rate"] = text
    return tables


def rate_text(rate: float) -> str:
    """A rate: below ten million a whole number, above with three digits and a letter for the size."""
    if rate < 1e7:
        return f"{rate:,.0f}"
    size, letter = (1e9, "G") if rate >= 1e9 else (1e6, "M")
    return f"{rate / size:.{max(0, 3 - len(str(int(rate / size))))}f} {letter}"
