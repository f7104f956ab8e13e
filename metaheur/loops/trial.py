"""Trial: each iteration tries one move and makes it if it is accepted."""

from __future__ import annotations

from typing import ClassVar, final

from attrs import field, frozen

from metaheur.evaluators.evaluator import Evaluator
from metaheur.loops.loop import Loop
from metaheur.neighborhood import Neighborhood, neighborhood_field
from metaheur.parts import Acceptance, Always, AtRandom, TrialOrder
from metaheur.search import LoopState
from metaheur.validate import instance_field

__all__ = ["Trial"]


@final
@frozen
class Trial(Loop):
    """Try one move, by default a random one, and make it if it is accepted.

    The trial ends when its acceptance ends, as a schedule does; or at once if there are no moves. An infeasible move is
    refused.

    Parameters
    ----------
    neighborhood : Neighborhood
        The moves.
    acceptance : Acceptance, default Always()
        Whether the move is made.
    order : TrialOrder, default AtRandom()
        Which move is tried next.
    """

    neighborhood: Neighborhood = neighborhood_field()
    acceptance: Acceptance = field(factory=Always)
    order: TrialOrder = instance_field(TrialOrder, "use InSweeps().", factory=AtRandom, kw_only=True)

    source: ClassVar[str] = "trial.cuh"
    tries: ClassVar[bool] = True

    @property
    def endless(self) -> bool:
        return self.acceptance.endless

    def step(self, state: LoopState, evaluate: Evaluator) -> LoopState:
        walk, moves = state.walk, evaluate.of(self.neighborhood)
        if not moves.size:
            return state.after(walk.stay(0), finished=True)
        k, bits = self.order.next(state.kept["order"], moves.size, walk)
        delta, kept = moves.delta(walk.current, k), state.kept["acceptance"]
        current, best = walk.current.cost, walk.best.cost
        accepted = delta is not None and bool(self.acceptance.accepts(kept, delta, current, best, bits))
        after = walk.make_move(self.neighborhood, k, delta, 1) if accepted else walk.stay(1)
        self.acceptance.record(kept, accepted, after.current.cost, after.best.cost)
        return state.after(after, finished=self.acceptance.ended(kept))

    def ending(self, state: LoopState) -> str:
        return "schedule ended" if self.acceptance.ended(state.kept["acceptance"]) else "no moves"
