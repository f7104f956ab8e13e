"""Searches made of parts, which name a loop."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from metaheur.evaluators.evaluator import Evaluator
from metaheur.loops.loop import Loop
from metaheur.neighborhood import Neighborhood
from metaheur.problem import Problem
from metaheur.random import Key
from metaheur.runners.driven import LoopState
from metaheur.search import Forbids, KeepsFront, Search
from metaheur.walk import EvaluatedSolution, Walk

if TYPE_CHECKING:
    from metaheur.archives.members import Members

__all__ = ["Composed", "all_unwrapped", "unwrapped"]


class Composed(Search[LoopState]):
    """A search whose loop makes every decision."""

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
        """Refuse a state that the loop refuses."""
        self.loop.require_state(state, problem)

    def done(self, state: LoopState) -> bool:
        return self.loop.done(state)

    def ending(self, state: LoopState) -> str:
        return self.loop.ending(state)

    def forbidden(self, state: LoopState, evaluate: Evaluator) -> np.ndarray | None:
        """The moves that the loop forbids; None if the loop does not tell."""
        return self.loop.forbidden(state, evaluate) if isinstance(self.loop, Forbids) else None

    @property
    def several(self) -> bool:
        """Whether the loop approximates a front."""
        return self.loop.several

    def fronts(self, state: LoopState) -> Sequence[Members]:
        """The solutions that the loop keeps, if it approximates a front."""
        return cast(KeepsFront, self.loop).fronts(state)

    def sent(self, state: LoopState, to: LoopState | None) -> Members:
        """The solutions that the loop sends, if it approximates a front."""
        return cast(KeepsFront, self.loop).sent(state, to)

    def received(self, state: LoopState, arrivals: Sequence[Members]) -> LoopState:
        """The state after other walks have sent solutions to the loop, if it approximates a front."""
        found: LoopState = cast(KeepsFront, self.loop).received(state, arrivals)
        return found

    def enter(self, state: LoopState, walk: Walk) -> LoopState:
        return self.loop.enter(state, walk)

    @property
    def program(self) -> Any:
        """The program of the loop."""
        return self.loop.program

    def require(self, problem: Problem) -> None:
        self.loop.require(problem)


def unwrapped(search: Any) -> Any:
    """The loop of a composed search; another value as it is."""
    return search.loop if isinstance(search, Composed) else search


def all_unwrapped(searches: Any) -> Any:
    """The loops of a tuple of searches; another value as it is."""
    return tuple(map(unwrapped, searches)) if isinstance(searches, tuple) else searches
