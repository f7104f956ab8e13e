"""IBEA."""

from __future__ import annotations

from functools import cached_property
from typing import final

from attrs import frozen

from metaheur.fields import Range
from metaheur.loops.evolution import Evolution
from metaheur.parts import Crossover, EpsilonIndicator, Perturbation, Tournament
from metaheur.searches.breeds import Breeds
from metaheur.validate import real_field, whole_field

__all__ = ["IBEA"]


@final
@frozen
class IBEA(Breeds):
    """A population for several objectives, in which members are better the less they lose by an indicator.

    The population begins with the run's first solution and random ones. An iteration makes one child; after as many
    children as there are members, members and children leave one by one until half of them are left. Parents are the
    winners of tournaments of two. It never ends by itself.

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
    scaling : float, default 0.05
        The scaling factor of `EpsilonIndicator`.

    Notes
    -----
    E. Zitzler and S. Künzli, "Indicator-based selection in multiobjective search", PPSN VIII, 2004: adaptive IBEA with
    the additive epsilon indicator.
    """

    crossover: Crossover | None = None
    mutation: Perturbation | None = None
    size: int = whole_field(1, 2**20, default=100, kw_only=True, metadata={"tune": Range(4, 400, log=True)})
    children: int | None = whole_field(1, 2**20, default=None, kw_only=True)
    scaling: float = real_field(0.01, 1.0, default=0.05, kw_only=True, metadata={"tune": Range(0.01, 1.0, log=True)})

    @cached_property
    def loop(self) -> Evolution:
        """An evolution."""
        replacement = EpsilonIndicator(self.children, scaling=self.scaling)
        breeding = self.bred(size=self.size, selection=Tournament(), replacement=replacement)
        return Evolution(breeding)
