"""FlipPhases: a scan of single flips in phases, and perturbations that know the flips of the phase before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, final

import numpy as np
from attrs import Attribute, define, evolve, field, frozen

from metaheur.errors import InputError
from metaheur.evaluators.evaluator import Evaluator, NeighborhoodEvaluator
from metaheur.fields import COUNT, Array
from metaheur.loops.loop import Loop, at_walk
from metaheur.loops.scan import Scan
from metaheur.neighborhood import resamples
from metaheur.part import zeros
from metaheur.parts import Improving, Limit, PhasePerturbation
from metaheur.parts.perturbation.phase_perturbation import Phase
from metaheur.random import Stream
from metaheur.representation import Representation, Solution
from metaheur.search import LoopState
from metaheur.validate import instance_field, true_or_false, whole_field
from metaheur.walk import EvaluatedSolution, Walk

__all__ = ["FlipPhases"]

MOST = 1 << 40
"""The largest number of flips of a bit that a phase can count."""


@final
@frozen
class FlipPhases(Loop):
    """Phases of a scan of all flips of one bit, and a perturbation between two phases.

    One iteration is an iteration of the scan, or a perturbation. The scan's memory and its table of changes of cost
    outlive a phase. The perturbation starts from the solution at the end of a phase, and leads to the start of the
    next.

    Parameters
    ----------
    scan : Scan
        A scan of all flips of one bit, as in ``Hamming(1)``.
    perturbation : PhasePerturbation
        A perturbation such as `EliteFlips` or `SubsetAscent`.
    limit : Limit, default Limit()
        The greatest length of a phase.
    stagnation : int, optional
        A phase ends after `stagnation` · n iterations without an improvement of its best solution.
    to_optimum : bool, default False
        Whether a descent follows each new best solution before the scan continues: in each iteration it makes the next
        improving flip, by index. The scan's memory does not record these flips.
    improving : Improving, default Improving()
        Decides which flips improve.
    """

    scan: Scan = instance_field(Scan)
    perturbation: PhasePerturbation = instance_field(PhasePerturbation, "use EliteFlips().")
    limit: Limit = instance_field(Limit, "use Limit(1000).", factory=Limit)
    stagnation: int | None = whole_field(1, 2**31 - 1, default=None, kw_only=True)

    to_optimum: bool = field(default=False, kw_only=True, validator=true_or_false)
    improving: Improving = instance_field(Improving, "use Improving().", factory=Improving, kw_only=True)

    source: ClassVar[str] = "flip_phases.cuh"
    keeps_feasible: ClassVar[bool] = False
    endless: ClassVar[bool] = True

    @scan.validator
    def _flips(self, _: Attribute[Any], value: Any) -> None:
        kinds = [kind.__name__ for kind in value.neighborhood.move_types] if isinstance(value, Scan) else []
        if kinds != ["FlipMove"] or value.neighborhood.writes != 1 or resamples(value.neighborhood):
            raise InputError(
                f"FlipPhases counts the flips of single bits, but is given {value!r}.", "use Scan(Hamming(1))."
            )

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """The phase's best solution, its flips of each bit, and its first iteration; the place of a descent."""
        n = representation.length
        return {
            "found": Array((n,), "item", costs="found_cost"),
            "found_cost": Array((), "total"),
            "counts": Array((n,), "int64", within=(0, MOST)),
            **dict.fromkeys(("began", "bettered"), Array((), "int64", within=COUNT)),
            "resting": Array((), "bool"),
            "descending": Array((), "bool"),
            "cursor": Array((), "int64", within=(0, n - 1)),
        }

    def cache(self, representation: Representation) -> Mapping[str, Array]:
        """`flips`: the number of flips in a perturbation."""
        return {"flips": Array((), "int64")}

    def begin(self, start: EvaluatedSolution) -> Mapping[str, np.ndarray]:
        own = zeros(self.state(start.representation), start)
        own["found"][:], own["found_cost"][()] = start.solution, start.cost
        return own

    def enter(self, state: LoopState, walk: Walk) -> LoopState:
        self._begin_phase(state.kept, walk)
        return LoopState(walk, {**state.kept, "scan": at_walk(state.kept["scan"], walk)})

    def _begin_phase(self, kept: Mapping[str, Any], walk: Walk) -> None:
        kept["found"][:], kept["found_cost"][()] = walk.current.solution, walk.current.cost
        kept["began"][()] = kept["bettered"][()] = walk.iteration
        kept["counts"][:], kept["resting"][()], kept["descending"][()] = 0, False, False

    def step(self, state: LoopState, evaluate: Evaluator) -> LoopState:
        kept = state.kept
        if kept["resting"][()]:
            return self._restart(state, evaluate.of(self.scan.neighborhood))
        before = state.walk.current.solution
        after = self._descend(state, evaluate) if kept["descending"][()] else self._scan(state, evaluate)
        walk = after.walk
        kept["counts"][:] += before != walk.current.solution
        if walk.current.cost < kept["found_cost"][()]:
            kept["found"][:], kept["found_cost"][()] = walk.current.solution, walk.current.cost
            kept["bettered"][()] = walk.iteration
        age, since = walk.iteration - kept["began"][()], walk.iteration - kept["bettered"][()]
        stuck = self.stagnation is not None and since >= self.stagnation * len(before)
        over = after.finished or stuck or self.limit.reached(age, since)
        kept["resting"][()] = over and not kept["descending"][()]
        return LoopState(walk, {**kept, "scan": after.after(walk)})

    def _scan(self, state: LoopState, evaluate: Evaluator) -> LoopState:
        """The scan's state after a step; a descent begins at a new best solution."""
        after = self.scan.step(at_walk(state.kept["scan"], state.walk), evaluate)
        state.kept["descending"][()] = self.to_optimum and after.walk.improved_at == after.walk.iteration
        state.kept["cursor"][()] = 0
        return after

    def _descend(self, state: LoopState, evaluate: Evaluator) -> LoopState:
        """The scan's state after the next improving flip; if there is none, after a step of the scan."""
        walk, moves = state.walk, evaluate.of(self.scan.neighborhood)
        deltas = moves.deltas(walk.current)
        improves = self.improving.accepts({}, deltas, walk.current.cost, walk.best.cost, 0)
        cursor, n = int(state.kept["cursor"]), len(deltas)
        place = int(np.argmax(np.roll(improves, -cursor)))
        k = (cursor + place) % n
        if not improves[k]:
            return self._scan(LoopState(evolve(walk, evaluated=walk.evaluated + n), state.kept), evaluate)
        state.kept["cursor"][()] = (k + 1) % n
        return at_walk(  # type: ignore[no-any-return]
            state.kept["scan"], walk.make_move(moves.neighborhood, k, deltas[k].item(), place + 1)
        )

    def _restart(self, state: LoopState, moves: NeighborhoodEvaluator) -> LoopState:
        walk, kept = state.walk, state.kept
        flips = _Flips(moves, walk.current)
        phase = Phase(kept["found"], kept["found_cost"][()].item(), kept["counts"])
        self.perturbation.perturb(kept["perturbation"], phase, flips, walk.random(Stream.PERTURBATION))
        moved = walk.go_to(flips.current, flips.made)
        moved = evolve(moved, began=moved.iteration)
        self._begin_phase(kept, moved)
        return LoopState(moved, {**kept, "scan": at_walk(kept["scan"], moved)})

    def ending(self, state: LoopState) -> str:
        return "no moves"


@final
@define(eq=False)
class _Flips:
    """The flips of a perturbation, one bit after the other."""

    moves: NeighborhoodEvaluator
    current: EvaluatedSolution
    made: int = field(default=0, init=False)

    @property
    def solution(self) -> Solution:
        return self.current.solution

    @property
    def deltas(self) -> np.ndarray:
        deltas = self.moves.deltas(self.current)
        return deltas if deltas.dtype.kind == "f" else deltas.astype(np.int64)

    def flip(self, k: int) -> None:
        delta = self.moves.delta(self.current, k)
        assert delta is not None
        self.current = self.current.moved(self.moves.neighborhood, k, delta)
        self.made += 1
