"""Loops, which are searches that also exist in C++, made of parts; and searches that name a loop."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from attrs import evolve

from metaheur.component import Component, members_of
from metaheur.evaluators.saved import require_arrays
from metaheur.neighborhood import Neighborhood, neighborhoods_in
from metaheur.part import Part, zeros
from metaheur.parts.perturbation.perturbation import Perturbation
from metaheur.random import Key
from metaheur.runners.driven import Driven
from metaheur.search import ChecksStates, Forbids, KeepsFront, LoopState, Search
from metaheur.walk import EvaluatedSolution, Walk

if TYPE_CHECKING:
    from metaheur.evaluators.evaluator import Evaluator
    from metaheur.problem import Problem

__all__ = [
    "Composed",
    "Loop",
    "all_unwrapped",
    "at_walk",
    "descends",
    "enter_inside",
    "kept_of",
    "step_inside",
    "unwrapped",
]


class Loop(Driven):
    """A search whose fields are parts, neighborhoods and other loops; its C++ half runs many iterations a launch.

    Subclasses are final and frozen. In C++, ``struct Name : NameData`` with ``Outcome step(Walk&)``, the twin of
    `step`; ``void prepare(Walk&)``, which builds the arrays beside the solution; ``void init(Walk&)`` where
    `begin` does more than zeros; and, for loops inside others, ``void enter(Walk&)`` and ``bool join(Walk&, const N&,
    Move, Cost delta, bool stale)``.

    """

    def begin(self, start: EvaluatedSolution) -> Mapping[str, np.ndarray]:
        """The loop's own kept arrays at the beginning of a walk; zeros by default."""
        return zeros(self.state(start.representation), start)

    def init(self, start: EvaluatedSolution, key: Key) -> LoopState:
        """The state before the first step: a walk at its start, and the kept arrays of the loop and its parts."""
        return LoopState(Walk(key, start, start), kept_of(self, start, key))

    def require(self, problem: Problem) -> None:
        """Refuse a problem that an inner search, a perturbation or a neighborhood does not fit."""
        for _, each in members_of(self):
            if isinstance(each, Search | Perturbation):
                each.require(problem)
        super().require(problem)

    def require_state(self, state: LoopState, problem: Problem) -> None:
        """Refuse kept arrays that differ from the declarations of the loop and its parts.

        Raises
        ------
        InputError
            If an array differs; the message names the first one.
        """
        _require_kept(self, state.walk, state.kept, problem, type(self).__name__)

    def idle(self, kept: Mapping[str, Any]) -> Collection[str]:
        """The names of the inner searches that will begin anew before their next step; none by default.

        Parameters
        ----------
        kept : mapping
            What the loop keeps.
        """
        return ()

    def done(self, state: LoopState) -> bool:
        return state.finished

    def enter(self, state: LoopState, walk: Walk) -> LoopState:
        """The state after a search around this one took the walk to another solution; the kept arrays stay.

        Parameters
        ----------
        state : LoopState
            The state before.
        walk : Walk
            Where the walk stands now.
        """
        return LoopState(walk, state.kept)

    @property
    def neighborhoods(self) -> tuple[Neighborhood, ...]:
        """All neighborhoods that the loop moves in, the main one first: by default those of its fields, in order."""
        return neighborhoods_in(self)

    @property
    def endless(self) -> bool:
        """Whether it certainly never ends by itself where there are moves; False by default."""
        return False

    @property
    def program(self) -> Any:
        """The program that keeps the loop's walks on a device."""
        from metaheur.runners.loop_program import LoopProgram

        return LoopProgram(self)


class Composed(Search[LoopState]):
    """A search whose loop makes every decision."""

    def __attrs_post_init__(self) -> None:
        """Check the fields by making the loop once; a subclass that checks more calls this method, too."""
        _ = self.loop

    @property
    @abstractmethod
    def loop(self) -> Loop:
        """The loop and its parts."""

    @property
    def neighborhoods(self) -> tuple[Neighborhood, ...]:
        return self.loop.neighborhoods

    def init(self, start: EvaluatedSolution, key: Key) -> LoopState:
        return self.loop.init(start, key)

    def step(self, state: LoopState, evaluate: Evaluator) -> LoopState:
        return self.loop.step(state, evaluate)

    def require_state(self, state: LoopState, problem: Problem) -> None:
        """Refuse a state that the loop refuses."""
        self.loop.require_state(state, problem)

    def done(self, state: LoopState) -> bool:
        return self.loop.done(state)

    def ending(self, state: LoopState) -> str:
        return self.loop.ending(state)

    def forbidden(self, state: LoopState, evaluate: Evaluator) -> np.ndarray | None:
        """The moves that the loop forbids; None if the loop does not tell."""
        return self.loop.forbidden(state, evaluate) if isinstance(self.loop, Forbids) else None

    @property
    def several(self) -> bool:
        """Whether the loop approximates a front."""
        return self.loop.several

    def fronts(self, state: LoopState) -> Sequence[Any]:
        """The solutions that the loop keeps, if it approximates a front."""
        return cast(KeepsFront, self.loop).fronts(state)

    def sent(self, state: LoopState, to: LoopState | None) -> Any:
        """The solutions that the loop sends, if it approximates a front."""
        return cast(KeepsFront, self.loop).sent(state, to)

    def received(self, state: LoopState, arrivals: Sequence[Any]) -> LoopState:
        """The state after other walks have sent solutions to the loop, if it approximates a front."""
        return cast(LoopState, cast(KeepsFront, self.loop).received(state, arrivals))

    def enter(self, state: LoopState, walk: Walk) -> LoopState:
        return self.loop.enter(state, walk)

    @property
    def program(self) -> Any:
        """The program of the loop."""
        return self.loop.program

    def require(self, problem: Problem) -> None:
        self.loop.require(problem)


def unwrapped(search: Any) -> Any:
    """The loop of a composed search; another value as it is."""
    return search.loop if isinstance(search, Composed) else search


def all_unwrapped(searches: Any) -> Any:
    """The loops of a tuple of searches; another value as it is."""
    return tuple(map(unwrapped, searches)) if isinstance(searches, tuple) else searches


def kept_of(component: Component, start: EvaluatedSolution, key: Key) -> dict[str, Any]:
    """The kept arrays of a loop or a part at the beginning of a walk, with those of its own parts."""
    kept: dict[str, Any] = {}
    for name, inner in members_of(component):
        if isinstance(inner, Search):
            kept[name] = inner.init(start, key)
        elif isinstance(inner, Part):
            kept[name] = kept_of(inner, start, key)
    own = component.begin(start) if isinstance(component, Loop) else {}
    own = component.begin(start, key) if isinstance(component, Part) else own
    return {**kept, **{name: np.array(value) for name, value in own.items()}}


def _require_kept(
    component: Component, walk: Walk | None, kept: Mapping[str, Any], problem: Problem, where: str
) -> None:
    """Refuse arrays in the state of a loop that the loop, its parts or their parts cannot have written.

    Of an idle search, whose walk is None, the arrays alone are looked at: the walk has gone on since it wrote them.
    """
    require_arrays(component.state(problem.representation), kept, problem, where)
    idle = component.idle(kept) if isinstance(component, Loop) else ()
    for name, inner in members_of(component):
        if isinstance(inner, Part):
            _require_kept(inner, walk, kept[name], problem, f"{where}.{name}")
        elif walk is not None and name not in idle:
            if isinstance(inner, ChecksStates):
                inner.require_state(at_walk(kept[name], walk), problem)
        elif isinstance(inner, Loop):
            _require_kept(inner, None, kept[name].kept, problem, type(inner).__name__)


def at_walk(state: Any, walk: Walk) -> Any:
    """The state of any search with another walk, which inner searches get, too.

    `state`: a `Walk`, or an attrs class with a field `walk`.
    """
    if isinstance(state, Walk):
        return walk
    if isinstance(state, LoopState):
        inner = {name: at_walk(each, walk) for name, each in state.kept.items() if hasattr(each, "walk")}
        return LoopState(walk, {**state.kept, **inner}, state.finished)
    return evolve(state, walk=walk)


def step_inside(search: Search[Any], state: Any, walk: Walk, evaluate: Evaluator) -> tuple[Any, bool]:
    """Make a step of an inner search; returns its new state, and whether it has come to its own end.

    `search`: the inner search. `walk`: where the walk stands. `evaluate`: the evaluator of the search around it.
    """
    after = search.step(at_walk(state, walk), evaluate.on(search.neighborhood))
    done = search.done(after)
    return after.after(after.walk) if isinstance(after, LoopState) else after, done


def enter_inside(search: Search[Any], state: Any, walk: Walk) -> Any:
    """The state of an inner search after the search around it took the walk to another solution.

    `search`: the inner search. `state`: its state before, whose kept arrays stay; None to begin anew. `walk`: where the
    walk stands now.
    """
    return search.enter(search.init(walk.current, walk.key) if state is None else state, walk)


def descends(search: Search[Any]) -> bool:
    """Whether a search's current solution is certainly the best one since it began."""
    return isinstance(search, Loop) and search.descends
