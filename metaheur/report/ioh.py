"""IOHprofiler's format, which its analyzer and its Python packages read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Protocol

from metaheur.errors import InputError
from metaheur.running.result import Result, versions

__all__ = ["FinishedRuns", "write_ioh"]


class FinishedRuns(Protocol):
    """The parts of an experiment that are written; a `metaheur.Experiment` has them."""

    @property
    def runs(self) -> Sequence[Any]:
        """All runs; only finished ones are written."""

    def methods(self) -> dict[str, tuple[str, str]]:
        """The name of a search and of a parallel model, by a name of both."""

    @property
    def problems(self) -> tuple[str, ...]:
        """The names of the problems."""


VERSION = "0.3.22"
"""The version of IOHexperimenter that defines the layout."""


def write_ioh(folder: str | PathLike[str], experiment: FinishedRuns) -> None:
    """Write all runs of an experiment that are done, in IOHprofiler's format.

    Each search, with each parallel model, is an *algorithm* with a folder of its own. Each problem is a *function* with
    one instance, numbered from 1 in the order of the experiment; its dimension is the length of a solution. A run has a
    line for its start, for each improvement and for its end: the evaluations, the best cost, and the seconds. The full
    evaluation of the start is the first evaluation, so the number of evaluations is the number of moves evaluated plus
    one.

    `folder`: the folder; it is created if necessary, and files with the same names are replaced. `experiment`: the
    runs.

    Notes
    -----
    J. de Nobel, F. Ye, D. Vermetten, H. Wang, C. Doerr and T. Bäck, "IOHexperimenter: benchmarking platform for
    iterative optimization heuristics", Evolutionary Computation 32, 2024.
    """
    runs = [each for each in experiment.runs if each.status == "done"]
    if not runs:
        raise InputError("There is nothing to write: no run is done.", "print the experiment, which says why.")
    for name, text in _files(experiment, runs):
        path = Path(folder) / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            raise InputError(f"{path} cannot be written: {error.strerror or error}.") from error


def _files(experiment: FinishedRuns, runs: list[Any]) -> Iterator[tuple[str, str]]:
    """Pairs of the path of a file in the folder and its text."""
    methods = experiment.methods()
    algorithms = _distinct(tuple(methods))
    functions = _distinct(experiment.problems)
    for method, algorithm in algorithms.items():
        for number, (problem, function) in enumerate(functions.items(), 1):
            names = (*methods[method], problem)
            found = [each for each in runs if (each.search, each.model, each.problem) == names]
            if found:
                results = [each.result for each in found if each.result is not None]
                data = f"data_f{number}_{function}/IOHprofiler_f{number}_DIM{len(results[0].solution)}.dat"
                yield f"{algorithm}/{data}", "".join(map(_lines, results))
                about = _about(method, problem, number, results, data)
                yield f"{algorithm}/IOHprofiler_f{number}_{function}.json", json.dumps(about, indent=1)


def _about(method: str, problem: str, number: int, results: list[Result], data: str) -> dict[str, Any]:
    """The content of the JSON file."""
    return {
        "version": VERSION,
        "suite": "metaheur",
        "function_id": number,
        "function_name": problem,
        "maximization": results[0].maximise,
        "algorithm": {"name": method, "info": f"metaheur {versions()['metaheur']}"},
        "attributes": ["evaluations", "raw_y", "seconds"],
        "run_attributes": ["seed"],
        "scenarios": [
            {
                "dimension": len(results[0].solution),
                "path": data,
                "runs": [_run(result) for result in results],
            }
        ],
    }


def _run(result: Result) -> dict[str, Any]:
    found = result.improvements[-1].evaluated if result.improvements else 0
    return {
        "instance": 1,
        "evals": result.evaluated + 1,
        "best": {"evals": found + 1, "y": result.cost, "x": result.solution.tolist()},
        "seed": result.seed,
    }


def _lines(result: Result) -> str:
    """The header and a line for each change, in order of the evaluations; each number of evaluations comes once."""
    if isinstance(result.cost, tuple):
        raise InputError("This format has one number for each cost, but these have several.", "use `to_dataframe`.")
    if result.start_cost is None:
        raise InputError("A run does not say what its start cost.", "make the experiment with run_many.")
    rows: dict[int, tuple[int | float, float]] = {1: (result.start_cost, 0.0)}
    for each in result.improvements:
        rows[each.evaluated + 1] = each.cost, each.seconds
    rows[result.evaluated + 1] = result.cost, result.seconds
    lines = (f"{evaluations} {_decimal(cost)} {seconds:.10f}\n" for evaluations, (cost, seconds) in rows.items())
    return "evaluations raw_y seconds\n" + "".join(lines)


def _decimal(cost: int | float) -> str:
    return f"{cost}.0000000000" if isinstance(cost, int) else f"{cost:.10f}"


def _distinct(names: tuple[str, ...]) -> dict[str, str]:
    """Names for files, with a number appended if two are equal."""
    found: dict[str, str] = {}
    for name in names:
        plain = re.sub(r"\W+", "-", name).strip("-")[:60] or "unnamed"
        found[name] = plain if plain not in found.values() else f"{plain}-{len(found) + 1}"
    return found
