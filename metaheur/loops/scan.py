"""Scan: choose among a whole neighborhood, one move an iteration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, final

import numpy as np
from attrs import Attribute, field, frozen

from metaheur.errors import InputError
from metaheur.evaluators.evaluator import Evaluator, NeighborhoodEvaluator, feasible_moves, largest
from metaheur.fields import Array
from metaheur.loops.loop import Loop, LoopState
from metaheur.neighborhood import Neighborhood
from metaheur.parts import Acceptance, Always, Aspiration, BestSoFar, Lowest, Memory, NoMemory, Selection
from metaheur.random import Stream
from metaheur.representation import Representation, Solution

__all__ = ["Scan"]

HORIZON = 1 << 30
"""Iterations that expiries are counted for before the base is moved."""


@final
@frozen
class Scan(Loop):
    """Evaluate all moves, make the best one that memory admits or that aspires.

    One iteration: of the moves that are not forbidden, and those that aspire, the one of lowest score is chosen, and
    among equals the one of lowest index. Where the aspiration `precedes`, moves that aspire are chosen before all
    others. If every move is forbidden the iteration counts and nothing moves. If the chosen move is not accepted,
    nothing moves either, and the scan ends if it `ends_where_refused`.

    Parameters
    ----------
    neighborhood : Neighborhood
        The moves.
    memory : Memory, default NoMemory()
        What is forbidden.
    aspiration : Aspiration, default BestSoFar()
        What is made all the same.
    selection : Selection, default Lowest()
        The score of a move.
    acceptance : Acceptance, default Always()
        Whether the chosen move is made.
    ends_where_refused : bool, default False
        Whether the scan is over where the chosen move is refused: the solution is then a local optimum.
    """

    neighborhood: Neighborhood = field()
    memory: Memory = field(factory=NoMemory)
    aspiration: Aspiration = field(factory=BestSoFar)
    selection: Selection = field(factory=Lowest)
    acceptance: Acceptance = field(factory=Always)
    ends_where_refused: bool = field(default=False, kw_only=True)

    source: ClassVar[str] = "scan.cuh"

    @neighborhood.validator
    def _is_one(self, _: Attribute[Any], value: Any) -> None:
        require_neighborhood(value)

    def __attrs_post_init__(self) -> None:
        """Refuse a memory that does not fit the moves."""
        self.memory.require(self.neighborhood)

    @property
    def descends(self) -> bool:
        return self.acceptance.improves

    @property
    def divides(self) -> bool:
        return True

    @property
    def scans(self) -> Neighborhood | None:
        return None if self.memory.forbids else self.neighborhood

    @property
    def neighborhoods(self) -> tuple[Neighborhood, ...]:
        return (self.neighborhood,)

    def cache(self, representation: Representation) -> Mapping[str, Array]:
        """The change of cost of every move, and until when it is forbidden, less a base."""
        size = max(1, self.neighborhood.size(representation))
        return {
            "table": Array((size,), divided=True, table=True),
            "expiries": Array((size if self.memory.forbids else 1,), "int32", divided=True, table=True),
            "base": Array((), "int64"),
        }

    def constants(self, representation: Representation) -> Mapping[str, int]:
        """Iterations after which expiries are counted from a later base, so that 32 bits hold them."""
        return {"horizon": HORIZON}

    def step(self, state: LoopState, evaluate: Evaluator) -> LoopState:
        walk, moves = state.walk, evaluate.of(self.neighborhood)
        if self.neighborhood.resamples:
            moves = moves.resampled(self.neighborhood.resampled(walk.random(Stream.SAMPLE)))
        size = moves.size
        k, delta = self._choose(state, moves)
        if k < 0:
            return state.after(walk.stay(size), finished=not self.memory.forbids or not size)
        draw = walk.random(Stream.ACCEPTANCE).bits(0) if self.acceptance.draws else 0
        kept = state.kept["acceptance"]
        accepted = bool(self.acceptance.accepts(kept, delta, walk.current.cost, walk.best.cost, draw))
        cost = walk.current.cost + delta if accepted else walk.current.cost
        self.acceptance.record(kept, accepted, cost, min(cost, walk.best.cost))
        if not accepted:
            return state.after(walk.stay(size), finished=self.ends_where_refused)
        move = moves.neighborhood.move(walk.current.representation, k)
        if self.memory.forbids:
            random = walk.random(Stream.MEMORY)
            self.memory.remember(state.kept["memory"], walk.current.solution, move, random)
        return state.after(walk.make_move(moves.neighborhood, k, delta, size, move))

    def _choose(self, state: LoopState, moves: NeighborhoodEvaluator) -> tuple[int, Any]:
        """The index and the change of cost of the move to make; -1 where there is none, or every one is forbidden."""
        walk = state.walk
        if not self.memory.forbids:
            return moves.best(walk.current, self.selection)
        deltas = moves.deltas(walk.current)
        if not deltas.size:
            return -1, 0
        iteration, gap = walk.iteration + 1, walk.best.cost - walk.current.cost
        expiry = self._expiries(state, moves)
        aspiring = self.aspiration.aspires(deltas, gap, expiry, iteration)
        if self.neighborhood.partial:
            aspiring &= feasible_moves(deltas)
        admitted = aspiring | (expiry < iteration)
        if self.neighborhood.partial:
            admitted &= feasible_moves(deltas)
        if self.aspiration.precedes and aspiring.any():
            admitted = aspiring
        scores = np.where(admitted, self.selection.score(deltas), largest(deltas.dtype))
        k = int(np.argmin(scores))
        return (k, deltas[k].item()) if admitted[k] else (-1, 0)

    def _expiries(self, state: LoopState, moves: NeighborhoodEvaluator) -> np.ndarray:
        """The last iteration in which each move is forbidden, in index order."""
        x: Solution = state.walk.current.solution
        kept, batch = state.kept["memory"], moves.moves
        if batch is not NotImplemented:
            return np.asarray(self.memory.expiry(kept, x, batch))
        space = state.walk.current.representation
        one_by_one = (self.memory.expiry(kept, x, moves.neighborhood.move(space, k)) for k in range(moves.size))
        return np.fromiter(one_by_one, np.int64, moves.size)

    def ending(self, state: LoopState) -> str:
        return "no improvement in the sample" if self.neighborhood.resamples else "local optimum"

    def forbidden(self, state: LoopState, evaluate: Evaluator) -> np.ndarray | None:
        if not self.memory.forbids or self.neighborhood.resamples:
            return None
        expiry = self._expiries(state, evaluate.of(self.neighborhood))
        return expiry > state.walk.iteration


def require_neighborhood(value: Any) -> None:
    """Refuse what is not a neighborhood.

    Raises
    ------
    InputError
        With what it is.
    """
    if not isinstance(value, Neighborhood):
        raise InputError(
            f"`neighborhood` must be a Neighborhood, but is {value!r}.",
            "pass an instance such as Swap(), not the class.",
        )
