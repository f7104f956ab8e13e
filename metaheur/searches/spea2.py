"""SPEA2."""

from __future__ import annotations

from functools import cached_property
from typing import final

from attrs import frozen

from metaheur.loops.evolution import Evolution
from metaheur.parts import Crossover, Perturbation, StrengthAndDensity, Tournament
from metaheur.searches.breeds import Breeds
from metaheur.validate import whole_field

__all__ = ["SPEA2"]


@final
@frozen
class SPEA2(Breeds):
    """A population for several objectives, in which members are better by strength, then by density.

    The population begins with the run's first solution and random ones. An iteration makes one child; after as many
    children as there are members, `StrengthAndDensity` decides which half of members and children survives. Parents are
    the winners of tournaments of two. It never ends by itself.

    Parameters
    ----------
    crossover : Crossover, optional
        Makes a child of two parents, such as Uniform() for bits and OrderCrossover() for permutations. By default `run`
        takes one that suits the problem's representation.
    mutation : Perturbation, optional
        Changes the child, such as RandomMoves(Insertion(), 1); NoPerturbation() for none. By default `run` takes a
        random move of the first usual neighborhood of the problem's representation.
    size : int, default 100
        The number of members.
    children : int, optional
        The number of children between two replacements; by default as many as there are members.

    Notes
    -----
    E. Zitzler, M. Laumanns and L. Thiele, "SPEA2: improving the strength Pareto evolutionary algorithm", TIK-Report
    103, ETH Zürich, 2001.
    """

    crossover: Crossover | None = None
    mutation: Perturbation | None = None
    size: int = whole_field(1, 2**20, default=100, kw_only=True)
    children: int | None = whole_field(1, 2**20, default=None, kw_only=True)

    @cached_property
    def loop(self) -> Evolution:
        """An evolution."""
        replacement = StrengthAndDensity(self.children)
        breeding = self.bred(size=self.size, selection=Tournament(), replacement=replacement)
        return Evolution(breeding)
