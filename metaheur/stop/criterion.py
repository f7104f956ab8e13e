"""Stopping criteria, and their composition."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.running.until import RunLength, Until, look_from

if TYPE_CHECKING:
    from metaheur.problem import Problem
    from metaheur.running.view import View

__all__ = ["Stop", "Truths"]

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
