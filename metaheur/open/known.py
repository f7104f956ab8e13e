"""Costs that are known: in memory, and in a file that survives the process."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.evaluators.costs import numbers, wide_type
from metaheur.open.answered import key_of
from metaheur.problem import Problem, level_names
from metaheur.report.identity import identity
from metaheur.running.frame import Framed, data_frame

__all__ = ["Evaluation", "EvaluationLedger", "KnownCosts", "SolutionKeys"]

FORMAT = 1
LATELY = 1 << 20
"""Bytes of solutions that are remembered with their keys."""

HEADER = 512
"""Bytes before the first row; JSON, filled up by spaces."""


@final
@frozen(eq=False)
class Evaluation:
    """An evaluation that was paid for.

    Parameters
    ----------
    solution : numpy.ndarray, shape (n,)
        The solution.
    cost : int, float or tuple
        Its cost, as searches count it.
    seconds : float
        How long the worker took.
    tries : int
        How often it was asked, 1 ... 255.
    failed : bool
        Whether the last try failed, too, and the policy gave the cost.
    """

    solution: np.ndarray
    cost: Any
    seconds: float = 0.0
    tries: int = 1
    failed: bool = False


class KnownCosts:
    """The costs of solutions that have been evaluated, in memory.

    `problem`: the problem of the solutions.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.costs: dict[bytes, Any] = {}
        self.places: dict[bytes, int] = {}
        self.low: Any = None
        self.high: Any = None

    def get(self, key: bytes) -> Any:
        """The cost of the solution with this key; None if it is not known."""
        return self.costs.get(key)

    def add(self, key: bytes, evaluation: Evaluation) -> None:
        """Keep an evaluation; a solution that is known keeps the cost that it has."""
        if self.get(key) is None:
            self.places[key] = self._count()
            self.costs[key] = evaluation.cost
            self._widen(evaluation.cost)

    def place(self, key: bytes) -> int | None:
        """How many arrived before this solution; None if it is not known."""
        return self.places.get(key)

    def _count(self) -> int:
        return len(self.costs)

    def close(self) -> None:
        """Keep nothing more."""

    def _widen(self, cost: Any) -> None:
        """Take a cost into the range of all costs, of each objective."""
        if self.low is None:
            self.low = self.high = cost
        elif isinstance(cost, tuple):
            self.low = tuple(map(min, self.low, cost))
            self.high = tuple(map(max, self.high, cost))
        else:
            self.low, self.high = min(self.low, cost), max(self.high, cost)


@final
class EvaluationLedger(KnownCosts, Framed):
    """Every evaluation in a file, in the order in which they arrived; nothing that is in it is evaluated again.

    A row is appended by one call of the operating system: it survives the death of the process, kill -9 included. What
    the computer has not yet written to the disk is lost when its power fails. A file belongs to one problem, its data
    and the code of its class, and to one process at a time.

    Parameters
    ----------
    path : path-like
        The file; made if there is none.
    problem : Problem
        The problem whose costs are kept.

    Raises
    ------
    InputError
        If the file belongs to another problem, is in use by another process, or is not a ledger.

    Notes
    -----
    A row has 16 bytes for the key of the solution, 8 for each number of the cost, 6 for seconds, tries and failure, and
    the entries of the solution, in the narrowest type that holds them. Keys of earlier runs are looked up by bisection.
    """

    def __init__(self, path: str | os.PathLike[str], problem: Problem) -> None:
        super().__init__(problem)
        self.path = Path(path)
        self.row = row_type(problem)
        try:
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        except OSError as error:
            raise InputError(
                f"The ledger {self.path} cannot be opened: {error.strerror}.", "name a file in a folder that exists."
            ) from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(self._file)
            raise InputError(
                f"The ledger {self.path} is in use by another process.", "wait for it, or name another file."
            ) from error
        try:
            self._read()
        except BaseException:
            self.close()
            raise

    def get(self, key: bytes) -> Any:
        """The cost of the solution with this key of 16 bytes; None if it is not known."""
        found = self.costs.get(key)
        return found if found is not None or not len(self._first) else self._earlier(key)

    def add(self, key: bytes, evaluation: Evaluation) -> None:
        """Append an evaluation; of a solution that is known, nothing is written."""
        if self.get(key) is not None:
            return
        cost = evaluation.cost if isinstance(evaluation.cost, tuple) else (evaluation.cost,)
        tries, solution = min(evaluation.tries, 255), evaluation.solution.astype(self.row["solution"].base)
        row = np.array((np.void(key), cost, evaluation.seconds, tries, evaluation.failed, solution), self.row)
        data = row.tobytes()
        if os.write(self._file, data) != len(data):
            raise OSError(f"the ledger {self.path} could not be written: the disk is full")
        super().add(key, evaluation)

    def close(self) -> None:
        """Let other processes use the file."""
        if self._file >= 0:
            os.close(self._file)
        self._file = -1

    def __iter__(self) -> Iterator[Evaluation]:
        """All evaluations, in the order in which they arrived."""
        for row in self.rows():
            yield Evaluation(
                np.array(row["solution"], self.problem.representation.dtype),
                self._cost(row),
                float(row["seconds"]),
                int(row["tries"]),
                bool(row["failed"]),
            )

    def __len__(self) -> int:
        return (os.fstat(self._file).st_size - HEADER) // self.row.itemsize

    def rows(self) -> np.ndarray:
        """All rows, as a structured array in the file, not to be written."""
        count = len(self)
        return np.memmap(self.path, self.row, "r", HEADER, (count,)) if count else np.zeros(0, self.row)

    def columns(self) -> dict[str, Any]:
        """The columns of a data frame: the cost, or each objective; seconds, tries, failed; the solution as a list."""
        rows, problem = self.rows(), self.problem
        names = problem.objectives or level_names(problem)
        costs = problem.displayed(rows["cost"] if problem.objectives else rows["cost"][:, 0])
        of_costs = {name: costs[:, k].tolist() for k, name in enumerate(names)} or {"cost": costs.tolist()}
        more = {name: rows[name].tolist() for name in ("seconds", "tries", "failed", "solution")}
        return {**of_costs, **more}

    def to_dataframe(self) -> Any:
        """All evaluations as a `pandas.DataFrame`, with a row for each; see `columns`."""
        columns = self.columns()
        return data_frame(list(columns), zip(*columns.values(), strict=True))

    def _cost(self, row: np.ndarray) -> Any:
        cost = row["cost"].tolist()
        return tuple(cost) if numbers(self.problem) else cost[0]

    def place(self, key: bytes) -> int | None:
        """How many evaluations arrived before that of the solution with this key; None if it is not known."""
        found = self.places.get(key)
        return self._row_of(key) if found is None else found

    def _count(self) -> int:
        return len(self._rows) + len(self.costs)

    def _earlier(self, key: bytes) -> Any:
        """The cost in a row of an earlier run."""
        row = self._row_of(key)
        if row is None:
            return None
        cost = self._costs[row].tolist()
        return tuple(cost) if self._several else cost[0]

    def _row_of(self, key: bytes) -> int | None:
        """The number of a row of an earlier run."""
        first = np.uint64(int.from_bytes(key[:8], "little"))
        at = int(self._first.searchsorted(first))
        while at < len(self._first) and self._first[at] == first:
            row = int(self._order[at])
            if self._keys[row].tobytes() == key:
                return row
            at += 1
        return None

    def _read(self) -> None:
        """Check the header, cut off a row that was not written to its end, and sort the keys."""
        expected = {
            "metaheur ledger": FORMAT,
            "problem": identity(problem=self.problem),
            "row": [[name, self.row[name].base.str, list(self.row[name].shape)] for name in self.row.names or ()],
        }
        header, size = os.pread(self._file, HEADER, 0), os.fstat(self._file).st_size
        if (size < HEADER and not header.strip(b" \n")) or not size:
            text = json.dumps(expected).encode()
            os.ftruncate(self._file, 0)
            os.write(self._file, text + b" " * (HEADER - 1 - len(text)) + b"\n")
        else:
            self._require(header, expected)
            os.ftruncate(self._file, HEADER + len(self) * self.row.itemsize)
        self._rows = np.asarray(self.rows())  # an index of a memmap takes microseconds
        self._keys, self._costs, self._several = self._rows["key"], self._rows["cost"], bool(numbers(self.problem))
        first = np.ascontiguousarray(self._rows["key"]).view("<u8").reshape(-1, 2)[:, 0]
        self._order = np.argsort(first, kind="stable")
        self._first = first[self._order]
        if len(self._rows):
            for ends in (self._rows["cost"].min(axis=0), self._rows["cost"].max(axis=0)):
                self._widen(tuple(ends.tolist()) if numbers(self.problem) else ends[0].item())

    def _require(self, header: bytes, expected: dict[str, Any]) -> None:
        """Refuse a file that is not the ledger of this problem."""
        try:
            found = json.loads(header)
        except ValueError:
            found = None
        if not isinstance(found, dict) or found.get("metaheur ledger") != FORMAT:
            raise InputError(f"{self.path} is not a ledger of evaluations.", "name another file.")
        if found != expected:
            raise InputError(
                f"The ledger {self.path} belongs to another problem than this {type(self.problem).__name__}: other "
                "data, or other code of its class.",
                "name another file; costs of another problem would be wrong here.",
            )


def row_type(problem: Problem) -> np.dtype[Any]:
    """The type of a row of a ledger."""
    space = problem.representation
    entry = next(kind for kind in ("u1", "<u2", "<i4") if space.values - 1 <= np.iinfo(kind).max)
    width = (numbers(problem) or (1,))[0]
    cost = wide_type(problem).newbyteorder("<")
    return np.dtype(
        [
            ("key", "V16"),
            ("cost", cost, (width,)),
            ("seconds", "<f4"),
            ("tries", "u1"),
            ("failed", "?"),
            ("solution", entry, (space.length,)),
        ]
    )


def opened(problem: Problem, path: str | os.PathLike[str] | None) -> KnownCosts:
    """The known costs of a problem: in memory, or in the ledger of a file."""
    return KnownCosts(problem) if path is None else EvaluationLedger(path, problem)


@final
class SolutionKeys:
    """The keys of solutions, with copies of these that nobody writes; what was asked just before is not done again."""

    def __init__(self) -> None:
        self._lately: dict[bytes, list[tuple[bytes, np.ndarray]]] = {}
        self._bytes = 0

    def of(self, xs: np.ndarray) -> list[tuple[bytes, np.ndarray]]:
        """The keys and the copies of solutions, a row each."""
        data = xs.tobytes()
        found = self._lately.get(data)
        if found is None:
            rows = np.frombuffer(data, xs.dtype).reshape(xs.shape)
            width = xs.shape[1] * xs.itemsize
            keys = [blake2b(data[k * width : (k + 1) * width], digest_size=16).digest() for k in range(len(xs))]
            self._bytes += len(data)
            while self._bytes > LATELY and self._lately:
                self._bytes -= len(oldest := next(iter(self._lately)))
                del self._lately[oldest]
            found = self._lately[data] = list(zip(keys, rows, strict=True))
        return found


def known_as(x: np.ndarray) -> tuple[bytes, np.ndarray]:
    """The key of a solution, and a copy of it that nobody writes."""
    copy = np.array(x)
    copy.flags.writeable = False
    return key_of(copy), copy
