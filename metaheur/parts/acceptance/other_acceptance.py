"""Two simple rules for comparison: acceptance at random, and by the mean of the last costs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.fields import Array, Range
from metaheur.part import Kept
from metaheur.parts.acceptance.acceptance import Acceptance
from metaheur.representation import Representation
from metaheur.validate import real_field, whole_field
from metaheur.walk import EvaluatedSolution

__all__ = ["ByChance", "MovingAverage"]


@final
@frozen
class ByChance(Acceptance):
    """Accepts a change that does not raise the cost; any other change with a fixed probability.

    Parameters
    ----------
    probability : float, default 0.1
        In 0 ... 1; it is rounded to a multiple of 2**-32.
    """

    probability: float = real_field(0, 1, default=0.1, metadata={"tune": Range(0.001, 1.0, log=True)})

    source: ClassVar[str] = "by_chance.cuh"
    draws: ClassVar[bool] = True

    def constants(self, representation: Representation) -> Mapping[str, int]:
        """`share`: how many of 2**32 words accept."""
        return {"share": round(self.probability * 2**32)}

    def accepts(self, kept: Kept, delta: Any, current: Any, best: Any, draw: Any) -> Any:
        return (delta <= 0) | (draw < round(self.probability * 2**32))


@final
@frozen
class MovingAverage(Acceptance):
    """Accepts a cost that is not above the mean of the last costs.

    Parameters
    ----------
    length : int, default 100
        How many costs: those after each of the last `length` trials.

    Notes
    -----
    N. Wouda and L. Lan, "ALNS: a Python implementation of the adaptive large neighbourhood search metaheuristic",
    Journal of Open Source Software 8, 2023, has a rule of this kind. Kept are `history`; `place`, the place of its
    oldest cost; and `mean`, in double precision.
    """

    length: int = whole_field(1, 2**31 - 1, default=100, metadata={"tune": Range(1, 10_000, log=True)})

    source: ClassVar[str] = "moving_average.cuh"

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`history`, in the type of costs, `place` and `mean`."""
        return {
            "history": Array((self.length,), "total"),
            "place": Array((), "int64", within=(0, self.length - 1)),
            "mean": Array((), "float64"),
        }

    def init(self, start: EvaluatedSolution) -> Mapping[str, np.ndarray]:
        history = np.full(self.length, start.cost)
        return {"history": history, "place": np.array(0), "mean": np.array(float(start.cost))}

    def accepts(self, kept: Kept, delta: Any, current: Any, best: Any, draw: Any) -> Any:
        return np.asarray(current + delta, np.float64) <= kept["mean"]

    def record(self, kept: Kept, accepted: bool, cost: int | float, best: int | float) -> None:
        place = int(kept["place"])
        kept["mean"][()] += float(cost - kept["history"][place].item()) / self.length
        kept["history"][place] = cost
        kept["place"][()] = (place + 1) % self.length
