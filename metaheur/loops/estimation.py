"""Estimation of distribution: each iteration draws a solution from a model that the best ones shape."""

from __future__ import annotations

from typing import ClassVar, final

from attrs import frozen

from metaheur.evaluators.evaluator import Evaluator
from metaheur.loops.loop import Loop
from metaheur.parts import UnivariateModel
from metaheur.search import LoopState
from metaheur.validate import instance_field

__all__ = ["Estimation"]


@final
@frozen
class Estimation(Loop):
    """An iteration draws one solution, which belongs to the generation in the next iteration; it never ends by itself.

    A solution that arrives from another walk belongs to the generation, too. A `Nest` with the same model improves each
    solution before it belongs to the generation.

    Parameters
    ----------
    model : UnivariateModel
        The distribution, and how it learns.

    Notes
    -----
    H. Mühlenbein and G. Paaß, "From recombination of genes to the estimation of distributions I. Binary parameters",
    PPSN IV, 1996.
    """

    model: UnivariateModel = instance_field(UnivariateModel, "use UnivariateModel(100, 50).")

    source: ClassVar[str] = "estimation.cuh"
    keeps_feasible: ClassVar[bool] = False
    endless: ClassVar[bool] = True

    def step(self, state: LoopState, evaluate: Evaluator) -> LoopState:
        walk = state.walk
        drawn, evaluated = self.model.perturb(state.kept["model"], walk, walk.current, evaluate)
        return state.after(walk.go_to(drawn, evaluated))
