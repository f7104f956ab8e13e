"""Constructed solution: the perturbation that starts again from a constructive heuristic's solution."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, final

from attrs import frozen

from metaheur.part import Kept
from metaheur.parts.perturbation.perturbation import Perturbation
from metaheur.problem import Problem, constructed, constructive
from metaheur.random import Stream
from metaheur.walk import EvaluatedSolution, Walk

if TYPE_CHECKING:
    from metaheur.evaluators import Evaluator

__all__ = ["ConstructedSolution"]

INSTEAD = "use RandomSolution(), or SemiGreedy() with a neighborhood; or write `construct`."


@final
@frozen
class ConstructedSolution(Perturbation):
    """A new solution by the problem's constructive heuristic, with other random numbers each time.

    The evaluation of the solution counts as one move. The problem needs `construct`: see `metaheur.problem.Constructs`.

    The part has no C++ half: `construct` is free to sort, to hold lists and to call libraries, and a compiler may round
    floats in another way than NumPy, so that a second half of each construction could not promise the same solution.
    With this part a search runs step by step: changes of cost are evaluated on the device, and Python decides.
    `SemiGreedy`, which constructs by the moves of a neighborhood, runs resident.
    """

    replaces: ClassVar[bool] = True
    keeps_feasible: ClassVar[bool] = True

    def require(self, problem: Problem) -> None:
        """Refuse problems without a constructive heuristic."""
        constructive(problem, INSTEAD)

    def perturb(
        self, kept: Kept, walk: Walk, solution: EvaluatedSolution, evaluate: Evaluator
    ) -> tuple[EvaluatedSolution, int]:
        x = constructed(evaluate.problem, walk.random(Stream.RESTART), INSTEAD)
        return EvaluatedSolution(solution.representation, x, evaluate.cost(x)), 1
