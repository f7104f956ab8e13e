"""A run in a file: one JSON object, written at once or not at all."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
from attrs import asdict

from metaheur.machine.files import read_regular, replace_file
from metaheur.machine.performance import Performance
from metaheur.random import Key
from metaheur.report.experiment import ExperimentRun
from metaheur.report.workers import Task
from metaheur.running.result import Improvement, Result, WalkTable

__all__ = ["DIGITS", "load_run", "record_path", "save_run"]

FORMAT = 1
"""The number of the records' layout; it grows by one when the layout changes."""

DIGITS = 16
"""The number of digits of the key at the end of a file's name; the rest of the name is for people."""

_MEMORY = 48
"""Bytes that reading takes, at most, for each byte of a record: a number is an object."""

_PLAIN = (
    "cost",
    "start_cost",
    "maximise",
    "iterations",
    "evaluated",
    "seconds",
    "device",
    "description",
    "plan",
    "resident",
    "stopped_by",
    "problem",
    "search",
)
"""Fields of a Result that JSON stores unchanged."""


def record_path(folder: Path, names: tuple[str, ...], seed: int, key: str) -> Path:
    """The path of the record of a run: a name that people can read, and the first digits of its key.

    Parameters
    ----------
    folder : Path
        The folder of the experiment.
    names : tuple of str
        The names of the search and the problem, and of the model if the experiment has several.
    seed : int
        The seed.
    key : str
        The key of the run; see `identity`.
    """
    plain = (re.sub(r"\W+", "-", name).strip("-")[:40] for name in names)
    return folder / f"{'_'.join(plain)}_{seed}_{key[:DIGITS]}.json"


def save_run(path: Path, run: ExperimentRun, key: str) -> None:
    """Write a run to a file.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    content = {
        "format": FORMAT,
        "key": key,
        "run": {"search": run.search, "problem": run.problem, "model": run.model, "seed": run.seed},
        "error": run.error,
        "traceback": run.traceback,
        "result": None if run.result is None else _encoded(run.result),
    }
    replace_file(path, json.dumps(content, indent=1).encode())


def load_run(path: Path, task: Task, key: str) -> ExperimentRun:
    """Read a run that `save_run` wrote.

    Parameters
    ----------
    path : Path
        The file.
    task : Task
        The names of search, problem and model in this experiment, and the seed.
    key : str
        The key of the run.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If the file cannot be read, is incomplete, or is the record of another run; the message gives the reason.
    """
    try:
        content = json.loads(read_regular(path, _MEMORY))
        if (content["format"], content["key"]) != (FORMAT, key):
            raise ValueError("it is the record of another run or version")
        result = None if content["result"] is None else _decoded(content["result"])
        failure = str(content["error"]), str(content["traceback"])
    except FileNotFoundError:
        raise
    except json.JSONDecodeError as error:
        raise ValueError(f"it is torn: {error}") from error
    except (ArithmeticError, AttributeError, LookupError, OSError, RecursionError, TypeError) as error:
        raise ValueError(f"it is broken: {error!r}") from error
    return task.run(result, *failure, reused=True)


def _encoded(result: Result) -> dict[str, Any]:
    table = result.walks
    return {
        **{name: getattr(result, name) for name in _PLAIN},
        "solution": _array(result.solution),
        "improvements": [[e.iteration, e.cost, e.seconds, e.walk, e.evaluated] for e in result.improvements],
        "key": [result.key.seed, result.key.walk],
        "walks": {name: _array(getattr(table, name)) for name in WalkTable.__annotations__},
        "performance": asdict(result.performance),
        "failures": list(result.failures),
        "versions": dict(result.versions),
    }


def _decoded(content: dict[str, Any]) -> Result:
    return Result(
        **{name: content[name] for name in _PLAIN},
        solution=_numbers(content["solution"]),
        improvements=tuple(Improvement(*row) for row in content["improvements"]),
        key=Key(*content["key"]),
        walks=WalkTable(**{name: _numbers(array) for name, array in content["walks"].items()}),
        performance=Performance(**content["performance"]),
        failures=tuple(content["failures"]),
        versions=dict(content["versions"]),
    )


def _numbers(saved: Any) -> np.ndarray:
    """An array that `_array` wrote."""
    values, dtype = saved
    array = np.array(values, np.dtype(dtype))
    if array.dtype.kind not in "biufU":
        raise ValueError(f"it holds an array of {array.dtype}")
    return array


def _array(array: np.ndarray) -> tuple[list[Any], str]:
    return array.tolist(), str(array.dtype)
