"""OneMax: the tutorial's problem."""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.neighborhoods.hamming import FlipMove
from metaheur.problem import Problem
from metaheur.representation import BitString, Solution
from metaheur.validate import whole_field

__all__ = ["OneMax"]


@final
@frozen
class OneMax(Problem):
    """Maximise the number of ones in a string of n bits; the string of ones is the optimum.

    Parameters
    ----------
    n : int
        Number of bits, 1 ... 2**31 - 1.

    Raises
    ------
    InputError
        If n is not such a number.

    Notes
    -----
    D. H. Ackley, A Connectionist Machine for Genetic Hillclimbing, 1987, section 3. Every flip changes the cost by one,
    whatever the other bits are, so that the global optimum is the only local one.

    Examples
    --------
    >>> OneMax(4).cost(np.array([1, 0, 1, 1], np.uint8))
    -3
    """

    n: int = whole_field(1, 2**31 - 1)

    maximise: ClassVar[bool] = True
    source: ClassVar[str] = "onemax.cuh"

    @cached_property
    def representation(self) -> BitString:
        """Strings of n bits."""
        return BitString(self.n)

    @property
    def best_known(self) -> int:
        """n, the optimum."""
        return self.n

    def cost(self, x: Solution) -> int:
        """The negative of the number of ones."""
        return -int(np.count_nonzero(x))

    def costs(self, xs: np.ndarray) -> Any:
        return -xs.sum(axis=1, dtype="int64")

    def delta(self, x: Solution, move: Any) -> Any:
        """-1 for each bit that becomes one, 1 for each that becomes zero."""
        if not isinstance(move, FlipMove):
            return NotImplemented
        return sum(2 * x[position].astype(np.int64) - 1 for position in move.at)

    @property
    def cost_type(self) -> str:
        """Type of a change of cost: "int32", since it is at most n."""
        return "int32"
