"""Memetic algorithm."""

from __future__ import annotations

from functools import cached_property
from typing import Any, final

from attrs import frozen

from metaheur.loops.loop import Composed
from metaheur.loops.nest import Nest, require_search
from metaheur.parts import Always, Breeding, Limit
from metaheur.search import Search
from metaheur.validate import instance_field

__all__ = ["MemeticAlgorithm"]


@final
@frozen
class MemeticAlgorithm(Composed):
    """A genetic algorithm in which a search improves each child; the best solution of this search joins the population.

    The random solutions of the first population are improved, too. An iteration is one of the search, or makes one
    child. It never ends by itself. Each walk has a population; the page "Populations" shows how many walks share
    one.

    Parameters
    ----------
    search : Search
        Improves a child, such as HillClimbing(Swap()) or TabuSearch(Swap()).
    breeding : Breeding
        The population, and how children are made, such as Breeding(UniformLike(), size=15).
    limit : Limit, default Limit()
        The limit of an improvement: needed for searches that do not end by themselves, such as tabu search.

    Notes
    -----
    P. Moscato, "On evolution, search, optimization, genetic algorithms and martial arts: towards memetic algorithms",
    Caltech C3P 826, 1989; U. Benlic and J.-K. Hao, "Memetic search for the quadratic assignment problem", Expert
    Systems with Applications 42, 2015.
    """

    search: Search[Any]
    breeding: Breeding = instance_field(Breeding, "use Breeding(UniformLike(), size=15).")
    limit: Limit = instance_field(Limit, "use Limit(1000).", factory=Limit)

    def __attrs_post_init__(self) -> None:
        """Check the fields by making the loop once."""
        require_search(self.search, "search", self.limit)
        _ = self.loop

    @cached_property
    def loop(self) -> Nest:
        """A nest around the search, whose perturbation breeds."""
        return Nest(self.search, self.breeding, Always(), self.limit)
