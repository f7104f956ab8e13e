"""Scan: choose among a whole neighborhood, one move an iteration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, final

import numpy as np
from attrs import field, frozen

from metaheur.evaluator import Evaluator, largest
from metaheur.neighborhood import Neighborhood
from metaheur.parts import Acceptance, Always, Aspiration, Forgetful, Lowest, Memory, Selection
from metaheur.random import Key
from metaheur.search import Incumbent, Search, Walk

__all__ = ["Scan", "ScanState"]

MEMORY_STREAM = 1
"""The stream of random numbers from which a scan's memory draws."""


SAMPLE_STREAM = 2
"""The stream from which a sampled neighborhood draws the moves of a step."""


@final
@frozen(eq=False)
class ScanState:
    """Where a scan stands.

    Parameters
    ----------
    walk : Walk
        The way so far.
    kept : mapping of str to numpy.ndarray
        The memory's arrays.
    local_optimum : bool
        Whether the last iteration found no move to make.
    """

    walk: Walk
    kept: Mapping[str, np.ndarray]
    local_optimum: bool = False


@final
@frozen
class Scan(Search[ScanState]):
    """Evaluate all moves, make the best one that memory admits or aspiration wants.

    One iteration: of the moves that are not forbidden, and those that would beat the best cost, the one of lowest score
    is chosen, and among equals the one of lowest index. Where moves are long due (`Aspiration`), only they and those
    that would beat the best cost are looked at. If every move is forbidden the iteration counts and nothing moves. If
    the chosen move is not accepted, the solution is a local optimum and the scan is done.

    Parameters
    ----------
    neighborhood : Neighborhood
        The moves.
    memory : Memory, default Forgetful()
        What is forbidden.
    aspiration : Aspiration, default Aspiration()
        What is made all the same.
    selection : Selection, default Lowest()
        The score of a move.
    acceptance : Acceptance, default Always()
        Whether the chosen move is made.
    """

    neighborhood: Neighborhood
    memory: Memory = field(factory=Forgetful)
    aspiration: Aspiration = field(factory=Aspiration)
    selection: Selection = field(factory=Lowest)
    acceptance: Acceptance = field(factory=Always)

    def __attrs_post_init__(self) -> None:
        """Refuse a memory that does not fit the moves."""
        if isinstance(self.neighborhood, Neighborhood):
            self.memory.require(self.neighborhood)

    @property
    def loop(self) -> Scan:
        """The scan itself."""
        return self

    def init(self, start: Incumbent, key: Key) -> ScanState:
        """Nothing is forbidden yet."""
        declared = self.memory.state(start.representation)
        return ScanState(
            Walk(key, start, start), {name: np.zeros(kept.shape, kept.dtype) for name, kept in declared.items()}
        )

    def step(self, state: ScanState, evaluate: Evaluator) -> ScanState:
        """One iteration; the memory's arrays are written in place."""
        walk = state.walk
        neighborhood, representation = self.neighborhood, walk.current.representation
        if neighborhood.changing:
            neighborhood = neighborhood.at(walk.random(SAMPLE_STREAM))
            evaluate = evaluate.of(neighborhood)
        if isinstance(self.memory, Forgetful):
            k, delta = evaluate.best(walk.current, self.selection)
        else:
            k, delta = self._choose(state, evaluate)
        if k < 0:
            nothing = isinstance(self.memory, Forgetful) or not evaluate.size
            return ScanState(walk.stay(evaluate.size), state.kept, nothing)
        if not self.acceptance.accepts(delta):
            return ScanState(walk.stay(evaluate.size), state.kept, True)
        move = neighborhood.move(representation, k)
        self.memory.remember(state.kept, walk.current.solution, move, walk.random(MEMORY_STREAM))
        return ScanState(walk.go(k, move, delta, evaluate.size), state.kept)

    def _choose(self, state: ScanState, evaluate: Evaluator) -> tuple[int, Any]:
        """The index and the change of cost of the move to make; -1 where every move is forbidden."""
        walk = state.walk
        iteration = walk.iteration + 1
        deltas = evaluate.deltas(walk.current)
        if not deltas.size:
            return -1, 0
        expiry = self.memory.expiry(state.kept, walk.current.solution, evaluate.moves)
        aspired = deltas < walk.best.cost - walk.current.cost  # those that would beat the best cost
        admitted = aspired | (expiry < iteration)
        if self.aspiration.long_term is not None:
            aspired |= self.aspiration.due(expiry, iteration)
            admitted = aspired if aspired.any() else admitted
        if evaluate.neighborhood.partial:
            admitted &= deltas < largest(deltas.dtype)
        scores = np.where(admitted, self.selection.score(deltas), largest(deltas.dtype))
        k = int(np.argmin(scores))
        return (k, deltas[k].item()) if admitted[k] else (-1, 0)

    def done(self, state: ScanState) -> bool:
        """Whether the walk stands on a local optimum."""
        return state.local_optimum
