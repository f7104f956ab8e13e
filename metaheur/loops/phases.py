"""Phases: several searches, one after the other."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar, final

import numpy as np
from attrs import Attribute, evolve, field, frozen

from metaheur.errors import InputError
from metaheur.evaluators.evaluator import Evaluator
from metaheur.fields import COUNT, Array
from metaheur.loops.loop import Loop, all_unwrapped, at_walk, descends, enter_inside, kept_of, step_inside
from metaheur.loops.nest import require_search
from metaheur.part import zeros
from metaheur.parts import InOrder, Limit, SearchOrder
from metaheur.parts.choice.search_order import PhaseEnd
from metaheur.random import Stream
from metaheur.representation import Representation
from metaheur.search import Forbids, LoopState, Search
from metaheur.validate import instance_field
from metaheur.walk import EvaluatedSolution, Walk

__all__ = ["Phases", "require_ends"]


@final
@frozen
class Phases(Loop):
    """Phases of several searches; each phase begins at the last solution of the phase before.

    One iteration is an iteration of the current search. A phase ends when its search ends, or at its limit; in the same
    iteration the order chooses the next search, which begins anew, or ends the loop.

    Parameters
    ----------
    searches : tuple of Search
        The searches.
    limits : tuple of Limit
        The greatest length of a phase, for each search. One that never ends by itself needs a limit, unless it is the
        last one, and the order is ``InOrder()``.
    order : SearchOrder, default InOrder()
        Chooses the next search.
    hands_over_best : bool, default False
        Whether a phase begins at the best solution of the phase before, instead of at its last solution.
    """

    searches: tuple[Search[Any], ...] = field(converter=all_unwrapped)
    limits: tuple[Limit, ...] = field()
    order: SearchOrder = instance_field(SearchOrder, "use InOrder().", factory=InOrder)
    hands_over_best: bool = field(default=False, kw_only=True)

    source: ClassVar[str] = "phases.cuh"

    @searches.validator
    def _are_searches(self, _: Attribute[Any], value: tuple[Any, ...]) -> None:
        if not isinstance(value, tuple) or not value:
            raise InputError(f"`searches` must be a tuple of one search or more, but is {value!r}.")
        for i, each in enumerate(value):
            require_search(each, f"searches[{i}]")

    @limits.validator
    def _one_each(self, _: Attribute[Any], value: tuple[Any, ...]) -> None:
        fits = isinstance(value, tuple) and len(value) == len(self.searches)
        if not fits or not all(isinstance(each, Limit) for each in value):
            raise InputError(
                f"`limits` must hold a Limit for each of {len(self.searches)} searches, but is {value!r}.",
                "write Limit(iterations=1000), or Limit() for none.",
            )

    def __attrs_post_init__(self) -> None:
        """Refuse an order for another number of searches, and a search after which none would ever come."""
        self.order.require(len(self.searches))
        require_ends(self.searches, self.limits, self.order)

    @property
    def descends(self) -> bool:
        return all(map(descends, self.searches))

    @property
    def endless(self) -> bool:
        unlimited = (each for each, limit in zip(self.searches, self.limits, strict=True) if limit == Limit())
        return self.order == InOrder(cycles=True) or any(isinstance(each, Loop) and each.endless for each in unlimited)

    @property
    def divides(self) -> bool:
        return all(isinstance(each, Loop) and each.divides for each in self.searches)

    def examines(self, moves: int) -> int:
        return min(each.examines(moves) if isinstance(each, Loop) else 0 for each in self.searches)

    @property
    def _keeps_best(self) -> bool:
        return self.hands_over_best and not self.descends

    def constants(self, representation: Representation) -> Mapping[str, int | bool]:
        """Whether the best solution of a phase is kept."""
        return {"keeps_best": self._keeps_best}

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """The number of the current search, -1 at first; the cost at the phase's beginning, and its best solution."""
        n = representation.length
        return {
            "turn": Array((), "int64", within=(-1, len(self.searches) - 1)),
            "found": Array((n,), "item", costs="found_cost") if self._keeps_best else Array((1,), "item"),
            "found_cost": Array((), "total"),
            "began_cost": Array((), "total"),
            "began": Array((), "int64", within=COUNT),
            "bettered": Array((), "int64", within=COUNT),
        }

    def cache(self, representation: Representation) -> Mapping[str, Array]:
        """`ready`: the number of the search whose caches follow the solution, -1 for none."""
        return {"ready": Array((), "int64")}

    def begin(self, start: EvaluatedSolution) -> Mapping[str, np.ndarray]:
        own = zeros(self.state(start.representation), start)
        if self._keeps_best:
            own["found"][:] = start.solution
        own["found_cost"][()] = start.cost
        own["turn"][()] = -1
        return own

    def enter(self, state: LoopState, walk: Walk) -> LoopState:
        own = {**self.begin(walk.current), "order": kept_of(self.order, walk.current, walk.key)}
        return _at(LoopState(walk, {**state.kept, **own}), walk)

    def step(self, state: LoopState, evaluate: Evaluator) -> LoopState:
        random = state.walk.random(Stream.ORDER)
        if state.kept["turn"][()] < 0:
            order = kept_of(self.order, state.walk.current, state.walk.key)
            first = LoopState(state.walk, {**state.kept, "order": order})
            turn = self.order.next(order, PhaseEnd(-1, len(self.searches)), random)
            state = self._begin_phase(first, turn, first.walk, done=True)
        turn, kept = int(state.kept["turn"]), state.kept
        name = f"searches_{turn}"
        after, done = step_inside(self.searches[turn], kept[name], state.walk, evaluate)
        walk: Walk = after.walk
        state = LoopState(walk, {**kept, name: after})
        if walk.current.cost < kept["found_cost"]:
            self._note(kept, walk)
        age, since = walk.iteration - kept["began"][()], walk.iteration - kept["bettered"][()]
        if not done and not self.limits[turn].reached(age, since):
            return _at(state, walk)
        if self.hands_over_best and not self.descends:
            walk = evolve(walk, current=_best_of_phase(kept, walk))
        end = PhaseEnd(turn, len(self.searches), bool(walk.current.cost < kept["began_cost"]), done)
        following = self.order.next(kept["order"], end, random)
        if following < 0:
            return _at(LoopState(walk, state.kept, finished=True), walk)
        return self._begin_phase(state, following, walk, done=done)

    def idle(self, kept: Mapping[str, Any]) -> Collection[str]:
        """All searches but the current one."""
        return [f"searches_{i}" for i in range(len(self.searches)) if i != kept["turn"][()]]

    def forbidden(self, state: LoopState, evaluate: Evaluator) -> np.ndarray | None:
        turn = int(state.kept["turn"])
        if turn < 0:
            return None
        inner = self.searches[turn]
        if not isinstance(inner, Forbids):
            return None
        return inner.forbidden(at_walk(state.kept[f"searches_{turn}"], state.walk), evaluate.on(inner.neighborhood))

    def _begin_phase(self, state: LoopState, turn: int, walk: Walk, *, done: bool) -> LoopState:
        """Begin a phase of a search; if the search is not done and is chosen again, it continues as it is."""
        kept, name = state.kept, f"searches_{turn}"
        if done or turn != kept["turn"][()]:
            walk = evolve(walk, began=walk.iteration)
            kept = {**kept, name: enter_inside(self.searches[turn], None, walk)}
        now, cost = np.array(walk.iteration), np.array(walk.current.cost)
        found = walk.current.solution.copy() if self._keeps_best else kept["found"]
        own = {"turn": np.array(turn), "began": now, "bettered": now.copy(), "began_cost": cost}
        kept = {**kept, **own, "found": found, "found_cost": cost.copy()}
        return _at(LoopState(walk, kept), walk)

    def _note(self, kept: Mapping[str, Any], walk: Walk) -> None:
        """Record the current solution as the phase's best one."""
        if self._keeps_best:
            kept["found"][:] = walk.current.solution
        kept["found_cost"][()] = walk.current.cost
        kept["bettered"][()] = walk.iteration

    def ending(self, state: LoopState) -> str:
        return "local optimum" if self.descends else "the last search ended"


def require_ends(searches: Sequence[Any], limits: Sequence[Limit], order: SearchOrder) -> None:
    """Refuse a search that never ends, but has no limit; only the last one of all may go on for ever."""
    followed = searches[:-1] if order == InOrder() else searches
    for i, (each, limit) in enumerate(zip(followed, limits, strict=False)):
        require_search(each, f"searches[{i}]", limit)


def _at(state: LoopState, walk: Walk) -> LoopState:
    """The state with a walk that the inner searches get, too."""
    moved: LoopState = at_walk(state, walk)
    return moved


def _best_of_phase(kept: Mapping[str, Any], walk: Walk) -> EvaluatedSolution:
    return EvaluatedSolution(walk.current.representation, kept["found"].copy(), kept["found_cost"][()].item())
