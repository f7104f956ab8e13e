"""Adaptive trial: random moves of a neighborhood that every iteration chooses."""

from __future__ import annotations

from typing import Any, ClassVar, final

from attrs import Attribute, field, frozen

from metaheur.errors import InputError
from metaheur.evaluators.evaluator import Evaluator
from metaheur.loops.loop import Loop
from metaheur.neighborhood import Neighborhood, require_neighborhood
from metaheur.parts import Acceptance, BetterOrEqual, Choice, MoveResult, ProbabilityMatching
from metaheur.parts.choice.choice import MOST
from metaheur.random import Random, Stream, scaled
from metaheur.search import LoopState
from metaheur.validate import instance_field, whole_field
from metaheur.walk import EvaluatedSolution

__all__ = ["AdaptiveTrial"]


@final
@frozen
class AdaptiveTrial(Loop):
    """Choose a neighborhood, draw moves of it at random, and make the best of them if it is accepted.

    Parameters
    ----------
    neighborhoods : tuple of Neighborhood
        1 ... 64 of them.
    choice : Choice, default ProbabilityMatching()
        Chooses the neighborhood; it records the outcome of the move.
    acceptance : Acceptance, default BetterOrEqual()
        Whether the move is made.
    samples : int, default 1
        Number of moves that are drawn; among equals the first one is the best.
    """

    neighborhoods: tuple[Neighborhood, ...] = field()
    choice: Choice = instance_field(Choice, "use ProbabilityMatching().", factory=ProbabilityMatching)
    acceptance: Acceptance = instance_field(Acceptance, "use BetterOrEqual().", factory=BetterOrEqual)
    samples: int = whole_field(1, 2**31 - 1, default=1)

    source: ClassVar[str] = "adaptive_trial.cuh"

    @neighborhoods.validator
    def _are_some(self, _: Attribute[Any], value: tuple[Any, ...]) -> None:
        if not isinstance(value, tuple) or not 0 < len(value) <= MOST:
            raise InputError(f"`neighborhoods` must be a tuple of 1 ... {MOST} neighborhoods, but is {value!r}.")
        for each in value:
            require_neighborhood(each, steady=True)

    @property
    def endless(self) -> bool:
        return self.acceptance.endless

    def step(self, state: LoopState, evaluate: Evaluator) -> LoopState:
        walk, kept, count = state.walk, state.kept, len(self.neighborhoods)
        space = walk.current.representation
        if not any(each.size(space) for each in self.neighborhoods):
            return state.after(walk.stay(0), finished=True)
        chosen = self.choice.choose(kept["choice"], count, walk.random(Stream.CHOICE).words(0))
        neighborhood, random = self.neighborhoods[chosen], walk.random(Stream.TRIAL)
        k, delta, evaluated = self._best(neighborhood, random, walk.current, evaluate)
        cost, best = walk.current.cost, walk.best.cost
        draw = random.words(0)[2]
        accepted = k >= 0 and bool(self.acceptance.accepts(kept["acceptance"], delta, cost, best, draw))
        after = walk.make_move(neighborhood, k, delta, evaluated) if accepted else walk.stay(evaluated)
        self.acceptance.record(kept["acceptance"], accepted, after.current.cost, after.best.cost)
        result = MoveResult.REFUSED if not accepted else MoveResult.BETTER if delta < 0 else MoveResult.ACCEPTED
        if after.best.cost < best:
            result = MoveResult.BEST
        self.choice.record(kept["choice"], chosen, count, result)
        return state.after(after, finished=self.acceptance.ended(kept["acceptance"]))

    def _best(
        self, neighborhood: Neighborhood, random: Random, solution: EvaluatedSolution, evaluate: Evaluator
    ) -> tuple[int, Any, int]:
        """Index and change of cost of the best move drawn, -1 if none is feasible; the number of evaluated moves."""
        moves, found, lowest = evaluate.of(neighborhood), -1, None
        if not moves.size:
            return -1, 0, 0
        for draw in range(self.samples):
            low, high, _, _ = random.words(draw)
            k = scaled(low, high, moves.size)
            delta = moves.delta(solution, k)
            if delta is not None and (lowest is None or delta < lowest):
                found, lowest = k, delta
        return found, lowest, self.samples

    def ending(self, state: LoopState) -> str:
        return "schedule ended" if self.acceptance.ended(state.kept["acceptance"]) else "no moves"
