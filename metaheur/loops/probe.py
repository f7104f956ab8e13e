"""Probe: examine some moves of a neighborhood, one after the other, and make the best of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, final

from attrs import frozen

from metaheur.errors import InputError
from metaheur.evaluators.evaluator import Evaluator, NeighborhoodEvaluator
from metaheur.fields import Array
from metaheur.loops.loop import Loop
from metaheur.loops.scan import escape, make
from metaheur.neighborhood import Neighborhood, neighborhood_field
from metaheur.parts import Aspiration, AspirationPlus, BestSoFar, Memory, NoMemory
from metaheur.representation import Representation
from metaheur.search import LoopState
from metaheur.validate import instance_field

__all__ = ["Probe"]


@final
@frozen
class Probe(Loop):
    """Examine moves by index, from the place where the step before ended, and make the best of them.

    A rule decides how many moves are examined. Of the examined moves that are not forbidden, or that aspire, the one
    with the lowest change of cost is made; among equals, the one examined first. If there is none, the solution stays.
    If the memory escapes, a random move is made instead.

    Parameters
    ----------
    neighborhood : Neighborhood
        The moves, the same in every step.
    memory : Memory, default NoMemory()
        Forbids moves.
    aspiration : Aspiration, default BestSoFar()
        Admits forbidden moves.
    rule : AspirationPlus, default AspirationPlus()
        The number of examined moves: by default, up to the first one that is admitted and improves.
    """

    neighborhood: Neighborhood = neighborhood_field(steady=True)
    memory: Memory = instance_field(Memory, "use EdgeMemory().", factory=NoMemory)
    aspiration: Aspiration = instance_field(Aspiration, "use BestSoFar().", factory=BestSoFar)
    rule: AspirationPlus = instance_field(AspirationPlus, "use AspirationPlus().", factory=AspirationPlus)

    source: ClassVar[str] = "probe.cuh"
    endless: ClassVar[bool] = True

    def __attrs_post_init__(self) -> None:
        """Refuse a memory that does not fit the moves."""
        if self.memory.penalises:
            raise InputError(f"Probe compares moves by their changes of cost, but {self.memory!r} adds to them.")
        self.memory.require(self.neighborhood)

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`cursor`, the index of the first move to examine."""
        return {"cursor": Array((), "int64", within=(0, max(0, self.neighborhood.size(representation) - 1)))}

    def step(self, state: LoopState, evaluate: Evaluator) -> LoopState:
        walk, moves, kept = state.walk, evaluate.of(self.neighborhood), state.kept
        size = moves.size
        if not size:
            return state.after(walk.stay(0), finished=True)
        if self.memory.escapes(kept["memory"]):
            return escape(self.memory, state, moves)
        first, best, place = -1, None, 0
        while place < self.rule.end(first, size):
            k = int(kept["cursor"] + place) % size
            delta = moves.delta(walk.current, k)
            if delta is not None and self._admits(state, moves, k, delta):
                if best is None or delta < best[1]:
                    best = k, delta
                if first < 0 and self.rule.good(delta):
                    first = place
            place += 1
        kept["cursor"][()] = (kept["cursor"] + place) % size
        if best is None:
            return state.after(walk.stay(place))
        return state.after(make(self.memory, state, moves, *best, place))

    def _admits(self, state: LoopState, moves: NeighborhoodEvaluator, k: int, delta: Any) -> bool:
        if not self.memory.forbids:
            return True
        walk, kept = state.walk, state.kept["memory"]
        x = walk.current.solution
        told: Any = k
        if not self.memory.by_index:
            told = moves.neighborhood.move(walk.current.representation, k).resolve(x)
        expiry, iteration = self.memory.expiry(kept, x, told), walk.iteration + 1
        aspiration = self.aspiration.fitted(walk.current.representation)
        gap, since = walk.best.cost - walk.current.cost, max(int(expiry), walk.began)
        aspires = aspiration.aspires(delta, gap, since, iteration)
        return bool(expiry < iteration or aspires)

    def ending(self, state: LoopState) -> str:
        return "no moves"
