"""The journal of a folder of records: what tables need of them, in columns of one file, which is read much faster.

A line holds a hundred records: their names, sizes and times of change, and a column for each entry. It counts for the
records that still have these sizes and times, so that nothing depends on the journal. It grows while runs are recorded
or read; folders with fewer records have none. Fronts, proofs, races and levels of costs are in the records alone.
A column of equal entries has one; the numbers of walks and of improvements are bytes, which are read without parsing.
"""

from __future__ import annotations

import json
import os
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import accumulate, pairwise
from math import isfinite
from pathlib import Path
from time import time_ns
from typing import Any, Final
from zlib import crc32

import attrs
import numpy as np

from metaheur.machine.files import from_json, open_regular
from metaheur.machine.performance import Performance
from metaheur.random import Key
from metaheur.report.record import DATA, FORMAT, PLAIN, faults_told, plain_text, read_both
from metaheur.report.validation import KINDS
from metaheur.report.values import array_dtype, plain_kinds
from metaheur.running.result import Improvement, Result, WalkTable

__all__ = ["Journal"]

FILE: Final = "journal.txt"
"""The file, in the folder of arrays."""

TOGETHER: Final = 100
"""The number of records in a line."""

_SETTLED: Final = 1_000_000_000
"""Nanoseconds after which a change of a record changes its time, too, whatever the clock of the file system."""

_FLAGS: Final = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
"""A file of the folder itself, and no pipe, is written."""

_RUN: Final = ("search", "problem", "model", "seed")
_SCARCE: Final = ("front", "proof", "race")
_WALKS: Final = tuple(each.name for each in attrs.fields(WalkTable))
_SPENT: Final = tuple(each.name for each in attrs.fields(Performance))
_IMPROVED: Final = tuple(each.name for each in attrs.fields(Improvement))
_COST: Final = frozenset({int, float})
_COUNTED: Final = {"iteration": "iu", "seconds": "f", "walk": "iu", "evaluated": "iu"}
_UNPACKED: Final = ("costs", "searches")
_PACKED: Final = tuple(name for name in _WALKS if name not in _UNPACKED)
_LAYOUT: Final = f"{FORMAT}, packed"
_BYTES: Final = {"iu": "<i8", "f": "<f8", "b": "u1"}


class Journal:
    """What is known of the records in a folder.

    `folder`: the folder.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / DATA / FILE
        self.known: dict[str, tuple[list[int], bytes]] = {}
        self.made: dict[str, dict[str, Any]] = {}
        self.new: list[tuple[str, list[int], dict[str, Any]]] = []
        with suppress(OSError), open_regular(self.path) as file:  # without it, records are read
            for line in file:
                with suppress(ValueError, TypeError):  # a line that is torn
                    names, stamps, body = _opened(line)
                    self.known.update((name, (stamp, body)) for name, stamp in zip(names, stamps, strict=True))

    def record(self, path: Path | os.DirEntry[str]) -> dict[str, Any]:
        """The content of a record that tables need, as `read_record`."""
        name, stamp = path.name, _stamp(path)
        known, body = self.known.get(name, (None, b""))
        if known == stamp:
            if name not in self.made:
                self._make(body)
            if name in self.made:
                return self.made.pop(name)
        content, found = read_both(Path(path))
        if stamp and stamp[1] + _SETTLED < time_ns() and _stamp(path) == stamp:
            self._add(name, stamp, content)
        return found

    def _make(self, body: bytes) -> None:
        """Make the contents of the records of a line; a line of another version is forgotten."""
        try:
            with faults_told():
                self.made.update(_contents(_columns_of(body)))
        except ValueError:
            self.known = {name: each for name, each in self.known.items() if each[1] is not body}

    def keep(self, path: Path, content: Mapping[str, Any]) -> None:
        """Add a record that was written."""
        if stamp := _stamp(path):
            self._add(path.name, stamp, content)

    def _add(self, name: str, stamp: list[int], content: Mapping[str, Any]) -> None:
        if _fits(content):
            with suppress(OverflowError):  # a number is longer than 64 bits
                self.new.append((name, stamp, _row(name, content)))
        if len(self.new) < TOGETHER:
            return
        names, stamps, rows = zip(*self.new, strict=True)
        columns = json.dumps(_columns(rows), separators=(",", ":"))
        body = f"{json.dumps([names, stamps])}\t{columns}".encode()
        self.new.clear()
        with suppress(OSError):  # the folder may be read only
            self.path.parent.mkdir(exist_ok=True)
            descriptor = os.open(self.path, _FLAGS, 0o666)
            try:
                os.write(descriptor, b"\n%08x\t%s\n" % (crc32(body), body))  # the line before may be torn
            finally:
                os.close(descriptor)


def _stamp(path: os.PathLike[str]) -> list[int]:
    """What tells whether a record was changed; nothing if there is no record."""
    try:
        status = os.stat(path)  # noqa: PTH116 - an entry of a folder would answer from its memory
    except OSError:
        return []
    return [status.st_size, status.st_mtime_ns]


def _opened(line: bytes) -> tuple[list[str], list[list[int]], bytes]:
    """The names and stamps of the records of a line, and their columns as JSON."""
    check, _, rest = line.rstrip(b"\n").partition(b"\t")
    if check != b"%08x" % crc32(rest):
        raise ValueError("the line is torn")
    head, _, body = rest.partition(b"\t")
    names, stamps = from_json(head)
    return names, stamps, body


def _fits(content: Mapping[str, Any]) -> bool:
    """Whether all that is in a record has a column."""
    result = content["result"]
    return (
        result is not None
        and not any(result[name] is not None for name in _SCARCE)
        and not result.get("levels")
        and type(result["cost"]) in _COST
        and (result["start_cost"] is None or type(result["start_cost"]) in _COST)
        and all(type(each[1]) in _COST for each in result["improvements"])
    )


def _row(name: str, content: Mapping[str, Any]) -> dict[str, Any]:
    """The entries of a record by the names of their columns."""
    result = content["result"]
    walks, spent = (result[each]["fields"] for each in ("walks", "performance"))
    best, solution, solutions = content["problem"]["best_known"], result["solution"], result["solutions"]
    alone = solutions["array"] == [solution["array"]]
    improved = dict(zip(_IMPROVED, zip(*result["improvements"], strict=True), strict=False))
    return {
        "format": _LAYOUT,
        "name": name,
        "key": content["key"],
        "best": best,
        **{f"run.{each}": content["run"][each] for each in _RUN},
        **{each: result[each] for each in (*PLAIN, "cost", "start_cost", "failures", "versions")},
        "walk": result["key"],
        **{f"spent.{each}": spent[each] for each in _SPENT},
        **{f"walks.{each}": walks[each]["array"] for each in _UNPACKED},
        **{f"walks.{each}": _array(walks[each]["array"], KINDS.get(each, "iu")) for each in _PACKED},
        "types": [walks["costs"]["dtype"], solution["dtype"]],
        "solution": solution["array"],
        "solutions": None if alone else solutions["array"],
        "improved.cost": improved.get("cost", ()),
        **{f"improved.{each}": _array(improved.get(each, ()), kind) for each, kind in _COUNTED.items()},
    }


def _array(values: Sequence[Any], kind: str) -> np.ndarray:
    """The values as they are written."""
    return np.array(values, _BYTES[kind])


def _columns(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any] | str]:
    """The columns of rows: lists of a value for each row, or of the value of all; arrays one after the other."""
    found: dict[str, list[Any] | str] = {}
    for name, first in rows[0].items():
        column = [row[name] for row in rows]
        if isinstance(first, np.ndarray):
            joined = np.concatenate(column)
            found[name] = b64encode((joined[:1] if (joined == joined[:1]).all() else joined).tobytes()).decode()
        else:
            found[name] = column[:1] if len({*map(repr, column)}) == 1 else column
    return found


def _unpacked(text: str, kind: str, ends: Sequence[int]) -> list[np.ndarray]:
    """The array of each row."""
    joined = np.frombuffer(b64decode(text), _BYTES[kind]).astype({"iu": "int64", "f": "float64", "b": "bool"}[kind])
    if len(joined) == 1:
        joined = joined.repeat(ends[-1])
    if len(joined) != ends[-1]:
        raise ValueError("the columns have different lengths")
    return [joined[low:high] for low, high in pairwise(ends)]


def _columns_of(body: bytes) -> dict[str, Any]:
    columns: dict[str, Any] = plain_text(body)
    if columns["format"] != [_LAYOUT]:
        raise ValueError("it is a line of another version")
    return columns


def _contents(columns: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The names and contents of the records of a line."""
    _require(columns)
    count = len(columns["name"])
    columns = {
        name: each * count if isinstance(each, list) and len(each) == 1 else each for name, each in columns.items()
    }
    heads = (columns[each] for each in ("name", "key", "best"))
    runs = zip(*(columns[f"run.{each}"] for each in _RUN), strict=True)
    for name, key, best, run, result in zip(*heads, runs, _results(columns), strict=True):
        content = {"key": key, "run": dict(zip(_RUN, run, strict=True)), "error": "", "traceback": ""}
        yield name, content | {"problem": {"best_known": best}, "result": result}


def _results(columns: Mapping[str, Any]) -> Iterator[Result]:
    """The result of each row."""
    made = (_walks(columns), _improvements(columns))
    spent = zip(*(columns[f"spent.{each}"] for each in _SPENT), strict=True)
    plain = zip(*(columns[each] for each in (*PLAIN, "cost", "start_cost")), strict=True)
    rest = (columns[each] for each in ("types", "solution", "solutions", "walk", "failures", "versions"))
    for walks, improvements, times, values, types, solution, solutions, walk, failures, versions in zip(
        *made, spent, plain, *rest, strict=True
    ):
        x = np.array(solution, array_dtype(types[1]))
        several: dict[str, Any] = {} if solutions is None else {"solutions": np.array(solutions, x.dtype)}
        result = Result(
            **dict(zip((*PLAIN, "cost", "start_cost"), values, strict=True)),
            solution=x,
            walks=walks,
            performance=Performance(*times),
            improvements=improvements,
            key=Key(*walk),
            failures=tuple(failures),
            versions=dict(versions),
            **several,
        )
        if x.ndim != 1 or result.solutions.ndim != 2 or x.dtype.kind not in "biuf":
            raise ValueError("`solution` and `solutions` must be arrays of numbers")
        yield result


def _improvements(columns: Mapping[str, Any]) -> Iterator[Callable[[], tuple[Improvement, ...]]]:
    """What makes the improvements of each row: few of them are looked at."""
    costs = columns["improved.cost"]
    ends = [0, *accumulate(map(len, costs))]
    found = {name: _unpacked(columns[f"improved.{name}"], kind, ends) for name, kind in _COUNTED.items()}
    if not np.isfinite(np.concatenate(found["seconds"])).all():
        raise ValueError("`seconds` of an improvement is not a number")
    return map(partial(partial, _improved), *({**found, "cost": costs}[name] for name in _IMPROVED))


def _improved(iterations: np.ndarray, costs: list[Any], *rest: np.ndarray) -> tuple[Improvement, ...]:
    """The improvements of a row, from their columns."""
    return tuple(map(Improvement, iterations.tolist(), costs, *(each.tolist() for each in rest)))


def _walks(columns: Mapping[str, Any]) -> Iterator[WalkTable]:
    """The tables of walks, whose columns are parts of long arrays."""
    lists, names = columns["walks.costs"], columns["walks.searches"]
    counts = list(map(len, lists))
    if 0 in counts or list(map(len, names)) != counts:
        raise ValueError("a run has no walks, or their columns have different lengths")
    ends = [0, *accumulate(counts)]
    costs = [np.array(each, array_dtype(types[0])) for each, types in zip(lists, columns["types"], strict=True)]
    searches = np.array([one for each in names for one in each], "str")
    found = {name: _unpacked(columns[f"walks.{name}"], KINDS.get(name, "iu"), ends) for name in _PACKED}
    found |= {"costs": costs, "searches": [searches[low:high] for low, high in pairwise(ends)]}
    if any(each.ndim != 1 or each.dtype.kind not in KINDS["costs"] for each in costs):
        raise ValueError("`costs` of the walks does not fit the others")
    return map(WalkTable, *(found[name] for name in _WALKS))


def _require(columns: Mapping[str, Any]) -> None:
    """Refuse columns with entries of other kinds than those of records."""
    kinds: dict[str, frozenset[type]] = {
        "name": frozenset({str}),
        "key": frozenset({str}),
        "run.seed": frozenset({int}),
    }
    kinds |= {f"run.{each}": frozenset({str}) for each in _RUN[:3]}
    kinds |= {name: kind for name, kind in plain_kinds(Result).items() if name in PLAIN}
    kinds |= {f"spent.{name}": kind for name, kind in plain_kinds(Performance).items()}
    kinds |= {"cost": _COST, **dict.fromkeys(("start_cost", "best"), _COST | {type(None)})}
    for name, allowed in kinds.items():
        _require_column(name, columns[name], allowed)
    _require_column("cost of an improvement", [one for each in columns["improved.cost"] for one in each], _COST)
    if min(min(columns[name]) for name in ("iterations", "evaluated", "seconds", "run.seed")) < 0:
        raise ValueError("iterations, evaluations, seconds and seeds must not be negative")
    texts = [one for name in ("failures", "versions") for each in columns[name] for one in each]
    texts += [one for each in columns["versions"] for one in each.values()]
    _require_column("failures", texts, frozenset({str}))


def _require_column(name: str, column: list[Any], allowed: frozenset[type]) -> None:
    found = {*map(type, column)}
    numbers = [each for each in column if each is not None] if found & _COST else []
    finite = found <= allowed and all(map(isfinite, numbers))
    if not finite or (numbers and max(-min(numbers), *numbers) >= 2**64):
        raise ValueError(f"`{name}` holds something else than a record")
