"""Late acceptance: a cost is compared with a cost of some trials before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, final

import numpy as np
from attrs import field, frozen

from metaheur.fields import Array, OneOf, Range
from metaheur.part import Kept
from metaheur.parts.acceptance.acceptance import Acceptance
from metaheur.representation import Representation
from metaheur.validate import whole_field
from metaheur.walk import EvaluatedSolution

__all__ = ["DiversifiedLateAcceptance", "LateAcceptance"]


@final
@frozen
class LateAcceptance(Acceptance):
    """Accepts a cost that is not above the cost of `length` trials before.

    Parameters
    ----------
    length : int, default 300
        How many trials before: the length of the history.
    greedy : bool, default True
        Whether a cost that is not above the current cost is accepted, too.
    better_history : bool, default True
        Whether a cost enters the history only if it is below the cost that it replaces.

    Notes
    -----
    E. K. Burke and Y. Bykov, "The late acceptance hill-climbing heuristic", European Journal of Operational Research
    258, 2017; both flags are from section 4.2, whose final form is the default. Kept are `history` and `place`, the
    place of its oldest cost.
    """

    length: int = whole_field(1, 2**31 - 1, default=300, metadata={"tune": Range(1, 10_000, log=True)})
    greedy: bool = field(default=True, kw_only=True, metadata={"tune": OneOf(False, True)})
    better_history: bool = field(default=True, kw_only=True, metadata={"tune": OneOf(False, True)})

    source: ClassVar[str] = "late_acceptance.cuh"

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`history`, in the type of costs, and `place`."""
        return {"history": Array((self.length,), "total"), "place": Array((), "int64", within=(0, self.length - 1))}

    def init(self, start: EvaluatedSolution) -> Mapping[str, np.ndarray]:
        return {"history": np.full(self.length, start.cost), "place": np.array(0)}

    def accepts(self, kept: Kept, delta: Any, current: Any, best: Any, draw: Any) -> Any:
        late = current + delta <= kept["history"][kept["place"]]
        return late | (delta <= 0) if self.greedy else late

    def record(self, kept: Kept, accepted: bool, cost: int | float, best: int | float) -> None:
        place = int(kept["place"])
        if not self.better_history or cost < kept["history"][place]:
            kept["history"][place] = cost
        kept["place"][()] = (place + 1) % self.length


@final
@frozen
class DiversifiedLateAcceptance(Acceptance):
    """Accepts a cost that equals the current one or is below the highest cost of the history.

    A cost enters the history if it is above the cost that it replaces, or if it is below it and below the cost of the
    trial before.

    Parameters
    ----------
    length : int, default 5
        The length of the history.

    Notes
    -----
    M. Namazi et al., "Diversified late acceptance search", AI 2018: Advances in Artificial Intelligence, 2018. Kept are
    `history`; `place`, the place of its oldest cost; `highest`, its highest cost; and `present`, the cost of the trial
    before.
    """

    length: int = whole_field(1, 2**31 - 1, default=5, metadata={"tune": Range(1, 10_000, log=True)})

    source: ClassVar[str] = "diversified_late_acceptance.cuh"

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`history`, `highest` and `present`, in the type of costs, and `place`."""
        numbers = {name: Array((), "total") for name in ("highest", "present")}
        return {
            "history": Array((self.length,), "total"),
            "place": Array((), "int64", within=(0, self.length - 1)),
            **numbers,
        }

    def init(self, start: EvaluatedSolution) -> Mapping[str, np.ndarray]:
        cost = np.array(start.cost)
        return {"history": np.full(self.length, cost), "place": np.array(0), "highest": cost, "present": cost}

    def accepts(self, kept: Kept, delta: Any, current: Any, best: Any, draw: Any) -> Any:
        return (delta == 0) | (current + delta < kept["highest"])

    def record(self, kept: Kept, accepted: bool, cost: int | float, best: int | float) -> None:
        place, history = int(kept["place"]), kept["history"]
        oldest = history[place]
        if cost > oldest or (cost < oldest and cost < kept["present"]):
            history[place] = cost
            kept["highest"][()] = history.max()
        kept["present"][()] = cost
        kept["place"][()] = (place + 1) % self.length
