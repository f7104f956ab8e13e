"""BreakoutRules: how breakout local search leaves a local optimum."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from typing import Any, ClassVar, Self, final

import numpy as np
from attrs import field, frozen

from metaheur.fields import Range
from metaheur.lazy import expressible
from metaheur.part import Part
from metaheur.parts.memory.tenure import Tenure
from metaheur.representation import Representation
from metaheur.validate import instance_field, ratio, real_field, require_ratio, whole_field

__all__ = ["BreakoutRules"]

ALL = 2**32
"""The number that represents the probability 1."""

DIRECTED, OLDEST, RANDOM = 0, 1, 2
"""The kinds of moves of a perturbation."""


@final
@frozen
class BreakoutRules(Part):
    """How many moves, and which, leave a local optimum.

    With the probability max(`directed`, exp(-w / `patience`)), where w counts the local optima since the best one, the
    moves are *directed*: the best moves that were not made lately. Otherwise, with the probability `oldest`, they are
    the moves that were made longest ago; else they are random.

    Parameters
    ----------
    strength : float or fractions.Fraction, default 0.15
        The number of moves of a perturbation, a multiple of n; one more whenever the walk returns to the same cost.
    least : int, default 5
        The fewest moves.
    patience : int, default 2500
        After so many local optima without a better one, up to 10**6, the walk jumps.
    jump : Tenure, default Tenure(0.4, 0.6)
        The number of moves of a jump.
    directed, oldest : float, default 0.75 and 0.3
        Probabilities.
    jumps_at_random : bool, default False
        Whether the moves of a jump are random.

    Notes
    -----
    The defaults are those of U. Benlic and J.-K. Hao, "Breakout local search for the quadratic assignment problem",
    Applied Mathematics and Computation 219, 2013. The exponential comes from a table of whole numbers.
    """

    strength: Fraction = field(
        default=Fraction(3, 20),
        converter=ratio,
        validator=require_ratio,
        repr=str,
        kw_only=True,
        metadata={"tune": Range(0.01, 0.5, log=True)},
    )
    least: int = whole_field(1, 2**31 - 1, default=5, kw_only=True, metadata={"tune": Range(1, 20)})
    patience: int = whole_field(1, 10**6, default=2500, kw_only=True, metadata={"tune": Range(100, 100_000, log=True)})
    jump: Tenure = instance_field(Tenure, "use Tenure(0.4, 0.6).", factory=lambda: Tenure(0.4, 0.6), kw_only=True)
    directed: float = real_field(
        0, 1, default=0.75, kw_only=True, metadata={"python only": True, "tune": Range(0.0, 1.0)}
    )
    oldest: float = real_field(0, 1, default=0.3, kw_only=True, metadata={"python only": True, "tune": Range(0.0, 1.0)})
    jumps_at_random: bool = field(default=False, kw_only=True)

    source: ClassVar[str] = "breakout_rules.cuh"

    @classmethod
    @expressible
    def max_cut(cls) -> Self:
        """The parameters for max-cut (Benlic and Hao, Engineering Applications of Artificial Intelligence 26, 2013).

        Where these rules take the moves that were made longest ago, the paper exchanges vertices of both sides.
        """
        return cls(
            strength=0.01,
            least=1,
            patience=1000,
            jump=Tenure(0.1, 0.1),
            directed=0.8,
            oldest=0.5,
            jumps_at_random=True,
        )

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        """`chances`: the probabilities of directed moves in units of 2**-32, for each number of local optima."""
        return {"chances": _chances(self.patience, self.directed)}

    def constants(self, representation: Representation) -> Mapping[str, int]:
        """The probability of the oldest moves in units of 2**-32."""
        return {"oldest_chance": int(self.oldest * ALL)}

    def kind(self, failures: Any, first: Any, second: Any) -> Any:
        """The kind of the moves after so many local optima since the best one; arrays entry by entry.

        Parameters
        ----------
        failures : int or numpy.ndarray
            0 ... `patience`.
        first, second : int or numpy.ndarray
            Random words, 0 ... 2**32 - 1.

        Returns
        -------
        int or numpy.ndarray
            0 for directed moves, 1 for the oldest, 2 for random moves.
        """
        others = np.where(np.asarray(second) < int(self.oldest * ALL), OLDEST, RANDOM)
        return np.where(np.asarray(first) < _chances(self.patience, self.directed)[failures], DIRECTED, others)[()]

    def moves(self, n: int) -> int:
        """The number of moves of the first perturbation."""
        return max(self.least, -(-self.strength.numerator * n // self.strength.denominator))


@cache
def _chances(patience: int, directed: float) -> np.ndarray:
    """max(directed, exp(-w / patience)) in units of 2**-32 for w = 0 ... patience, int64.

    Computed by recurrence in decimal numbers, correctly rounded, so that every machine gives the same.
    """
    least, found = int(directed * ALL), []
    with localcontext() as context:
        context.prec = 40
        factor, value = (Decimal(-1) / patience).exp(), Decimal(1)
        for _ in range(patience + 1):
            found.append(max(least, int(value * ALL)))
            value *= factor
    chances = np.array(found, np.int64)
    chances.flags.writeable = False
    return chances
