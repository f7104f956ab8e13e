"""Conflict scan: choose among the moves of positions in conflict, one move an iteration."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import ClassVar, Protocol, cast, final, runtime_checkable

import numpy as np
from attrs import field, frozen

from metaheur.errors import InputError
from metaheur.evaluators.evaluator import Evaluator, feasible_moves
from metaheur.fields import Array
from metaheur.loops.loop import Loop
from metaheur.loops.scan import Scan, escape, lowest, make
from metaheur.neighborhood import Neighborhood
from metaheur.parts import Aspiration, BestSoFar, Memory, NoMemory
from metaheur.parts.choice.group import grouped, grouped_field
from metaheur.problem import Problem
from metaheur.representation import Representation, Solution
from metaheur.search import LoopState
from metaheur.validate import instance_field, true_or_false

__all__ = ["ConflictScan", "KnowsConflicts"]

MOST = 2**31 - 1

USUAL = 16
"""Of so many positions, one is in conflict in a good solution: of 500 vertices every ninth to
twelfth, and fewer near the end."""


@runtime_checkable
class KnowsConflicts(Protocol):
    """A problem that knows which positions of a solution are in conflict; `ConflictScan` needs one."""

    def conflicting(self, x: Solution) -> np.ndarray:
        """Whether each position is in conflict, such as a vertex with a neighbor of its own color.

        In C++: ``bool conflicts(const Item* x, State s, int position) const``.

        `x`, shape (n,): a solution. Returns bool, shape (n,).
        """


@final
@frozen
class ConflictScan(Loop):
    """Evaluate the moves of all positions in conflict, and make the best move that the memory admits or that aspires.

    Among equals, the move of lowest index is chosen. If every move is forbidden, the iteration counts and no move is
    made. The scan is over where no position is in conflict. Where the memory escapes, a random move of the whole
    neighborhood is made instead.

    Parameters
    ----------
    neighborhood : Neighborhood
        Moves whose group k has the moves of position k, as many for each position: Substitution().
    memory : Memory, default NoMemory()
        Which moves are forbidden.
    aspiration : Aspiration, default BestSoFar()
        Which forbidden moves are made all the same; not one that precedes other moves, as `LongTerm` does.
    random_ties : bool, default False
        Whether one of the best moves is chosen at random, instead of the move of lowest index.

    Notes
    -----
    S. Minton, M. D. Johnston, A. B. Philips and P. Laird, "Minimizing conflicts", Artificial Intelligence 58, 1992;
    with a tabu list: P. Galinier and J.-K. Hao, "Tabu search for maximal constraint satisfaction problems", Principles
    and Practice of Constraint Programming, 1997.
    """

    neighborhood: Neighborhood = grouped_field()
    memory: Memory = instance_field(Memory, "use PlacementMemory().", factory=NoMemory)
    aspiration: Aspiration = instance_field(Aspiration, "use BestSoFar().", factory=BestSoFar)
    random_ties: bool = field(default=False, validator=true_or_false, kw_only=True, metadata={"python only": True})

    facts: ClassVar[tuple[str, ...]] = (*Loop.facts, "random_ties")
    source: ClassVar[str] = "conflict_scan.cuh"
    keeps_feasible: ClassVar[bool] = False
    asks: ClassVar[tuple[str, ...]] = ("conflicts",)

    def __attrs_post_init__(self) -> None:
        """Refuse a memory that does not fit the moves, and an aspiration that looks at all moves."""
        if self.memory.penalises:
            raise InputError(f"ConflictScan compares moves by their changes of cost, but {self.memory!r} adds to them.")
        if self.aspiration.precedes:
            raise InputError(
                f"{self.aspiration!r} looks for moves of all positions, but ConflictScan has those in conflict.",
                "use BestSoFar().",
            )
        self.memory.require(self.neighborhood)

    def examines(self, moves: int) -> int:
        return moves // USUAL

    @cached_property
    def _whole(self) -> Scan:
        """The scan of all positions, which admits and compares moves in the same way."""
        return Scan(self.neighborhood, self.memory, self.aspiration, random_ties=self.random_ties)

    def require(self, problem: Problem) -> None:
        """Refuse a problem that does not know its conflicts, and moves that are not grouped by position."""
        super().require(problem)
        if not isinstance(problem, KnowsConflicts):
            raise InputError(
                f"{type(problem).__name__} does not say which positions are in conflict.",
                "write its method `conflicting`, or scan all moves.",
            )
        space, groups = problem.representation, grouped(self.neighborhood)
        lengths = {len(groups.group(space, g)) for g in range(groups.groups(space))}
        if groups.groups(space) != space.length or len(lengths) > 1 or self.neighborhood.size(space) > MOST:
            raise InputError(
                f"{self.neighborhood!r} on {space!r} does not have a group of as many moves for each position, "
                f"at most {MOST} moves in all.",
                "use Substitution().",
            )

    def cache(self, representation: Representation) -> Mapping[str, Array]:
        """The positions in conflict, in order."""
        return {"positions": Array((representation.length,), "int32")}

    def step(self, state: LoopState, evaluate: Evaluator) -> LoopState:
        walk, moves, problem = state.walk, evaluate.of(self.neighborhood), cast(KnowsConflicts, evaluate.problem)
        space, x = walk.current.representation, walk.current.solution
        if self.memory.escapes(state.kept["memory"]):
            return escape(self.memory, state, moves)
        each = self.neighborhood.size(space) // space.length
        considered = np.repeat(np.asarray(problem.conflicting(x), bool), each)
        size = int(np.count_nonzero(considered))
        if not size:
            return state.after(walk.stay(0), finished=True)
        deltas = moves.deltas(walk.current)
        scores, admitted = self._whole.candidates(state, moves, deltas)
        admitted = admitted & considered & feasible_moves(deltas)
        k = lowest(self._whole, walk, scores, admitted)
        if k < 0:
            return state.after(walk.stay(size))
        return state.after(make(self.memory, state, moves, k, deltas[k].item(), size))

    def ending(self, state: LoopState) -> str:
        return "no conflicts"
