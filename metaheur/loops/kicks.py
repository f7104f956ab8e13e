"""Kicks: kick a local optimum, repair it where it was changed, and accept it or undo what was done."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import Any, ClassVar, final

from attrs import Attribute, field, frozen

from metaheur.errors import InputError
from metaheur.evaluators.evaluator import Evaluator
from metaheur.fields import COUNT, Array
from metaheur.loops.candidate_descent import CandidateDescent, evaluated
from metaheur.loops.loop import Loop
from metaheur.neighborhood import Neighborhood
from metaheur.parts import Acceptance, BetterOrEqual, Reversals
from metaheur.problem import Problem
from metaheur.random import Stream
from metaheur.representation import Representation
from metaheur.runners.driven import LoopState
from metaheur.tours.tour import Tour
from metaheur.validate import whole_field
from metaheur.walk import Walk

__all__ = ["Kicks"]


@final
@frozen(eq=False)
class Kicks(Loop):
    """Iterated local search that pays for what a kick touches: no solution is copied, none is evaluated in full.

    The first iteration is a descent from the start. Each one after it reverses segments (the kick), descends from the
    ends of the edges that the kick changed, and asks whether the local optimum is accepted; if not, the reversals are
    undone in the opposite order. It never ends by itself, unless its acceptance does.

    Parameters
    ----------
    descent : CandidateDescent
        Leads to a local optimum.
    perturbation : Reversals
        The kick, such as DoubleBridge(50).
    acceptance : Acceptance, default BetterOrEqual()
        Whether a local optimum replaces the one before. It is asked with the difference of both costs, and takes note
        of the first local optimum, too.
    room : int, default 512
        Reversals that the C++ half notes to undo a kick and its repair, which make some tens; where there are more, it
        keeps a copy of the tour. No walk depends on it.
    """

    descent: CandidateDescent = field()
    perturbation: Reversals = field()
    acceptance: Acceptance = field(factory=BetterOrEqual)
    room: int = whole_field(
        1, 1 << 20, default=512, kw_only=True, repr=False, metadata={"python only": True, "saved": False}
    )

    source: ClassVar[str] = "kicks.cuh"

    @descent.validator
    def _is_descent(self, _: Attribute[Any], value: Any) -> None:
        if not isinstance(value, CandidateDescent):
            raise InputError(
                f"`descent` must be a CandidateDescent, but is {value!r}.", "use IteratedLocalSearch around any search."
            )

    @perturbation.validator
    def _reverses(self, _: Attribute[Any], value: Any) -> None:
        if not isinstance(value, Reversals):
            raise InputError(
                f"`perturbation` must be made of reversals, but is {value!r}.",
                "use DoubleBridge(50), or IteratedLocalSearch for other perturbations.",
            )

    @property
    def neighborhoods(self) -> tuple[Neighborhood, ...]:
        return (*self.descent.neighborhoods, *self.perturbation.neighborhoods)

    def require(self, problem: Problem) -> None:
        """Refuse what the descent and the perturbation refuse."""
        self.descent.require(problem)
        self.perturbation.require(problem)

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`rounds`: the local optima so far."""
        return {"rounds": Array((), "int64", within=COUNT)}

    def cache(self, representation: Representation) -> Mapping[str, Array]:
        """The journal of a kick, and a tour for those that it has no room for."""
        return {
            "journal": Array((2 * self.room,), "int32", far=True),
            "home": Array((representation.length,), "item", far=True),
        }

    @property
    def reads_state(self) -> bool:
        return False

    def enter(self, state: LoopState, walk: Walk) -> LoopState:
        state.kept["rounds"][()] = 0
        return LoopState(walk, {**state.kept, "descent": LoopState(walk)})

    def step(self, state: LoopState, evaluate: Evaluator) -> LoopState:
        return self.kick(state, self.descent.tour(state.walk.current, evaluate))

    def kick(self, state: LoopState, tour: Tour, most: int | float = inf) -> LoopState:
        """The state after a kick of a tour and its repair.

        Parameters
        ----------
        state : LoopState
            Before it.
        tour : Tour
            The walk's, whose items do not wait; written.
        most : int or float, default inf
            By how much a reversal may make the tour dearer. Where one would by more, an edge that must stay was cut,
            and the kick is refused as it is.
        """
        walk, kept = state.walk, state.kept
        before, n, whole = walk.current, walk.current.representation.length, True
        cost = before.cost
        if kept["rounds"][()]:
            for i, last in self.perturbation.reversals(walk.random(Stream.PERTURBATION), n):
                if i < last and whole:
                    change = _reversed(tour, i, last)
                    cost += change
                    whole = change <= most
        else:
            tour.wait(*tour.items)
        cost = self.descent.descend(tour, cost) if whole else cost
        draw = walk.random(Stream.ACCEPTANCE).bits(0) if self.acceptance.draws else 0
        accepted = not kept["rounds"][()] or (
            whole
            and bool(self.acceptance.accepts(kept["acceptance"], cost - before.cost, before.cost, walk.best.cost, draw))
        )
        after = evaluated(tour, before, cost) if accepted else before
        self.acceptance.record(kept["acceptance"], accepted, after.cost, min(after.cost, walk.best.cost))
        kept["rounds"][()] += 1
        there = walk.go_to(after, tour.evaluated)
        kept = {**kept, "descent": LoopState(there)}
        return LoopState(there, kept, self.acceptance.ended(kept["acceptance"]))

    def ending(self, state: LoopState) -> str:
        return "schedule ended"


def _reversed(tour: Tour, i: int, last: int) -> int | float:
    """Reverse the positions i ... last, the ends of the edges that change wait; by how much the tour becomes dearer."""
    a, b, c, d = (tour.items[p] for p in (i - 1, i, last, (last + 1) % len(tour.items)))
    tour.reverse(i, last)
    tour.wait(a, b, c, d)
    change: int | float = tour.edge(a, c) + tour.edge(b, d) - tour.edge(a, b) - tour.edge(c, d)
    return change
