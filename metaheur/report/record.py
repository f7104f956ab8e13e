"""A run in a file: one JSON object, written at once or not at all."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from metaheur.errors import MetaheurError, printable
from metaheur.machine.files import from_json, read_regular, replace_file
from metaheur.random import Key
from metaheur.report.experiment import ExperimentRun
from metaheur.report.trajectory import trajectory_digest
from metaheur.report.validation import require_entries, require_result
from metaheur.report.values import Arrays, decoded, encoded
from metaheur.report.workers import Task
from metaheur.running.result import Improvement, Result

__all__ = ["DATA", "DIGITS", "load_run", "names_of_files", "read_record", "record_path", "save_run"]

FORMAT = 2
"""The number of the records' layout; it grows by one when the layout changes."""

DATA = "data"
"""The folder, beside the records, of long arrays: what problems and searches hold."""

DIGITS = 16
"""The number of digits of the key at the end of a file's name; the rest of the name is for people."""

_MEMORY = 48
"""Bytes that reading takes, at most, for each byte of a record: a number is an object."""

PLAIN = (
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

_VALUES = ("cost", "start_cost", "solution", "walks", "performance", "proof", "front", "race", "solutions")
"""Fields of a Result that are numbers, arrays or made of fields."""

_INLINE = Arrays()


def record_path(folder: Path, names: tuple[str, ...], seed: int, key: str) -> Path:
    """The path of the record of a run: a name that people can read, and the first digits of its key.

    `folder`: the folder of the experiment. `names`: the names of the search and the problem, and of the model if the
    experiment has several; as parts of the names of files, see `names_of_files`. `key`: the key of the run; see
    `identity`.
    """
    return folder / f"{'_'.join(names)}_{seed}_{key[:DIGITS]}.json"


def names_of_files(names: Iterable[str]) -> dict[str, str]:
    """Names as parts of the names of files: at most 40 bytes each, and a hash where two would be the same."""
    words = {name: re.sub(r"\W+", "-", name).strip("-").encode(errors="ignore") for name in names}
    plain = {name: each[:40].decode(errors="ignore") for name, each in words.items()}
    times = Counter(plain.values())
    return {name: each if times[each] == 1 else f"{each}-{_hash(name)}" for name, each in plain.items()}


def _hash(name: str) -> str:
    return hashlib.sha256(name.encode(errors="backslashreplace")).hexdigest()[:8]


def save_run(path: Path, run: ExperimentRun, key: str, made_of: Mapping[str, Any]) -> dict[str, Any]:
    """Write a run to a file; returns the content.

    `path`: the file. `key`: the key of the run; see `identity`. `made_of`: what the run was made of, and where, as
    values of JSON.
    """
    content: dict[str, Any] = {
        "format": FORMAT,
        "key": key,
        "run": {"search": run.search, "problem": run.problem, "model": run.model, "seed": run.seed},
        "ended": datetime.now(UTC).isoformat(timespec="seconds"),
        **made_of,
        "error": run.error,
        "traceback": run.traceback,
        "trajectory_digest": None if run.result is None else trajectory_digest(run.result),
        "result": None if run.result is None else _encoded(run.result),
    }
    replace_file(path, json.dumps(content, indent=1).encode())
    return content


def read_record(path: Path) -> dict[str, Any]:
    """The content of a record, with a `Result` or None as its "result"."""
    return read_both(path)[1]


def read_both(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """The content of a record as values of JSON, and the same with a `Result`."""
    with faults_told():
        content = plain_text(read_regular(path, _MEMORY))
        if not isinstance(content, dict) or "format" not in content:
            raise ValueError("it is not the record of a run")
        if content["format"] != FORMAT:
            raise ValueError("it is the record of another version")
        found = with_result(content)
        if found["result"] is not None and content["trajectory_digest"] != trajectory_digest(found["result"]):
            raise ValueError("it was changed: its trajectory digest is not that of its result")
    return content, found


@contextmanager
def faults_told() -> Iterator[None]:
    """Tell what is wrong with a record by a ValueError, whatever error is met."""
    try:
        yield
    except FileNotFoundError:
        raise
    except json.JSONDecodeError as error:
        raise ValueError(f"it is torn: {error}") from error
    except KeyError as error:
        raise ValueError(f"it is broken: it has no {error}") from error
    except (ArithmeticError, AttributeError, LookupError, MemoryError, OSError, RecursionError, TypeError) as error:
        raise ValueError(f"it is broken: {error!r}") from error
    except MetaheurError as error:
        raise ValueError(f"it is broken: {error.reason}") from error


def plain_text(text: bytes) -> Any:
    """The values of a text of JSON, without what a terminal obeys."""
    content = from_json(text)
    escapes = _OBEYED if b"\\" in text else _OBEYED[-2:]
    obeyed = not text.isascii() or any(each in text for each in escapes)
    return _as_text(content) if obeyed else content


def with_result(content: Mapping[str, Any]) -> dict[str, Any]:
    """The same content with a `Result` as its "result"; all entries are of their kinds."""
    found = dict(content)
    if found["result"] is not None:
        found["result"] = _decoded(found["result"])
        require_result(found["result"])
    require_entries(found)
    return found


_OBEYED: Final = rb"\b", rb"\f", rb"\r", rb"\u", b"\x7f", b"\0"
"""What may be a character that a terminal obeys: escapes of JSON other than of lines and tabs, and plain bytes."""


def _as_text(value: Any) -> Any:
    """JSON without control characters of terminals in its texts, except in the values of searches and problems."""
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, list):
        return [_as_text(each) for each in value]
    if isinstance(value, dict):
        return {printable(name): each if name == "made" else _as_text(each) for name, each in value.items()}
    return value


def load_run(content: Mapping[str, Any], task: Task, key: str) -> ExperimentRun:
    """The run that `save_run` wrote.

    `content`: of its record. `task`: the names of search, problem and model in this experiment, and the seed. `key`:
    the key of the run.
    """
    if content.get("key") != key:
        raise ValueError("it is the record of another run or version")
    return task.run(content["result"], str(content.get("error")), str(content.get("traceback")), reused=True)


def _encoded(result: Result) -> dict[str, Any]:
    return {
        **{name: getattr(result, name) for name in PLAIN},
        **{name: encoded(getattr(result, name), _INLINE) for name in _VALUES},
        "improvements": [
            [e.iteration, encoded(e.cost, _INLINE), e.seconds, e.walk, e.evaluated] for e in result.improvements
        ],
        "key": [result.key.seed, result.key.walk],
        "failures": list(result.failures),
        "versions": dict(result.versions),
        **({"levels": list(result.levels)} if result.levels else {}),
    }


def _decoded(content: dict[str, Any]) -> Result:
    return Result(
        **{name: content[name] for name in PLAIN},
        **{name: decoded(content[name], _INLINE) for name in _VALUES},
        improvements=tuple(Improvement(i, decoded(cost, _INLINE), *rest) for i, cost, *rest in content["improvements"]),
        key=Key(*content["key"]),
        failures=tuple(content["failures"]),
        versions=dict(content["versions"]),
        levels=tuple(content.get("levels", ())),
    )
