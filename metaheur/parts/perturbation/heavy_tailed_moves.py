"""Heavy-tailed moves: mostly one move, sometimes many."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, final

import numpy as np
from attrs import Attribute, field, frozen

from metaheur.errors import InputError
from metaheur.fields import Range
from metaheur.neighborhood import Neighborhood, neighborhood_field
from metaheur.part import Kept
from metaheur.parts.perturbation.perturbation import Perturbation, random_moves
from metaheur.parts.perturbation.phase_perturbation import ends_of_power_law
from metaheur.random import Stream
from metaheur.representation import Representation
from metaheur.validate import ratio, require_ratio, whole_field
from metaheur.walk import EvaluatedSolution, Walk

if TYPE_CHECKING:
    from metaheur.evaluators import Evaluator

__all__ = ["HeavyTailedMoves"]


@final
@frozen
class HeavyTailedMoves(Perturbation):
    """Random moves of a neighborhood, k of them with a probability proportional to k**-exponent.

    The number k is at most half the length of a solution. Infeasible moves are left out.

    Parameters
    ----------
    neighborhood : Neighborhood
        The moves.
    exponent : float or fractions.Fraction, default 1.5
        In 1 ... 10, but not 1.
    most : int, default 1000
        The most moves, 1 ... 2**20.

    Notes
    -----
    B. Doerr, H. P. Le, R. Makhmara and T. D. Nguyen, "Fast genetic algorithms", GECCO 2017, where k is the mean number
    of flips.
    """

    neighborhood: Neighborhood = neighborhood_field(steady=True)
    exponent: Fraction = field(
        default=Fraction(3, 2), converter=ratio, validator=require_ratio, repr=str, metadata={"tune": Range(1.05, 3.0)}
    )
    most: int = whole_field(1, 2**20, default=1000, kw_only=True)

    source: ClassVar[str] = "heavy_tailed_moves.cuh"
    keeps_feasible: ClassVar[bool] = True
    blind: ClassVar[bool] = True

    @exponent.validator
    def _falls(self, _: Attribute[Any], value: Fraction) -> None:
        if not 1 < value <= 10:
            raise InputError(
                f"`HeavyTailedMoves.exponent` must be above 1 and up to 10, but is {float(value)}.", "use 1.5."
            )

    def _ends(self, n: int) -> np.ndarray:
        return ends_of_power_law(min(self.most, max(1, n // 2)), self.exponent)

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        """`ends`: for each number of moves the sum of the weights up to this number."""
        return {"ends": self._ends(representation.length)}

    def perturb(
        self, kept: Kept, walk: Walk, solution: EvaluatedSolution, evaluate: Evaluator
    ) -> tuple[EvaluatedSolution, int]:
        random, ends = walk.random(Stream.PERTURBATION), self._ends(solution.representation.length)
        count = 1 + int(np.searchsorted(ends, random.index(self.most, int(ends[-1])), side="right"))
        return random_moves(self.neighborhood, count, random, solution, evaluate)
