"""Where a chunk of iterations ends."""

from __future__ import annotations

from collections.abc import Mapping
from math import floor
from typing import TYPE_CHECKING, Any, final

import numpy as np
from attrs import frozen

from metaheur.device.generator.record import Record

if TYPE_CHECKING:
    from metaheur.walk import Walk

__all__ = ["UNTIL", "Until"]

LONG_AGO = 2**62
"""A number of iterations or moves that no run reaches."""

UNTIL = Record(
    "Until",
    {
        **dict.fromkeys(("end", "stagnation", "evaluated"), "i64"),
        "target": "Total",
        **dict.fromkeys(("has_target", "on_improvement"), "i32"),
    },
)
"""Where a chunk ends, for all walks, as C++ knows it."""


@final
@frozen
class Until:
    """Where a chunk of iterations ends, for each walk: at the first iteration where one of these holds.

    Parameters
    ----------
    iteration : int
        That many iterations in all.
    cost : int, float or None
        The best cost is at most this.
    stagnation : int or None
        That many iterations since the best cost was found.
    improvement : bool
        The best cost has just improved.
    evaluated : int or None
        That many moves evaluated in all.
    branched : int or None
        That many nodes branched in all, of an exact search.
    """

    iteration: int
    cost: int | float | None = None
    stagnation: int | None = None
    improvement: bool = False
    evaluated: int | None = None
    branched: int | None = None

    def reached(self, walk: Walk) -> bool:
        """Whether the chunk ends after a step of a walk."""
        return (self.cost is not None and walk.best.cost <= self.cost) or self.holds(
            walk.iteration, walk.improved_at, walk.evaluated
        )

    def holds(self, iteration: int, improved_at: int, evaluated: int, *, stepped: bool = True) -> bool:
        """The same from numbers, the target left out; in C++ `reached`.

        Where a chunk begins, `stepped` is False, and nothing but the number of iterations counts: a walk whose number
        of iterations is not reached makes at least one step.
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
        """The members of `UNTIL`, with the target in the type of costs: rounded down, and within its limits."""
        target = self.cost or 0
        if total.base.kind != "f":
            target = floor(max(-(2**63), min(2**63 - 1, target)))
        return {
            "end": self.iteration,
            "stagnation": LONG_AGO if self.stagnation is None else self.stagnation,
            "evaluated": LONG_AGO if self.evaluated is None else self.evaluated,
            "target": target,
            "has_target": self.cost is not None,
            "on_improvement": self.improvement,
        }
