"""MOEA/D."""

from __future__ import annotations

from functools import cached_property
from typing import final

from attrs import frozen

from metaheur.archives.weights import fewest_divisions, nearest_weights, simplex_lattice
from metaheur.loops.evolution import Evolution
from metaheur.parts import Crossover, Decomposition, NearParents, Perturbation
from metaheur.searches.breeds import Breeds
from metaheur.validate import whole_field

__all__ = ["MOEAD"]

MEMBERS = 100
"""The least members by default: 99 steps between two objectives."""


@final
@frozen
class MOEAD(Breeds):
    """A population for several objectives, in which each member solves a subproblem with weights of its own.

    The population begins with the run's first solution and random ones. An iteration makes one child, of a random
    member and of a member with similar weights; it takes the places of members with similar weights whose subproblems
    it solves better (`Decomposition`). It never ends by itself.

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
        (K - 1)!) members, 5000 at most; for two objectives one more than steps. By default the fewest steps with 100
        members or more, 99 for two objectives.
    neighbors : int, default 20
        How many members have similar weights, itself included, 2 or more; at most all.

    Notes
    -----
    Q. Zhang and H. Li, "MOEA/D: a multiobjective evolutionary algorithm based on decomposition", IEEE Transactions on
    Evolutionary Computation 11, 2007. A child replaces two members at most, as in H. Li and Q. Zhang, "Multiobjective
    optimization problems with complicated Pareto sets, MOEA/D and NSGA-II", IEEE Transactions on Evolutionary
    Computation 13, 2009. There is no external archive.
    """

    crossover: Crossover | None = None
    mutation: Perturbation | None = None
    objectives: int | None = whole_field(2, 8, default=None, kw_only=True)
    divisions: int | None = whole_field(1, 10_000, default=None, kw_only=True)
    neighbors: int = whole_field(2, 2**20, default=20, kw_only=True)

    @cached_property
    def loop(self) -> Evolution:
        """An evolution."""
        objectives = self.objectives or 2
        weights = simplex_lattice(self.divisions or fewest_divisions(MEMBERS, objectives), objectives)
        near = nearest_weights(weights, self.neighbors)
        breeding = self.bred(
            size=len(weights),
            selection=NearParents(near[:, 1:]),
            replacement=Decomposition(weights, near),
        )
        return Evolution(breeding)
