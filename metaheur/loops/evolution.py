"""Evolution: each iteration makes a child of a population."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, cast, final

from attrs import frozen

from metaheur.evaluators.evaluator import Evaluator
from metaheur.loops.loop import Loop
from metaheur.parts import Breeding
from metaheur.search import LoopState
from metaheur.validate import instance_field

__all__ = ["Evolution"]


@final
@frozen
class Evolution(Loop):
    """An iteration makes one child, which joins the population in the next iteration; it never ends by itself.

    The walk goes from child to child; its best solution is the best of all. A solution that arrives from another walk
    joins the population like a child. A `Nest` with the same breeding improves each child before it joins. With several
    objectives, the front is that of the population, and `Walk.best` the first in lexicographic order of the objectives.

    Parameters
    ----------
    breeding : Breeding
        The population, and how children are made.

    Notes
    -----
    J. H. Holland, Adaptation in Natural and Artificial Systems, 1975; D. E. Goldberg, Genetic Algorithms in Search,
    Optimization, and Machine Learning, 1989; child by child, D. Whitley, "The GENITOR algorithm and selection
    pressure", ICGA 1989.
    """

    breeding: Breeding = instance_field(Breeding, "use Breeding(Uniform(), RandomMoves(Hamming(1), 1)).")

    source: ClassVar[str] = "evolution.cuh"
    endless: ClassVar[bool] = True

    @property
    def several(self) -> bool:
        """Whether members are replaced by several objectives."""
        return self.breeding.replacement.several

    def fronts(self, state: LoopState) -> Sequence[Any]:
        """The members, the children that have not joined them yet, and the current solution."""
        return (self.sent(state, None),)

    def sent(self, state: LoopState, to: LoopState | None) -> Any:
        """All solutions of `fronts`."""
        return cast(Any, self.breeding.replacement).kept(state.kept["breeding"], state.walk)

    def received(self, state: LoopState, arrivals: Sequence[Any]) -> LoopState:
        """The state after the walk went to a random one of the non-dominated solutions that other walks keep."""
        return self.enter(state, cast(Any, self.breeding.replacement).arrived(state.walk, arrivals))

    def step(self, state: LoopState, evaluate: Evaluator) -> LoopState:
        walk = state.walk
        child, evaluated = self.breeding.perturb(state.kept["breeding"], walk, walk.current, evaluate)
        return state.after(walk.go_to(child, evaluated))
