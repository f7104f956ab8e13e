"""Memetic algorithm."""

from __future__ import annotations

from functools import cached_property
from typing import Any, final

from attrs import evolve, frozen

from metaheur.errors import InputError
from metaheur.loops.nest import Around, Nest
from metaheur.parts import Always, Breeding, Limit, NoCrossover
from metaheur.problem import Problem
from metaheur.random import Key
from metaheur.search import LoopState, Search, fitted
from metaheur.searches.breeds import crossover_for, unfitted
from metaheur.validate import instance_field
from metaheur.walk import EvaluatedSolution

__all__ = ["MemeticAlgorithm"]

MEMBERS = 15
"""The members of a population, where none are given."""


@final
@frozen
class MemeticAlgorithm(Around):
    """A genetic algorithm in which a search improves each child; the best solution of this search joins the population.

    The random solutions of the first population are improved, too. An iteration is one of the search, or makes one
    child. It never ends by itself. Each walk has a population; the page "Populations" shows how many walks share
    one.

    Parameters
    ----------
    search : Search
        Improves a child, such as HillClimbing(Swap()) or TabuSearch(Swap()).
    breeding : Breeding, optional
        The population, and how children are made, such as Breeding(UniformLike(), size=15). By default `run` takes 15
        members, and a crossover that suits the problem's representation.
    limit : Limit, default Limit()
        The limit of an improvement: needed for searches that do not end by themselves, such as tabu search.

    Notes
    -----
    P. Moscato, "On evolution, search, optimization, genetic algorithms and martial arts: towards memetic algorithms",
    Caltech C3P 826, 1989; U. Benlic and J.-K. Hao, "Memetic search for the quadratic assignment problem", Expert
    Systems with Applications 42, 2015.
    """

    search: Search[Any]
    breeding: Breeding | None = None
    limit: Limit = instance_field(Limit, "use Limit(1000).", factory=Limit)

    def __attrs_post_init__(self) -> None:
        """Refuse a `breeding` that is not a Breeding; check the other fields."""
        if not isinstance(self.breeding, Breeding | None):
            raise InputError(
                f"`breeding` must be a Breeding, but is {self.breeding!r}.", "use Breeding(UniformLike(), size=15)."
            )
        super().__attrs_post_init__()

    @cached_property
    def loop(self) -> Nest:
        """A nest around the search, whose perturbation breeds."""
        breeding = Breeding(NoCrossover(), size=MEMBERS) if self.breeding is None else self.breeding
        return Nest(self.search, breeding, Always(), self.limit)

    def init(self, start: EvaluatedSolution, key: Key) -> LoopState:
        if self.breeding is None:
            raise unfitted(self, "breeding")
        return super().init(start, key)

    def fitted(self, problem: Problem) -> MemeticAlgorithm:
        """The search with a population that suits the representation of a problem, around a search that is fitted."""
        search, breeding = fitted(self.search, problem), self.breeding
        if breeding is None:
            breeding = Breeding(crossover_for(problem, "Breeding"), size=MEMBERS)
        same = search is self.search and breeding is self.breeding
        return self if same else evolve(self, search=search, breeding=breeding)
