"""PBIL."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import final

from attrs import field, frozen

from metaheur.fields import Range
from metaheur.loops.estimation import Estimation
from metaheur.loops.loop import Composed
from metaheur.parts import UnivariateModel
from metaheur.validate import whole_field

__all__ = ["PBIL"]


@final
@frozen
class PBIL(Composed):
    """Generations of solutions, drawn by probabilities that move towards the best solution of each generation.

    For bits, digits and permutations; see `UnivariateModel`. The first generation is random. An iteration draws one
    solution. It never ends by itself.

    Parameters
    ----------
    size : int, default 100
        The number of solutions of a generation.
    rate : float or fractions.Fraction, default 0.1
        The learning rate: by which share of the difference a probability changes, above 0 and up to 1.
    selected : int, default 1
        How many solutions, the best ones, the probabilities move towards.

    Notes
    -----
    S. Baluja, "Population-based incremental learning: a method for integrating genetic search based function
    optimization and competitive learning", CMU-CS-94-163, 1994: without the mutation of probabilities, instead of which
    they have bounds.

    Examples
    --------
    >>> from metaheur import run, stop
    >>> from metaheur.problems import OneMax
    >>> run(PBIL(20, 0.2), OneMax(16), stop=stop.target(16) | stop.iterations(3_000), seed=1, parallel="numpy").cost
    16
    """

    size: int = whole_field(1, 2**20, default=100, metadata={"tune": Range(10, 1000, log=True)})
    rate: float | Fraction = field(default=0.1, metadata={"tune": Range(0.01, 1.0, log=True)})
    selected: int = whole_field(1, 2**20, default=1, kw_only=True)

    @cached_property
    def loop(self) -> Estimation:
        """An estimation that learns slowly."""
        return Estimation(UnivariateModel(self.size, self.selected, self.rate))
