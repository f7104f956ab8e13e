"""No search: the inner search of a nest that only perturbs."""

from __future__ import annotations

from typing import ClassVar, final

from attrs import frozen

from metaheur.evaluators.evaluator import Evaluator
from metaheur.loops.loop import Loop
from metaheur.search import LoopState

__all__ = ["NoSearch"]


@final
@frozen
class NoSearch(Loop):
    """A search of one iteration that changes nothing."""

    source: ClassVar[str] = "no_search.cuh"
    descends: ClassVar[bool] = True

    def step(self, state: LoopState, evaluate: Evaluator) -> LoopState:
        return state.after(state.walk.stay(0), finished=True)
