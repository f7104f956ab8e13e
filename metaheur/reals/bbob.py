"""BBOB: the 24 noiseless functions of COCO's testbed, whose optimum and rotations follow from an instance's number."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar, Self, final

import numpy as np
from attrs import field, frozen

from metaheur.component import Representation
from metaheur.errors import InputError
from metaheur.fields import data
from metaheur.problem import Problem
from metaheur.reals.elementary import TURN, cos, exp, log, power, sin
from metaheur.reals.real import Real
from metaheur.translator.decorator import compiled
from metaheur.validate import real_field

__all__ = ["BBOB"]


@compiled
def oscillated(v: Any) -> Any:
    """T_osz of one number."""
    if v == 0.0:
        return v
    a = log(abs(v))
    b = 10.0 if v > 0.0 else 5.5
    c = 7.9 if v > 0.0 else 3.1
    found = exp(a + 0.049 * (sin(b * a) + sin(c * a)))
    return found if v > 0.0 else -found


@compiled
def beyond(v: Any) -> Any:
    """The square of how far a number is beyond 5."""
    far = abs(v) - 5.0
    return far * far if far > 0.0 else 0.0


@compiled
def weierstrass(v: Any) -> Any:
    """Twelve waves, each with half the height and three times the frequency of the one before."""
    total = 0.0
    half = 1.0
    three = 1.0
    for _ in range(12):
        total += half * cos(TURN * three * v)
        half = 0.5 * half
        three = 3.0 * three
    return total


@compiled
def katsuura(v: Any) -> Any:
    """How far 32 multiples of a number are from whole numbers."""
    total = 0.0
    two = 1.0
    for _ in range(32):
        two = 2.0 * two
        total += abs(two * v - float(math.floor(two * v + 0.5))) / two
    return total


@final
@frozen(eq=False)
class BBOB(Problem):
    """A function of the BBOB testbed, from `BBOB.of`: real numbers between -5 and 5, or in a wider box.

    The values are those of COCO within rounding, with the same optimum, rotations and shift for the same instance; all
    operations are + - * / or functions of `metaheur.reals`, so that they are the same on every device.

    Parameters
    ----------
    function : int
        The number of the function, 1 ... 24.
    optimum : array_like, shape (n,)
        The best solution, or what the function's definition has in its place.
    lowest : float
        The cost of the best solution.
    first, second : array_like, shape (n, n)
        The matrices before and after the transformations of single entries.
    scales : array_like, shape (n,)
        Factors of entries.
    peaks : array_like, shape (m, 2 n + 1)
        For functions 21 and 22: the place of each peak, the scales of its entries, and its height.
    bound : float, default 5.0
        Entries are between -bound and bound; 5 ... 1000. COCO's functions are defined beyond 5, too.

    Notes
    -----
    N. Hansen, S. Finck, R. Ros and A. Auger, "Real-parameter black-box optimization benchmarking 2009: noiseless
    functions definitions", INRIA RR-6829; N. Hansen, A. Auger, R. Ros, O. Mersmann, T. Tusar and D. Brockhoff, "COCO: a
    platform for comparing continuous optimizers in a black-box setting", Optimization Methods and Software 36, 2021.
    """

    function: int = field(metadata={"python only": True})
    optimum: np.ndarray = data("float64", ndim=1)
    lowest: float = data("float64")
    first: np.ndarray = data("float64", ndim=2)
    second: np.ndarray = data("float64", ndim=2)
    scales: np.ndarray = data("float64", ndim=1)
    peaks: np.ndarray = data("float64", ndim=2)
    bound: float = real_field(5, 1000, default=5.0, metadata={"python only": True})

    cost_type: ClassVar[str] = "float64"

    @classmethod
    def of(cls, function: int, n: int, instance: int = 1, *, bound: float = 5.0) -> Self:
        """An instance of the testbed.

        Parameters
        ----------
        function : int
            1 ... 24.
        n : int
            The number of entries, 2 ... 1000.
        instance : int, default 1
            The number of the instance, 1 ... 100,000.
        bound : float, default 5.0
            Entries are between -bound and bound; 5 ... 1000.
        """
        ranges = {"function": (function, 1, 24), "n": (n, 2, 1000), "instance": (instance, 1, 100_000)}
        for name, (value, least, most) in ranges.items():
            if not isinstance(value, int) or not least <= value <= most:
                raise InputError(f"`BBOB.of` takes `{name}` in {least} ... {most}, but is given {value!r}.")
        made: Self = _Maker(function, n, instance).problem(cls, bound)
        return made

    @property
    def representation(self) -> Representation:
        """Real numbers between -bound and bound."""
        return Real(len(self.optimum), -self.bound, self.bound)

    def constants(self, representation: Representation) -> Mapping[str, int | bool]:
        """The number of the function, which the compiler knows, and what is done with entries."""
        f = self.function
        return {
            "number": f,
            "turns": f in (6, 7, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 23),
            "oscillates": f in (2, 3, 4, 10, 11, 15, 16),
            "skews": f in (3, 12, 15, 17, 18),
            "mixes": f in (7, 12, 15, 16, 17, 18),
            "is_rugged": f in (3, 4, 8, 9, 15, 16, 17, 18, 19, 23),
            "is_ellipsoid": f in (2, 10),
            "is_valley": f in (8, 9, 19),
            "waves": f in (3, 4, 15),
            "is_special": f in (5, 20, 21, 22, 24),
        }

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        """`shifts`: what Rosenbrock's function adds to the entries."""
        return {"shifts": np.array([1.0 if self.function == 8 else 0.5])}

    @compiled
    def cost(self: Any, x: Any) -> Any:
        if self.is_special:
            return self.special(x) + self.lowest
        u = [0.0] * self.n
        y = [0.0] * self.n
        penalty = 0.0
        for i in range(self.n):
            u[i] = x.value(i) - self.optimum[i]
            penalty += beyond(x.value(i))
        for i in range(self.n):
            total = u[i]
            if self.turns:
                total = 0.0
                for j in range(self.n):
                    total += self.first[i, j] * u[j]
            y[i] = total
        ahead = abs(y[0])
        for i in range(self.n):
            u[i] = self.entry(y[i], i)
        for i in range(self.n):
            total = u[i] * self.scales[i]
            if self.mixes:
                total = 0.0
                for j in range(self.n):
                    total += self.second[i, j] * u[j]
            y[i] = total
        if self.is_rugged:
            return self.rugged(y, penalty) + self.lowest
        return self.bowl(y, ahead, penalty) + self.lowest

    @compiled
    def special(self: Any, x: Any) -> Any:
        """Functions that are built in another way: 5, 20, 21, 22 and 24."""
        if self.number == 5:
            return self.slope(x)
        if self.number == 20:
            return self.schwefel(x)
        return self.lunacek(x) if self.number == 24 else self.gallagher(x)

    @compiled
    def entry(self: Any, v: Any, i: Any) -> Any:
        """An entry after the transformations of single entries."""
        if self.oscillates:
            v = oscillated(v)
        if self.skews and v > 0.0:
            v = power(v, 1.0 + (0.2 if self.waves else 0.5) * float(i) / float(self.n - 1) * math.sqrt(v))
        if self.number == 7:
            v = float(math.floor(v + 0.5)) if abs(v) > 0.5 else float(math.floor(10.0 * v + 0.5)) / 10.0
        if self.number == 4 and v > 0.0 and i % 2 == 0:
            v = 10.0 * v
        return v

    @compiled
    def bowl(self: Any, y: Any, ahead: Any, penalty: Any) -> Any:
        """Sums of powers of the entries: functions 1, 2, 6, 7 and 10 to 14."""
        a = 0.0
        for i in range(self.n):
            v = y[i]
            share = float(i) / float(self.n - 1)
            if self.is_ellipsoid:
                a += power(10.0, 6.0 * share) * (v * v)
            elif self.number == 6:
                v = 100.0 * v if v * self.optimum[i] > 0.0 else v
                a += v * v
            elif self.number == 7:
                a += power(100.0, share) * (v * v)
            elif self.number == 14:
                a += power(abs(v), 2.0 + 4.0 * share) if v != 0.0 else 0.0
            elif i > 0 or self.number == 1:
                a += v * v
        if self.number == 6:
            return power(oscillated(a), 0.9)
        if self.number == 7:
            return 0.1 * max(ahead / 10000.0, a) + penalty
        if self.number == 11:
            return 1e6 * (y[0] * y[0]) + a
        if self.number == 12:
            return y[0] * y[0] + 1e6 * a
        if self.number == 13:
            return y[0] * y[0] + 100.0 * math.sqrt(a)
        return math.sqrt(a) if self.number == 14 else a

    @compiled
    def rugged(self: Any, y: Any, penalty: Any) -> Any:
        """Functions of many local optima, or of curved valleys: 3, 4, 8, 9, 15 to 19 and 23."""
        n = float(self.n)
        if self.waves:
            a = 0.0
            b = 0.0
            for i in range(self.n):
                a += y[i] * y[i]
                b += cos(TURN * y[i])
            return 10.0 * (n - b) + a + (100.0 * penalty if self.number == 4 else 0.0)
        if self.is_valley:
            a = 0.0
            for i in range(self.n - 1):
                a += self.valley(y[i] + self.shifts[0], y[i + 1] + self.shifts[0])
            return 10.0 + 10.0 * a / (n - 1.0) if self.number == 19 else a
        if self.number == 16:
            a = 0.0
            for i in range(self.n):
                a += weierstrass(y[i] + 0.5) - weierstrass(0.5)
            a = a / n
            return 10.0 * (a * a * a) + 10.0 / n * penalty
        if self.number == 23:
            a = 1.0
            for i in range(self.n):
                a = a * power(1.0 + float(i + 1) * katsuura(y[i]), 10.0 / power(n, 1.2))
            return 10.0 / n / n * (a - 1.0) + penalty
        a = 0.0
        for i in range(self.n - 1):
            s = y[i] * y[i] + y[i + 1] * y[i + 1]
            w = sin(50.0 * power(s, 0.1))
            a += power(s, 0.25) * (1.0 + w * w)
        a = a / (n - 1.0)
        return a * a + 10.0 * penalty

    @compiled
    def valley(self: Any, v: Any, w: Any) -> Any:
        """A term of Rosenbrock's function, or of Griewank's of it."""
        s = 100.0 * ((v * v - w) * (v * v - w)) + (v - 1.0) * (v - 1.0)
        return s / 4000.0 - cos(s) if self.number == 19 else s

    @compiled
    def slope(self: Any, x: Any) -> Any:
        total = 0.0
        for i in range(self.n):
            v = x.value(i)
            if v * self.optimum[i] >= 25.0:
                v = self.optimum[i]
            total += 5.0 * abs(self.scales[i]) - self.scales[i] * v
        return total

    @compiled
    def schwefel(self: Any, x: Any) -> Any:
        total = 0.0
        penalty = 0.0
        before = 0.0
        for i in range(self.n):
            sign = 1.0 if self.optimum[i] > 0.0 else -1.0
            center = 2.0 * abs(self.optimum[i])
            v = 2.0 * sign * x.value(i)
            z = v + 0.25 * before if i > 0 else v
            before = v - center
            z = 100.0 * (self.scales[i] * (z - center) + center)
            penalty += beyond(z / 100.0)
            total += z * sin(math.sqrt(abs(z)))
        return 4.189828872724339 - total / (100.0 * float(self.n)) + 100.0 * penalty

    @compiled
    def lunacek(self: Any, x: Any) -> Any:
        n = self.n
        s = 1.0 - 0.5 / (math.sqrt(float(n + 20)) - 4.1)
        other = -math.sqrt((2.5 * 2.5 - 1.0) / s)
        u = [0.0] * self.n
        y = [0.0] * self.n
        one = 0.0
        two = 0.0
        penalty = 0.0
        for i in range(self.n):
            v = 2.0 * x.value(i) if self.optimum[i] > 0.0 else -2.0 * x.value(i)
            u[i] = v - 2.5
            one += (v - 2.5) * (v - 2.5)
            two += (v - other) * (v - other)
            penalty += beyond(x.value(i))
        for i in range(self.n):
            total = 0.0
            for j in range(self.n):
                total += self.first[i, j] * u[j]
            y[i] = total
        waves = 0.0
        for i in range(self.n):
            waves += cos(TURN * y[i])
        return min(one, float(n) + s * two) + 10.0 * (float(n) - waves) + 10000.0 * penalty

    @compiled
    def gallagher(self: Any, x: Any) -> Any:
        y = [0.0] * self.n
        penalty = 0.0
        for i in range(self.n):
            total = 0.0
            for j in range(self.n):
                total += self.first[i, j] * x.value(j)
            y[i] = total
            penalty += beyond(x.value(i))
        best = 0.0
        for p in range(len(self.peaks)):
            total = 0.0
            for j in range(self.n):
                v = y[j] - self.peaks[p, j]
                total += self.peaks[p, self.n + j] * (v * v)
            best = max(best, self.peaks[p, 2 * self.n] * exp(-0.5 / float(self.n) * total))
        found = oscillated(10.0 - best)
        return found * found + penalty


class _Maker:
    """Makes an instance, by the random numbers that COCO draws."""

    def __init__(self, function: int, n: int, instance: int) -> None:
        self.function, self.n = function, n
        self.seed = {4: 3, 18: 17}.get(function, function) + 10_000 * instance

    def problem(self, kind: Any, bound: float) -> Any:
        """The instance, within bounds."""
        f, n = self.function, self.n
        steps = np.arange(n) / (n - 1)
        one, two = rotation(self.seed + 1_000_000, n), rotation(self.seed, n)
        optimum, peaks, identity = self._optimum(), np.zeros((1, 2 * n + 1)), np.eye(n)
        if f in (21, 22):
            optimum, peaks = self._peaks(two)
        factor = max(1.0, math.sqrt(n) / 8.0)
        ill, worse = powers(10.0, 0.5 * steps), powers(10.0, steps)
        scales = {3: ill, 4: ill, 20: ill, 5: np.sign(optimum) * worse, 8: np.full(n, factor)}
        bent = product(one * ill, two)
        first = {6: bent, 13: bent, 7: ill[:, None] * two, 9: factor * two, 19: factor * two, 21: two, 22: two}
        first |= {
            23: product(one * worse, two),
            24: product(one * worse, two),
            **dict.fromkeys((10, 11, 12, 14, 15, 16, 17, 18), one),
        }
        second = {7: one, 12: one, 15: bent, 16: product(one * powers(0.1, steps), two), 17: ill[:, None] * two}
        second[18] = powers(1000.0, 0.5 * steps)[:, None] * two
        matrices = (each.get(f, identity) for each in (first, second))
        return kind(f, optimum, self._lowest(), *matrices, scales.get(f, np.ones(n)), peaks, bound)

    def _optimum(self) -> np.ndarray:
        f, n = self.function, self.n
        drawn = uniform(n, self.seed + (1_000_000 if f == 12 else 0))
        found = 8.0 * np.floor(1e4 * drawn) / 1e4 - 4.0
        found[found == 0.0] = -1e-5
        if f == 4:
            found[::2] = np.abs(found[::2])
        if f == 5:
            found = np.where(found < 0.0, -5.0, 5.0)
        if f == 8:
            found = 0.75 * found
        if f in (9, 19):
            found = np.zeros(n)
        if f == 20:
            found = np.where(drawn < 0.5, -0.5, 0.5) * 4.2096874637
        if f == 24:
            found = np.where(gauss(n, self.seed) < 0.0, -1.25, 1.25)
        return found

    def _lowest(self) -> float:
        a, b = gauss(1, self.seed)[0], gauss(1, self.seed + 1)[0]
        return float(min(1000.0, max(-1000.0, math.floor(100.0 * 100.0 * a / b + 0.5) / 100.0)))

    def _peaks(self, turn: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        n, many = self.n, self.function == 21
        count = 101 if many else 21
        spread, offset = (10.0, 5.0) if many else (9.8, 4.9)
        ranks = np.argsort(uniform(count - 1, self.seed), kind="stable")
        conditions = [math.sqrt(1000.0) if many else 1000.0, *powers(1000.0, ranks / (count - 2))]
        heights = np.concatenate([[10.0], np.arange(count - 1) / (count - 2) * 8.0 + 1.1])
        places = np.argsort([uniform(n, self.seed + 1000 * p) for p in range(count)], axis=1, kind="stable")
        scales = np.stack([powers(each, row) for each, row in zip(conditions, places / (n - 1) - 0.5, strict=True)])
        centers = spread * uniform(n * count, self.seed).reshape(count, n) - offset
        centers[0] *= 0.8
        return centers[0], np.column_stack([product(centers, turn.T), scales, heights])


def uniform(count: int, seed: int) -> np.ndarray:
    """The uniform random numbers of BBOB 2009: a shuffled generator of Park and Miller."""
    state = max(1, abs(seed))
    table = [0] * 32
    for i in range(39, -1, -1):
        state = _next(state)
        if i < 32:
            table[i] = state
    last, found = table[0], np.empty(count)
    for k in range(count):
        state = _next(state)
        at = last // 67108865
        last, table[at] = table[at], state
        found[k] = last / 2.147483647e9 or 1e-99
    return found


def _next(state: int) -> int:
    state = 16807 * (state % 127773) - 2836 * (state // 127773)
    return state + 2147483647 if state < 0 else state


def gauss(count: int, seed: int) -> np.ndarray:
    """The normal random numbers of BBOB 2009."""
    drawn = uniform(2 * count, seed)
    pairs = zip(drawn[:count], drawn[count:], strict=True)
    return np.array([math.sqrt(-2.0 * log(a)) * cos(TURN * b) or 1e-99 for a, b in pairs])


def rotation(seed: int, n: int) -> np.ndarray:
    """The orthogonal matrix of BBOB 2009: Gram and Schmidt's process on the columns of a random one.

    Sums are made term by term, since the order of operations of a library of linear algebra depends on the machine.
    """
    columns = gauss(n * n, seed).reshape(n, n)
    for i in range(n):
        columns[i] /= math.sqrt(np.cumsum(columns[i] * columns[i])[-1])
        along = np.cumsum(columns[i + 1 :] * columns[i], axis=1)[:, -1:]
        columns[i + 1 :] -= along * columns[i]
    return columns.T


def product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The product of two matrices, each entry summed in the order of the columns of the first."""
    found = np.zeros((len(a), b.shape[1]))
    for column, row in zip(a.T, b, strict=True):
        found += column[:, None] * row
    return found


def powers(base: float, exponents: np.ndarray) -> np.ndarray:
    """Powers of a number."""
    return np.array([power(base, each) for each in exponents.tolist()])
