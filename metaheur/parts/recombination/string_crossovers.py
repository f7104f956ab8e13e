"""Crossovers of bit strings and discrete vectors: each position has the value of one of the parents."""

from __future__ import annotations

from typing import ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.fields import Range
from metaheur.parts.recombination.crossover import Crossover, coins, segment
from metaheur.random import Random
from metaheur.representation import Representation, Solution
from metaheur.validate import whole_field

__all__ = ["NPoints", "OnePoint", "TwoPoints", "Uniform"]


class StringCrossover(Crossover):
    """A crossover of solutions whose positions do not depend on each other."""

    keeps: ClassVar[str] = "parents"

    def supports(self, representation: Representation) -> bool:
        return representation.independent


@final
@frozen
class Uniform(StringCrossover):
    """Each position has the value of a parent that a fair coin chooses.

    Notes
    -----
    G. Syswerda, "Uniform crossover in genetic algorithms", ICGA 1989.
    """

    source: ClassVar[str] = "uniform.cuh"

    def cross(self, x: Solution, other: Solution, random: Random) -> None:
        chosen = coins(random, len(x))
        x[chosen] = other[chosen]


@final
@frozen
class OnePoint(StringCrossover):
    """From a random position on, the values come from the second parent.

    Notes
    -----
    J. H. Holland, Adaptation in Natural and Artificial Systems, 1975.
    """

    source: ClassVar[str] = "one_point.cuh"

    def cross(self, x: Solution, other: Solution, random: Random) -> None:
        cut = 1 + random.index(0, max(1, len(x) - 1))
        x[cut:] = other[cut:]


@final
@frozen
class TwoPoints(StringCrossover):
    """In a random segment, the values come from the second parent.

    Notes
    -----
    D. J. Cavicchio, "Adaptive search using simulated evolution", University of Michigan, 1970.
    """

    source: ClassVar[str] = "two_points.cuh"

    def cross(self, x: Solution, other: Solution, random: Random) -> None:
        first, last = segment(random, len(x))
        x[first : last + 1] = other[first : last + 1]


@final
@frozen
class NPoints(StringCrossover):
    """The values come from both parents in turn; the parent changes at random positions.

    Parameters
    ----------
    points : int, default 4
        How many positions are drawn, 1 ... 64, with repetitions: two at the same position change nothing.

    Notes
    -----
    K. A. De Jong, "An analysis of the behavior of a class of genetic adaptive systems", University of Michigan, 1975.
    """

    points: int = whole_field(1, 64, default=4, metadata={"tune": Range(1, 16)})

    source: ClassVar[str] = "n_points.cuh"

    def cross(self, x: Solution, other: Solution, random: Random) -> None:
        cuts = [1 + random.index(c, max(1, len(x) - 1)) for c in range(self.points)]
        crossed = np.searchsorted(np.sort(cuts), np.arange(len(x)), side="right") % 2 == 1
        x[crossed] = other[crossed]
