"""DTLZ: three objectives of real numbers, with a front that is known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, final

from attrs import frozen

from metaheur.component import Representation
from metaheur.problem import Problem
from metaheur.reals.elementary import TURN, cos, power, sin
from metaheur.reals.real import Real
from metaheur.translator.decorator import compiled
from metaheur.validate import whole_field

__all__ = ["DTLZ"]


@final
@frozen
class DTLZ(Problem):
    """One of the problems DTLZ1 ... DTLZ7 of three objectives.

    The best solutions have 1/2 in all entries behind the second, but 0 in DTLZ6 and DTLZ7. Their objectives have the
    sum 1/2 in DTLZ1; they lie on the unit sphere in DTLZ2 ... DTLZ4, on a curve of it in DTLZ5 and DTLZ6, and in four
    regions in DTLZ7.

    Parameters
    ----------
    function : int
        The number of the problem, 1 ... 7.
    size : int
        The number of entries, 3 ... 10,000, between 0 and 1; published are 7 for DTLZ1, 22 for DTLZ7, and 12 for the
        others.

    Notes
    -----
    K. Deb, L. Thiele, M. Laumanns and E. Zitzler, "Scalable test problems for evolutionary multiobjective
    optimization", in Evolutionary Multiobjective Optimization, Springer, 2005.
    """

    function: int = whole_field(1, 7)
    size: int = whole_field(3, 10_000)

    cost_type: ClassVar[str] = "float64"
    objectives: ClassVar[tuple[str, ...]] = ("f1", "f2", "f3")

    @property
    def representation(self) -> Representation:
        """Real numbers between 0 and 1."""
        return Real(self.size, 0.0, 1.0)

    def constants(self, representation: Representation) -> Mapping[str, int | bool]:
        """The number of the problem, which the compiler knows; whether there are local optima, and whether a curve."""
        return {"number": self.function, "is_rugged": self.function in (1, 3), "is_curve": self.function in (5, 6)}

    @compiled
    def cost(self: Any, x: Any) -> Any:
        g = 0.0
        for k in range(2, self.n):
            v = x.value(k) - 0.5
            if self.number == 6:
                g += power(v + 0.5, 0.1)
            elif self.number == 7:
                g += (v + 0.5) * 9.0 / float(self.n - 2)
            else:
                g += v * v - cos(10.0 * TURN * v) if self.is_rugged else v * v
        if self.is_rugged:
            g = 100.0 * (float(self.n - 2) + g)
        a = x.value(0)
        b = x.value(1)
        if self.number == 7:
            waves = a * (1.0 + sin(1.5 * TURN * a)) + b * (1.0 + sin(1.5 * TURN * b))
            return a, b, 3.0 * (2.0 + g) - waves
        if self.number == 1:
            return 0.5 * a * b * (1.0 + g), 0.5 * a * (1.0 - b) * (1.0 + g), 0.5 * (1.0 - a) * (1.0 + g)
        if self.number == 4:
            a = power(a, 100.0)
            b = power(b, 100.0)
        if self.is_curve:
            b = (0.5 + g * b) / (1.0 + g)
        far = 1.0 + g
        return (
            far * cos(0.25 * TURN * a) * cos(0.25 * TURN * b),
            far * cos(0.25 * TURN * a) * sin(0.25 * TURN * b),
            far * sin(0.25 * TURN * a),
        )
