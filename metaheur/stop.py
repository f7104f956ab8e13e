"""When to stop: pure predicates that compose with `|`, `&` and `~`.

>>> from metaheur import stop
>>> stop.iterations(10_000) | stop.seconds(30) & stop.no_improvement(500)
iterations(10000) | seconds(30) & no_improvement(500)

A criterion holds no count of its own, so that one object serves any number of runs. It is asked for each walk: a walk
stops where the expression holds for it, and the run is over when all have stopped. `iterations`, `target` and
`no_improvement` are exact, however they are composed: a walk ends after the first iteration where the expression holds.
`seconds`, `when` and criteria of your own are asked between chunks of iterations, some twenty times a second.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.problem import Problem
from metaheur.until import Until
from metaheur.validate import real, whole
from metaheur.view import View

__all__ = ["Stop", "iterations", "no_improvement", "seconds", "target", "when"]

Truths = bool | np.ndarray
"""One answer for all walks, or one for each: bool, shape (W,)."""


class Stop(ABC):
    """A stopping criterion. One of your own has `holds` alone, and is asked between chunks."""

    @abstractmethod
    def holds(self, view: View) -> Truths:
        """Whether a walk should stop here: one answer for all, or one for each walk; a function of the view alone."""

    def leaves(self) -> tuple[Stop, ...]:
        """The criteria that this one is composed of."""
        return (self,)

    def reason(self, view: View, w: int) -> str:
        """What `Result.stopped_by` says where this criterion holds for walk w; its text by default."""
        return repr(self)

    def limits(self, view: View) -> Until | None:
        """The next change of this criterion that a device can find by itself; None, the default, if there is none.

        Parameters
        ----------
        view : View
            Where the run stands.

        Returns
        -------
        Until or None
            Where a walk must pause so that the expression is asked again; its iteration is `NO_LIMIT` if that does not
            matter.
        """
        return None

    def share(self, view: View) -> float | None:
        """How much of the way to where it holds is done, 0 ... 1; None, the default, if that cannot be foreseen."""
        return None

    def time_left(self, view: View) -> float:
        """Seconds until this criterion changes by the clock; infinite, the default, if it does not."""
        return math.inf

    @final
    def until(self, view: View, iteration: int) -> Until:
        """Where a chunk of iterations ends: at the next change of any leaf, and at `iteration` at the latest.

        The expression can only change when one of its leaves does, so asking it at those iterations is exact.

        Parameters
        ----------
        view : View
            Where the run stands.
        iteration : int
            An iteration after the view's.
        """
        limits = [limit for leaf in self.leaves() if (limit := leaf.limits(view)) is not None]
        costs = [limit.cost for limit in limits if limit.cost is not None]
        stagnation = [limit.stagnation for limit in limits if limit.stagnation is not None]
        return Until(
            min([iteration, *(limit.iteration for limit in limits)]),
            max(costs, default=None),
            min(stagnation, default=None),
            any(limit.improvement for limit in limits),
        )

    @final
    def seconds_left(self, view: View) -> float:
        """Time until the next leaf changes by the clock; infinite if there is none."""
        return min((leaf.time_left(view) for leaf in self.leaves()), default=math.inf)

    def __or__(self, other: Stop) -> Stop:
        return _Either(self, other) if isinstance(other, Stop) else NotImplemented

    def __and__(self, other: Stop) -> Stop:
        return _Both(self, other) if isinstance(other, Stop) else NotImplemented

    def __invert__(self) -> Stop:
        return _Not(self)

    def __bool__(self) -> bool:
        raise InputError(
            f"{self!r} is neither true nor false before a run.", "compose with | and & instead of `or` and `and`."
        )


def iterations(n: int) -> Stop:
    """Stop after n iterations in all, those before a `resume` included.

    Raises
    ------
    InputError
        If n is not a whole number in 1 ... 2**63 - 1.
    """
    return _Iterations(whole(n, "stop.iterations", maybe="write stop.iterations(1000)."))


def seconds(limit: float) -> Stop:
    """Stop once so much time has passed since the first evaluation; compiling does not count.

    Raises
    ------
    InputError
        If the limit is not a finite number, 0 or more.
    """
    return _Seconds(real(limit, "stop.seconds", 0, maybe="write stop.seconds(10)."))


def target(cost: float) -> Stop:
    """Stop once the best cost is at most this; at least this where the problem maximises.

    Raises
    ------
    InputError
        If the cost is not a finite number.
    """
    return _Target(real(cost, "stop.target", maybe="leave it out if no cost is good enough."))


def no_improvement(n: int) -> Stop:
    """Stop once n iterations have passed since the best solution was found.

    Raises
    ------
    InputError
        If n is not a whole number in 1 ... 2**63 - 1.
    """
    return _NoImprovement(whole(n, "stop.no_improvement", maybe="write stop.no_improvement(1000)."))


def when(predicate: Callable[[View], bool]) -> Stop:
    """Stop once a function of the `View` says so; it is asked between chunks.

    Parameters
    ----------
    predicate : callable
        Takes a `View` and must depend on nothing else.

    Raises
    ------
    InputError
        If it cannot be called.

    Examples
    --------
    >>> when(lambda view: view.evaluated >= 1_000_000)
    when(<lambda>)
    """
    if not callable(predicate):
        raise InputError(
            f"stop.when({predicate!r}) takes a function of the view.", "write stop.when(lambda view: view.cost < 100)."
        )
    return _When(predicate)


NO_LIMIT = 2**62
"""An iteration that no run reaches."""


@final
@frozen(repr=False)
class _Iterations(Stop):
    n: int

    def holds(self, view: View) -> Truths:
        return view.walks.iterations >= self.n

    def limits(self, view: View) -> Until | None:
        return Until(self.n) if view.active_iterations() < self.n else None

    def share(self, view: View) -> float | None:
        return min(1.0, view.active_iterations() / self.n)

    def reason(self, view: View, w: int) -> str:
        return "iterations"

    def __repr__(self) -> str:
        return f"iterations({self.n})"


@final
@frozen(repr=False)
class _Seconds(Stop):
    limit: int | float

    def holds(self, view: View) -> Truths:
        return view.seconds >= self.limit

    def time_left(self, view: View) -> float:
        return self.limit - view.seconds if self.limit > view.seconds else math.inf

    def share(self, view: View) -> float | None:
        return min(1.0, view.seconds / self.limit) if self.limit else 1.0

    def reason(self, view: View, w: int) -> str:
        return "seconds"

    def __repr__(self) -> str:
        return f"seconds({self.limit})"


@final
@frozen(repr=False)
class _Target(Stop):
    cost: int | float

    def holds(self, view: View) -> Truths:
        reached: np.ndarray = view.walks.best_costs <= self.minimised(view.problem)
        return reached

    def limits(self, view: View) -> Until | None:
        return None if np.all(self.holds(view)) else Until(NO_LIMIT, cost=self.minimised(view.problem))

    def share(self, view: View) -> float | None:
        """How much of the gap between the first cost and the target is closed."""
        if view.start_cost is None or view.start_cost == self.cost:
            return None
        return float(min(1.0, max(0.0, (view.start_cost - view.cost) / (view.start_cost - self.cost))))

    def reason(self, view: View, w: int) -> str:
        return "target"

    def minimised(self, problem: Problem) -> int | float:
        """The highest cost, as the search counts it, that reaches the target; within int64 where costs are."""
        cost = -self.cost if problem.maximise else self.cost
        return cost if problem.cost_type == "float64" else max(math.floor(cost), -(2**63))

    def __repr__(self) -> str:
        return f"target({self.cost})"


@final
@frozen(repr=False)
class _NoImprovement(Stop):
    n: int

    def holds(self, view: View) -> Truths:
        since: np.ndarray = view.walks.iterations - view.walks.improved_at
        return since >= self.n

    def limits(self, view: View) -> Until | None:
        """Where it holds for a walk, it changes with the next improvement; else after so many iterations without."""
        holds = np.asarray(self.holds(view))
        return Until(NO_LIMIT, stagnation=None if holds.all() else self.n, improvement=bool(holds.any()))

    def share(self, view: View) -> float | None:
        return min(1.0, float(np.min(view.walks.iterations - view.walks.improved_at)) / self.n)

    def reason(self, view: View, w: int) -> str:
        return "no_improvement"

    def __repr__(self) -> str:
        return f"no_improvement({self.n})"


@final
@frozen(repr=False)
class _When(Stop):
    predicate: Callable[[View], bool]

    def holds(self, view: View) -> Truths:
        return bool(self.predicate(view))

    def reason(self, view: View, w: int) -> str:
        return "when"

    def __repr__(self) -> str:
        return f"when({getattr(self.predicate, '__name__', None) or repr(self.predicate)})"


def _shares(pair: _Either | _Both, view: View) -> tuple[float | None, float | None]:
    return pair.left.share(view), pair.right.share(view)


@final
@frozen(repr=False)
class _Either(Stop):
    left: Stop
    right: Stop

    def holds(self, view: View) -> Truths:
        return np.logical_or(self.left.holds(view), self.right.holds(view))

    def leaves(self) -> tuple[Stop, ...]:
        return self.left.leaves() + self.right.leaves()

    def share(self, view: View) -> float | None:
        return max((share for share in _shares(self, view) if share is not None), default=None)

    def reason(self, view: View, w: int) -> str:
        """The first alternative that holds."""
        first = np.broadcast_to(self.left.holds(view), len(view.walks))[w]
        return (self.left if first else self.right).reason(view, w)

    def __repr__(self) -> str:
        return f"{self.left!r} | {self.right!r}"


@final
@frozen(repr=False)
class _Both(Stop):
    left: Stop
    right: Stop

    def holds(self, view: View) -> Truths:
        return np.logical_and(self.left.holds(view), self.right.holds(view))

    def share(self, view: View) -> float | None:
        left, right = _shares(self, view)
        return None if left is None or right is None else min(left, right)

    def leaves(self) -> tuple[Stop, ...]:
        return self.left.leaves() + self.right.leaves()

    def __repr__(self) -> str:
        return " & ".join(
            f"({part!r})" if isinstance(part, _Either) else repr(part) for part in (self.left, self.right)
        )


@final
@frozen(repr=False)
class _Not(Stop):
    inner: Stop

    def holds(self, view: View) -> Truths:
        return np.logical_not(self.inner.holds(view))

    def leaves(self) -> tuple[Stop, ...]:
        return self.inner.leaves()

    def __repr__(self) -> str:
        return f"~({self.inner!r})" if isinstance(self.inner, _Either | _Both) else f"~{self.inner!r}"
