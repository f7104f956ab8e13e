"""Genetic algorithm."""

from __future__ import annotations

from functools import cached_property
from typing import final

from attrs import field, frozen

from metaheur.fields import Range
from metaheur.loops.evolution import Evolution
from metaheur.parts import (
    Crossover,
    Generational,
    ParentSelection,
    Perturbation,
    Replacement,
    Tournament,
)
from metaheur.searches.breeds import Breeds
from metaheur.validate import whole_field

__all__ = ["GeneticAlgorithm"]


@final
@frozen
class GeneticAlgorithm(Breeds):
    """Children of a population, by selection, crossover and mutation; generation after generation, or in steady state.

    The population begins with the run's first solution and random ones. An iteration makes one child. It never ends by
    itself.

    Parameters
    ----------
    crossover : Crossover, optional
        Makes a child of two parents, such as Uniform() for bits and OrderCrossover() for permutations. By default `run`
        takes one that suits the problem's representation.
    mutation : Perturbation, optional
        Changes the child, such as RandomMoves(Hamming(1), 1); NoPerturbation() for none. By default `run` takes a
        random move of the first usual neighborhood of the problem's representation.
    size : int, default 100
        The number of members.
    selection : ParentSelection, default Tournament(2)
        Selects the parents.
    replacement : Replacement, default Generational(1)
        Decides which members give way to children; SteadyState() for one child at a time.

    Notes
    -----
    D. E. Goldberg, Genetic Algorithms in Search, Optimization, and Machine Learning, 1989; in steady state, D. Whitley,
    "The GENITOR algorithm and selection pressure", ICGA 1989.
    """

    crossover: Crossover | None = None
    mutation: Perturbation | None = None
    size: int = whole_field(1, 2**20, default=100, kw_only=True, metadata={"tune": Range(4, 400, log=True)})
    selection: ParentSelection = field(factory=Tournament, kw_only=True)
    replacement: Replacement = field(factory=Generational, kw_only=True)

    @cached_property
    def loop(self) -> Evolution:
        """An evolution."""
        return Evolution(self.bred(size=self.size, selection=self.selection, replacement=self.replacement))
