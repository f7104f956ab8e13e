"""NSGA-II."""

from __future__ import annotations

from functools import cached_property
from typing import final

from attrs import field, frozen

from metaheur.fields import Range
from metaheur.loops.evolution import Evolution
from metaheur.parts import Crossover, Perturbation, RankAndCrowding, Tournament
from metaheur.searches.breeds import Breeds
from metaheur.validate import whole_field

__all__ = ["NSGA2"]


@final
@frozen
class NSGA2(Breeds):
    """A population for several objectives, in which members are better by rank, then by crowding distance.

    The population begins with the run's first solution and random ones. An iteration makes one child; after as many
    children as there are members, the better half of members and children survives. Parents are the winners of
    tournaments of two. It never ends by itself.

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
        The number of children between two replacements; by default as many as there are members. With 1 it is the
        steady-state variant.
    duplicates : bool, default False
        Whether equal solutions may stay in the population while there are others.
    by_dominance : bool, default False
        Whether parents are compared by dominance, then by crowding distance, whatever their ranks.

    Notes
    -----
    K. Deb, A. Pratap, S. Agarwal and T. Meyarivan, "A fast and elitist multiobjective genetic algorithm: NSGA-II", IEEE
    Transactions on Evolutionary Computation 6, 2002. In steady state: J. J. Durillo, A. J. Nebro, F. Luna and E. Alba,
    "On the effect of the steady-state selection scheme in multi-objective genetic algorithms", EMO 2009.
    """

    crossover: Crossover | None = None
    mutation: Perturbation | None = None
    size: int = whole_field(1, 2**20, default=100, kw_only=True, metadata={"tune": Range(4, 400, log=True)})
    children: int | None = whole_field(1, 2**20, default=None, kw_only=True)
    duplicates: bool = field(default=False, kw_only=True)
    by_dominance: bool = field(default=False, kw_only=True)

    @cached_property
    def loop(self) -> Evolution:
        """An evolution."""
        replacement = RankAndCrowding(self.children, duplicates=self.duplicates, by_dominance=self.by_dominance)
        breeding = self.bred(size=self.size, selection=Tournament(), replacement=replacement)
        return Evolution(breeding)
