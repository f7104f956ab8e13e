"""Constructed solution: the perturbation that starts again from a constructive heuristic's solution."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, final

from attrs import frozen

from metaheur.neighborhood import Neighborhood
from metaheur.part import Kept
from metaheur.parts.perturbation.perturbation import Perturbation
from metaheur.random import Stream
from metaheur.walk import EvaluatedSolution, Walk

if TYPE_CHECKING:
    from metaheur.evaluators import Evaluator

__all__ = ["ConstructedSolution"]


@final
@frozen
class ConstructedSolution(Perturbation):
    """A new solution by `Problem.construct`, with other random numbers each time; its evaluation counts as one move.

    It has no C++ half: `Problem.construct` may sort, use lists and call libraries, and NumPy rounds floats differently
    from compilers, so that a C++ construction could not promise the same solution. With this part a search runs step
    by step: the device evaluates changes of cost, and Python decides. `SemiGreedy`, which constructs by the moves of a
    neighborhood, runs resident.
    """

    replaces: ClassVar[bool] = True

    @property
    def neighborhoods(self) -> tuple[Neighborhood, ...]:
        return ()

    def perturb(
        self, kept: Kept, walk: Walk, solution: EvaluatedSolution, evaluate: Evaluator
    ) -> tuple[EvaluatedSolution, int]:
        space = solution.representation
        x = space.validate(evaluate.problem.construct(walk.random(Stream.RESTART)))
        return EvaluatedSolution(space, x, evaluate.cost(x)), 1
