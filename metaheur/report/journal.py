"""The journal of a folder of records: what tables need of them, in columns of one file, which is read much faster.

A line holds a hundred records: their names, sizes and times of change, and a column for each entry. It counts for the
records that still have these sizes and times, so that nothing depends on the journal. It grows while runs are recorded
or read; folders with fewer records have none. Fronts, proofs, races and levels of costs are in the records alone.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
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
from metaheur.report.validation import KINDS, require_entries
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

    def record(self, path: Path) -> dict[str, Any]:
        """The content of a record that tables need, as `read_record`."""
        with faults_told():
            status = path.stat()
        stamp, (known, body) = _stamp(status), self.known.get(path.name, ([], b""))
        if known == stamp:
            if path.name not in self.made:
                self._make(body)
            if path.name in self.made:
                return self.made.pop(path.name)
        content, found = read_both(path)
        if status.st_mtime_ns + _SETTLED < time_ns() and _stamp(path.stat()) == stamp:
            self._add(path.name, stamp, content)
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
        with suppress(OSError):  # it was removed
            self._add(path.name, _stamp(path.stat()), content)

    def _add(self, name: str, stamp: list[int], content: Mapping[str, Any]) -> None:
        if _fits(content):
            self.new.append((name, stamp, _row(name, content)))
        if len(self.new) < TOGETHER:
            return
        names, stamps, rows = zip(*self.new, strict=True)
        columns = {column: [row[column] for row in rows] for column in rows[0]}
        body = f"{json.dumps([names, stamps])}\t{json.dumps(columns, separators=(',', ':'))}".encode()
        self.new.clear()
        with suppress(OSError):  # the folder may be read only
            self.path.parent.mkdir(exist_ok=True)
            descriptor = os.open(self.path, _FLAGS, 0o666)
            try:
                os.write(descriptor, b"\n%08x\t%s\n" % (crc32(body), body))  # the line before may be torn
            finally:
                os.close(descriptor)


def _stamp(status: os.stat_result) -> list[int]:
    """What tells whether a record was changed."""
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
    """The entries of a record by the names of their columns; lists of several are one list."""
    result = content["result"]
    walks, spent = (result[each]["fields"] for each in ("walks", "performance"))
    best, solution, solutions = content["problem"]["best_known"], result["solution"], result["solutions"]
    alone = solutions["array"] == [solution["array"]]
    return {
        "format": FORMAT,
        "name": name,
        "key": content["key"],
        "best": best,
        **{f"run.{each}": content["run"][each] for each in _RUN},
        **{each: result[each] for each in (*PLAIN, "cost", "start_cost", "failures", "versions")},
        "walk": result["key"],
        **{f"spent.{each}": spent[each] for each in _SPENT},
        **{f"walks.{each}": walks[each]["array"] for each in _WALKS},
        "types": [walks["costs"]["dtype"], solution["dtype"]],
        "solution": solution["array"],
        "solutions": None if alone else solutions["array"],
        "improvements": [list(each) for each in zip(*result["improvements"], strict=True)],
    }


def _columns_of(body: bytes) -> dict[str, list[Any]]:
    columns: dict[str, list[Any]] = plain_text(body)
    if {*columns["format"]} != {FORMAT}:
        raise ValueError("it is a line of another version")
    return columns


def _contents(columns: Mapping[str, list[Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The names and contents of the records of a line."""
    _require(columns)
    walks = _walks(columns)
    runs = zip(*(columns[f"run.{each}"] for each in _RUN), strict=True)
    spent = zip(*(columns[f"spent.{each}"] for each in _SPENT), strict=True)
    plain = zip(*(columns[each] for each in (*PLAIN, "cost", "start_cost")), strict=True)
    rest = (
        columns[each] for each in ("types", "solution", "solutions", "improvements", "walk", "failures", "versions")
    )
    heads = (columns[each] for each in ("name", "key", "best"))
    for name, key, best, table, run, times, values, types, solution, solutions, found, walk, failures, versions in zip(
        *heads, walks, runs, spent, plain, *rest, strict=True
    ):
        x = np.array(solution, array_dtype(types[1]))
        several: dict[str, Any] = {} if solutions is None else {"solutions": np.array(solutions, x.dtype)}
        result = Result(
            **dict(zip((*PLAIN, "cost", "start_cost"), values, strict=True)),
            solution=x,
            walks=table,
            performance=Performance(*times),
            improvements=tuple(map(Improvement, *found)) if found else (),
            key=Key(*walk),
            failures=tuple(failures),
            versions=dict(versions),
            **several,
        )
        if x.ndim != 1 or result.solutions.ndim != 2 or x.dtype.kind not in "biuf":
            raise ValueError("`solution` and `solutions` must be arrays of numbers")
        content = {"key": key, "run": dict(zip(_RUN, run, strict=True)), "error": "", "traceback": ""}
        content |= {"problem": {"best_known": best}, "result": result}
        require_entries(content)
        yield name, content


def _walks(columns: Mapping[str, list[Any]]) -> Iterator[WalkTable]:
    """The tables of walks, whose columns are parts of long arrays."""
    counts = list(map(len, columns["walks.costs"]))
    ends, found = [0, *accumulate(counts)], list[list[np.ndarray]]()
    if 0 in counts:
        raise ValueError("a run has no walks")
    for name in _WALKS:
        lists = columns[f"walks.{name}"]
        if name == "costs":
            found.append(
                [np.array(each, array_dtype(types[0])) for each, types in zip(lists, columns["types"], strict=True)]
            )
            kinds = {each.dtype.kind for each in found[-1]}
        else:
            kind = KINDS.get(name, "iu")
            joined = np.array(
                [one for each in lists for one in each], {"iu": "int64", "b": "bool", "f": "float64", "U": "str"}[kind]
            )
            found.append([joined[low:high] for low, high in pairwise(ends)])
            kinds = {joined.dtype.kind}
        if list(map(len, lists)) != counts or not all(each in KINDS.get(name, "iu") for each in kinds):
            raise ValueError(f"`{name}` of the walks does not fit the others")
    return map(WalkTable, *found)


def _require(columns: Mapping[str, list[Any]]) -> None:
    """Refuse columns with entries of other kinds than those of records."""
    kinds: dict[str, frozenset[type]] = {
        "name": frozenset({str}),
        "key": frozenset({str}),
        "run.seed": frozenset({int}),
    }
    kinds |= {f"run.{each}": frozenset({str}) for each in _RUN[:3]}
    kinds |= {name: kind for name, kind in plain_kinds(Result).items() if name in PLAIN}
    kinds |= {f"spent.{name}": kind for name, kind in plain_kinds(Performance).items()}
    kinds |= {"cost": _COST, "start_cost": _COST | {type(None)}}
    for name, allowed in kinds.items():
        _require_column(name, columns[name], allowed)
    of_improvements = {**plain_kinds(Improvement), "cost": _COST}
    for k, name in enumerate(_IMPROVED):
        flat = [one for each in columns["improvements"] if each for one in each[k]]
        _require_column(name, flat, of_improvements[name])
    if min(*columns["iterations"], *columns["evaluated"], *columns["seconds"]) < 0:
        raise ValueError("iterations, evaluations and seconds must not be negative")
    texts = [one for name in ("failures", "versions") for each in columns[name] for one in each]
    texts += [one for each in columns["versions"] for one in each.values()]
    _require_column("failures", texts, frozenset({str}))


def _require_column(name: str, column: list[Any], allowed: frozenset[type]) -> None:
    found = {*map(type, column)}
    numbers = [each for each in column if each is not None] if found & _COST else []
    finite = found <= allowed and all(map(isfinite, numbers))
    if not finite or (numbers and max(-min(numbers), *numbers) >= 2**64):
        raise ValueError(f"`{name}` holds something else than a record")
