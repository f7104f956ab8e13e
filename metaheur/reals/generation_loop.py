"""Loops that make solutions without a look at costs, until a generation is whole."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any

from metaheur.component import Solution
from metaheur.loops.loop import Loop
from metaheur.part import Kept
from metaheur.search import LoopState
from metaheur.walk import EvaluatedSolution, Walk

if TYPE_CHECKING:
    from metaheur.evaluators.evaluator import Evaluator

__all__ = ["GenerationLoop"]


class GenerationLoop(Loop):
    """A loop whose step takes in the walk's solution, and draws the next one; it looks at costs only in between.

    So several solutions can be drawn before the cost of the first one is known.
    """

    @abstractmethod
    def take_in(self, kept: Kept, walk: Walk) -> None:
        """The walk's solution joins what is kept; a whole generation changes it."""

    @abstractmethod
    def draw(self, kept: Kept, walk: Walk) -> tuple[Solution, Any]:
        """The next solution, and what `keep` writes for it; nothing is written here."""

    def keep(self, kept: Kept, drawn: Any) -> None:
        """Write what belongs to the next solution besides its entries: nothing by default."""

    @abstractmethod
    def left(self, kept: Kept) -> int:
        """How many solutions, from the next one on, do not depend on each other's costs."""

    @abstractmethod
    def pass_over(self, kept: dict[str, Any]) -> None:
        """Replace a count, as if the next solution had joined, so that `draw` makes the one after it."""

    def step(self, state: LoopState, evaluate: Evaluator) -> LoopState:
        walk, kept = state.walk, state.kept
        ahead = getattr(evaluate.problem, "made_ahead", None)
        x = None if ahead is None else ahead(kept, walk)
        if x is None:
            self.take_in(kept, walk)
            x, drawn = self.draw(kept, walk)
            self.keep(kept, drawn)
        found = EvaluatedSolution(walk.current.representation, x, evaluate.cost(x))
        return state.after(walk.go_to(found, 1))
