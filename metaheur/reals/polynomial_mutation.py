"""Polynomial mutation: some entries change, mostly a little."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, final

import numpy as np
from attrs import field, frozen

from metaheur.component import Representation
from metaheur.fields import Range
from metaheur.neighborhood import Neighborhood, require_supported
from metaheur.neighborhoods.substitution import Substitution, SubstitutionMove
from metaheur.part import Kept
from metaheur.parts.perturbation.perturbation import Perturbation
from metaheur.problem import Problem
from metaheur.random import Random, Stream
from metaheur.reals.deviates import fraction
from metaheur.reals.domains_of import domains_of
from metaheur.reals.elementary import power
from metaheur.reals.halves import half_with_functions
from metaheur.source import Source
from metaheur.validate import real_field
from metaheur.walk import EvaluatedSolution, Walk

if TYPE_CHECKING:
    from metaheur.evaluators import Evaluator

__all__ = ["PolynomialMutation"]


@final
@frozen
class PolynomialMutation(Perturbation):
    """Each entry changes with a probability, by a random share of its range, mostly small; it stays in bounds.

    It acts on all entries that do not depend on each other: real numbers, and whole numbers, which are rounded.

    Parameters
    ----------
    spread : float, default 20
        The distribution index, 0 ... 1000: the larger, the smaller are the changes.
    rate : float, optional
        The probability, 0 ... 1; by default 1 / n, one entry on average.

    Notes
    -----
    K. Deb and M. Goyal, "A combined genetic adaptive search (GeneAS) for engineering design", Computer Science and
    Informatics 26, 1996, as NSGA-II's program has it.
    """

    spread: float = real_field(0, 1000, default=20.0, metadata={"tune": Range(1.0, 100.0, log=True)})
    rate: float | None = real_field(0, 1, default=None)
    neighborhood: Neighborhood = field(factory=Substitution, init=False, repr=False)

    source: ClassVar[str] = "polynomial_mutation.cuh"
    blind: ClassVar[bool] = True

    def source_for(self, problem: Any, device: Any) -> Source:
        """The half, with the functions that it uses."""
        return half_with_functions("polynomial_mutation.cuh")

    def require(self, problem: Problem) -> None:
        """Refuse entries that depend on each other."""
        require_supported(self.neighborhood, problem.representation, f"this {type(problem).__name__}")

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        """`domains`: the number of values of each entry."""
        return {"domains": np.minimum(domains_of(representation), 2**31 - 1).astype(np.int32)}

    def perturb(
        self, kept: Kept, walk: Walk, solution: EvaluatedSolution, evaluate: Evaluator
    ) -> tuple[EvaluatedSolution, int]:
        random, moves, space = walk.random(Stream.PERTURBATION), evaluate.of(self.neighborhood), solution.representation
        domains, count = domains_of(space).tolist(), 0
        rate = 1.0 / float(space.length) if self.rate is None else self.rate
        for k, values in enumerate(domains):
            shift = self._shift(random, k, int(solution.solution[k]), values, rate)
            if not shift:
                continue
            index = self.neighborhood.index(space, SubstitutionMove(k, shift, values))
            delta = moves.delta(solution, index)
            if delta is not None:
                solution = solution.moved(self.neighborhood, index, delta)
            count += 1
        return solution, count

    def _shift(self, random: Random, k: int, entry: int, values: int, rate: float) -> int:
        """By how much entry k changes, modulo the number of its values."""
        chance, word, _, _ = random.words(k)
        if values < 2 or not fraction(chance) < rate:
            return 0
        u, most, one = fraction(word), float(values - 1), self.spread + 1.0
        if u < 0.5:
            near = power(1.0 - float(entry) / most, one)
            change = power(2.0 * u + (1.0 - 2.0 * u) * near, 1.0 / one) - 1.0
        else:
            near = power(1.0 - (most - float(entry)) / most, one)
            change = 1.0 - power(2.0 * (1.0 - u) + 2.0 * (u - 0.5) * near, 1.0 / one)
        by = int(np.floor(change * most + 0.5))
        return (min(max(entry + by, 0), values - 1) - entry) % values
