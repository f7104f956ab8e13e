"""Genetic algorithm."""

from __future__ import annotations

from functools import cached_property
from typing import final

from attrs import evolve, field, frozen

from metaheur.errors import InputError
from metaheur.fields import Range
from metaheur.loops.evolution import Evolution
from metaheur.loops.loop import Composed
from metaheur.parts import (
    Breeding,
    Crossover,
    Generational,
    NoPerturbation,
    ParentSelection,
    Perturbation,
    RandomMoves,
    Replacement,
    Tournament,
)
from metaheur.problem import Problem
from metaheur.random import Key
from metaheur.search import LoopState
from metaheur.searches.usual import usual_neighborhoods
from metaheur.validate import whole_field
from metaheur.walk import EvaluatedSolution

__all__ = ["GeneticAlgorithm"]


@final
@frozen
class GeneticAlgorithm(Composed):
    """Children of a population, by selection, crossover and mutation; generation after generation, or in steady state.

    The population begins with the run's first solution and random ones. An iteration makes one child. It never ends by
    itself.

    Parameters
    ----------
    crossover : Crossover
        Makes a child of two parents, such as Uniform() for bits and OrderCrossover() for permutations.
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

    crossover: Crossover
    mutation: Perturbation | None = None
    size: int = whole_field(1, 2**20, default=100, kw_only=True, metadata={"tune": Range(4, 400, log=True)})
    selection: ParentSelection = field(factory=Tournament, kw_only=True)
    replacement: Replacement = field(factory=Generational, kw_only=True)

    @cached_property
    def loop(self) -> Evolution:
        """An evolution."""
        return Evolution(
            Breeding(
                self.crossover,
                NoPerturbation() if self.mutation is None else self.mutation,
                size=self.size,
                selection=self.selection,
                replacement=self.replacement,
            )
        )

    def init(self, start: EvaluatedSolution, key: Key) -> LoopState:
        if self.mutation is None:
            raise InputError(
                "GeneticAlgorithm has no mutation: `run` takes a usual one, but no walk can begin without it.",
                "use fitted(search, problem), or name the mutation.",
            )
        return super().init(start, key)

    def fitted(self, problem: Problem) -> GeneticAlgorithm:
        """The search with a mutation that suits the representation of a problem."""
        usual = usual_neighborhoods(problem.representation) if self.mutation is None else ()
        return evolve(self, mutation=RandomMoves(usual[0], 1)) if usual else self
