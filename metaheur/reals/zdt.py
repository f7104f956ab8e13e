"""ZDT: two objectives of real numbers, with a front that is known."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar, final

from attrs import field, frozen

from metaheur.component import Representation
from metaheur.errors import InputError
from metaheur.problem import Problem
from metaheur.reals.elementary import TURN, cos, exp, power, sin
from metaheur.reals.real import Real
from metaheur.translator.decorator import compiled
from metaheur.validate import whole_field

__all__ = ["ZDT"]

KNOWN = (1, 2, 3, 4, 6)


@final
@frozen
class ZDT(Problem):
    """One of the problems ZDT1, ZDT2, ZDT3, ZDT4 and ZDT6 of two objectives; a solution is best where g is 1.

    Parameters
    ----------
    function : {1, 2, 3, 4, 6}
        The number of the problem.
    size : int
        The number of entries, 2 ... 10,000; published are 30, and 10 for ZDT4 and ZDT6.

    Notes
    -----
    E. Zitzler, K. Deb and L. Thiele, "Comparison of multiobjective evolutionary algorithms: empirical results",
    Evolutionary Computation 8, 2000. Entries are between 0 and 1; in ZDT4 all but the first between -5 and 5.
    """

    function: int = field()
    size: int = whole_field(2, 10_000)

    cost_type: ClassVar[str] = "float64"
    objectives: ClassVar[tuple[str, ...]] = ("f1", "f2")

    def __attrs_post_init__(self) -> None:
        """Refuse a number that no problem of real numbers has."""
        if self.function not in KNOWN:
            raise InputError(f"`ZDT.function` must be one of {KNOWN}, but is {self.function!r}.", "use 1.")

    @property
    def representation(self) -> Representation:
        """The real numbers of the notes."""
        low, high = (-5.0, 5.0) if self.function == 4 else (0.0, 1.0)
        rest = self.size - 1
        return Real(self.size, (0.0, *[low] * rest), (1.0, *[high] * rest))

    def constants(self, representation: Representation) -> Mapping[str, int | bool]:
        """The number of the problem, which the compiler knows, and whether the front is that of a root."""
        return {"number": self.function, "has_root": self.function in (1, 4)}

    @compiled
    def cost(self: Any, x: Any) -> Any:
        a = x.value(0)
        total = 0.0
        for k in range(1, self.n):
            v = x.value(k)
            total += v * v - 10.0 * cos(2.0 * TURN * v) if self.number == 4 else v
        rest = float(self.n - 1)
        g = 1.0 + 9.0 * total / rest
        if self.number == 4:
            g = 1.0 + 10.0 * rest + total
        if self.number == 6:
            g = 1.0 + 9.0 * power(total / rest, 0.25)
            a = 1.0 - exp(-4.0 * a) * power(sin(3.0 * TURN * a), 6.0)
        share = a / g
        h = 1.0 - share * share
        if self.has_root:
            h = 1.0 - math.sqrt(share)
        if self.number == 3:
            h = 1.0 - math.sqrt(share) - share * sin(5.0 * TURN * a)
        return a, g * h
