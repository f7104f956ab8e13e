"""Screening by a surrogate: of several candidates, the one that a model predicts to be the best is evaluated."""

from __future__ import annotations

from typing import Any, ClassVar, final

import numpy as np
from attrs import Attribute, evolve, field, frozen

from metaheur.errors import InputError
from metaheur.evaluators import Evaluator
from metaheur.open.answered import answered, evaluator_of
from metaheur.part import Kept
from metaheur.parts import Perturbation
from metaheur.problem import Problem
from metaheur.validate import instance_field, whole_field
from metaheur.walk import EvaluatedSolution, Walk

__all__ = ["Screened"]

APART = 2**40
"""Iterations between the random numbers of two candidates."""


@final
@frozen(eq=False)
class Screened(Perturbation):
    """Several perturbations of a solution, of which a model chooses one; only this one is evaluated.

    For costs that take long: as a mutation, it makes several children of each pair of parents, and evaluates one.

    Parameters
    ----------
    perturbation : Perturbation
        Makes the candidates, such as BitFlips(0.05) or RandomMoves(Swap(), 2); their costs are not asked for.
    by : object with `predict`
        The model, as of scikit-learn: ``predict(X)`` returns a number for each row of X, an array of shape (candidates,
        n); the lowest wins, the first among equals. It must have been fitted, such as to the solutions and costs of a
        ledger; fitting it anew during a run changes the run.
    candidates : int, default 10
        How many there are, 1 ... 1024.

    Notes
    -----
    The pre-selection of Y. Jin, "Surrogate-assisted evolutionary computation: recent advances and future challenges",
    Swarm and Evolutionary Computation 1, 2011.
    """

    perturbation: Perturbation = instance_field(Perturbation, "use BitFlips(0.05).")
    by: Any = field(kw_only=True)
    candidates: int = whole_field(1, 1024, default=10, kw_only=True)

    blind: ClassVar[bool] = True

    @by.validator
    def _predicts(self, _: Attribute[Any], value: Any) -> None:
        if not callable(getattr(value, "predict", None)):
            raise InputError(f"`Screened.by` must have a method `predict`, but is {value!r}.", "use a fitted model.")

    @perturbation.validator
    def _is_blind(self, _: Attribute[Any], value: Any) -> None:
        if not value.blind:
            raise InputError(
                f"Screened makes candidates without costs, but {type(value).__name__} asks for them.",
                "use RandomMoves or BitFlips.",
            )

    def require(self, problem: Problem) -> None:
        """Refuse a problem that the perturbation refuses."""
        self.perturbation.require(problem)

    def perturb(
        self, kept: Kept, walk: Walk, solution: EvaluatedSolution, evaluate: Evaluator
    ) -> tuple[EvaluatedSolution, int]:
        without = evaluator_of(answered(evaluate.problem, lambda xs: [solution.cost] * len(xs)))
        walks = (evolve(walk, iteration=walk.iteration + k * APART) for k in range(self.candidates))
        made = [self.perturbation.perturb(kept["perturbation"], each, solution, without)[0].solution for each in walks]
        predicted = np.asarray(self.by.predict(np.stack(made)), np.float64).reshape(-1)
        if len(predicted) != len(made) or not np.isfinite(predicted).all():
            raise InputError(
                f"{type(self.by).__name__}.predict must return {len(made)} finite numbers for as many rows, but "
                f"returned {predicted.tolist()[:5]}.",
                "fit the model first.",
            )
        x = made[int(np.argmin(predicted))]
        return EvaluatedSolution(solution.representation, x, evaluate.cost(x)), 1
