"""Kicks: kick a local optimum, repair it where it was changed, and accept the result or undo both."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import Any, ClassVar, final

from attrs import Attribute, field, frozen

from metaheur.errors import InputError
from metaheur.evaluators.evaluator import Evaluator
from metaheur.fields import COUNT, Array
from metaheur.loops.loop import Loop
from metaheur.loops.tour_descent import TourDescent, evaluated
from metaheur.machine.pace import NEVER, Alarm
from metaheur.parts import Acceptance, BetterOrEqual, Reversals
from metaheur.random import Stream
from metaheur.representation import Representation
from metaheur.search import LoopState
from metaheur.tours.tour import Tour
from metaheur.validate import whole_field
from metaheur.walk import Walk

__all__ = ["Kicks"]


@final
@frozen(eq=False)
class Kicks(Loop):
    """Iterated local search with local work: an iteration copies no solution, and evaluates none in full.

    The first iteration is a descent from the start. Each later iteration reverses segments (the kick), descends from
    the ends of the edges that the kick changed, and undoes all reversals in the opposite order if the local optimum is
    not accepted. The search ends only when its acceptance ends.

    Parameters
    ----------
    descent : TourDescent
        The descent to a local optimum.
    perturbation : Reversals
        The kick, such as DoubleBridge(50).
    acceptance : Acceptance, default BetterOrEqual()
        Decides whether a local optimum replaces the one before, by the difference of both costs. It also records the
        first local optimum.
    room : int, default 512
        How many reversals the C++ half notes to undo a kick and its repair, which make some tens of them. Where there
        are more, the C++ half keeps a copy of the tour. No walk depends on it.
    late_from : int, default 50000
        From so many items on, compiled code on a CPU does not copy each new best tour: it notes the reversals since
        then, and copies when there are many. No walk depends on it.
    """

    descent: TourDescent = field()
    perturbation: Reversals = field()
    acceptance: Acceptance = field(factory=BetterOrEqual)
    room: int = whole_field(
        1, 1 << 20, default=512, kw_only=True, repr=False, metadata={"python only": True, "saved": False}
    )

    late_from: int = whole_field(
        1, 1 << 31, default=50_000, kw_only=True, repr=False, metadata={"python only": True, "saved": False}
    )

    source: ClassVar[str] = "kicks.cuh"
    keeps_feasible: ClassVar[bool] = False
    reads_state: ClassVar[bool] = False

    @descent.validator
    def _is_descent(self, _: Attribute[Any], value: Any) -> None:
        if not isinstance(value, TourDescent):
            raise InputError(
                f"`descent` must be a CandidateDescent or LinKernighan, but is {value!r}.",
                "use IteratedLocalSearch around any search.",
            )

    @perturbation.validator
    def _reverses(self, _: Attribute[Any], value: Any) -> None:
        if not isinstance(value, Reversals):
            raise InputError(
                f"`perturbation` must be made of reversals, but is {value!r}.",
                "use DoubleBridge(50), or IteratedLocalSearch for other perturbations.",
            )

    @property
    def endless(self) -> bool:
        return self.acceptance.endless

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`rounds`: the number of local optima so far."""
        return {"rounds": Array((), "int64", within=COUNT)}

    def cache(self, representation: Representation) -> Mapping[str, Array]:
        """The journal of a kick, a tour for kicks with more reversals, and the reversals since the best tour."""
        return {
            "since": Array((2 + 16 * self.room if representation.length >= self.late_from else 1,), "int32", far=True),
            "journal": Array((2 * self.room,), "int32", far=True),
            "home": Array((representation.length,), "item", far=True),
        }

    def enter(self, state: LoopState, walk: Walk) -> LoopState:
        state.kept["rounds"][()] = 0
        return LoopState(walk, {**state.kept, "descent": LoopState(walk)})

    def step(self, state: LoopState, evaluate: Evaluator) -> LoopState:
        return self.kick(state, self.descent.tour(state.walk.current, evaluate), alarm=evaluate.alarm)

    def kick(self, state: LoopState, tour: Tour, most: int | float = inf, alarm: Alarm = NEVER) -> LoopState:
        """The state after a kick of a tour and its repair.

        Parameters
        ----------
        state : LoopState
            The state before the kick.
        tour : Tour
            The tour of the walk, with an empty queue; it is written.
        most : int or float, default inf
            The largest increase of cost by one reversal. A larger increase means that an edge which must stay was cut;
            the kick is then refused without a repair.
        alarm : Alarm, default NEVER
            Breaks the first descent off when it rings.
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
        if not kept["rounds"][()]:
            cost = self.descent.descend(tour, cost, alarm, before)
        elif whole:
            cost = self.descent.descend(tour, cost)
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
    """Reverse the positions i ... last, and put the ends of changed edges into the queue; returns the added cost."""
    a, b, c, d = (tour.items[p] for p in (i - 1, i, last, (last + 1) % len(tour.items)))
    tour.reverse(i, last)
    tour.wait(a, b, c, d)
    change: int | float = tour.edge(a, c) + tour.edge(b, d) - tour.edge(a, b) - tour.edge(c, d)
    return change
