"""MOEA/D."""

from __future__ import annotations

from functools import cached_property
from typing import final

from attrs import frozen

from metaheur.archives.weights import nearest_weights, simplex_lattice
from metaheur.loops.evolution import Evolution
from metaheur.loops.loop import Composed
from metaheur.parts import Breeding, Crossover, Decomposition, NearParents, Perturbation
from metaheur.validate import whole_field

__all__ = ["MOEAD"]


@final
@frozen
class MOEAD(Composed):
    """A population for several objectives, in which each member solves a subproblem with weights of its own.

    The population begins with the run's first solution and random ones. An iteration makes one child, of a random
    member and of a member with similar weights; it takes the places of members with similar weights whose subproblems
    it solves better (`Decomposition`). It never ends by itself.

    Parameters
    ----------
    crossover : Crossover
        Makes a child of two parents, such as Uniform() for bits and OrderCrossover() for permutations.
    mutation : Perturbation
        Changes the child, such as RandomMoves(Insertion(), 1).
    objectives : int, default 2
        The number K of objectives, 2 ... 8.
    divisions : int, default 99
        The number of steps from one objective to another, 1 or more: there are (divisions + K - 1)! / (divisions!
        (K - 1)!) members, 5000 at most; for two objectives one more than steps.
    neighbors : int, default 20
        How many members have similar weights, itself included, 2 or more; at most all.

    Notes
    -----
    Q. Zhang and H. Li, "MOEA/D: a multiobjective evolutionary algorithm based on decomposition", IEEE Transactions on
    Evolutionary Computation 11, 2007. A child replaces two members at most, as in H. Li and Q. Zhang, "Multiobjective
    optimization problems with complicated Pareto sets, MOEA/D and NSGA-II", IEEE Transactions on Evolutionary
    Computation 13, 2009. There is no external archive.
    """

    crossover: Crossover
    mutation: Perturbation
    objectives: int = whole_field(2, 8, default=2, kw_only=True)
    divisions: int = whole_field(1, 10_000, default=99, kw_only=True)
    neighbors: int = whole_field(2, 2**20, default=20, kw_only=True)

    @cached_property
    def loop(self) -> Evolution:
        """An evolution."""
        weights = simplex_lattice(self.divisions, self.objectives)
        near = nearest_weights(weights, self.neighbors)
        breeding = Breeding(
            self.crossover,
            self.mutation,
            size=len(weights),
            selection=NearParents(near[:, 1:]),
            replacement=Decomposition(weights, near),
        )
        return Evolution(breeding)
