"""The stopping criterion of diminished returns, which compares windows of a walk."""

from __future__ import annotations

from typing import ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.running.view import NO_LIMIT, Until, View
from metaheur.stop.criterion import Stop, Truths
from metaheur.validate import real, whole

__all__ = ["diminished_returns"]


def diminished_returns(percent: float, *, iterations: int | None = None, evaluations: int | None = None) -> Stop:
    """Stop when the search hardly improves any more: deterministic, unlike a limit of time.

    A walk is divided into windows of a fixed number of iterations, or of evaluated moves. At the end of a window the
    criterion holds if the best cost has improved during the window by at most a percentage of the best cost at its
    beginning. This answer is valid until the next window ends.

    Parameters
    ----------
    percent : float
        0 or more; with 0 the criterion holds only after a window without any improvement.
    iterations, evaluations : int
        The length of a window; pass one of the two. A window of evaluations ends after the first iteration at which the
        count reaches or passes a multiple of its length.

    Raises
    ------
    InputError
        If the percentage is not a finite number of 0 or more; if both lengths or none are given; or if the length is
        not a whole number from 1 on.

    Examples
    --------
    >>> diminished_returns(0.1, iterations=10_000)
    diminished_returns(0.1, iterations=10000)
    """
    if (iterations is None) == (evaluations is None):
        raise InputError(
            f"stop.diminished_returns takes either iterations or evaluations, but they are {iterations!r} and "
            f"{evaluations!r}.",
            "write stop.diminished_returns(0.1, iterations=10_000).",
        )
    unit, length = ("evaluations", evaluations) if iterations is None else ("iterations", iterations)
    share = float(real(percent, "stop.diminished_returns", 0, maybe="write 0.1 for a tenth of a percent."))
    return _DiminishedReturns(share, unit, whole(length, f"stop.diminished_returns, {unit}"))


@final
@frozen(repr=False)
class _DiminishedReturns(Stop):
    """Remembers for each walk the number of its window, and the best cost at the last two boundaries."""

    exact: ClassVar[bool] = True
    percent: float
    unit: str
    length: int

    def holds(self, view: View) -> Truths:
        rows = view.past.get(repr(self))
        if rows is None:
            return False
        before, after = rows["before"].astype(np.float64), rows["after"].astype(np.float64)
        poor: np.ndarray = (100 * (before - after) <= self.percent * np.abs(before)) & (rows["known"] == 2)
        return poor

    def recall(self, view: View) -> np.ndarray:
        counts, costs = self._counts(view), view.walks.best_costs
        rows = view.past.get(repr(self))
        dtype = np.dtype([("window", "i8"), ("known", "i8"), ("before", costs.dtype), ("after", costs.dtype)])
        if rows is not None and rows.dtype != dtype:
            raise InputError(f"{self!r} cannot go on from what was saved: {rows.dtype} instead of {dtype}.")
        if rows is None:  # a run that is resumed with a new criterion waits for the next whole window
            first = np.zeros(len(costs), dtype)
            first["window"], first["after"], first["known"] = counts // self.length, costs, counts % self.length == 0
            return first
        passed = counts // self.length > rows["window"]
        if not passed.any():
            return rows
        rows = rows.copy()
        rows["window"] = counts // self.length
        rows["before"] = np.where(passed, rows["after"], rows["before"])
        rows["after"] = np.where(passed, costs, rows["after"])
        rows["known"] = np.minimum(2, rows["known"] + passed)
        return rows

    def _counts(self, view: View) -> np.ndarray:
        return view.walks.iterations if self.unit == "iterations" else view.walks.evaluated

    def limits(self, view: View) -> Until | None:
        if self.unit == "iterations":
            return Until(self._boundary(view.active_iterations()))
        return Until(NO_LIMIT, evaluated=self._boundary(view.active_evaluated()))

    def _boundary(self, count: int) -> int:
        return (count // self.length + 1) * self.length

    def reason(self, view: View, w: int) -> str:
        return "diminished_returns"

    def __repr__(self) -> str:
        return f"diminished_returns({self.percent}, {self.unit}={self.length})"
