"""A loop: a search that also exists in C++, made of parts."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, final

import numpy as np
from attrs import evolve, field, frozen

from metaheur.component import Component, fields_of
from metaheur.neighborhood import Neighborhood
from metaheur.parts.part import Part, zeros
from metaheur.random import Key
from metaheur.search import Search
from metaheur.walk import EvaluatedSolution, Walk

__all__ = ["Loop", "LoopState", "kept_of"]


@final
@frozen(eq=False)
class LoopState:
    """Where a loop stands.

    Parameters
    ----------
    walk : Walk
        The way so far.
    kept : mapping of str to numpy.ndarray, mapping or State
        What the loop and its parts keep: the loop's own arrays by name, those of a part as a mapping under the name of
        its field, the state of a search inside this one under the name of its field.
    finished : bool
        Whether the loop has come to its own end.
    """

    walk: Walk
    kept: Mapping[str, Any] = field(factory=dict)
    finished: bool = False

    def after(self, walk: Walk, *, finished: bool = False) -> LoopState:
        """The state after a step that wrote the kept arrays in place."""
        return LoopState(walk, self.kept, finished)


class Loop(Search[LoopState], Component):
    """A search whose fields are parts, neighborhoods and other loops; its C++ half runs many iterations a launch.

    Subclasses are final and frozen. In C++, ``struct Name : NameData`` with ``Outcome step(Walk&)``, the twin of
    `step`; ``void prepare(Walk&)``, which builds what is kept beside the solution; ``void init(Walk&)`` where
    `begin` does more than zeros; and, for loops inside others, ``void enter(Walk&)`` and ``bool join(Walk&, const N&,
    Move, Cost delta, bool stale)``.

    Attributes
    ----------
    descends : bool
        Whether the walk always stands on its best solution.
    """

    facts: ClassVar[tuple[str, ...]] = ("descends",)

    @property
    def descends(self) -> bool:
        """Whether the walk always stands on the best solution since it began; False by default."""
        return False

    @property
    def divides(self) -> bool:
        """Whether several blocks of a GPU can share a walk; False by default."""
        return False

    @property
    def scans(self) -> Neighborhood | None:
        """The neighborhood that every step evaluates whole, if nothing but the solution decides; None by default."""
        return None

    def begin(self, start: EvaluatedSolution) -> Mapping[str, np.ndarray]:
        """The loop's own kept arrays at the beginning of a walk; zeros by default."""
        return zeros(self.state(start.representation), start)

    def init(self, start: EvaluatedSolution, key: Key) -> LoopState:
        """The state before the first step: a walk at its start, and what the loop and its parts keep."""
        return LoopState(Walk(key, start, start), kept_of(self, start, key))

    def done(self, state: LoopState) -> bool:
        return state.finished

    def enter(self, state: LoopState, walk: Walk) -> LoopState:
        """The state where a search around this one took the walk elsewhere; what is remembered stays.

        Parameters
        ----------
        state : LoopState
            The state before.
        walk : Walk
            Where the walk stands now.
        """
        return LoopState(walk, state.kept)

    @property
    @abstractmethod
    def neighborhoods(self) -> tuple[Neighborhood, ...]:
        """All neighborhoods that the loop moves in, the main one first."""

    @property
    def loop(self) -> Loop:
        """The loop itself."""
        return self


def kept_of(component: Component, start: EvaluatedSolution, key: Key) -> dict[str, Any]:
    """What a loop or a part keeps at the beginning of a walk, and what its own parts keep."""
    kept: dict[str, Any] = {}
    for each in fields_of(component):
        inner = getattr(component, each.name)
        if isinstance(inner, Search):
            kept[each.name] = inner.init(start, key)
        elif isinstance(inner, Part):
            kept[each.name] = kept_of(inner, start, key)
    own = component.begin(start) if isinstance(component, Loop) else {}
    own = component.init(start) if isinstance(component, Part) else own
    return {**kept, **{name: np.array(value) for name, value in own.items()}}


def at_walk(state: Any, walk: Walk) -> Any:
    """The state of any search with another walk.

    Parameters
    ----------
    state : State
        A `Walk`, or an attrs class with a field `walk`.
    walk : Walk
        The walk.
    """
    return walk if isinstance(state, Walk) else evolve(state, walk=walk)
