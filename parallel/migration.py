"""Migration: which walks take part in an exchange, and how exchanged solutions are treated."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, final

import numpy as np
from attrs import cmp_using, field, frozen

from metaheur.fields import numbers_of
from metaheur.lazy import expressible
from metaheur.parts.kinds import require_kinds, require_kinds_of
from metaheur.problem import Problem
from metaheur.random import Random
from metaheur.validate import true_or_false, whole_field
from metaheur.walk import EvaluatedSolution

__all__ = ["Diverse", "Exchange", "Migration", "Periodic", "Stagnating", "Treatment"]


@final
@frozen(eq=False)
class Exchange:
    """An exchange of solutions between walks, before it takes place.

    Parameters
    ----------
    iteration : int
        The iteration of all walks at which the exchange takes place.
    sources : mapping of int to int
        For each walk that is offered a solution, the walk that sends the solution.
    stagnation : numpy.ndarray of int64, shape (W,)
        Iterations since each walk found its best solution.
    solutions, sent : callable
        Return the current solutions of the walks, and the solutions that they send, shape (W, n); nothing is copied
        from a device before these functions are called.
    """

    iteration: int
    sources: Mapping[int, int]
    stagnation: np.ndarray
    solutions: Callable[[], np.ndarray]
    sent: Callable[[], np.ndarray]


@expressible
class Migration(ABC):
    """Decides which walks take part in an exchange.

    Attributes
    ----------
    anew : bool
        Whether the other walks that are offered a solution begin anew at random solutions; False by default.
    """

    anew: bool = False

    def require(self, problem: Problem) -> None:  # noqa: B027 - most fit all problems
        """Refuse problems that do not fit.

        Raises
        ------
        InputError
            If the problem does not fit; names the reason.
        """

    @abstractmethod
    def receives(self, exchange: Exchange) -> set[int]:
        """The walks that receive the solution that they are offered; the others go on unchanged, or begin `anew`.

        Parameters
        ----------
        exchange : Exchange
            The solutions and the walks to which they are offered. The answer must depend on nothing else, so that it is
            the same on all devices.
        """


@final
@frozen
class Periodic(Migration):
    """Every walk takes part in every exchange."""

    def receives(self, exchange: Exchange) -> set[int]:
        return set(exchange.sources)


@final
@frozen
class Stagnating(Migration):
    """A walk receives when it stagnates.

    Parameters
    ----------
    iterations : int
        A walk receives when at least so many iterations have passed since it found its best solution.
    """

    iterations: int = whole_field()

    def receives(self, exchange: Exchange) -> set[int]:
        return {w for w in exchange.sources if exchange.stagnation[w] >= self.iterations}


def _kinds(value: Any) -> np.ndarray | None:
    if value is None:
        return None
    kinds = numbers_of(value, "Diverse.kinds", "int32", 1)
    require_kinds("Diverse.kinds", kinds)
    return kinds


@final
@frozen
class Diverse(Migration):
    """A walk receives a solution that differs enough from the walk's current solution.

    Where solutions are crossed, this keeps like parents apart, as the incest prevention of L. J. Eshelman, "The CHC
    adaptive search algorithm", Foundations of Genetic Algorithms 1, 1991, does.

    Parameters
    ----------
    least : int
        A walk receives when the two solutions differ in at least so many entries.
    anew : bool, default False
        Whether a walk that is offered a solution too like its own begins anew at a random solution instead of going on
        unchanged; its best solution is not lost. Then no solution takes over all walks.
    kinds : array_like, shape (n,), optional
        The kind of each position, 0 ... n - 1, such as `QAP.kinds`. Positions of one kind can exchange their values:
        what counts is how many values are at positions of another kind. By default no two positions are of one kind.

    Raises
    ------
    InputError
        If a field is not as described; in a run, if there are more or fewer kinds than positions.
    """

    least: int = whole_field()
    anew: bool = field(default=False, validator=true_or_false, kw_only=True)
    kinds: np.ndarray | None = field(
        default=None, converter=_kinds, eq=cmp_using(np.array_equal), hash=False, kw_only=True
    )

    def require(self, problem: Problem) -> None:
        """Refuse a problem whose solutions have more or fewer positions than there are kinds."""
        if self.kinds is not None:
            require_kinds_of(problem.representation.length, "Diverse.kinds", self.kinds)

    def receives(self, exchange: Exchange) -> set[int]:
        own, sent = exchange.solutions(), exchange.sent()
        return {w for w, of in exchange.sources.items() if self._differences(own[w], sent[of]) >= self.least}

    def _differences(self, own: np.ndarray, other: np.ndarray) -> int:
        """In how many values two solutions differ."""
        if self.kinds is None:
            return int(np.count_nonzero(own != other))
        pairs = self.kinds.astype(np.int64) << 32 | np.stack([own, other])
        _, numbers = np.unique(pairs, return_inverse=True)
        first, second = (np.bincount(each, minlength=pairs.size) for each in numbers.reshape(pairs.shape))
        return int(np.abs(first - second).sum()) // 2


class Treatment(ABC):
    """What is done to solutions that walks exchange: the pre- and post-treatment of cooperative walks.

    A subclass overrides one of the two methods, or both. The evaluations that a treatment makes are not counted among
    the moves that walks have evaluated.
    """

    def sent(self, solution: EvaluatedSolution, problem: Problem, random: Random) -> EvaluatedSolution:
        """The solution that a walk sends instead of a solution; by default the solution itself.

        Parameters
        ----------
        solution : EvaluatedSolution
            The best or the current solution of the walk that sends it; its array is read-only.
        problem : Problem
            Whose `cost` evaluates another solution.
        random : Random
            The random numbers, at this exchange, of the walk that is to receive.
        """
        return solution

    def received(
        self, own: EvaluatedSolution, arriving: EvaluatedSolution, problem: Problem, random: Random
    ) -> EvaluatedSolution:
        """The solution that arrives at a walk instead of a solution; by default the solution itself.

        Parameters
        ----------
        own : EvaluatedSolution
            The current solution of the walk.
        arriving : EvaluatedSolution
            The solution that `sent` has returned; where it has returned its own argument, the array is read-only.
        problem : Problem
            Whose `cost` evaluates another solution.
        random : Random
            The random numbers, at this exchange, of the walk that receives.
        """
        return arriving
