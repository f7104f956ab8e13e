"""A part of a search in compiled Python: late acceptance, in a local search that stays on the device."""

from collections.abc import Mapping
from typing import Any, final

import numpy as np
from attrs import frozen

from metaheur import Array, EvaluatedSolution, Representation, Trial, compiled, explain, run, stop
from metaheur.neighborhoods import Swap
from metaheur.parts import Acceptance
from metaheur.problems import QAP
from metaheur.testing import check_part, devices_here


@final
@frozen
class LateAcceptance(Acceptance):
    """Accept costs not above the cost some iterations ago (Burke and Bykov 2017)."""

    length: int = 50

    def state(self, representation: Representation) -> Mapping[str, Array]:
        return {"costs": Array((self.length,), "total"), "turn": Array((), "int64")}

    @compiled
    def init(self, kept: Any, start: EvaluatedSolution) -> None:
        for k in range(self.length):
            kept.costs[k] = start.cost

    @compiled
    def accepts(self, kept: Any, delta: int, current: int, best: int, draw: int) -> bool:
        return delta <= 0 or current + delta <= kept.costs[kept.turn % self.length]

    @compiled
    def record(self, kept: Any, accepted: bool, cost: int, best: int) -> None:
        kept.costs[kept.turn % self.length] = cost
        kept.turn += 1


late, qap = LateAcceptance(), QAP.taillard(20)
print(explain(late, qap.representation))
deltas, currents = (each.ravel() for each in np.meshgrid(np.arange(-4, 5), np.arange(10)))
kept = {"costs": np.array([7, 3, 9, 4, 4] * 10), "turn": np.array(8)}
check_part(late, "accepts", deltas, currents, currents, np.zeros(90, np.uint32), kept=kept)
for device in ["numpy", *devices_here()]:
    result = run(Trial(Swap(), late), qap, stop=stop.iterations(2_000), seed=1, parallel=device)
    print(f"{device:6} cost {result.cost} after {result.iterations} trials")
