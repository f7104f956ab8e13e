"""Crossover of subsets: common members stay, the others come from one of the parents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.fields import Array
from metaheur.neighborhoods.interchange import members
from metaheur.parts.recombination.crossover import Crossover, coins
from metaheur.random import Random
from metaheur.representation import Representation, Solution
from metaheur.validate import whole_field

__all__ = ["SubsetCrossover"]


@final
@frozen
class SubsetCrossover(Crossover):
    """The members that both parents have; of the others, a fair coin decides which parent gives each one.

    The members of the first parent alone and those of the second parent alone are paired in the order of their places
    in the first parent. One thread makes the child.

    Parameters
    ----------
    p : int
        Number of members, that of the `Subset`.

    Notes
    -----
    N. J. Radcliffe, "Genetic set recombination", Foundations of Genetic Algorithms 2, 1993.
    """

    p: int = whole_field(1, 2**31 - 1)

    source: ClassVar[str] = "subset_crossover.cuh"
    keeps: ClassVar[str] = "common"

    def supports(self, representation: Representation) -> bool:
        """Subsets of p members."""
        return members(representation) == self.p

    def cache(self, representation: Representation) -> Mapping[str, Array]:
        """`marks`: whether the second parent has each item as a member."""
        return {"marks": Array((representation.length,), "int32")}

    def cross(self, x: Solution, other: Solution, random: Random) -> None:
        marks = np.zeros(len(x), bool)
        marks[other[: self.p]] = True
        leave = np.flatnonzero(~marks[x[: self.p]])
        come = self.p + np.flatnonzero(marks[x[self.p :]])
        chosen = coins(random, len(x))[leave]
        i, j = leave[chosen], come[chosen]
        x[i], x[j] = x[j], x[i]
