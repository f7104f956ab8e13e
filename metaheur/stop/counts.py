"""Stopping criteria by counts: iterations, evaluations, iterations without improvement."""

from __future__ import annotations

from typing import ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.running.until import NO_LIMIT, RunLength, Until
from metaheur.running.view import View
from metaheur.stop.criterion import Stop, Truths
from metaheur.validate import whole

__all__ = ["evaluations", "iterations", "no_improvement"]


def _count(n: float, name: str, *, maybe: str) -> int:
    """A limit as a whole number; a float such as 1e6 is allowed."""
    return whole(int(n) if isinstance(n, float | np.floating) and float(n).is_integer() else n, name, maybe=maybe)


def iterations(n: float) -> Stop:
    """Stop after n iterations in all, including iterations before a `resume`.

    Raises
    ------
    InputError
        If n is not a whole number in 1 ... 2**63 - 1; 1e6 is one.
    """
    return _Iterations(_count(n, "stop.iterations", maybe="write stop.iterations(1000)."))


def evaluations(n: float) -> Stop:
    """Stop after n moves evaluated in all: a budget of work, which ends at the same iteration on every machine.

    Moves are counted as the sequential definition evaluates them, even if a device evaluates others: a scan counts its
    whole neighborhood, a trial counts one move. Each of many walks has a budget of its own. A walk ends after the first
    iteration at which it has evaluated n moves or more.

    Raises
    ------
    InputError
        If n is not a whole number in 1 ... 2**63 - 1; 1e6 is one.
    """
    return _Evaluations(_count(n, "stop.evaluations", maybe="write stop.evaluations(1_000_000)."))


def no_improvement(n: float) -> Stop:
    """Stop when n iterations have passed since the best solution was found.

    Raises
    ------
    InputError
        If n is not a whole number in 1 ... 2**63 - 1; 1e6 is one.
    """
    return _NoImprovement(_count(n, "stop.no_improvement", maybe="write stop.no_improvement(1000)."))


@final
@frozen(repr=False)
class _Iterations(Stop):
    exact: ClassVar[bool] = True
    n: int

    def holds(self, view: View) -> Truths:
        return view.walks.iterations >= self.n

    def limits(self, view: View) -> Until | None:
        return Until(self.n) if view.active_iterations() < self.n else None

    def lasts(self) -> RunLength:
        return RunLength(iterations=self.n)

    def share(self, view: View) -> float | None:
        return min(1.0, view.active_iterations() / self.n)

    def reason(self, view: View, w: int) -> str:
        return "iterations"

    def __repr__(self) -> str:
        return f"iterations({self.n})"


@final
@frozen(repr=False)
class _Evaluations(Stop):
    exact: ClassVar[bool] = True
    n: int

    def holds(self, view: View) -> Truths:
        return view.walks.evaluated >= self.n

    def limits(self, view: View) -> Until | None:
        return Until(NO_LIMIT, evaluated=self.n) if view.active_evaluated() < self.n else None

    def lasts(self) -> RunLength:
        return RunLength(evaluated=self.n)

    def share(self, view: View) -> float | None:
        return min(1.0, view.active_evaluated() / self.n)

    def reason(self, view: View, w: int) -> str:
        return "evaluations"

    def __repr__(self) -> str:
        return f"evaluations({self.n})"


@final
@frozen(repr=False)
class _NoImprovement(Stop):
    exact: ClassVar[bool] = True
    n: int

    def holds(self, view: View) -> Truths:
        since: np.ndarray = view.walks.iterations - view.walks.improved_at
        return since >= self.n

    def limits(self, view: View) -> Until | None:
        """The next change: an improvement where it holds, else the n-th iteration without improvement."""
        holds = np.asarray(self.holds(view))
        return Until(NO_LIMIT, stagnation=None if holds.all() else self.n, improvement=bool(holds.any()))

    def share(self, view: View) -> float | None:
        return min(1.0, max(0, int(np.min(view.walks.iterations - view.walks.improved_at))) / self.n)

    def reason(self, view: View, w: int) -> str:
        return "no_improvement"

    def __repr__(self) -> str:
        return f"no_improvement({self.n})"
