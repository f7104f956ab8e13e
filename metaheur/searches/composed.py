"""A search made of parts: it names its loop and has nothing else to say."""

from __future__ import annotations

from abc import abstractmethod

from metaheur.evaluator import Evaluator
from metaheur.loops.scan import Scan, ScanState
from metaheur.random import Key
from metaheur.search import Incumbent, Search

__all__ = ["Composed"]


class Composed(Search[ScanState]):
    """A search whose every decision is its loop's."""

    @property
    @abstractmethod
    def loop(self) -> Scan:
        """The loop and its parts."""

    def init(self, start: Incumbent, key: Key) -> ScanState:
        """The loop's."""
        return self.loop.init(start, key)

    def step(self, state: ScanState, evaluate: Evaluator) -> ScanState:
        """The loop's."""
        return self.loop.step(state, evaluate)

    def done(self, state: ScanState) -> bool:
        """The loop's."""
        return self.loop.done(state)
