"""Step counting: costs are accepted below a bound, which becomes the current cost after a number of steps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.fields import COUNT, Array, Factor
from metaheur.part import Kept
from metaheur.parts.acceptance.acceptance import Acceptance
from metaheur.representation import Representation
from metaheur.validate import choice_field, whole_field
from metaheur.walk import EvaluatedSolution

__all__ = ["StepCounting"]

COUNTS = ("trials", "accepted", "not worse", "improving")


@final
@frozen
class StepCounting(Acceptance):
    """Accepts a cost that is below a bound or does not rise; after `limit` steps the bound becomes the current cost.

    Parameters
    ----------
    limit : int
        Steps between two changes of the bound.
    counts : {"trials", "accepted", "not worse", "improving"}, default "trials"
        Which trials are steps: all trials; accepted trials; accepted trials that do not raise the cost; trials that
        lower the cost.

    Notes
    -----
    Y. Bykov and S. Petrovic, "A step counting hill climbing algorithm applied to university examination timetabling",
    Journal of Scheduling 19, 2016: SCHC-all, SCHC-acp and SCHC-imp; "not worse" is Timefold's. Kept are `bound`;
    `present`, the cost of the trial before; and `steps`.
    """

    limit: int = whole_field(1, metadata={"tune": Factor()})
    counts: str = choice_field(*COUNTS, default="trials")

    source: ClassVar[str] = "step_counting.cuh"

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`bound` and `present`, in the type of costs, and `steps`."""
        return {"bound": Array((), "total"), "present": Array((), "total"), "steps": Array((), "int64", within=COUNT)}

    def init(self, start: EvaluatedSolution) -> Mapping[str, np.ndarray]:
        return {"bound": np.array(start.cost), "present": np.array(start.cost), "steps": np.array(0)}

    def accepts(self, kept: Kept, delta: Any, current: Any, best: Any, draw: Any) -> Any:
        return (delta <= 0) | (current + delta < kept["bound"])

    def record(self, kept: Kept, accepted: bool, cost: int | float, best: int | float) -> None:
        present = kept["present"]
        steps = (True, accepted, accepted and cost <= present, accepted and cost < present)
        kept["steps"][()] += bool(steps[COUNTS.index(self.counts)])
        kept["present"][()] = cost
        if kept["steps"] >= self.limit:
            kept["bound"][()], kept["steps"][()] = cost, 0
