"""A trace: the costs during a run."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple, final

import numpy as np
from attrs import define, field

from metaheur.errors import InputError
from metaheur.running.frame import Framed, data_frame
from metaheur.running.view import View
from metaheur.validate import whole
from metaheur.walk import number_of
from metaheur.watch.watcher import Watcher, require_one_objective

__all__ = ["Row", "Trace"]


class Row(NamedTuple):
    """A row of a `Trace`; costs are as the user reads them.

    Attributes
    ----------
    iteration : int
        The iteration.
    current : int, float or tuple
        The cost of the walk's current solution; a tuple with levels.
    best : int, float or tuple
        The best cost so far.
    seconds : float
        Time since the call of `run`, without compiling.
    evaluated : int
        Moves that the walk has evaluated.
    walk : int
        The number of the walk in the run, from 0 on.
    """

    iteration: int
    current: Any
    best: Any
    seconds: float
    evaluated: int
    walk: int


def _iterations(value: Any) -> int | None:
    return None if value is None else whole(value, "Trace.every")


@final
@define(eq=False)
class Trace(Watcher, Framed):
    """Keeps a row of every walk at its start, at every multiple of `every`, and at improvements where asked to.

    The last row of a walk that has ended shows its last solution. A new run starts a new trace.

    Parameters
    ----------
    every : int, default 1000
        Iterations from one row to the next; None for rows at improvements alone.
    improvements : bool, default False
        Whether each new best solution has a row. A single walk has a row for every improvement, with interpolated
        seconds. Of many walks, each has a row whenever it has improved since the watcher last looked, which is some
        twenty times a second.

    Attributes
    ----------
    rows : list of Row
        The rows so far.

    Raises
    ------
    InputError
        If `every` is None and `improvements` is False; when the run begins, if the problem has several objectives.
    """

    every: int | None = field(default=1000, converter=_iterations)
    improvements: bool = field(default=False, kw_only=True)
    rows: list[Row] = field(factory=list, init=False, repr=False)
    _seen: int = field(default=0, init=False, repr=False)
    _last: np.ndarray = field(factory=lambda: np.zeros(0), init=False, repr=False)
    _bests: np.ndarray = field(factory=lambda: np.zeros(0), init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        """Refuse a trace without rows."""
        if self.every is None and not self.improvements:
            raise InputError("A Trace with every=None keeps nothing.", "write Trace(every=None, improvements=True).")

    def begin(self, view: View) -> None:
        require_one_objective(self, view)
        self.rows, self._seen = [], len(view.improvements)
        self._last, self._bests = np.full(len(view.walks), -1), view.walks.best_costs.copy()
        if self._is_due(view) or not view.iterations:
            self._keep(view, self._moved(view))

    def next_look(self, view: View) -> int | None:
        return None if self.every is None else view.iterations - view.iterations % self.every + self.every

    def look(self, view: View) -> None:
        improved = self._improved(view) if self.improvements else np.zeros(len(view.walks), bool)
        self._keep(view, self._moved(view) if self._is_due(view) else improved)

    def end(self, view: View) -> None:
        """The improvements since the last look."""
        if self.improvements:
            self._keep(view, self._improved(view))

    def _is_due(self, view: View) -> bool:
        return self.every is not None and view.iterations % self.every == 0

    def _moved(self, view: View) -> np.ndarray:
        """The walks that have made steps since their last row."""
        moved: np.ndarray = view.walks.iterations > self._last
        return moved

    def _improved(self, view: View) -> np.ndarray:
        """Keep the improvements of a single walk; return which of many walks have improved since the last look."""
        if len(view.walks) > 1:
            improved: np.ndarray = view.walks.best_costs < self._bests
            self._bests = view.walks.best_costs.copy()
            return improved
        for each in view.improvements[self._seen :]:
            self.rows.append(Row(each.iteration, each.cost, each.cost, each.seconds, each.evaluated, 0))
            self._last[0] = each.iteration
        self._seen = len(view.improvements)
        return np.array([False])

    def _keep(self, view: View, which: np.ndarray) -> None:
        """Add a row for each of these walks."""
        walks = view.walks
        current, best = view.problem.displayed(walks.costs), view.costs
        for w in np.flatnonzero(which).tolist():
            iteration, evaluated = int(walks.iterations[w]), int(walks.evaluated[w])
            self.rows.append(Row(iteration, number_of(current[w]), number_of(best[w]), view.seconds, evaluated, w))
            self._last[w] = iteration

    def to_csv(self, path: str | PathLike[str]) -> None:
        """Write the rows to a file, with a header line."""
        import csv

        with Path(path).open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(Row._fields)
            writer.writerows(self.rows)

    def to_dataframe(self) -> Any:
        """The rows as a `pandas.DataFrame`, a column for each field of `Row`.

        Raises
        ------
        InputError
            If pandas is not installed.
        """
        return data_frame(Row._fields, self.rows)
