"""Breakout: descents, and perturbations whose length and kind depend on the state of the search."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.evaluators.evaluator import Evaluator, NeighborhoodEvaluator, feasible_moves
from metaheur.fields import COUNT, Array
from metaheur.loops.loop import Loop, at_walk
from metaheur.loops.scan import LONGEST, TRIES, Scan, choose, lowest
from metaheur.part import zeros
from metaheur.parts import BreakoutRules, Tenure
from metaheur.parts.perturbation.breakout_rules import DIRECTED, OLDEST, RANDOM
from metaheur.random import Random, Stream
from metaheur.representation import Representation
from metaheur.search import LoopState
from metaheur.validate import instance_field
from metaheur.walk import EvaluatedSolution, Walk

__all__ = ["Breakout"]


@final
@frozen
class Breakout(Loop):
    """One move an iteration: the best one while it improves; from a local optimum on, a few perturbing moves.

    All phases share one table of changes of cost and one memory of the iteration of each move. A directed move is the
    best one of the moves that are not tabu, or that lead to a new best solution. A move to the cost of the local
    optimum is excluded.

    Parameters
    ----------
    scan : Scan
        The descent: it has no memory, and accepts improvements. Its neighborhood has the same moves in every step.
    tenure : Tenure, default Tenure(0.7, 0.9)
        The number of iterations for which a move is tabu for directed moves; drawn in every iteration.
    rules : BreakoutRules, default BreakoutRules()
        The length and the kind of perturbations.
    """

    scan: Scan = instance_field(Scan)
    tenure: Tenure = instance_field(Tenure, "use Tenure(0.7, 0.9).", factory=lambda: Tenure(0.7, 0.9))
    rules: BreakoutRules = instance_field(BreakoutRules, "use BreakoutRules().", factory=BreakoutRules)

    source: ClassVar[str] = "breakout.cuh"
    endless: ClassVar[bool] = True

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """The iteration of each move; the costs of the last local optimum and of the best one; counts."""
        size = max(1, self.scan.neighborhood.size(representation))
        return {
            "made": Array((size,), "int64", within=COUNT),
            "optimum": Array((), "total"),
            "record": Array((), "total"),
            **dict.fromkeys(("strength", "left", "descents"), Array((), "int64", within=COUNT)),
            "failures": Array((), "int64", within=(0, self.rules.patience)),
            "kind": Array((), "int64", within=(DIRECTED, RANDOM)),
        }

    def begin(self, start: EvaluatedSolution) -> Mapping[str, np.ndarray]:
        own = zeros(self.state(start.representation), start)
        own["optimum"][()] = own["record"][()] = start.cost
        own["strength"][()] = self.rules.moves(start.representation.length)
        return own

    def step(self, state: LoopState, evaluate: Evaluator) -> LoopState:
        walk, kept = state.walk, state.kept
        moves = evaluate.of(self.scan.neighborhood)
        size, evaluated = moves.size, 0
        if not size:
            return state.after(walk.stay(0), finished=True)
        if not kept["left"]:
            k, delta = choose(self.scan, at_walk(kept["scan"], walk), moves)
            current, best = walk.current.cost, walk.best.cost
            if k >= 0 and self.scan.acceptance.accepts(state.kept["scan"].kept["acceptance"], delta, current, best, 0):
                return self._make(state, moves, k, delta, size)
            self._leave(kept, walk)
            evaluated = size
        kept["left"][()] -= 1
        if kept["kind"] == DIRECTED:
            k, delta = self._directed(kept, walk, moves)
            evaluated += size
        elif kept["kind"] == OLDEST:
            k, delta = self._oldest(kept, walk, moves)
            evaluated += 1
        if kept["kind"] == RANDOM or k < 0:
            k, delta = self._random(walk, moves)
            evaluated += 1
        return self._make(state, moves, k, delta, evaluated)

    def _leave(self, kept: Mapping[str, Any], walk: Walk) -> None:
        """Choose the number of perturbing moves, and their kind, at a local optimum."""
        random: Random = walk.random(Stream.PERTURBATION)
        n, cost = walk.current.representation.length, walk.current.cost
        again = bool(kept["descents"]) and cost == kept["optimum"]
        better = cost < kept["record"]
        kept["failures"][()] = 0 if better else kept["failures"] + 1
        kept["record"][()] = min(cost, kept["record"][()])
        kept["strength"][()] = kept["strength"] + 1 if again else self.rules.moves(n)
        kept["optimum"][()] = cost
        kept["descents"][()] += 1
        jumps = bool(kept["failures"] > self.rules.patience)
        if jumps:
            kept["failures"][()] = 0
            kept["strength"][()] = max(1, self.rules.jump.draw(random.bits(2), n))
        kept["kind"][()] = self.rules.kind(int(kept["failures"]), random.bits(0), random.bits(1))
        if jumps and self.rules.jumps_at_random:
            kept["kind"][()] = RANDOM
        kept["left"][()] = kept["strength"]

    def _directed(self, kept: Mapping[str, Any], walk: Walk, moves: NeighborhoodEvaluator) -> tuple[int, Any]:
        deltas = moves.deltas(walk.current)
        tenure = self.tenure.draw(walk.random(Stream.MEMORY).bits(0), walk.current.representation.length)
        free = (kept["made"] == 0) | (kept["made"] + tenure < walk.iteration + 1)
        free |= deltas < walk.best.cost - walk.current.cost
        free &= deltas != kept["optimum"] - walk.current.cost
        if moves.partial:
            free &= feasible_moves(deltas)
        k = lowest(self.scan, walk, self.scan.selection.score(deltas), free)
        return (k, deltas[k].item()) if k >= 0 else (-1, 0)

    def _oldest(self, kept: Mapping[str, Any], walk: Walk, moves: NeighborhoodEvaluator) -> tuple[int, Any]:
        deltas = moves.deltas(walk.current)
        feasible = feasible_moves(deltas) if moves.partial else np.full(deltas.shape, True)
        k = lowest(self.scan, walk, np.maximum(kept["made"] - walk.iteration - 1, -LONGEST - 1), feasible)
        return (k, deltas[k].item()) if k >= 0 else (-1, 0)

    def _random(self, walk: Walk, moves: NeighborhoodEvaluator) -> tuple[int, Any]:
        """The first feasible move of a few random ones; -1 if none is feasible."""
        random = walk.random(Stream.PERTURBATION)
        for draw in range(3, 3 + TRIES):
            k = random.index(draw, moves.size)
            delta = moves.delta(walk.current, k)
            if delta is not None:
                return k, delta
        return -1, 0

    def _make(self, state: LoopState, moves: NeighborhoodEvaluator, k: int, delta: Any, evaluated: int) -> LoopState:
        if k < 0:
            walk = state.walk.stay(evaluated)
        else:
            state.kept["made"][k] = state.walk.iteration + 1
            walk = state.walk.make_move(moves.neighborhood, k, delta, evaluated)
        return LoopState(walk, {**state.kept, "scan": at_walk(state.kept["scan"], walk)})

    def enter(self, state: LoopState, walk: Walk) -> LoopState:
        """Begin a descent; the iterations of moves are remembered."""
        state.kept["left"][()] = 0
        return LoopState(walk, {**state.kept, "scan": at_walk(state.kept["scan"], walk)})

    def ending(self, state: LoopState) -> str:
        return "no moves"
