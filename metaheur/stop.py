"""When to stop: pure predicates that compose with `|`, `&` and `~`.

>>> from metaheur import stop
>>> stop.iterations(10_000) | stop.seconds(30) & stop.no_improvement(500)
iterations(10000) | seconds(30) & no_improvement(500)

A criterion holds no count of its own, so that one object serves any number of runs. `iterations`, `target` and
`no_improvement` are exact, however they are composed: the run ends after the first iteration where the expression
holds. `seconds`, `when` and criteria of your own are looked at between launches, some twenty times a second.
"""

from __future__ import annotations

import math
import operator
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.problem import Problem
from metaheur.random import Key
from metaheur.representation import Solution
from metaheur.result import Improvement
from metaheur.search import Search, Until, Walk

__all__ = ["Stop", "View", "iterations", "no_improvement", "seconds", "target", "when"]


@final
@frozen(eq=False)
class View:
    """A run as criteria and watchers see it. Costs are as the user reads them: positive where the problem maximises.

    Parameters
    ----------
    search : Search
        What runs.
    problem : Problem
        On what.
    state : State
        Where the search stands; a later step may write its arrays.
    seconds : float
        Time since the first evaluation, the time before a `resume` included.
    improvements : tuple of Improvement
        Every new best solution so far.
    intact : bool
        False where a step broke off, so that the state's arrays may be half written; the best solution never is.
    """

    search: Search[Any]
    problem: Problem
    state: Any
    seconds: float = 0.0
    improvements: tuple[Improvement, ...] = ()
    intact: bool = True

    @property
    def walk(self) -> Walk:
        """The way so far."""
        walk: Walk = self.state.walk
        return walk

    @property
    def key(self) -> Key:
        """Seed and number of the walk."""
        return self.walk.key

    @property
    def iterations(self) -> int:
        """Steps made."""
        return self.walk.iteration

    @property
    def evaluated(self) -> int:
        """Moves evaluated."""
        return self.walk.evaluated

    @property
    def improved_at(self) -> int:
        """The iteration at which the best solution was found."""
        return self.walk.improved_at

    @property
    def cost(self) -> Any:
        """The best cost."""
        return self.problem.shown(self.walk.best.cost)

    @property
    def current_cost(self) -> Any:
        """The cost of the solution that the walk stands on."""
        return self.problem.shown(self.walk.current.cost)

    @property
    def solution(self) -> Solution:
        """The best solution; not to be written."""
        return self.walk.best.solution


class Stop(ABC):
    """A stopping criterion. One of your own has `holds` alone, and is looked at between launches."""

    @abstractmethod
    def holds(self, view: View) -> bool:
        """Whether the run should stop here; a function of the view alone."""

    def leaves(self) -> tuple[Stop, ...]:
        """The criteria that this one is composed of."""
        return (self,)

    def reason(self, view: View) -> str:
        """What `Result.stopped_by` says where this criterion holds; its text by default."""
        return repr(self)

    @final
    def until(self, view: View, iteration: int) -> Until:
        """Where a chunk of iterations ends: at the next change of any leaf, and at `iteration` at the latest.

        Between two changes the expression cannot change either, so that looking at it there is looking everywhere.

        Parameters
        ----------
        view : View
            Where the run stands.
        iteration : int
            An iteration after the view's.
        """
        cost: int | float | None = None
        stagnation: int | None = None
        improvement = False
        for leaf in self.leaves():
            holds = isinstance(leaf, _Iterations | _Target | _NoImprovement) and leaf.holds(view)
            if isinstance(leaf, _NoImprovement):
                if holds:
                    improvement = True
                else:
                    stagnation = leaf.n if stagnation is None else min(stagnation, leaf.n)
            elif isinstance(leaf, _Iterations) and not holds:
                iteration = min(iteration, leaf.n)
            elif isinstance(leaf, _Target) and not holds:
                aim = leaf.minimised(view.problem)
                cost = aim if cost is None else max(cost, aim)
        return Until(iteration, cost, stagnation, improvement)

    @final
    def seconds_left(self, view: View) -> float:
        """Time until the next leaf `seconds` holds; infinite if there is none."""
        limits = [leaf.limit for leaf in self.leaves() if isinstance(leaf, _Seconds)]
        return min((limit - view.seconds for limit in limits if limit > view.seconds), default=math.inf)

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
    return _Iterations(_count(n, "iterations"))


def seconds(limit: float) -> Stop:
    """Stop once so much time has passed since the first evaluation; compiling does not count.

    Raises
    ------
    InputError
        If the limit is not a finite number, 0 or more.
    """
    number = _real(limit, "seconds")
    if number < 0:
        raise InputError(f"stop.seconds({limit!r}) is less than no time.", "use a positive number of seconds.")
    return _Seconds(number)


def target(cost: float) -> Stop:
    """Stop once the best cost is at most this; at least this where the problem maximises.

    Raises
    ------
    InputError
        If the cost is not a finite number.
    """
    return _Target(_real(cost, "target"))


def no_improvement(n: int) -> Stop:
    """Stop once n iterations have passed since the best solution was found.

    Raises
    ------
    InputError
        If n is not a whole number in 1 ... 2**63 - 1.
    """
    return _NoImprovement(_count(n, "no_improvement"))


def when(predicate: Callable[[View], bool]) -> Stop:
    """Stop once a function of the `View` says so; it is asked between launches.

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


def _count(value: Any, attribute: str) -> int:
    try:
        n = operator.index(value)
    except TypeError:
        n = 0
    if isinstance(value, bool | np.bool_) or not 1 <= n < 2**63:
        raise InputError(
            f"stop.{attribute}({value!r}) counts iterations: a whole number in 1 ... 2**63 - 1.",
            f"write stop.{attribute}(1000).",
        )
    return n


def _real(value: Any, attribute: str) -> int | float:
    number = value.item() if isinstance(value, np.integer | np.floating) else value
    if type(number) not in (int, float) or not abs(number) <= sys.float_info.max:
        raise InputError(f"stop.{attribute}({value!r}) takes a finite number.", "leave it out if nothing limits it.")
    return number


@final
@frozen(repr=False)
class _Iterations(Stop):
    n: int

    def holds(self, view: View) -> bool:
        return view.iterations >= self.n

    def reason(self, view: View) -> str:
        return "iterations"

    def __repr__(self) -> str:
        return f"iterations({self.n})"


@final
@frozen(repr=False)
class _Seconds(Stop):
    limit: int | float

    def holds(self, view: View) -> bool:
        return view.seconds >= self.limit

    def reason(self, view: View) -> str:
        return "seconds"

    def __repr__(self) -> str:
        return f"seconds({self.limit})"


@final
@frozen(repr=False)
class _Target(Stop):
    cost: int | float

    def holds(self, view: View) -> bool:
        return bool(view.cost >= self.cost if view.problem.maximise else view.cost <= self.cost)

    def reason(self, view: View) -> str:
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

    def holds(self, view: View) -> bool:
        return view.iterations - view.improved_at >= self.n

    def reason(self, view: View) -> str:
        return "no_improvement"

    def __repr__(self) -> str:
        return f"no_improvement({self.n})"


@final
@frozen(repr=False)
class _When(Stop):
    predicate: Callable[[View], bool]

    def holds(self, view: View) -> bool:
        return bool(self.predicate(view))

    def reason(self, view: View) -> str:
        return "when"

    def __repr__(self) -> str:
        return f"when({getattr(self.predicate, '__name__', None) or repr(self.predicate)})"


@final
@frozen(repr=False)
class _Either(Stop):
    left: Stop
    right: Stop

    def holds(self, view: View) -> bool:
        return self.left.holds(view) or self.right.holds(view)

    def leaves(self) -> tuple[Stop, ...]:
        return self.left.leaves() + self.right.leaves()

    def reason(self, view: View) -> str:
        """The first alternative that holds."""
        return (self.left if self.left.holds(view) else self.right).reason(view)

    def __repr__(self) -> str:
        return f"{self.left!r} | {self.right!r}"


@final
@frozen(repr=False)
class _Both(Stop):
    left: Stop
    right: Stop

    def holds(self, view: View) -> bool:
        return self.left.holds(view) and self.right.holds(view)

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

    def holds(self, view: View) -> bool:
        return not self.inner.holds(view)

    def leaves(self) -> tuple[Stop, ...]:
        return self.inner.leaves()

    def __repr__(self) -> str:
        return f"~({self.inner!r})" if isinstance(self.inner, _Either | _Both) else f"~{self.inner!r}"
