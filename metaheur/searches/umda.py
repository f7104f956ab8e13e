"""UMDA."""

from __future__ import annotations

from functools import cached_property
from typing import final

from attrs import frozen

from metaheur.fields import Range
from metaheur.loops.estimation import Estimation
from metaheur.loops.loop import Composed
from metaheur.parts import UnivariateModel
from metaheur.validate import whole_field

__all__ = ["UMDA"]


@final
@frozen
class UMDA(Composed):
    """Generations of solutions, each drawn by the frequencies of values among the best solutions of the one before.

    For bits, digits and permutations; see `UnivariateModel`. The first generation is random. An iteration draws one
    solution. It never ends by itself.

    Parameters
    ----------
    size : int, default 100
        The number of solutions of a generation.
    selected : int, optional
        How many of them the next generation comes from; by default half of them.

    Notes
    -----
    H. Mühlenbein and G. Paaß, "From recombination of genes to the estimation of distributions I. Binary parameters",
    PPSN IV, 1996: the univariate marginal distribution algorithm.

    Examples
    --------
    >>> from metaheur import run, stop
    >>> from metaheur.problems import OneMax
    >>> run(UMDA(20), OneMax(16), stop=stop.target(16) | stop.iterations(3_000), seed=1, parallel="numpy").cost
    16
    """

    size: int = whole_field(1, 2**20, default=100, metadata={"tune": Range(10, 1000, log=True)})
    selected: int | None = whole_field(1, 2**20, default=None, kw_only=True)

    @cached_property
    def loop(self) -> Estimation:
        """An estimation that forgets the generation before."""
        half = max(1, self.size // 2)
        return Estimation(UnivariateModel(self.size, half if self.selected is None else self.selected))
