"""Records of tables that were made again: small files from which pages are rendered."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self, final

from attrs import frozen

from metaheur.errors import InputError
from metaheur.machine.files import from_json, replace_file
from metaheur.report.papers.making import MadeTable
from metaheur.report.papers.paper import PaperTable
from metaheur.report.provenance import command, machine, revision
from metaheur.report.records import require_folder
from metaheur.report.table import Table
from metaheur.report.trajectory import trajectory_digest
from metaheur.running.result import Result, versions

__all__ = ["SavedTable", "record_text", "require_saving", "save_table"]


def save_table(made: MadeTable, paper: str, folder: str | os.PathLike[str], options: str = "") -> Path:
    """Write a table to a JSON file; of each run seconds, cost, iterations of all walks, and the trajectory digest.

    `paper`: one of `PAPERS`. `folder`: where to; the file has the names of paper and table, and an earlier one is
    replaced by one with all its rows. `options`: the options of the command by which it was made, such as "--quick".
    Returns the file.
    """
    require_folder(Path(folder), "save")
    path = _path(paper, made.name, folder)
    _require_rows(path, [name for name, *_ in made.table.names])
    content = {
        "paper": paper,
        "name": made.name,
        "title": made.title,
        "options": options,
        "made": datetime.now(UTC).date().isoformat(),
        "command": command(),
        "machine": machine(),
        "revision": revision(),
        "versions": dict(versions()),
        "header": list(made.table.header),
        "rows": [[*names, *cells] for names, cells in zip(made.table.names, made.table.cells, strict=True)],
        "made_by": list(made.made_by),
        "notes": list(made.notes),
        "runs": [
            [each.problem, each.model, each.seed, *_measured(each.result)]
            for each in made.runs
            if each.result is not None
        ],
    }
    replace_file(path, record_text(content).encode())
    return path


def _measured(result: Result) -> tuple[Any, ...]:
    """What is kept of a run: the iterations are those of all its walks."""
    return result.seconds, result.cost, int(result.walks.iterations.sum()), trajectory_digest(result)


def require_saving(paper: str, tables: Sequence[PaperTable], rows: str, folder: str | os.PathLike[str]) -> None:
    """Refuse, before tables are made, what `save_table` refuses.

    `paper`: one of `PAPERS`. `tables`: its tables that will be made. `rows`: a pattern of the names of rows, as for
    `make_again`. `folder`: where to.
    """
    require_folder(Path(folder), "save")
    for each in tables:
        _require_rows(_path(paper, each.name, folder), each.matching(rows))


def _path(paper: str, name: str, folder: str | os.PathLike[str]) -> Path:
    return Path(folder) / f"{paper}_{re.sub(r'[^a-z0-9]+', '-', name)}.json"


def _require_rows(path: Path, rows: Collection[str]) -> None:
    """Refuse a table without rows, and one that lacks rows of the record that it replaces."""
    if not rows:
        raise InputError(f"{path} is not written: no row of the table was made.", "see the notes below the table.")
    if not path.exists():
        return
    lost = [name for (name, *_) in SavedTable.read(path).table.table.names if name not in rows]
    if lost:
        raise InputError(
            f"{path} has rows that the new table lacks: {'; '.join(lost)}.",
            "make all rows, or choose another folder.",
        )


def record_text(content: Mapping[str, Any]) -> str:
    """JSON with a line for each row, each run and each other entry, so that changes can be read."""
    entries = []
    for name, value in content.items():
        text = json.dumps(value, ensure_ascii=False)
        if name in ("rows", "runs", "made_by", "notes") and value:
            inner = ",\n".join(f"  {json.dumps(each, ensure_ascii=False)}" for each in value)
            text = f"[\n{inner}\n ]"
        entries.append(f" {json.dumps(name)}: {text}")
    return "{\n" + ",\n".join(entries) + "\n}\n"


@final
@frozen(eq=False)
class SavedTable:
    """A table in a file of `save_table`.

    `paper`, `made`: the name of the paper, and the day. `options`: the options of the command by which it was made.
    `table`: the table, without its runs.
    """

    paper: str
    made: str
    options: str
    table: MadeTable

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Self:
        """The table in a file."""
        try:
            content = from_json(Path(path).read_text("utf-8"))
            rows = content["rows"]
            table = Table(
                tuple(content["header"]), tuple((row[0],) for row in rows), tuple(tuple(row[1:]) for row in rows)
            )
            made = MadeTable(
                content["name"], content["title"], table, tuple(content["made_by"]), tuple(content["notes"]), ()
            )
            return cls(content["paper"], content["made"], content["options"], made)
        except (OSError, RecursionError, ValueError, LookupError, TypeError) as error:
            raise InputError(f"{path} is not the record of a table: {error!r}.", "write it by --save.") from error

    def markdown(self) -> str:
        """The table for a page: its title, how it was made, the table, devices and notes."""
        kind, _, rest = self.table.name.partition(" ")
        number = rest.partition(",")[0]
        command = f"metaheur reproduce {self.paper} --{kind} {number} {self.options.strip()}".rstrip()
        title = f"**{self.table.name[0].upper()}{self.table.name[1:]}**: {self.table.title}. `{command}`, {self.made}."
        remarks = [f"* {each}" for each in (*self.table.made_by, *self.table.notes)]
        return "\n\n".join([title, self.table.table.markdown(), *(["\n".join(remarks)] if remarks else [])])
