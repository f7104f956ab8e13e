"""First: make the first accepted move of each iteration, or the best of the first few."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple, final

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
from metaheur.search import LoopState
from metaheur.validate import choice_field, whole_field

__all__ = ["First"]

SINGLY = 32
"""Number of moves that Python evaluates one by one before it evaluates the whole neighborhood."""


class AcceptedMoves(NamedTuple):
    """Accepted moves: their places in the order, indices and changes of cost."""

    places: np.ndarray
    indices: np.ndarray
    deltas: np.ndarray

    def with_more(self, others: AcceptedMoves, count: int) -> AcceptedMoves:
        """The `count` moves that come first of these and others."""
        both = [np.concatenate(pair) if len(pair[0]) else pair[1] for pair in zip(self, others, strict=True)]
        if len(both[0]) <= count:
            return AcceptedMoves(*both)
        first = np.argpartition(both[0], count - 1)[:count]
        return AcceptedMoves(*(part[first] for part in both))


@final
@frozen
class First(Loop):
    """Examine moves one after the other until some are accepted, and make the best of these.

    One iteration makes one move; it counts the examined moves as evaluated. Of equally good moves it makes the one that
    comes first in the order. If no move is accepted, the loop ends: the solution is a local optimum of the whole
    neighborhood.

    Parameters
    ----------
    neighborhood : Neighborhood
        The moves, the same in every step.
    acceptance : Acceptance, default Improving()
        Accepts moves. It must not draw random numbers, and records only the move that is made.
    order : {"cyclic", "random"}, default "cyclic"
        "cyclic": by index, from the index after the last made move on. "random": in a random order, drawn in every
        iteration, so that all acceptable moves have (nearly) the same probability to be made.
    count : int, default 1
        After how many accepted moves the examination stops.
    """

    neighborhood: Neighborhood = neighborhood_field(steady=True)
    acceptance: Acceptance = field(factory=Improving)
    order: str = choice_field("cyclic", "random", default="cyclic")
    count: int = whole_field(1, 2**31 - 1, default=1)

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

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`cursor`, the index after the last made move."""
        return {"cursor": Array((), "int64", within=(0, max(0, self.neighborhood.size(representation) - 1)))}

    def step(self, state: LoopState, evaluate: Evaluator) -> LoopState:
        walk, moves = state.walk, evaluate.of(self.neighborhood)
        size, kept = moves.size, state.kept["acceptance"]
        found = self._find(self._order(state, size), moves, state)
        if not len(found.places):
            return state.after(walk.stay(size), finished=True)
        best = np.lexsort((found.places, found.deltas))[0]
        k, delta = int(found.indices[best]), found.deltas[best].item()
        examined = int(found.places.max()) + 1 if len(found.places) == self.count else size
        state.kept["cursor"][()] = (k + 1) % size
        after = walk.make_move(self.neighborhood, k, delta, examined)
        self.acceptance.record(kept, True, after.current.cost, after.best.cost)
        return state.after(after, finished=self.acceptance.ended(kept))

    def _order(self, state: LoopState, size: int) -> MoveOrder:
        if self.order == "random":
            return RandomOrder(size, state.walk.random(Stream.TRIAL))
        return CyclicOrder(size, int(state.kept["cursor"]))

    def _find(self, order: MoveOrder, moves: NeighborhoodEvaluator, state: LoopState) -> AcceptedMoves:
        """The first `count` accepted moves of the order, or all if there are fewer."""
        walk, kept = state.walk, state.kept["acceptance"]
        current, best = walk.current.cost, walk.best.cost
        singly: list[tuple[int, int, Any]] = []
        for place in range(min(SINGLY, moves.size)):
            k = int(order.index(np.array([place]))[0])
            delta = moves.delta(walk.current, k)
            if delta is not None and self.acceptance.accepts(kept, delta, current, best, 0):
                singly.append((place, k, delta))
            if len(singly) == self.count:
                break
        if len(singly) == self.count or moves.size <= SINGLY:
            return AcceptedMoves(*(np.array([each[part] for each in singly]) for part in range(3)))
        found = AcceptedMoves(*np.zeros((3, 0), int))
        for first, deltas in moves.chunks(walk.current):
            accepted = np.asarray(self.acceptance.accepts(kept, deltas, current, best, 0)) & feasible_moves(deltas)
            indices = np.flatnonzero(accepted)
            if indices.size:
                more = AcceptedMoves(order.place(indices + first), indices + first, deltas[indices])
                found = found.with_more(more, self.count)
        return found

    def ending(self, state: LoopState) -> str:
        return "local optimum"
