"""Scan: choose among a whole neighborhood, one move an iteration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, cast, final

import numpy as np
from attrs import evolve, field, frozen

from metaheur.errors import InputError
from metaheur.evaluators.evaluator import Evaluator, NeighborhoodEvaluator, feasible_moves, largest
from metaheur.fields import Array
from metaheur.loops.loop import Loop
from metaheur.neighborhood import Neighborhood, neighborhood_field, resamples
from metaheur.parts import Acceptance, Always, Aspiration, BestSoFar, Lowest, Memory, NoMemory, Selection
from metaheur.parts.acceptance.by_level import Weighs
from metaheur.parts.memory.frequency_memory import MOST
from metaheur.random import Stream
from metaheur.representation import Representation, Solution
from metaheur.search import LoopState
from metaheur.validate import whole_field
from metaheur.walk import Walk

__all__ = ["Scan"]

MANY = 1 << 39
"""The number of moves must be below this for a random choice among equals: 24 of 63 bits are random."""

LONGEST = 2**31 - 2
"""The longest time for which a move can be forbidden."""

TRIES = 16
"""Where the memory escapes, the first feasible one of so many random moves is made."""


@final
@frozen
class Scan(Loop):
    """Evaluate all moves, and make the best move that the memory admits or that aspires.

    One iteration: of the moves that are not forbidden or that aspire, the move of lowest score is chosen, and among
    equals the move of lowest index. Where the aspiration `precedes`, moves that aspire are chosen before all others;
    where it `takes_first`, all moves that aspire are equals. If every move is forbidden, the iteration counts and no
    move is made, unless `least_tabu`. If the chosen move is not accepted, no move is made either, and the scan ends if
    it `ends_where_refused`. Where the memory escapes, a random move is made instead.

    Parameters
    ----------
    neighborhood : Neighborhood
        The moves.
    memory : Memory, default NoMemory()
        Which moves are forbidden.
    aspiration : Aspiration, default BestSoFar()
        Which forbidden moves are made all the same.
    selection : Selection, default Lowest()
        The score of a move.
    acceptance : Acceptance, default Always()
        Whether the chosen move is made. `AdaptedWeights` also make the scores, with the selection `Lowest`.
    ends_where_refused : bool, default False
        Whether the scan is over where the chosen move is refused: the solution is then a local optimum. Where the
        selection is not `monotone`, the acceptance is asked about the move of lowest cost, too.
    least_tabu : bool, default False
        Whether, if every move is forbidden, the move that is forbidden for the shortest time is made.
    random_ties : bool, default False
        Whether one of the moves of lowest score is chosen at random, instead of the move of lowest index. There must be
        fewer than 2**39 moves.
    horizon : int, default 2**30
        Iterations after which the C++ half counts expiries from a later base, so that 32 bits hold them. No walk
        depends on it.
    """

    neighborhood: Neighborhood = neighborhood_field()
    memory: Memory = field(factory=NoMemory)
    aspiration: Aspiration = field(factory=BestSoFar)
    selection: Selection = field(factory=Lowest)
    acceptance: Acceptance = field(factory=Always)
    ends_where_refused: bool = field(default=False, kw_only=True)
    least_tabu: bool = field(default=False, kw_only=True, metadata={"python only": True})
    random_ties: bool = field(default=False, kw_only=True, metadata={"python only": True})
    horizon: int = whole_field(
        1, 1 << 30, default=1 << 30, kw_only=True, repr=False, metadata={"python only": True, "saved": False}
    )

    facts: ClassVar[tuple[str, ...]] = (*Loop.facts, "least_tabu", "random_ties")
    source: ClassVar[str] = "scan.cuh"
    divides: ClassVar[bool] = True

    def __attrs_post_init__(self) -> None:
        """Refuse a memory that does not fit the moves."""
        self.memory.require(self.neighborhood)
        if self._weighs and (self.memory.penalises or self.selection != Lowest()):
            raise InputError(
                f"{type(self.acceptance).__name__} weighs changes of cost, which {self.memory!r} or {self.selection!r} "
                "changes, too.",
                "use a memory without penalties, and Lowest().",
            )

    @property
    def _weighs(self) -> bool:
        return hasattr(type(self.acceptance), "weighed")

    @property
    def descends(self) -> bool:
        return self.acceptance.improves

    @property
    def endless(self) -> bool:
        return not self.ends_where_refused

    @property
    def scans(self) -> Neighborhood | None:
        return None if self.memory.forbids or self.random_ties or self._weighs else self.neighborhood

    def cache(self, representation: Representation) -> Mapping[str, Array]:
        """For every move its change of cost, and its expiry minus a base; and the move made last, or -1.

        `oldest` is an iteration: until the next call of `prepare`, no expiry is earlier. It is an array of one entry,
        since a GPU would keep a number in registers. Only scans that may look for moves absent for long have it.
        """
        size = max(1, self.neighborhood.size(representation))
        if self.random_ties and size >= MANY:
            raise InputError(
                f"{self.neighborhood!r} on {representation!r} has {size} moves: too many for random ties (2**39).",
                "use a sample: Sampled(..., 1000).",
            )
        tracks, rule = self.memory.forbids and self.memory.local, self.aspiration
        return {
            "table": Array((size,), divided=True, table=True),
            "expiries": Array((size if tracks else 1,), "int32", divided=True, table=True),
            "base": Array((), "int64"),
            **({"oldest": Array((1,), "int64")} if rule.precedes and not rule.takes_first else {}),
            "made": Array((), "int64"),
        }

    def constants(self, representation: Representation) -> Mapping[str, int]:
        """The `horizon`: the C++ half alone needs it."""
        return {"horizon": self.horizon}

    def step(self, state: LoopState, evaluate: Evaluator) -> LoopState:
        walk, moves = state.walk, evaluate.of(self.neighborhood)
        if resamples(self.neighborhood):
            moves = moves.resampled(self.neighborhood.resampled(walk.random(Stream.SAMPLE)))
        size = moves.size
        if self.memory.escapes(state.kept["memory"]):
            return escape(self.memory, state, moves)
        k, delta = choose(self, state, moves)
        if k < 0:
            return state.after(walk.stay(size), finished=not self.memory.forbids or not size)
        accepted = self._accepts(state, delta)
        if not accepted and self.ends_where_refused and not self.selection.monotone:
            k, delta = choose(evolve(self, selection=Lowest()), state, moves)
            accepted = self._accepts(state, delta)
        cost = walk.current.cost + delta if accepted else walk.current.cost
        self.acceptance.record(state.kept["acceptance"], accepted, cost, min(cost, walk.best.cost))
        if not accepted:
            return state.after(walk.stay(size), finished=self.ends_where_refused)
        return state.after(make(self.memory, state, moves, k, delta, size))

    def _accepts(self, state: LoopState, delta: Any) -> bool:
        """Whether the change of cost is accepted."""
        walk = state.walk
        draw = walk.random(Stream.ACCEPTANCE).bits(0) if self.acceptance.draws else 0
        return bool(self.acceptance.accepts(state.kept["acceptance"], delta, walk.current.cost, walk.best.cost, draw))

    def scores(self, state: LoopState, moves: NeighborhoodEvaluator, deltas: np.ndarray) -> np.ndarray:
        """The scores by which moves are compared."""
        if self.memory.penalises:
            wide = deltas if deltas.dtype.kind == "f" else deltas.astype(np.int64)
            penalty = self._asked(state, moves, self.memory.penalty)
            deltas = np.where((wide >= 0) & (wide < MOST), wide + penalty, wide)
        if self._weighs:
            deltas = cast(Weighs, self.acceptance).weighed(state.kept["acceptance"], deltas)
        scores: np.ndarray = self.selection.score(deltas)
        return scores

    def candidates(
        self, state: LoopState, moves: NeighborhoodEvaluator, deltas: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """The scores by which moves are compared, and which moves may be made."""
        scores, walk = self.scores(state, moves, deltas), state.walk
        if not self.memory.forbids:
            return scores, np.full(deltas.shape, True)
        iteration, gap = walk.iteration + 1, walk.best.cost - walk.current.cost
        expiry = self.expiries(state, moves)
        since = np.maximum(expiry, walk.began) if walk.began else expiry
        aspiring = self.aspiration.fitted(walk.current.representation).aspires(deltas, gap, since, iteration)
        if moves.partial:
            aspiring &= feasible_moves(deltas)
        if self.aspiration.takes_first:
            aspiring &= deltas < gap
        if not self.aspiration.precedes:
            return scores, aspiring | (expiry < iteration)
        if np.count_nonzero(aspiring):
            return np.zeros_like(scores) if self.aspiration.takes_first else scores, aspiring
        return scores, expiry < iteration

    def expiries(self, state: LoopState, moves: NeighborhoodEvaluator) -> np.ndarray:
        """The last iteration in which each move is forbidden, in index order."""
        return self._asked(state, moves, self.memory.expiry)

    def _asked(self, state: LoopState, moves: NeighborhoodEvaluator, question: Any) -> np.ndarray:
        """The memory's answer about each move, in index order; 0 for infeasible moves."""
        x: Solution = state.walk.current.solution
        kept = state.kept["memory"]
        if self.memory.by_index:
            return np.asarray(question(kept, x, np.arange(moves.size)))
        batch = moves.moves
        if batch is not NotImplemented:
            return np.asarray(question(kept, x, batch))
        space = state.walk.current.representation
        leaves = (moves.neighborhood.move(space, k).resolve(x) for k in range(moves.size))
        return np.fromiter((0 if leaf is None else question(kept, x, leaf) for leaf in leaves), np.int64, moves.size)

    def ending(self, state: LoopState) -> str:
        return "no improvement in the sample" if resamples(self.neighborhood) else "local optimum"

    def forbidden(self, state: LoopState, evaluate: Evaluator) -> np.ndarray | None:
        if not self.memory.forbids or resamples(self.neighborhood):
            return None
        expiry = self.expiries(state, evaluate.of(self.neighborhood))
        return expiry > state.walk.iteration


def choose(scan: Scan, state: LoopState, moves: NeighborhoodEvaluator) -> tuple[int, Any]:
    """The index and the change of cost of the move to make; index -1 if there is no move, or all are forbidden."""
    walk = state.walk
    if scan.scans is not None:
        return moves.best(walk.current, scan.selection)
    deltas = moves.deltas(walk.current)
    if not deltas.size:
        return -1, 0
    scores, admitted = scan.candidates(state, moves, deltas)
    if moves.partial:
        admitted &= feasible_moves(deltas)
    k = lowest(scan, walk, scores, admitted)
    if k < 0 and scan.memory.forbids and scan.least_tabu:
        feasible = feasible_moves(deltas) if moves.partial else np.full(deltas.shape, True)
        k = lowest(scan, walk, np.minimum(scan.expiries(state, moves) - walk.iteration - 1, LONGEST), feasible)
    return (k, deltas[k].item()) if k >= 0 else (-1, 0)


def lowest(scan: Scan, walk: Walk, scores: np.ndarray, admitted: np.ndarray) -> int:
    """The admitted move of lowest score, among equals of lowest index or at random; -1 if no move is admitted."""
    scores = np.where(admitted, scores, largest(scores.dtype))
    k = int(scores.argmin())
    if not admitted[k]:
        return -1
    if not scan.random_ties:
        return k
    equals = np.flatnonzero(admitted & (scores == scores[k]))
    return int(equals[np.argmin(shuffled(equals, walk.random(Stream.TIES).bits(0)))])


def make(  # noqa: PLR0913, PLR0917 - a move and where it is made
    memory: Memory, state: LoopState, moves: NeighborhoodEvaluator, k: int, delta: Any, evaluated: int
) -> Walk:
    """Make and remember the move with index k."""
    walk, kept, space = state.walk, state.kept["memory"], state.walk.current.representation
    move = moves.neighborhood.move(space, k)
    if memory.forbids:
        told: Any = move.resolve(walk.current.solution)
        if memory.by_index:
            told = moves.neighborhood.index(space, move.inverse()) if memory.reverses else k
        memory.remember(kept, walk.current.solution, told, walk.random(Stream.MEMORY))
    after = walk.make_move(moves.neighborhood, k, delta, evaluated, move)
    memory.visit(kept, after.current.solution, walk.random(Stream.ESCAPE))
    return after


def escape(memory: Memory, state: LoopState, moves: NeighborhoodEvaluator) -> LoopState:
    """The state after a random move: the first feasible one of a few."""
    walk = state.walk
    if not moves.size:
        return state.after(walk.stay(0), finished=True)
    for draw in range(1, TRIES + 1):
        k = walk.random(Stream.ESCAPE).index(draw, moves.size)
        delta = moves.delta(walk.current, k)
        if delta is not None:
            return state.after(make(memory, state, moves, k, delta, draw))
    return state.after(walk.stay(TRIES))


def shuffled(indices: np.ndarray, bits: int) -> np.ndarray:
    """Indices below 2**39 with 24 random bits before them, which depend on `bits`; the twin of `shuffled` in C++."""
    wide = indices.astype(np.uint64)
    h = ((wide ^ wide >> np.uint64(32)).astype(np.uint32) ^ np.uint32(bits)) * np.uint32(0x9E3779B1)
    h = (h ^ h >> np.uint32(16)) * np.uint32(0x85EBCA6B)
    h = (h ^ h >> np.uint32(13)) * np.uint32(0xC2B2AE35)
    return np.asarray((h ^ h >> np.uint32(16)).astype(np.int64) >> 8 << 39 | indices)
