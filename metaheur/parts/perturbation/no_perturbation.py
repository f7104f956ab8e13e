"""No perturbation: the search continues from the solution that was accepted last."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, final

from attrs import frozen

from metaheur.part import Kept
from metaheur.parts.perturbation.perturbation import Perturbation
from metaheur.walk import EvaluatedSolution, Walk

if TYPE_CHECKING:
    from metaheur.evaluators import Evaluator

__all__ = ["NoPerturbation"]


@final
@frozen
class NoPerturbation(Perturbation):
    """The search starts again from the accepted solution, unchanged; see `ReturnToBest`."""

    source: ClassVar[str] = "no_perturbation.cuh"
    keeps_feasible: ClassVar[bool] = True
    blind: ClassVar[bool] = True

    def perturb(
        self, kept: Kept, walk: Walk, solution: EvaluatedSolution, evaluate: Evaluator
    ) -> tuple[EvaluatedSolution, int]:
        return solution, 0
