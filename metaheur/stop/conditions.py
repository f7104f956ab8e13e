"""Stopping criteria: time, cost, and a function of the view."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.problem import Problem, level_names, minimised
from metaheur.running.view import NO_LIMIT, RunLength, Until, View, look_from
from metaheur.stop.criterion import Stop, Truths
from metaheur.validate import real, whole

__all__ = ["aim_of", "all_reach", "seconds", "target", "when"]


def seconds(limit: float) -> Stop:
    """Stop when this many seconds have passed since the call of `run` or `resume`; the time to compile does not count.

    Everything else counts: making starts, copying data to a GPU, trials, filling memory, exchanges. An iteration that
    takes longer is broken off. A first iteration is tried for 0.2 seconds even if the starts have used up the limit,
    unless the limit is 0.

    Raises
    ------
    InputError
        If the limit is not a finite number, 0 or more.
    """
    return _Seconds(real(limit, "stop.seconds", 0, maybe="write stop.seconds(10)."))


def target(cost: Any) -> Stop:
    """Stop when the best cost is at most this cost; where the problem maximises, at least this cost.

    With levels, the cost is a tuple: ``target((0, 85))``; None leaves a level and all below it open, so that
    ``target((0, None))`` is reached by the first feasible solution.

    A run of many walks ends as soon as one walk has reached the target. The costs of all walks are compared with it at
    fixed iterations (1, 2, ... 8, 10, 12, 14, 16, 20, ...), so that the run ends at the same iteration on every machine
    and device; see `all_reach` for a criterion that waits for every walk.

    Raises
    ------
    InputError
        If the cost is not a finite number, or a tuple of such numbers and None; when the run begins, if the problem has
        other levels.
    """
    return _Target(aim_of(cost, "stop.target"))


def all_reach(cost: Any) -> Stop:
    """Stop when the best cost of every walk is at most this cost; where the problem maximises, at least this cost.

    A walk that has reached the cost makes no more steps. With levels, the cost is a tuple, as in `target`.

    Raises
    ------
    InputError
        If the cost is not a finite number, or a tuple of such numbers and None; when the run begins, if the problem has
        other levels.
    """
    return _Target(aim_of(cost, "stop.all_reach"), each=True)


def aim_of(cost: Any, name: str) -> Any:
    """A cost to reach, checked: a number; or a tuple with a number for each level, or None. `name`: of the argument."""
    maybe = "leave it out if no cost is good enough."
    if isinstance(cost, tuple | list):
        return tuple(each if each is None else real(each, name, maybe=maybe) for each in cost)
    return real(cost, name, maybe=maybe)


def when(predicate: Callable[[View], bool], *, every: int | None = None) -> Stop:
    """Stop when a function of the `View` returns True.

    It is asked after the same iterations on every device: after 1, 2, ... 8, 10, 12, 14, 16, 20, ..., so that a run is
    at most a quarter longer than necessary; or after every so many iterations.

    Parameters
    ----------
    predicate : callable
        A function of a `View`, which must depend on nothing else; for a limit of time, use `seconds`.
    every : int, optional
        Iterations from one question to the next. Each question ends a chunk, which takes some 20 microseconds on a CPU
        and 100 on a GPU.

    Raises
    ------
    InputError
        If it cannot be called, or `every` is not a whole number from 1 on.

    Examples
    --------
    >>> when(lambda view: view.current_cost > 2 * view.cost)
    when(<lambda>)
    """
    if not callable(predicate):
        raise InputError(
            f"stop.when({predicate!r}) takes a function of the view.", "write stop.when(lambda view: view.cost < 100)."
        )
    return _When(predicate, None if every is None else whole(every, "every"))


@final
@frozen(repr=False)
class _Seconds(Stop):
    limit: int | float

    def holds(self, view: View) -> Truths:
        return view.seconds >= self.limit

    def time_left(self, view: View) -> float:
        return self.limit - view.seconds if self.limit > view.seconds else math.inf

    def lasts(self) -> RunLength:
        return RunLength(seconds=self.limit)

    def share(self, view: View) -> float | None:
        return min(1.0, view.seconds / self.limit) if self.limit else 1.0

    def reason(self, view: View, w: int) -> str:
        return "seconds"

    def __repr__(self) -> str:
        return f"seconds({self.limit})"


@final
@frozen(repr=False)
class _Target(Stop):
    exact: ClassVar[bool] = True
    cost: Any
    each: bool = False

    def require(self, problem: Problem) -> None:
        if problem.objectives:
            raise InputError(
                f"{self!r} is one number, but {type(problem).__name__} has the objectives "
                f"{', '.join(problem.objectives)}.",
                "stop at a hypervolume: stop.when(lambda view: view.front.hypervolume(reference) >= 1000).",
            )
        if isinstance(self.cost, tuple) and not level_names(problem):
            raise InputError(
                f"{self!r} has several numbers, but a cost of {type(problem).__name__} is one.",
                "write stop.target(100).",
            )
        self._minimised(problem)

    def holds(self, view: View) -> Truths:
        walks = view.walks
        reached: np.ndarray = walks.best_costs <= self._minimised(view.problem)
        if not self._together(view) or not reached.any():
            return reached
        going = ~(reached | walks.finished | walks.stopped)
        first = look_from(int(walks.improved_at[reached].min()))
        return reached | bool((walks.iterations[going] >= first).all())

    def _together(self, view: View) -> bool:
        """Whether a walk that reaches the target ends the others, too."""
        return not (self.each or view.apart or len(view.walks) == 1)

    def limits(self, view: View) -> Until | None:
        if np.all(self.holds(view)):
            return None
        look = look_from(view.active_iterations() + 1) if self._together(view) else NO_LIMIT
        return Until(look, cost=self._minimised(view.problem))

    def share(self, view: View) -> float | None:
        """The closed share of the gap between the first cost and the target."""
        if view.start_cost is None or view.start_cost == self.cost:
            return None
        if isinstance(view.start_cost, tuple):
            return None
        return float(min(1.0, max(0.0, (view.start_cost - view.cost) / (view.start_cost - self.cost))))

    def reason(self, view: View, w: int) -> str:
        return "all_reach" if self.each else "target"

    def _minimised(self, problem: Problem) -> int | float:
        """The highest cost, as the search counts it, that reaches the target; within int64 where costs are int64."""
        cost = minimised(problem, self.cost)
        return float(cost) if problem.cost_type == "float64" else max(math.floor(cost), -(2**63))

    def __repr__(self) -> str:
        return f"{'all_reach' if self.each else 'target'}({self.cost})"


@final
@frozen(repr=False)
class _When(Stop):
    predicate: Callable[[View], bool]
    every: int | None = None

    def holds(self, view: View) -> Truths:
        return bool(self.predicate(view))

    def reason(self, view: View, w: int) -> str:
        return "when"

    def __repr__(self) -> str:
        asked = "" if self.every is None else f", every={self.every}"
        return f"when({getattr(self.predicate, '__name__', None) or repr(self.predicate)}{asked})"
