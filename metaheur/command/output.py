"""How a result is printed: a table, JSON or CSV."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from metaheur.problem import Problem

__all__ = ["FORMATS", "OF_RESULTS", "print_rows", "require_writable", "write_result"]

FORMATS: Final = ("table", "json", "csv")

OF_RESULTS: Final = (*FORMATS, "full")
"""The forms of a result: "full" is a table of all that is known of the run."""


def write_result(result: Any, form: str, out: str | None, problem: Problem) -> None:
    """Print a result to standard output, and write its solution to a file.

    `result`: the result of a run. `form`, one of "table", "json", "csv", "full": the form in which it is printed.
    `problem`: the problem that was solved.
    `out`: the file: the cost in the first line, the entries of the solution in the second; of a solution with named
    parts a line for each, `order: 2 0 1`.
    """
    try:
        if form == "table":
            print(result, flush=True)
        elif form == "full":
            print(result.explain(), flush=True)
        else:
            print_rows([_row(result, form)], form, single=True)
    finally:  # also where nobody reads standard output
        if out:
            _write_solution(result, out, problem)


def _write_solution(result: Any, out: str, problem: Problem) -> None:
    """Write a solution to a file: routes to one whose name ends in .sol, if the solution is made of lists or routes."""
    from metaheur.representation import places_of

    if out.endswith(".sol"):
        from metaheur.problems.formats.cvrplib import route_lines
        from metaheur.problems.solutions import MadeOfRoutes, NumbersPlaces

        if isinstance(problem, NumbersPlaces):
            _write(out, route_lines(problem.in_file(result.solution), result.cost, first=0))
            return
        alike = isinstance(problem, MadeOfRoutes)
        lists = problem.routes(result.solution) if isinstance(problem, MadeOfRoutes) else None
        lists = getattr(result.solution, "lists", lists)
        if lists is not None:
            first = getattr(problem, "first_customer", None if alike else 1)
            _write(out, route_lines(lists, result.cost, first=first))
            return
    cost = " ".join(map(str, result.cost)) if isinstance(result.cost, tuple) else str(result.cost)
    parts = {f"{name}: ": getattr(result.solution, name) for name in places_of(problem.representation)}
    lines = [cost, *(f"{name}{' '.join(map(str, x.tolist()))}" for name, x in (parts or {"": result.solution}).items())]
    _write(out, lines)


def _write(out: str, lines: list[str]) -> None:
    """Write lines to a file; where this fails, to standard error, so that they are not lost."""
    from metaheur.errors import InputError
    from metaheur.problems.formats.files import write_lines

    try:
        write_lines(out, lines)
    except InputError as error:
        print(*lines, sep="\n", file=sys.stderr)
        raise InputError(error.reason, "keep the lines above: cost and solution.") from error


def require_writable(**paths: str | None) -> None:
    """Refuse, before anything is run, files that cannot be written; by the names of their options."""
    from pathlib import Path

    from metaheur.errors import InputError
    from metaheur.machine.files import try_to_write

    for option, path in paths.items():
        try:
            if path is not None:
                try_to_write(Path(path))
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise InputError(f"`--{option}` {path} cannot be written: {reason}.", "choose another folder.") from error


def _row(result: Any, form: str) -> dict[str, Any]:
    from attrs import asdict

    row = {
        "cost": result.cost,
        "stopped_by": result.stopped_by,
        "iterations": result.iterations,
        "evaluated": result.evaluated,
        "seconds": round(result.seconds, 6),
        "compile_seconds": round(result.compile_seconds, 6),
        "seed": result.seed,
        "walks": len(result.walks),
        "device": result.device,
        "problem": result.problem,
        "solution": result.solution.tolist(),
    }
    if result.levels:
        row |= dict(zip(result.levels, result.cost, strict=True)) | {"feasible": result.feasible}
    race = result.race
    if race is not None:
        won = race.tried[race.won]
        row |= {"work": race.work, "won": won.name, "search": won.search, "compile_seconds": race.compile_seconds}
        row |= {
            "best_known": race.best_known,
            "bound": race.bound,
            "gap": race.gap(result.cost, maximise=result.maximise),
        }
        if form == "json":
            row |= {"tried": [asdict(each) for each in race.tried], "again": race.shell, "by_hand": race.by_hand}
            row |= {"python": race.python}
    if result.proof is not None:
        row |= {"proof": result.proof.status, "bound": result.proof.bound}
    if result.front is not None:
        row |= {"front": result.front.costs.tolist()}
    return row


def print_rows(rows: list[dict[str, Any]], form: str, *, single: bool = False) -> None:
    """Print rows of the same columns: as a table, a list (or one object) of JSON, or CSV."""
    if form == "json":
        print(json.dumps(rows[0] if single else rows))
    elif form == "csv":
        import csv

        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(rows[0] if rows else [])
        writer.writerows([_cell(value) for value in row.values()] for row in rows)
    elif rows:
        widths = {name: max(len(name), *(len(_cell(row[name])) for row in rows)) for name in rows[0]}
        print("  ".join(name.ljust(width) for name, width in widths.items()).rstrip())
        for row in rows:
            print("  ".join(_cell(row[name]).ljust(width) for name, width in widths.items()).rstrip())


def _cell(value: Any) -> str:
    if isinstance(value, list | tuple):
        return " ".join(map(_cell, value))
    return "" if value is None else str(value)
