"""Late acceptance: a cost is compared with the one of some trials before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, final

import numpy as np
from attrs import field, frozen

from metaheur.fields import Array
from metaheur.part import Kept
from metaheur.parts.acceptance.acceptance import Acceptance
from metaheur.representation import Representation
from metaheur.validate import whole_field
from metaheur.walk import EvaluatedSolution

__all__ = ["DiversifiedLateAcceptance", "LateAcceptance"]


@final
@frozen
class LateAcceptance(Acceptance):
    """A cost is accepted if it is not above the one of so many trials before.

    Parameters
    ----------
    length : int, default 300
        How many trials before: the length of the history.
    greedy : bool, default True
        Whether a cost that is not above the current one is accepted, too.
    better_history : bool, default True
        Whether the history only takes costs that are below those that it forgets.

    Notes
    -----
    E. K. Burke and Y. Bykov, "The late acceptance hill-climbing heuristic", European Journal of Operational Research
    258, 2017; both flags are of section 4.2, and the defaults its final form. Kept are `history` and `place`, where
    its oldest cost stands.
    """

    length: int = whole_field(1, 2**31 - 1, default=300)
    greedy: bool = field(default=True, kw_only=True)
    better_history: bool = field(default=True, kw_only=True)

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
    """A cost is accepted if it is the current one, or below the highest one of the history.

    The history takes a cost that is above the one that it forgets, or below it and below the cost of the trial before.

    Parameters
    ----------
    length : int, default 5
        The length of the history.

    Notes
    -----
    M. Namazi et al., "Diversified late acceptance search", AI 2018: Advances in Artificial Intelligence, 2018. Kept are
    `history`; `place`, where its oldest cost stands; `highest`, its highest cost; and `present`, the cost of the trial
    before.
    """

    length: int = whole_field(1, 2**31 - 1, default=5)

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
