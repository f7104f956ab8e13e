"""NSGA-III."""

from __future__ import annotations

from functools import cached_property
from typing import final

from attrs import frozen

from metaheur.archives.weights import fewest_divisions, simplex_lattice
from metaheur.loops.evolution import Evolution
from metaheur.parts import Crossover, Perturbation, RandomParents, RankAndReferencePoints
from metaheur.searches.breeds import Breeds
from metaheur.validate import whole_field

__all__ = ["NSGA3"]

POINTS = 91
"""The least reference points by default: 12 steps between three objectives."""


@final
@frozen
class NSGA3(Breeds):
    """A population for many objectives, in which members are better by rank, then at reference points of few members.

    The population begins with the run's first solution and random ones, a member for each reference point. An iteration
    makes one child; after as many children as there are members, `RankAndReferencePoints` decides which half of members
    and children survives. Parents are drawn at random. It never ends by itself.

    Parameters
    ----------
    crossover : Crossover, optional
        Makes a child of two parents, such as Uniform() for bits and OrderCrossover() for permutations. By default `run`
        takes one that suits the problem's representation.
    mutation : Perturbation, optional
        Changes the child, such as RandomMoves(Insertion(), 1); NoPerturbation() for none. By default `run` takes a
        random move of the first usual neighborhood of the problem's representation.
    objectives : int, optional
        The number K of objectives, 2 ... 8; by default that of the problem.
    divisions : int, optional
        The number of steps from one objective to another, 1 or more: there are (divisions + K - 1)! / (divisions!
        (K - 1)!) reference points, 5000 at most; by default the fewest steps with 91 points or more, 12 for three
        objectives.
    children : int, optional
        The number of children between two replacements; by default as many as there are members.

    Notes
    -----
    K. Deb and H. Jain, "An evolutionary many-objective optimization algorithm using reference-point-based
    nondominated sorting approach, part I", IEEE Transactions on Evolutionary Computation 18, 2014; see
    `RankAndReferencePoints` for the differences.
    """

    crossover: Crossover | None = None
    mutation: Perturbation | None = None
    objectives: int | None = whole_field(2, 8, default=None, kw_only=True)
    divisions: int | None = whole_field(1, 10_000, default=None, kw_only=True)
    children: int | None = whole_field(1, 2**20, default=None, kw_only=True)

    @cached_property
    def loop(self) -> Evolution:
        """An evolution."""
        objectives = self.objectives or 3
        points = simplex_lattice(self.divisions or fewest_divisions(POINTS, objectives), objectives)
        breeding = self.bred(
            size=len(points),
            selection=RandomParents(),
            replacement=RankAndReferencePoints(points, self.children),
        )
        return Evolution(breeding)
