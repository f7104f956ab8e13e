"""Stopping criteria, their composition, and those by counts: iterations, evaluations, none of them an improvement."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.running.view import NO_LIMIT, RunLength, Until, View, look_from
from metaheur.validate import whole

if TYPE_CHECKING:
    from metaheur.problem import Problem

__all__ = ["Stop", "Truths", "evaluations", "iterations", "no_improvement"]

Truths = bool | np.ndarray
"""One answer for all walks, or one for each: bool, shape (W,)."""


class Stop(ABC):
    """A stopping criterion. A criterion of your own needs `holds` alone.

    A criterion that defines no `limits` is asked after the same iterations on every device: after 1, 2, ... 8, 10, 12,
    14, 16, 20, ... as `metaheur.stop.when` is, so that a run is at most a quarter longer than necessary; its answer
    holds until it is asked again. If it says ``every = 1``, it is asked after each iteration. Each question ends a
    chunk, which takes some 20 microseconds on a CPU and 100 on a GPU, even where many iterations would take less.

    Attributes
    ----------
    exact : bool
        Whether it ends a walk at the same iteration on every machine and device; False by default.
    """

    exact: ClassVar[bool] = False

    @property
    def every(self) -> int | None:
        """Iterations from one question to the next; None, the default, for 1, 2, ... 8, 10, 12, 14, 16, 20, ...."""
        return None

    @abstractmethod
    def holds(self, view: View) -> Truths:
        """Whether a walk should stop here: a truth value for all walks, or one for each; depends on the view alone."""

    def leaves(self) -> tuple[Stop, ...]:
        """The elementary criteria in this expression."""
        return (self,)

    def reason(self, view: View, w: int) -> str:
        """The text of `Result.stopped_by` if this criterion holds for walk w; its own text by default."""
        return repr(self)

    def limits(self, view: View) -> Until | None:
        """The next change of this criterion that a device can find by itself; by default, where it is asked next.

        Parameters
        ----------
        view : View
            The run as it is.

        Returns
        -------
        Until or None
            Where a walk must pause so that the expression is evaluated again; its iteration is `NO_LIMIT` if the number
            of iterations does not matter. None for a criterion that is evaluated at the end of each chunk, wherever
            that is, such as one that depends on the clock.
        """
        return Until(self._asked_from(view.active_iterations() + 1)) if self._asked else None

    @property
    @final
    def _asked(self) -> bool:
        """Whether the criterion is asked at some iterations, as one that defines `holds` alone."""
        return type(self).limits is Stop.limits and type(self).time_left is Stop.time_left

    @final
    def _asked_from(self, iteration: int) -> int:
        """The next iteration, perhaps this one, at which the criterion is asked."""
        return look_from(iteration) if self.every is None else -(-iteration // self.every) * self.every

    @final
    def asked(self, view: View) -> Mapping[int, Truths]:
        """The answers of the leaves that are asked at some iterations only; the view has those of the last chunk."""
        at, known = view.active_iterations(), view.asked
        leaves = {id(leaf): leaf for leaf in self.leaves() if leaf._asked}
        return {
            number: leaf.holds(view) if number not in known or leaf._asked_from(at) == at else known[number]
            for number, leaf in leaves.items()
        }

    @final
    def verdict(self, view: View) -> Truths:
        """`holds`; for a criterion that is asked at some iterations only, its last answer."""
        return view.asked[id(self)] if id(self) in view.asked else self.holds(view)

    def require(self, problem: Problem) -> None:  # noqa: B027 - most criteria suit any
        """Refuse a problem for which the criterion has no meaning.

        Raises
        ------
        InputError
            If the criterion has no meaning for the problem.
        """

    def share(self, view: View) -> float | None:
        """The share of the way to the end that is done, 0 ... 1; None, the default, if the end cannot be foreseen."""
        return None

    def lasts(self) -> RunLength:
        """The length of a run that this criterion ends, as far as it is known before; unknown by default."""
        return RunLength()

    def time_left(self, view: View) -> float:
        """Seconds until this criterion changes by the clock; infinite, the default, if it does not."""
        return math.inf

    def recall(self, view: View) -> np.ndarray | None:
        """The past that this criterion must remember, a row for each walk; None, the default, if there is none.

        It is called at the beginning and after every chunk, and finds the rows that it returned before in
        ``view.past[repr(self)]``. Checkpoints save these rows, so that the criterion itself holds no count.
        """
        return None

    @final
    def past(self, view: View) -> Mapping[str, np.ndarray]:
        """The rows that all leaves remember, by the texts of the leaves."""
        recalled = ((repr(leaf), leaf.recall(view)) for leaf in self.leaves())
        return {text: rows for text, rows in recalled if rows is not None}

    @final
    def until(self, view: View, iteration: int) -> Until:
        """Where a chunk of iterations ends: at the next change of any leaf, and at `iteration` at the latest.

        The expression can only change when one of its leaves changes, so evaluating it at those iterations is exact.

        Parameters
        ----------
        view : View
            Where the run stands.
        iteration : int
            An iteration after the one of the view.
        """
        limits = [limit for leaf in self.leaves() if (limit := leaf.limits(view)) is not None]
        costs = [limit.cost for limit in limits if limit.cost is not None]
        stagnation = [limit.stagnation for limit in limits if limit.stagnation is not None]
        evaluated = [limit.evaluated for limit in limits if limit.evaluated is not None]
        branched = [limit.branched for limit in limits if limit.branched is not None]
        return Until(
            min([iteration, *(limit.iteration for limit in limits)]),
            max(costs, default=None),
            min(stagnation, default=None),
            any(limit.improvement for limit in limits),
            min(evaluated, default=None),
            min(branched, default=None),
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


def _shares(pair: _Either | _Both, view: View) -> tuple[float | None, float | None]:
    return pair.left.share(view), pair.right.share(view)


@final
@frozen(repr=False)
class _Either(Stop):
    left: Stop
    right: Stop

    def holds(self, view: View) -> Truths:
        return np.logical_or(self.left.verdict(view), self.right.verdict(view))

    def leaves(self) -> tuple[Stop, ...]:
        return self.left.leaves() + self.right.leaves()

    def lasts(self) -> RunLength:
        return self.left.lasts().either(self.right.lasts())

    def share(self, view: View) -> float | None:
        return max((share for share in _shares(self, view) if share is not None), default=None)

    def reason(self, view: View, w: int) -> str:
        """The first alternative that holds."""
        first = np.broadcast_to(self.left.verdict(view), len(view.walks))[w]
        return (self.left if first else self.right).reason(view, w)

    def __repr__(self) -> str:
        return f"{self.left!r} | {self.right!r}"


@final
@frozen(repr=False)
class _Both(Stop):
    left: Stop
    right: Stop

    def holds(self, view: View) -> Truths:
        return np.logical_and(self.left.verdict(view), self.right.verdict(view))

    def lasts(self) -> RunLength:
        return self.left.lasts().both(self.right.lasts())

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
        return np.logical_not(self.inner.verdict(view))

    def leaves(self) -> tuple[Stop, ...]:
        return self.inner.leaves()

    def __repr__(self) -> str:
        return f"~({self.inner!r})" if isinstance(self.inner, _Either | _Both) else f"~{self.inner!r}"


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


@frozen(repr=False)
class _Counted(Stop):
    """A criterion with a limit, which is named by a word."""

    exact: ClassVar[bool] = True
    word: ClassVar[str]
    n: int

    def reason(self, view: View, w: int) -> str:
        return self.word

    def __repr__(self) -> str:
        return f"{self.word}({self.n})"


@final
@frozen(repr=False)
class _Iterations(_Counted):
    word: ClassVar[str] = "iterations"

    def holds(self, view: View) -> Truths:
        return view.walks.iterations >= self.n

    def limits(self, view: View) -> Until | None:
        return Until(self.n) if view.active_iterations() < self.n else None

    def lasts(self) -> RunLength:
        return RunLength(iterations=self.n)

    def share(self, view: View) -> float | None:
        return min(1.0, view.active_iterations() / self.n)


@final
@frozen(repr=False)
class _Evaluations(_Counted):
    word: ClassVar[str] = "evaluations"

    def holds(self, view: View) -> Truths:
        return view.walks.evaluated >= self.n

    def limits(self, view: View) -> Until | None:
        return Until(NO_LIMIT, evaluated=self.n) if view.active_evaluated() < self.n else None

    def lasts(self) -> RunLength:
        return RunLength(evaluated=self.n)

    def share(self, view: View) -> float | None:
        return min(1.0, view.active_evaluated() / self.n)


@final
@frozen(repr=False)
class _NoImprovement(_Counted):
    word: ClassVar[str] = "no_improvement"

    def holds(self, view: View) -> Truths:
        since: np.ndarray = view.walks.iterations - view.walks.improved_at
        return since >= self.n

    def limits(self, view: View) -> Until | None:
        """The next change: an improvement where it holds, else the n-th iteration without improvement."""
        holds = np.asarray(self.holds(view))
        return Until(NO_LIMIT, stagnation=None if holds.all() else self.n, improvement=bool(holds.any()))

    def share(self, view: View) -> float | None:
        return min(1.0, max(0, int(np.min(view.walks.iterations - view.walks.improved_at))) / self.n)
