"""Nest: a search around a search."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, final

import numpy as np
from attrs import Attribute, evolve, field, frozen

from metaheur.errors import InputError
from metaheur.evaluators.evaluator import Evaluator
from metaheur.fields import COUNT, Array
from metaheur.loops.loop import Composed, Loop, at_walk, descends, enter_inside, step_inside, unwrapped
from metaheur.part import zeros
from metaheur.parts import Acceptance, BetterOrEqual, Limit, Perturbation
from metaheur.problem import Problem
from metaheur.random import Stream
from metaheur.representation import Representation
from metaheur.search import Forbids, LoopState, Search
from metaheur.walk import EvaluatedSolution, Walk

__all__ = ["Nest"]


@final
@frozen
class Nest(Loop):
    """Phases of an inner search, with an acceptance and a perturbation between two phases.

    One iteration is an iteration of the inner search; or, after a phase, the acceptance of the phase's best solution
    and the perturbation of the solution that was accepted last. A phase ends when the inner search ends, or at its
    limit. A nest never ends by itself.

    Parameters
    ----------
    inner : Search
        The search in each phase. Its iterations are counted through all phases; `Walk.age` counts the iterations of the
        phase.
    perturbation : Perturbation
        Leads from the accepted solution to the start of the next phase.
    acceptance : Acceptance, default BetterOrEqual()
        Decides whether the best solution of a phase replaces the one accepted before, by the difference of both costs,
        with the cost of the latter as the current cost. The first one is always accepted.
    limit : Limit, default Limit()
        The greatest length of a phase.
    remembers : bool, default False
        Whether the inner search keeps its memory, such as tabu moves, from phase to phase.
    """

    inner: Search[Any] = field(converter=unwrapped)
    perturbation: Perturbation = field()
    acceptance: Acceptance = field(factory=BetterOrEqual)
    limit: Limit = field(factory=Limit)
    remembers: bool = field(default=False, kw_only=True)

    source: ClassVar[str] = "nest.cuh"
    endless: ClassVar[bool] = True

    @inner.validator
    def _is_search(self, _: Attribute[Any], value: Any) -> None:
        require_search(value, "inner", self.limit)

    @perturbation.validator
    def _perturbs(self, _: Attribute[Any], value: Any) -> None:
        if not isinstance(value, Perturbation):
            raise InputError(f"`perturbation` must be a Perturbation, but is {value!r}.", "use RandomMoves(Swap(), 3).")

    @property
    def divides(self) -> bool:
        return isinstance(self.inner, Loop) and self.inner.divides

    def examines(self, moves: int) -> int:
        return self.inner.examines(moves) if isinstance(self.inner, Loop) else 0

    @property
    def _descends(self) -> bool:
        """Whether the inner search's current solution is always the best one of the phase, so that no copy is kept."""
        return descends(self.inner)

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """The solution accepted last and the best one of the phase, their costs, and the phase's first iteration."""
        n = representation.length
        return {
            "home": Array((n,), "item", costs="home_cost"),
            "found": Array((1,), "item") if self._descends else Array((n,), "item", costs="found_cost"),
            "home_cost": Array((), "total"),
            "found_cost": Array((), "total"),
            **dict.fromkeys(("began", "bettered", "rounds"), Array((), "int64", within=COUNT)),
            "resting": Array((), "bool"),
        }

    def begin(self, start: EvaluatedSolution) -> Mapping[str, np.ndarray]:
        own = zeros(self.state(start.representation), start)
        own["home"][:] = start.solution
        if not self._descends:
            own["found"][:] = start.solution
        own["home_cost"][()] = own["found_cost"][()] = start.cost
        return own

    def require_state(self, state: LoopState, problem: Problem) -> None:
        """Refuse kept arrays that differ from their declarations, and a cost of the phase that is not the walk's."""
        super().require_state(state, problem)
        if self._descends and (cost := state.kept["found_cost"][()]) != state.walk.current.cost:
            raise InputError(f"the best cost of a phase is {cost}, but the walk is at {state.walk.current.cost}.")

    def enter(self, state: LoopState, walk: Walk) -> LoopState:
        kept = {**state.kept, **self.begin(walk.current)}
        kept["began"][()] = kept["bettered"][()] = walk.iteration
        return LoopState(walk, {**kept, "inner": self._entered(state.kept["inner"], walk)})

    def _entered(self, state: Any, walk: Walk) -> Any:
        """The inner state at the beginning of a phase."""
        return enter_inside(self.inner, state if self.remembers else None, walk)

    def step(self, state: LoopState, evaluate: Evaluator) -> LoopState:
        return self._restart(state, evaluate) if state.kept["resting"][()] else self._search(state, evaluate)

    def forbidden(self, state: LoopState, evaluate: Evaluator) -> np.ndarray | None:
        if not isinstance(self.inner, Forbids):
            return None
        inside = at_walk(state.kept["inner"], state.walk)
        return self.inner.forbidden(inside, evaluate.on(self.inner.neighborhood))

    def _search(self, state: LoopState, evaluate: Evaluator) -> LoopState:
        after, done = step_inside(self.inner, state.kept["inner"], state.walk, evaluate)
        walk: Walk = after.walk
        kept = {**state.kept, "inner": after}
        if walk.current.cost < kept["found_cost"][()]:
            if not self._descends:
                kept["found"][:] = walk.current.solution
            kept["found_cost"][()] = walk.current.cost
            kept["bettered"][()] = walk.iteration
        age, since = walk.iteration - kept["began"][()], walk.iteration - kept["bettered"][()]
        kept["resting"][()] = done or self.limit.reached(age, since)
        return LoopState(walk, kept)

    def _restart(self, state: LoopState, evaluate: Evaluator) -> LoopState:
        """End a phase: accept its best solution or not, and perturb the accepted one."""
        kept, walk = state.kept, state.walk
        draw = walk.random(Stream.ACCEPTANCE).bits(0) if self.acceptance.draws else 0
        delta = (kept["found_cost"] - kept["home_cost"])[()].item()
        home_cost, best = kept["home_cost"][()].item(), walk.best.cost
        accepted = not kept["rounds"][()] or bool(
            self.acceptance.accepts(kept["acceptance"], delta, home_cost, best, draw)
        )
        found = walk.current.solution if self._descends else kept["found"]
        returned = bool(kept["rounds"][()]) and np.array_equal(found, kept["home"])
        self.perturbation.record(kept["perturbation"], delta, accepted, returned)
        cost = kept["found_cost" if accepted else "home_cost"][()].item()
        start = walk.current
        if not accepted or not self._descends:
            solution = found if accepted else kept["home"]
            start = EvaluatedSolution(start.representation, solution.copy(), cost)
        perturbed, evaluated = self.perturbation.perturb(kept["perturbation"], walk, start, evaluate)
        self.acceptance.record(kept["acceptance"], accepted, cost, min(cost, best))
        moved = walk.go_to(perturbed, evaluated)
        moved = evolve(moved, began=moved.iteration)
        kept["home"][:] = start.solution
        kept["home_cost"][()] = cost
        if not self._descends:
            kept["found"][:] = perturbed.solution
        kept["found_cost"][()] = perturbed.cost
        kept["began"][()] = kept["bettered"][()] = moved.iteration
        kept["rounds"][()] += 1
        kept["resting"][()] = False
        return LoopState(moved, {**kept, "inner": self._entered(kept["inner"], moved)})


class Around(Composed):
    """A search that runs another one, `search`, again and again, each time up to `limit`."""

    search: Search[Any]
    limit: Limit

    def __attrs_post_init__(self) -> None:
        """Refuse a search that would never end, and check the other fields by making the loop once."""
        require_search(self.search, "search", self.limit)
        super().__attrs_post_init__()


def require_search(value: Any, name: str, limit: Limit | None = None) -> None:
    """Refuse a value that is not a search, or whose phases would never end.

    `value`: what must be a search. `name`: what the message calls it. `limit`: the greatest length of a phase of the
    search; None where the search may go on for ever.
    """
    if not isinstance(value, Search):
        raise InputError(f"`{name}` must be a Search, but is {value!r}.", "pass one such as HillClimbing(Swap()).")
    inner = unwrapped(value)
    if limit == Limit() and isinstance(inner, Loop) and inner.endless:
        raise InputError(
            f"`{name}` must end, since the search around it goes on after its end, but {type(value).__name__} never "
            "ends by itself, and has no limit.",
            "give it a limit, such as Limit(stagnation=1000).",
        )
