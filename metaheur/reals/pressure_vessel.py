"""The pressure vessel: the classic mixed problem, thicknesses from a list beside a radius and a length."""

from __future__ import annotations

from typing import Any, ClassVar, final

from attrs import frozen

from metaheur.component import Representation
from metaheur.problem import Problem
from metaheur.reals.elementary import TURN
from metaheur.reals.real import Real
from metaheur.representation import DiscreteVector
from metaheur.representations.composite import Composite
from metaheur.translator.decorator import compiled

__all__ = ["PressureVessel"]


@final
@frozen
class PressureVessel(Problem):
    """A cylinder with two half spheres as heads: the least price of material, forming and welding, in dollars.

    Thicknesses of shell and heads are multiples of 1/16 inch, as plates are sold, from 1/16 to 99/16; radius and length
    are real numbers between 10 and 200 inches. The shell is at least 0.0193 and the heads 0.00954 times as thick as the
    radius, and the vessel holds 750 cubic feet; what is missing costs a million dollars times its share. The best
    known solution costs 6,059.714.

    Notes
    -----
    E. Sandgren, "Nonlinear integer and discrete programming in mechanical design optimization", Journal of Mechanical
    Design 112, 1990.
    """

    cost_type: ClassVar[str] = "float64"

    @property
    def representation(self) -> Representation:
        """Thicknesses of shell and heads, less one sixteenth; radius and length."""
        return Composite(thickness=DiscreteVector(2, 99), inches=Real(2, 10.0, 200.0))

    @compiled
    def cost(self: Any, x: Any) -> Any:
        shell = 0.0625 * float(x.thickness[0] + 1)
        head = 0.0625 * float(x.thickness[1] + 1)
        radius = x.inches.value(0)
        length = x.inches.value(1)
        price = 0.6224 * shell * radius * length + 1.7781 * head * radius * radius
        price += 3.1661 * shell * shell * length + 19.84 * shell * shell * radius
        volume = 0.5 * TURN * radius * radius * length + 2.0 * TURN / 3.0 * radius * radius * radius
        lack = max(1.0 - shell / (0.0193 * radius), 0.0) + max(1.0 - head / (0.00954 * radius), 0.0)
        return price + 1e6 * (lack + max(1.0 - volume / 1296000.0, 0.0))
