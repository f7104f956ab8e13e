"""NSGA-III."""

from __future__ import annotations

from functools import cached_property
from typing import final

from attrs import frozen

from metaheur.archives.weights import simplex_lattice
from metaheur.loops.evolution import Evolution
from metaheur.loops.loop import Composed
from metaheur.parts import Breeding, Crossover, Perturbation, RandomParents, RankAndReferencePoints
from metaheur.validate import whole_field

__all__ = ["NSGA3"]


@final
@frozen
class NSGA3(Composed):
    """A population for many objectives, in which members are better by rank, then at reference points of few members.

    The population begins with the run's first solution and random ones, a member for each reference point. An iteration
    makes one child; after as many children as there are members, `RankAndReferencePoints` decides which half of members
    and children survives. Parents are drawn at random. It never ends by itself.

    Parameters
    ----------
    crossover : Crossover
        Makes a child of two parents, such as Uniform() for bits and OrderCrossover() for permutations.
    mutation : Perturbation
        Changes the child, such as RandomMoves(Insertion(), 1).
    objectives : int, default 3
        The number K of objectives, 2 ... 8.
    divisions : int, default 12
        The number of steps from one objective to another, 1 or more: there are (divisions + K - 1)! / (divisions!
        (K - 1)!) reference points, 5000 at most; 91 by default.
    children : int, optional
        The number of children between two replacements; by default as many as there are members.

    Notes
    -----
    K. Deb and H. Jain, "An evolutionary many-objective optimization algorithm using reference-point-based
    nondominated sorting approach, part I", IEEE Transactions on Evolutionary Computation 18, 2014; see
    `RankAndReferencePoints` for the differences.
    """

    crossover: Crossover
    mutation: Perturbation
    objectives: int = whole_field(2, 8, default=3, kw_only=True)
    divisions: int = whole_field(1, 10_000, default=12, kw_only=True)
    children: int | None = whole_field(1, 2**20, default=None, kw_only=True)

    @cached_property
    def loop(self) -> Evolution:
        """An evolution."""
        points = simplex_lattice(self.divisions, self.objectives)
        breeding = Breeding(
            self.crossover,
            self.mutation,
            size=len(points),
            selection=RandomParents(),
            replacement=RankAndReferencePoints(points, self.children),
        )
        return Evolution(breeding)
