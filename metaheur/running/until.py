"""Ends of chunks of iterations, and of runs as far as they are known before."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, final

import numpy as np
from attrs import frozen

if TYPE_CHECKING:
    from metaheur.walk import Walk

__all__ = ["NO_LIMIT", "RunLength", "Until", "look_from"]

NO_LIMIT = 2**62
"""A number of iterations or moves that no run reaches."""


@final
@frozen
class Until:
    """The end of a chunk of iterations, for each walk: the first iteration where one of these conditions holds.

    Parameters
    ----------
    iteration : int
        The walk has made this many iterations in all.
    cost : int, float or None
        The best cost is at most this cost.
    stagnation : int or None
        This many iterations have passed since the best cost was found.
    improvement : bool
        The best cost has just improved.
    evaluated : int or None
        The walk has evaluated this many moves in all.
    branched : int or None
        An exact search has branched this many nodes in all.
    """

    iteration: int
    cost: int | float | None = None
    stagnation: int | None = None
    improvement: bool = False
    evaluated: int | None = None
    branched: int | None = None

    @property
    def pauses(self) -> bool:
        """Whether a walk may come to the end before the others."""
        return self.improvement or any(each is not None for each in (self.cost, self.stagnation, self.evaluated))

    def reached(self, walk: Walk) -> bool:
        """Whether the chunk ends after a step of a walk."""
        return (self.cost is not None and walk.best.cost <= self.cost) or self.holds(
            walk.iteration, walk.improved_at, walk.evaluated
        )

    def holds(self, iteration: int, improved_at: int, evaluated: int, *, stepped: bool = True) -> bool:
        """The same from numbers, without the target; in C++ the test of `end`, then `reached`.

        At the beginning of a chunk `stepped` is False, and only the number of iterations counts: a walk that has not
        reached this number makes at least one step.
        """
        return iteration >= self.iteration or (
            stepped
            and (
                (self.stagnation is not None and iteration - improved_at >= self.stagnation)
                or (self.improvement and improved_at == iteration)
                or (self.evaluated is not None and evaluated >= self.evaluated)
            )
        )

    def values(self, total: np.dtype[Any]) -> Mapping[str, Any]:
        """The members of the record `UNTIL`, with the target in the type of costs: rounded down, within its limits."""
        target = self.cost or 0
        if total.base.kind != "f":
            target = math.floor(max(-(2**63), min(2**63 - 1, target)))
        return {
            "end": self.iteration,
            "stagnation": NO_LIMIT if self.stagnation is None else self.stagnation,
            "evaluated": NO_LIMIT if self.evaluated is None else self.evaluated,
            "target": target,
            "has_target": self.cost is not None,
            "on_improvement": self.improvement,
        }


@final
@frozen
class RunLength:
    """The most that a run makes, as its stopping criterion says before it begins; infinite where it does not say.

    Parameters
    ----------
    iterations : float
        Iterations of each walk.
    evaluated : float
        Moves that each walk evaluates; nodes of an exact search.
    seconds : float
        Seconds.
    """

    iterations: float = math.inf
    evaluated: float = math.inf
    seconds: float = math.inf

    def either(self, other: RunLength) -> RunLength:
        """The length of a run that the first of two criteria ends."""
        return RunLength(
            min(self.iterations, other.iterations),
            min(self.evaluated, other.evaluated),
            min(self.seconds, other.seconds),
        )

    def both(self, other: RunLength) -> RunLength:
        """The length of a run that the last of two criteria ends."""
        return RunLength(
            max(self.iterations, other.iterations),
            max(self.evaluated, other.evaluated),
            max(self.seconds, other.seconds),
        )

    def part(self, share: float) -> RunLength:
        """A share of the length, 0 ... 1."""
        return RunLength(share * self.iterations, share * self.evaluated, share * self.seconds)


def look_from(iteration: int) -> int:
    """The next iteration, perhaps this one, at which a criterion is asked that must look at all walks of a run.

    Four of these lie between a power of two and the next one, so that a run is at most a quarter longer than necessary.
    """
    step = 1 << max(0, (iteration - 1).bit_length() - 3)
    return -(-iteration // step) * step
