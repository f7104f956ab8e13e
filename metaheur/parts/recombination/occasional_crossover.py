"""Crossover with a probability: other children are copies of the first parent, which only a mutation changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final, final

from attrs import frozen

from metaheur.fields import Range
from metaheur.parts.recombination.crossover import Crossover
from metaheur.problem import Problem
from metaheur.random import Random
from metaheur.representation import Representation, Solution
from metaheur.validate import instance_field, real_field

__all__ = ["OccasionalCrossover"]

ALL: Final = 2**32
"""The number that represents the probability 1."""

CHOICE: Final = 2**32 - 1
"""The number of the draw that decides; the draws of crossovers are numbered from 0 on."""


@final
@frozen
class OccasionalCrossover(Crossover):
    """A crossover with a fixed probability; otherwise the child is a copy of the first parent.

    The cost of a copy is computed and counted like that of any child.

    Parameters
    ----------
    crossover : Crossover
        The crossover, such as OnePoint().
    probability : float, default 0.9
        In 0 ... 1; it is rounded to a multiple of 2**-32.

    Notes
    -----
    The crossover rate of K. A. De Jong, "An analysis of the behavior of a class of genetic adaptive systems",
    University of Michigan, 1975. With the probability 1 all children are those of the crossover alone.
    """

    crossover: Crossover = instance_field(Crossover, "use Uniform() for bits, UniformLike() for permutations.")
    probability: float = real_field(0, 1, default=0.9, metadata={"python only": True, "tune": Range(0.0, 1.0)})

    source: ClassVar[str] = "occasional_crossover.cuh"

    @property
    def keeps(self) -> str:  # type: ignore[override]
        """What the crossover promises: a copy of a parent keeps all of it."""
        return self.crossover.keeps

    def supports(self, representation: Representation) -> bool:
        return self.crossover.supports(representation)

    def require(self, problem: Problem) -> None:
        self.crossover.require(problem)

    def constants(self, representation: Representation) -> Mapping[str, int]:
        """`share`: how many of 2**32 words cross the parents."""
        return {"share": round(self.probability * ALL)}

    def cross(self, x: Solution, other: Solution, random: Random) -> None:
        if random.bits(CHOICE) < round(self.probability * ALL):
            self.crossover.cross(x, other, random)
