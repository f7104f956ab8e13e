"""Fitness sharing: parents are selected where few others are near, for one objective."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, final

import numpy as np
from attrs import Attribute, frozen

from metaheur.errors import InputError
from metaheur.fields import Array
from metaheur.part import Kept
from metaheur.parts.replacement.replacement import Generational, Replacement
from metaheur.problem import Problem
from metaheur.validate import instance_field, whole_field

__all__ = ["FitnessSharing"]


@final
@frozen
class FitnessSharing(Replacement):
    """Another replacement, whose members share their fitness with their niches when parents are selected.

    The fitness of a member is the number of members that cost as much or more, itself included. It is divided by the
    niche count: the sum of 1 - d / radius over all members, itself included, at a distance d below the radius. The
    distance is the number of positions in which two members differ. So several optima keep members, as long as the
    replacement does not drive them out, as ``Generational(0)`` does not.

    Parameters
    ----------
    radius : int
        The radius of a niche, in positions.
    replacement : Replacement, default Generational()
        Decides which members give way to children; for one objective.

    Notes
    -----
    D. E. Goldberg and J. Richardson, "Genetic algorithms with sharing for multimodal function optimization", Second
    International Conference on Genetic Algorithms, 1987; with ranks in place of fitness, since costs may have either
    sign. All distances are computed at each replacement.
    """

    radius: int = whole_field(1, 2**20)
    replacement: Replacement = instance_field(Replacement, "use Generational().", factory=Generational)

    source: ClassVar[str] = "fitness_sharing.cuh"

    @replacement.validator
    def _selects_by_cost(self, _: Attribute[Any], value: Replacement) -> None:
        if value.several or type(value).fitness is not Replacement.fitness:
            raise InputError(
                f"FitnessSharing needs a replacement for one objective whose parents are selected by cost, but got "
                f"{value!r}.",
                "use Generational(), or RankAndSharing() for several objectives.",
            )

    @property
    def family(self) -> bool:  # type: ignore[override]
        """As the replacement inside."""
        return self.replacement.family

    def require(self, problem: Problem) -> None:
        super().require(problem)
        self.replacement.require(problem)

    def children(self, size: int) -> int:
        return self.replacement.children(size)

    def arrays(self, size: int) -> Mapping[str, Array]:
        """`shared`: minus the shared fitness of each member."""
        return {**self.replacement.arrays(size), "shared": Array((size,), "float64")}

    def scratch(self, size: int) -> Mapping[str, Array]:
        return self.replacement.scratch(size)

    def replace(self, population: Kept) -> None:
        self.replacement.replace(population)
        self.rate(population)

    def rate(self, population: Kept) -> None:
        solutions, costs = population["solutions"], population["costs"]
        apart = (np.count_nonzero(solutions != x, axis=1) for x in solutions)
        niches = np.array([np.maximum(self.radius - each, 0).sum() for each in apart])
        worth = (costs >= costs[:, None]).sum(axis=1)
        population["shared"][:] = -((worth * self.radius) / niches)

    def fitness(self, population: Kept) -> np.ndarray:
        """Minus the shared fitness."""
        found: np.ndarray = population["shared"]
        return found
