"""Adaptive moves: a perturbation that grows stronger where it was too weak."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.fields import Array, Range
from metaheur.neighborhood import Neighborhood, neighborhood_field
from metaheur.part import Kept
from metaheur.parts.perturbation.perturbation import Perturbation, random_moves
from metaheur.random import Stream
from metaheur.representation import Representation
from metaheur.validate import whole_field
from metaheur.walk import EvaluatedSolution, Walk

if TYPE_CHECKING:
    from metaheur.evaluators import Evaluator

__all__ = ["AdaptiveMoves"]


@final
@frozen
class AdaptiveMoves(Perturbation):
    """Random moves: one more whenever the search returns to the same local optimum; few after an improvement.

    Parameters
    ----------
    neighborhood : Neighborhood
        The moves.
    least, most : int
        The number of moves at first and after an improvement, and the largest number, 1 ... 2**31 - 1.

    Notes
    -----
    The strength of breakout local search: U. Benlic and J.-K. Hao, "Breakout local search for the quadratic assignment
    problem", Applied Mathematics and Computation 219, 2013. The paper compares the costs of local optima; here the
    solutions themselves are compared.
    """

    neighborhood: Neighborhood = neighborhood_field(steady=True)
    least: int = whole_field(1, 2**31 - 1, metadata={"tune": Range(1, 20)})
    most: int = whole_field(1, 2**31 - 1, metadata={"tune": Range(1, 100, log=True)})

    source: ClassVar[str] = "adaptive_moves.cuh"
    keeps_feasible: ClassVar[bool] = True

    def __attrs_post_init__(self) -> None:
        """Refuse a `most` below `least`."""
        if self.most < self.least:
            raise InputError(f"`most` must not be less than `least`, but is {self.most}, below {self.least}.")

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`count`: how many moves the next perturbation makes."""
        return {"count": Array((), "int64", within=(self.least, self.most))}

    def init(self, start: EvaluatedSolution) -> Mapping[str, np.ndarray]:
        return {"count": np.array(self.least)}

    def record(self, kept: Kept, delta: int | float, accepted: bool, returned: bool) -> None:
        if returned:
            kept["count"][()] = min(self.most, int(kept["count"]) + 1)
        elif delta < 0:
            kept["count"][()] = self.least

    def perturb(
        self, kept: Kept, walk: Walk, solution: EvaluatedSolution, evaluate: Evaluator
    ) -> tuple[EvaluatedSolution, int]:
        random = walk.random(Stream.PERTURBATION)
        return random_moves(self.neighborhood, int(kept["count"]), random, solution, evaluate)
