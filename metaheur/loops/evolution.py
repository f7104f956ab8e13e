"""Evolution: each iteration makes a child of a population."""

from __future__ import annotations

from typing import ClassVar, final

from attrs import frozen

from metaheur.evaluators.evaluator import Evaluator
from metaheur.loops.loop import Loop
from metaheur.neighborhood import Neighborhood
from metaheur.parts import Breeding
from metaheur.problem import Problem
from metaheur.runners.driven import LoopState
from metaheur.validate import instance_field

__all__ = ["Evolution"]


@final
@frozen
class Evolution(Loop):
    """An iteration makes one child, which joins the population in the next iteration; it never ends by itself.

    The walk goes from child to child; its best solution is the best of all. A solution that arrives from another walk
    joins the population like a child. A `Nest` with the same breeding improves each child before it joins.

    Parameters
    ----------
    breeding : Breeding
        The population, and how children are made.
    """

    breeding: Breeding = instance_field(Breeding, "use Breeding(Uniform(), RandomMoves(Hamming(1), 1)).")

    source: ClassVar[str] = "evolution.cuh"

    @property
    def neighborhoods(self) -> tuple[Neighborhood, ...]:
        return self.breeding.neighborhoods

    def require(self, problem: Problem) -> None:
        """Refuse a problem that the breeding refuses."""
        super().require(problem)
        self.breeding.require(problem)

    def step(self, state: LoopState, evaluate: Evaluator) -> LoopState:
        walk = state.walk
        child, evaluated = self.breeding.perturb(state.kept["breeding"], walk, walk.current, evaluate)
        return state.after(walk.go_to(child, evaluated))
