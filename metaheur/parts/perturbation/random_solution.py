"""Random solution: the perturbation that replaces the whole solution."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, final

from attrs import frozen

from metaheur.part import Kept
from metaheur.parts.perturbation.perturbation import Perturbation
from metaheur.random import Stream
from metaheur.walk import EvaluatedSolution, Walk

if TYPE_CHECKING:
    from metaheur.evaluators import Evaluator

__all__ = ["RandomSolution"]


@final
@frozen
class RandomSolution(Perturbation):
    """A new random solution, as `Representation.random` draws it; its evaluation counts as that of one move."""

    source: ClassVar[str] = "random_solution.cuh"
    asks: ClassVar[tuple[str, ...]] = ("cost",)
    replaces: ClassVar[bool] = True
    draws_solutions: ClassVar[bool] = True

    def perturb(
        self, kept: Kept, walk: Walk, solution: EvaluatedSolution, evaluate: Evaluator
    ) -> tuple[EvaluatedSolution, int]:
        space = solution.representation
        x = space.random(walk.random(Stream.RESTART))
        return EvaluatedSolution(space, x, evaluate.cost(x)), 1
