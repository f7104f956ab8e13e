"""The hybrid evolutionary algorithm for graph coloring."""

from __future__ import annotations

from functools import cached_property
from typing import final

from attrs import field, frozen

from metaheur.loops.loop import Composed
from metaheur.loops.nest import Nest
from metaheur.neighborhoods.substitution import Substitution
from metaheur.parts import Breeding, GreedyPartition, Limit, RandomParents, Tenure, WorseParent
from metaheur.searches.memetic_algorithm import MemeticAlgorithm
from metaheur.searches.tabu_search import TabuSearch
from metaheur.validate import instance_field, whole_field

__all__ = ["HybridEvolutionaryAlgorithm"]


@final
@frozen
class HybridEvolutionaryAlgorithm(Composed):
    """Tabu search improves children that inherit whole classes of colors from two colorings of a population.

    Parents are drawn at random, `GreedyPartition` makes their child, and the improved child takes the place of the
    worse parent. The tabu search gives new colors to vertices in conflict alone. An iteration is one of the tabu
    search, or makes one child. It never ends by itself.

    Parameters
    ----------
    iterations : int, default 2000
        Iterations of tabu search for each child, and for each member of the first population, 1 or more.
    size : int, default 10
        The number of members.
    tenure : Tenure, default Tenure(0, 0, low_plus=10, high_plus=30)
        For how many iterations a vertex must not return to a color that it left.

    Notes
    -----
    P. Galinier and J.-K. Hao, "Hybrid evolutionary algorithms for graph coloring", Journal of Combinatorial
    Optimization 3, 1999 (HEA); with two members, L. Moalic and A. Gondran, "Variations on memetic algorithms for graph
    coloring problems", Journal of Heuristics 24, 2018, without its elite. Tenures there grow with the number of
    conflicting vertices, here they do not.
    """

    iterations: int = whole_field(1, 2**40, default=2000)
    size: int = field(default=10, kw_only=True)
    tenure: Tenure = instance_field(
        Tenure,
        "use Tenure(0, 0, low_plus=10, high_plus=30).",
        factory=lambda: Tenure(0, 0, low_plus=10, high_plus=30),
        kw_only=True,
    )

    @cached_property
    def loop(self) -> Nest:
        """That of a memetic algorithm."""
        tabu = TabuSearch(Substitution(), self.tenure, random_ties=True, in_conflict=True)
        breeding = Breeding(GreedyPartition(), size=self.size, selection=RandomParents(), replacement=WorseParent())
        return MemeticAlgorithm(tabu, breeding, Limit(self.iterations)).loop
