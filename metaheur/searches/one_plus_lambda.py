"""The (1 + lambda) evolutionary algorithm."""

from __future__ import annotations

from functools import cached_property
from typing import final

from attrs import frozen

from metaheur.fields import Range
from metaheur.loops.evolution import Evolution
from metaheur.loops.loop import Composed
from metaheur.parts import Breeding, NoCrossover, Perturbation, SteadyState
from metaheur.validate import whole_field

__all__ = ["OnePlusLambda"]


@final
@frozen
class OnePlusLambda(Composed):
    """Some mutants of one solution; the best mutant replaces the solution unless it costs more.

    With `BitFlips` and one mutant it is the (1 + 1) evolutionary algorithm, with `HeavyTailedMoves` the fast genetic
    algorithm. An iteration makes one mutant. It never ends by itself.

    Parameters
    ----------
    mutation : Perturbation
        Makes a mutant of the solution, such as BitFlips() or HeavyTailedMoves(Hamming(1)).
    mutants : int, default 1
        How many mutants are compared, lambda; the last one is taken among equals.

    Notes
    -----
    I. Rechenberg, Evolutionsstrategie, 1973; S. Droste, T. Jansen and I. Wegener, "On the analysis of the (1+1)
    evolutionary algorithm", Theoretical Computer Science 276, 2002; B. Doerr et al., "Fast genetic algorithms", GECCO
    2017.

    Examples
    --------
    >>> from metaheur import run, stop
    >>> from metaheur.parts import BitFlips
    >>> from metaheur.problems import OneMax
    >>> run(OnePlusLambda(BitFlips()), OneMax(20), stop=stop.target(20), seed=1, parallel="numpy").cost
    20
    """

    mutation: Perturbation
    mutants: int = whole_field(1, 2**20, default=1, metadata={"tune": Range(1, 50, log=True)})

    @cached_property
    def loop(self) -> Evolution:
        """An evolution of one member, without crossover."""
        replacement = SteadyState(self.mutants, duplicates=True)
        return Evolution(Breeding(NoCrossover(), self.mutation, size=1, replacement=replacement))
