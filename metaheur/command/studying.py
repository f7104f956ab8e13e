"""The verbs `study`, `tables` and `reproduce`."""

from __future__ import annotations

import argparse
import re
import sys
from typing import Any

from metaheur.command.loading import add_trust

__all__ = ["add"]

FORMATS = ("text", "markdown", "latex", "csv")
OF_PAPERS = ("table", "figure", "rows", "quick", "runs", "seconds", "effort", "processes", "folder", "save")
OF_RECORDS = ("parallel", "study")
"""Options of `reproduce`: of papers, and of records."""


def add(verbs: Any) -> None:
    """Say which arguments the verbs take."""
    study = verbs.add_parser("study", help="make the runs of a study", description="Make the runs that are missing.")
    study.add_argument("file", help="a file of TOML: see metaheur help experiments")
    add_trust(study)
    study.add_argument("--quiet", action="store_true", help="nothing on standard error")
    study.set_defaults(run=_study)
    tables = verbs.add_parser("tables", help="a table of recorded runs", description="A table of a folder of records.")
    tables.add_argument("folder", help="the folder of a study, or of run_many")
    tables.add_argument("--rows", default="problem", help="of problem, search and model, with commas between")
    tables.add_argument("--columns", help="likewise; default: all others of which there are several")
    tables.add_argument("--value", default="median", help="measures, such as best,median,ert (default: median)")
    tables.add_argument("--target", help="the cost to reach, or NAME=COST with commas between; default: the study's")
    tables.add_argument("--format", choices=FORMATS, default="text", help="default: text")
    tables.add_argument("--compare", action="store_true", help="test whether searches and models differ")
    tables.set_defaults(run=_tables)
    reproduce = verbs.add_parser(
        "reproduce", help="make a run or a paper again", description="Compare with a record, or with a paper."
    )
    papers = "boukedjar2012, delevacq2012, luong2009, luong2011-flowshop, luong2011-multistart"
    reproduce.add_argument("record", nargs="+", help=f"a file of a folder of records, or one paper of {papers}")
    reproduce.add_argument("--parallel", help="a device, instead of the model of the record")
    reproduce.add_argument("--study", metavar="FILE", help="the study of the records, for classes of your own")
    add_trust(reproduce)
    reproduce.add_argument("--table", type=int, help="of the paper; default: all")
    reproduce.add_argument("--figure", type=int, help="of the paper; its numbers are a table")
    reproduce.add_argument("--rows", help="patterns of rows of the paper, such as instances, with commas between")
    reproduce.add_argument(
        "--quick", action="store_true", help="of the paper: one run of 0.3 s for each number; no new row after 45 s"
    )
    reproduce.add_argument("--runs", type=int, help="of the paper: the most runs of an instance; default: theirs")
    reproduce.add_argument("--seconds", type=float, help="of the paper: the most seconds of a run; default: no limit")
    says = "PLAN=RUNS[:SECONDS], for plans of a pattern; may be given several times, and the last one counts"
    reproduce.add_argument(
        "--effort",
        action="append",
        metavar="PLAN=RUNS",
        help=f'{says}: "GPU*=50", "tai80a, core=1:0.3"; "core=0" leaves it out',
    )
    says = "of the paper: the most runs on one core at the same time, by processes (default: 1)"
    reproduce.add_argument("--processes", type=int, metavar="N", help=says)
    reproduce.add_argument("--folder", help="where the runs of the paper are recorded (default: runs)")
    reproduce.add_argument("--save", metavar="FOLDER", help="of the paper: also write a small record of each table")
    reproduce.set_defaults(run=_reproduce)


def _study(chosen: argparse.Namespace) -> int:
    from metaheur.report.study import run_study

    experiment = run_study(chosen.file, progress=not chosen.quiet, trust=chosen.trust)
    print(experiment)
    if any(each.status == "interrupted" for each in experiment.runs) or len(experiment.runs) < experiment.planned:
        return 130
    return 1 if experiment.failures else 0


def _tables(chosen: argparse.Namespace) -> int:
    from metaheur.errors import InputError
    from metaheur.report.fronts import OF_FRONTS
    from metaheur.report.measures import OF_TARGETS
    from metaheur.report.study import read_experiment
    from metaheur.report.table import number_text

    experiment = read_experiment(chosen.folder, target=None if chosen.target is None else _target(chosen.target))
    aims = [f"{name} {number_text(aim)}" for name, aim in experiment.targets.items() if aim is not None]
    aimed = [each for each in _split(chosen.value) if each in OF_TARGETS]
    values = tuple(each for each in _split(chosen.value) if aims or each not in aimed)
    told = [f"Costs to reach: {', '.join(aims)}."] if aims and aimed else []
    if aimed and not aims and not chosen.compare:
        reason, way = f"{', '.join(aimed)}: there is no cost to reach.", "add --target COST, or NAME=COST,NAME=COST."
        if not values:
            raise InputError(reason, way)
        told = [f"Left out are {reason}\nMaybe {way}"]
    for note in (*told, *experiment.notes):
        print(note, file=sys.stderr)
    if chosen.compare:
        found = experiment.compare(chosen.value if chosen.value in OF_FRONTS else "cost")
        table = found.table()
        if chosen.format == "text":
            print(found)
            return 0
    else:
        columns = None if chosen.columns is None else _split(chosen.columns)
        table = experiment.table(rows=_split(chosen.rows), columns=columns, value=values)
    print(str(table) if chosen.format == "text" else getattr(table, chosen.format)().rstrip("\n"))
    return 0


def _target(text: str) -> float | dict[str, float]:
    """One cost to reach, or those of several problems."""
    from metaheur.errors import InputError

    pairs = [each.rpartition("=") for each in _split(text)]
    try:
        found = {name.strip(): float(cost) for name, _, cost in pairs}
    except ValueError:
        found = {}
    if not found or ("" in found and len(pairs) > 1):
        raise InputError(f"`--target` must be a cost, or NAME=COST with commas between, but is {text!r}.")
    return found.get("", found)


def _split(text: str) -> tuple[str, ...]:
    return tuple(each.strip() for each in text.split(",") if each.strip())


def _effort(text: str) -> tuple[str, Any]:
    """The pattern of plans in PLAN=RUNS[:SECONDS], and their effort; runs may be left out before a colon.

    PLAN=0 leaves the plans out.
    """
    from metaheur.errors import InputError
    from metaheur.report.papers.making import Effort

    found = re.fullmatch(r"(.+)=(\d*)(?::([\d.e-]+))?", text)
    try:
        if found is None or not (found[2] or found[3]):
            raise ValueError
        if found[2] == "0" and not found[3]:
            return found[1], None
        return found[1], Effort(int(found[2]) if found[2] else None, float(found[3]) if found[3] else None)
    except ValueError:
        way = 'write "GPU=50", "core=1:0.3" or "core=:0.3".'
        raise InputError(f"`effort` must be PLAN=RUNS[:SECONDS], but is {text!r}.", way) from None


def _reproduce(chosen: argparse.Namespace) -> int:
    from metaheur.errors import InputError
    from metaheur.report.papers.paper import PAPERS

    paper = next((each for each in chosen.record if each in PAPERS), None)
    if paper is not None:
        if len(chosen.record) > 1:
            raise InputError(
                f"{paper} is a paper, which is made again alone, but given are {', '.join(chosen.record)}.",
                "call the command for each of them.",
            )
        wrong = next((name for name in OF_RECORDS if getattr(chosen, name) is not None), None)
        if wrong is not None:
            raise InputError(f"`--{wrong}` is of records, but {paper} is a paper.", "leave it out.")
        return _paper(chosen, paper)
    wrong = next((name for name in OF_PAPERS if getattr(chosen, name) not in (None, False)), None)
    if wrong is not None:
        raise InputError(
            f"`--{wrong}` is of papers, but {chosen.record[0]} is not one of {', '.join(PAPERS)}.", "leave it out."
        )
    return _records(chosen)


def _paper(chosen: argparse.Namespace, paper: str) -> int:
    """Make the tables of a paper again."""
    from attrs import evolve

    from metaheur.errors import InputError
    from metaheur.report.papers.making import Effort, make_again
    from metaheur.report.papers.paper import chosen_tables
    from metaheur.report.papers.saving import require_saving, save_table

    rows = "*" if chosen.rows is None else chosen.rows
    options = {"table": chosen.table, "figure": chosen.figure, "rows": rows}
    effort = Effort.quick() if chosen.quick else Effort()
    numbers = {name: getattr(chosen, name) for name in ("runs", "seconds", "processes")}
    given = {name: number for name, number in numbers.items() if number is not None}
    plans = chosen.effort or []
    effort = evolve(effort, **given, plans=tuple(map(_effort, plans)))
    words = " ".join([*(["--quick"] if chosen.quick else []), *(f"--{name} {n:g}" for name, n in given.items())])
    words += "".join(f' --effort "{each}"' for each in plans)
    if rows != "*":
        words += f' --rows "{rows}"'
    if chosen.save is not None:
        require_saving(paper, chosen_tables(paper, **options), rows, chosen.save)
    empty, status = True, 0
    for made in make_again(paper, **options, effort=effort, folder=chosen.folder or "runs"):
        print(made, end="\n\n", flush=True)
        empty = empty and not made.table.names
        if chosen.save is not None and made.table.names:
            try:
                save_table(made, paper, chosen.save, words)
            except InputError as error:  # the other tables are made all the same
                print(error, file=sys.stderr, flush=True)
                status = 1
    if empty:
        raise InputError(f"No row of {paper} was made.", "see the notes below the tables.")
    return status


def _records(chosen: argparse.Namespace) -> int:
    """Make recorded runs again: all, also where one of them cannot be made."""
    from metaheur.errors import MetaheurError

    differ, failed, several = 0, 0, len(chosen.record) > 1
    for record in chosen.record:
        try:
            again = _again(record, chosen)
        except MetaheurError as error:
            if not several:
                raise
            print(f"{record}: {error}", file=sys.stderr, flush=True)
            failed += 1
            continue
        print(again, flush=True)
        differ += not again.identical
    if several:
        same = len(chosen.record) - differ - failed
        print(f"{same} identical, {differ} different, {failed} not made again.", flush=True)
    return 3 if differ else 1 if failed else 0


def _again(record: str, chosen: argparse.Namespace) -> Any:
    """A recorded run made again, with the parts of its study if this is given."""
    from pathlib import Path

    from metaheur.errors import InputError
    from metaheur.report.papers.paper import PAPERS
    from metaheur.report.reproduce import names_of_run, reproduce
    from metaheur.report.study import parts_of_run

    if not Path(record).exists() and Path(record).name == Path(record).stem == record:
        raise InputError(f"{record} is neither a file nor a paper.", f"use a record, or one of {', '.join(PAPERS)}.")
    parts = {} if chosen.study is None else parts_of_run(chosen.study, *names_of_run(record), trust=chosen.trust)
    return reproduce(record, **parts, parallel=chosen.parallel)
