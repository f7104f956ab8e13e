"""WFG: three objectives of real numbers, with a front that is known, behind transformations of the entries."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar, final

from attrs import frozen

from metaheur.component import Representation
from metaheur.errors import InputError
from metaheur.problem import Problem
from metaheur.reals.elementary import TURN, cos, power, sin
from metaheur.reals.real import Real
from metaheur.translator.decorator import compiled
from metaheur.validate import whole_field

__all__ = ["WFG"]


@compiled
def shifted(y: Any) -> Any:
    """s_linear: the best value is 0.35."""
    return abs(y - 0.35) / abs(float(math.floor(0.35 - y)) + 0.35)


@compiled
def flattened(y: Any) -> Any:
    """b_flat: all values between 0.75 and 0.85 are as good as 0.8."""
    low = 0.8 * (0.75 - y) / 0.75 if y < 0.75 else 0.0
    high = 0.2 * (y - 0.85) / 0.15 if y > 0.85 else 0.0
    return min(max(0.8 - low + high, 0.0), 1.0)


@compiled
def deceptive(y: Any) -> Any:
    """s_decept: the best value is 0.35, in a narrow valley; from elsewhere all leads to a bound."""
    below = float(math.floor(y - 0.349)) * (0.95 + 0.349 / 0.001) / 0.349
    above = float(math.floor(0.351 - y)) * (0.95 + 0.649 / 0.001) / 0.649
    return 1.0 + (abs(y - 0.35) - 0.001) * (below + above + 1000.0)


@compiled
def rippled(y: Any, hills: Any, depth: Any) -> Any:
    """s_multi: the best value is 0.35, among so many hills."""
    far = abs(y - 0.35) / (2.0 * (float(math.floor(0.35 - y)) + 0.35))
    return (1.0 + cos((2.0 * hills + 1.0) * TURN * (0.5 - far)) + 4.0 * depth * far * far) / (depth + 2.0)


@compiled
def dependent(y: Any, mean: Any) -> Any:
    """b_param: how a value counts depends on the mean of other ones."""
    a = 0.98 / 49.98
    v = a - (1.0 - 2.0 * mean) * abs(float(math.floor(0.5 - mean)) + a)
    return power(y, 0.02 + 49.98 * v)


@compiled
def inseparable(y: Any, first: Any, end: Any) -> Any:
    """r_nonsep of all entries of a group: their sum, and how far they are from each other."""
    total = 0.0
    for i in range(first, end):
        total += y[i]
        for k in range(first, end):
            total += abs(y[i] - y[k])
    half = float((end - first + 1) // 2)
    return total / (half * (1.0 + 2.0 * float(end - first) - 2.0 * half))


@compiled
def mean(y: Any, first: Any, end: Any, slope: Any) -> Any:
    """r_sum: the mean of a group; with a slope of 1, entry i, counted from 1, counts 2 i times."""
    total = 0.0
    weights = 0.0
    for k in range(first, end):
        weight = 2.0 * float(k + 1) if slope == 1 else 1.0
        total += weight * y[k]
        weights += weight
    return total / weights


@final
@frozen
class WFG(Problem):
    """One of the problems WFG1 ... WFG9 of three objectives.

    The first entries say where on the front a solution is, the others how far from it. Entry k, counted from 1, is
    between 0 and 2 k. Fronts are convex in WFG1 and WFG2 (with waves, and with gaps), a line in WFG3, and an eighth of
    an ellipsoid with the half axes 2, 4 and 6 in the others.

    Parameters
    ----------
    function : int
        The number of the problem, 1 ... 9.
    size : int
        The number of entries, 3 ... 1000; published are 24. In WFG2 and WFG3 an even number follows the position.
    position : int, default 4
        How many entries say where on the front a solution is: an even number, less than `size`.

    Notes
    -----
    S. Huband, P. Hingston, L. Barone and L. While, "A review of multiobjective test problems and a scalable test
    problem toolkit", IEEE Transactions on Evolutionary Computation 10(5), 2006.
    """

    function: int = whole_field(1, 9)
    size: int = whole_field(3, 1000)
    position: int = whole_field(2, 998, default=4)

    cost_type: ClassVar[str] = "float64"
    objectives: ClassVar[tuple[str, ...]] = ("f1", "f2", "f3")

    def __attrs_post_init__(self) -> None:
        """Refuse groups that cannot be formed."""
        if self.position % 2 or self.position >= self.size:
            raise InputError(
                f"`WFG.position` must be even and less than `size` = {self.size}, but is {self.position}.", "use 2."
            )
        if self.function in (2, 3) and (self.size - self.position) % 2:
            raise InputError(
                f"WFG{self.function} pairs the {self.size - self.position} entries behind the position, an odd number.",
                f"use size={self.size + 1}.",
            )

    @property
    def representation(self) -> Representation:
        """Real numbers between 0 and 2, 4, 6, ..."""
        return Real(self.size, 0.0, tuple(2.0 * (k + 1) for k in range(self.size)))

    def constants(self, representation: Representation) -> Mapping[str, int | bool]:
        """The number of the problem, which the compiler knows; where groups begin and end; and what is done."""
        f, k, n = self.function, self.position, self.size
        return {
            "number": f,
            "front": k,
            "end": k + (n - k) // 2 if f in (2, 3) else n,
            "is_shifted": f in (1, 2, 3, 6, 7, 8),
            "is_paired": f in (2, 3),
            "is_deceptive": f in (5, 9),
            "is_inseparable": f in (6, 9),
            "biased": {7: k, 9: n - 1}.get(f, 0),
        }

    @compiled
    def cost(self: Any, x: Any) -> Any:
        y = [x.value(k) / (2.0 * float(k + 1)) for k in range(self.n)]
        others = 0.0
        for i in range(self.n):
            k = i if self.number == 8 else self.n - 1 - i
            v = y[k]
            if (self.number == 8 and k >= self.front) or k < self.biased:
                y[k] = dependent(v, others / float(i))
            others += v
        for k in range(self.n):
            y[k] = self.transformed(y[k], k)
        if self.is_paired:
            for k in range(self.front, self.end):
                a = y[2 * k - self.front]
                b = y[2 * k - self.front + 1]
                y[k] = (a + b + 2.0 * abs(a - b)) / 3.0
        half = self.front // 2
        return self.shaped(
            self.joined(y, 0, half), self.joined(y, half, self.front), self.joined(y, self.front, self.end)
        )

    @compiled
    def transformed(self: Any, v: Any, k: Any) -> Any:
        """What an entry counts, by itself."""
        if self.is_shifted and k >= self.front:
            v = shifted(v)
        if self.number == 1:
            return power(flattened(v) if k >= self.front else v, 0.02)
        if self.number == 4:
            return rippled(v, 30.0, 10.0)
        if self.number == 9 and k >= self.front:
            return rippled(v, 30.0, 95.0)
        return deceptive(v) if self.is_deceptive else v

    @compiled
    def joined(self: Any, y: Any, first: Any, end: Any) -> Any:
        """What a group of entries counts."""
        if self.is_inseparable:
            return inseparable(y, first, end)
        return mean(y, first, end, 1 if self.number == 1 else 0)

    @compiled
    def shaped(self: Any, a: Any, b: Any, far: Any) -> Any:
        """The objectives at a place on the front, so far behind it."""
        if self.number == 3:
            b = far * (b - 0.5) + 0.5
            return far + 2.0 * a * b, far + 4.0 * a * (1.0 - b), far + 6.0 * (1.0 - a)
        if self.number > 3:
            u = sin(0.25 * TURN * a)
            return (
                far + 2.0 * u * sin(0.25 * TURN * b),
                far + 4.0 * u * cos(0.25 * TURN * b),
                far + 6.0 * cos(0.25 * TURN * a),
            )
        u = 1.0 - cos(0.25 * TURN * a)
        wave = cos(2.5 * TURN * a)
        last = 1.0 - a * wave * wave
        if self.number == 1:
            last = 1.0 - a - cos(5.0 * TURN * a + 0.25 * TURN) / (5.0 * TURN)
        return (
            far + 2.0 * u * (1.0 - cos(0.25 * TURN * b)),
            far + 4.0 * u * (1.0 - sin(0.25 * TURN * b)),
            far + 6.0 * last,
        )
