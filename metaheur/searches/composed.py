"""A search made of parts: it names its loop and has nothing else to say."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from metaheur.evaluators.evaluator import Evaluator
from metaheur.loops.loop import Loop, LoopState
from metaheur.neighborhood import Neighborhood
from metaheur.problem import Problem
from metaheur.random import Key
from metaheur.search import Search
from metaheur.walk import EvaluatedSolution

__all__ = ["Composed"]


class Composed(Search[LoopState]):
    """A search whose every decision is its loop's."""

    @property
    @abstractmethod
    def loop(self) -> Loop:
        """The loop and its parts."""

    @property
    def neighborhoods(self) -> tuple[Neighborhood, ...]:
        return self.loop.neighborhoods

    def init(self, start: EvaluatedSolution, key: Key) -> LoopState:
        return self.loop.init(start, key)

    def step(self, state: LoopState, evaluate: Evaluator) -> LoopState:
        return self.loop.step(state, evaluate)

    def require_state(self, state: LoopState, problem: Problem) -> None:
        """Refuse what the loop refuses."""
        self.loop.require_state(state, problem)

    def done(self, state: LoopState) -> bool:
        return self.loop.done(state)

    def ending(self, state: LoopState) -> str:
        return self.loop.ending(state)

    def forbidden(self, state: LoopState, evaluate: Evaluator) -> np.ndarray | None:
        return self.loop.forbidden(state, evaluate)

    def require(self, problem: Problem) -> None:
        self.loop.require(problem)
