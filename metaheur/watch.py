"""Watchers: what looks at a run and never changes it."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from os import PathLike
from pathlib import Path
from typing import NamedTuple, final

from attrs import define, field

from metaheur.errors import CheckFailed, InputError
from metaheur.evaluators.evaluator import python_cost
from metaheur.validate import real_field, whole_field
from metaheur.view import View
from metaheur.walk import EvaluatedSolution

__all__ = ["Checkpoint", "Row", "Trace", "Validate", "Watcher"]


class Watcher(ABC):
    """Looks at a run. It reads the view and writes nothing that the view leads to.

    A run calls `begin`, then `look` as often as `next_look` asks for it, and always `end`, also where the run breaks
    off by an exception. What can be refused is refused in `begin`; a watcher that fails later ends the run, and its
    Result says so. One watcher may serve one run after another.
    """

    def begin(self, view: View) -> None:  # noqa: B027 - optional
        """The run stands at its first iteration, or where a `resume` takes it up; nothing by default."""

    def next_look(self, view: View) -> int | None:
        """The iteration after the view's at which to look next; None, the default, for whenever a chunk ends.

        A chunk ends some twenty times a second, so None also serves those who want to look at a certain time.
        """
        return None

    @abstractmethod
    def look(self, view: View) -> None:
        """The run stands at the iteration that was asked for."""

    def end(self, view: View) -> None:  # noqa: B027 - optional
        """The run is over. Where `view.intact` is false, a step broke off; nothing by default."""


def _path(path: str | PathLike[str]) -> Path:
    return Path(path)


class Row(NamedTuple):
    """A line of a `Trace`; costs are as the user reads them.

    Attributes
    ----------
    iteration : int
        When.
    current : int or float
        The cost of the solution that the walk stood on.
    best : int or float
        The best cost so far.
    seconds : float
        Time since the first evaluation.
    """

    iteration: int
    current: int | float
    best: int | float
    seconds: float


@final
@define(eq=False)
class Trace(Watcher):
    """Keeps a row at every multiple of `every`, iteration 0 included; a new run starts a new trace.

    Parameters
    ----------
    every : int, default 1000
        Iterations from one row to the next.

    Attributes
    ----------
    rows : list of Row
        What was seen.
    """

    every: int = whole_field(default=1000)
    rows: list[Row] = field(factory=list, init=False, repr=False)

    def begin(self, view: View) -> None:
        self.rows = []
        if view.iterations % self.every == 0:
            self.look(view)

    def next_look(self, view: View) -> int:
        return view.iterations - view.iterations % self.every + self.every

    def look(self, view: View) -> None:
        self.rows.append(Row(view.iterations, view.current_cost, view.cost, view.seconds))

    def to_csv(self, path: str | PathLike[str]) -> None:
        """Write the rows to a file, with a header line."""
        import csv

        with Path(path).open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(Row._fields)
            writer.writerows(self.rows)


@final
@define(eq=False)
class Checkpoint(Watcher):
    """Saves the run now and then, and at its end, so that `resume` can take it up.

    The file is replaced at once or not at all. Where a step broke off by an exception, the file keeps the last whole
    state that was saved.

    Parameters
    ----------
    path : path-like
        The file.
    every : float, default 60
        Seconds between two saves.

    Raises
    ------
    InputError
        When the run begins: if the file's folder is not there.
    CheckpointError
        When the run begins: if something cannot be saved.
    """

    path: Path = field(converter=_path)
    every: float = real_field(0, default=60.0)
    _saved: float = field(default=0.0, init=False, repr=False)

    def begin(self, view: View) -> None:
        from metaheur.checkpoint import encode, write

        if not self.path.parent.is_dir():
            raise InputError(
                f"{self.path} cannot be saved: {self.path.parent} is not a folder.", "create the folder first."
            )
        content = encode(view)  # what cannot be saved is refused now, not after a minute
        try:
            write(self.path, content)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise InputError(f"{self.path} cannot be saved: {reason}.", "choose another folder or name.") from error
        self._saved = view.seconds

    def look(self, view: View) -> None:
        if view.seconds - self._saved >= self.every:
            self._save(view)

    def end(self, view: View) -> None:
        if view.intact:
            self._save(view)

    def _save(self, view: View) -> None:
        from metaheur.checkpoint import save

        save(self.path, view)
        self._saved = view.seconds


@final
@define(eq=False)
class Validate(Watcher):
    """Recomputes the current and the best cost in full, and validates both solutions.

    Parameters
    ----------
    every : int, default 1000
        Iterations between two checks; the start and the end are checked as well.

    Raises
    ------
    CheckFailed
        At the first iteration where a solution is invalid, or does not cost what the search says. Costs of type float64
        may differ by a relative 1e-9.
    """

    every: int = whole_field(default=1000)
    _checked: int = field(default=-1, init=False, repr=False)

    def begin(self, view: View) -> None:
        self.look(view)

    def next_look(self, view: View) -> int:
        return view.iterations - view.iterations % self.every + self.every

    def look(self, view: View) -> None:
        self._checked = view.iterations
        _check(view, "current", view.walk.current)
        _check(view, "best", view.walk.best)

    def end(self, view: View) -> None:
        if view.intact and view.iterations != self._checked:
            self.look(view)


def _check(view: View, name: str, evaluated: EvaluatedSolution) -> None:
    problem = view.problem
    where = f"At iteration {view.iterations} of {type(view.search).__name__} on {type(problem).__name__}"
    try:
        solution = problem.representation.validate(evaluated.solution)
    except InputError as error:
        raise CheckFailed(f"{where} the {name} solution is invalid: {error.reason}") from error
    true = python_cost(problem, solution)
    exact = problem.cost_type != "float64"
    if evaluated.cost != true if exact else not math.isclose(evaluated.cost, true, rel_tol=1e-9, abs_tol=1e-9):
        raise CheckFailed(
            f"{where} the {name} cost is reported as {problem.displayed(evaluated.cost)}, "
            f"but {type(problem).__name__}.cost gives {problem.displayed(true)}.",
            "check the problem's `delta` with metaheur.testing.check_problem.",
        )
