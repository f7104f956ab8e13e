"""First: make the first accepted move of each iteration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, final

import numpy as np
from attrs import Attribute, field, frozen

from metaheur.errors import InputError
from metaheur.evaluators.evaluator import Evaluator, NeighborhoodEvaluator, feasible_moves
from metaheur.fields import Array
from metaheur.loops.loop import Loop
from metaheur.loops.order import CyclicOrder, MoveOrder, RandomOrder
from metaheur.neighborhood import Neighborhood, neighborhood_field
from metaheur.parts import Acceptance, Improving
from metaheur.random import Stream
from metaheur.representation import Representation
from metaheur.runners.driven import LoopState
from metaheur.validate import choice_field

__all__ = ["First"]

SINGLY = 32
"""Number of moves that Python evaluates one by one before it evaluates the whole neighborhood."""


@final
@frozen
class First(Loop):
    """Examine moves one after the other, and make the first accepted one.

    One iteration makes one move; it counts the examined moves as evaluated. If no move is accepted, the loop ends: the
    solution is a local optimum of the whole neighborhood.

    Parameters
    ----------
    neighborhood : Neighborhood
        The moves, the same in every step.
    acceptance : Acceptance, default Improving()
        Accepts moves. It must not draw random numbers, and records only the move that is made.
    order : {"cyclic", "random"}, default "cyclic"
        "cyclic": by index, from the index after the last made move on. "random": in a random order, drawn in every
        iteration, so that all acceptable moves have (nearly) the same probability to be made.
    """

    neighborhood: Neighborhood = neighborhood_field(steady=True)
    acceptance: Acceptance = field(factory=Improving)
    order: str = choice_field("cyclic", "random", default="cyclic")

    source: ClassVar[str] = "first.cuh"

    @acceptance.validator
    def _is_certain(self, _: Attribute[Any], value: Any) -> None:
        if not isinstance(value, Acceptance) or value.draws:
            raise InputError(
                f"`First.acceptance` must be an Acceptance that draws no random numbers, but is {value!r}.",
                "use Improving(), or a Trial.",
            )

    @property
    def descends(self) -> bool:
        return self.acceptance.improves

    @property
    def neighborhoods(self) -> tuple[Neighborhood, ...]:
        return (self.neighborhood,)

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`cursor`, the index after the last made move."""
        return {"cursor": Array((), "int64", within=(0, max(0, self.neighborhood.size(representation) - 1)))}

    def step(self, state: LoopState, evaluate: Evaluator) -> LoopState:
        walk, moves = state.walk, evaluate.of(self.neighborhood)
        size, kept = moves.size, state.kept["acceptance"]
        order = self._order(state, size)
        place, k, delta = self._find(order, moves, state)
        if k < 0:
            return state.after(walk.stay(size), finished=True)
        state.kept["cursor"][()] = (k + 1) % size
        after = walk.make_move(self.neighborhood, k, delta, place + 1)
        self.acceptance.record(kept, True, after.current.cost, after.best.cost)
        return state.after(after, finished=self.acceptance.ended(kept))

    def _order(self, state: LoopState, size: int) -> MoveOrder:
        if self.order == "random":
            return RandomOrder(size, state.walk.random(Stream.TRIAL))
        return CyclicOrder(size, int(state.kept["cursor"]))

    def _find(self, order: MoveOrder, moves: NeighborhoodEvaluator, state: LoopState) -> tuple[int, int, Any]:
        """Place in the order, index and change of cost of the first accepted move; -1, -1 and 0 if there is none."""
        walk, kept = state.walk, state.kept["acceptance"]
        current, best = walk.current.cost, walk.best.cost
        for place in range(min(SINGLY, moves.size)):
            k = int(order.index(np.array([place]))[0])
            delta = moves.delta(walk.current, k)
            if delta is not None and self.acceptance.accepts(kept, delta, current, best, 0):
                return place, k, delta
        found = -1, -1, 0
        if moves.size <= SINGLY:
            return found
        for first, deltas in moves.chunks(walk.current):
            accepted = np.asarray(self.acceptance.accepts(kept, deltas, current, best, 0)) & feasible_moves(deltas)
            indices = np.flatnonzero(accepted)
            if indices.size:
                places = order.place(indices + first)
                at = int(places.argmin())
                if found[1] < 0 or places[at] < found[0]:
                    found = int(places[at]), int(indices[at]) + first, deltas[indices[at]].item()
        return found

    def ending(self, state: LoopState) -> str:
        return "local optimum"
