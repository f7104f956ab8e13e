"""exp, log, sin, cos, tanh and power, the same to the last bit on every device.

Each is made of + - * /, comparisons and exact powers of two, in one order; `elementary.cuh` repeats it. So the results
do not depend on a library, a compiler or a device. Each number below is written in full, so that both halves read the
same double.
"""

from __future__ import annotations

from collections.abc import Callable
from math import factorial, floor, frexp, inf, isnan, ldexp, nan
from typing import Final, TypeVar

__all__ = ["TURN", "cos", "exp", "log", "power", "sin", "tanh"]

F = TypeVar("F", bound=Callable[..., float])

TURN: Final = 6.283185307179586
"""A whole turn, 2 pi."""


def _in_cpp(name: str) -> Callable[[F], F]:
    """Mark a function that the translator calls by a name in C++."""

    def mark(function: F) -> F:
        function.half_in_cpp = name, "reals/elementary.cuh"  # type: ignore[attr-defined]
        return function

    return mark


_LN2_HIGH: Final = 6.93147180369123816490e-01  # 33 bits, so that products with an exponent are exact
_LN2_LOW: Final = 1.90821492927058770002e-10
_LOG2_E: Final = 1.44269504088896338700e00

_PIECES: Final = (1.57079632673412561417e00, 6.07710050630396597660e-11, 2.02226624879595063154e-21)
"""pi / 2 in pieces; the first two have 33 bits each."""
_TWO_OVER_PI: Final = 6.36619772367581382433e-01
FARTHEST: Final = 2.0**30
"""The sine and the cosine of numbers beyond it are NaN."""

_FACTORIALS: Final = tuple(float(factorial(each)) for each in range(20))

_EXP: Final = tuple(1.0 / each for each in _FACTORIALS[3:15])
_EXP_MINUS_1: Final = tuple(1.0 / each for each in _FACTORIALS[3:])
_LOG: Final = tuple(2.0 / each for each in (3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23))
_SIN: Final = tuple((-1.0) ** (k // 2) / _FACTORIALS[k] for k in range(3, 18, 2))
_COS: Final = tuple((-1.0) ** (k // 2) / _FACTORIALS[k] for k in range(4, 17, 2))
_SPLIT: Final = 134217729.0  # 2**27 + 1
_THIRD_HIGH: Final = 6.66666666666666629659e-01  # 2 / 3 as two doubles
_THIRD_LOW: Final = 3.70074341541718826e-17


def _polynomial(coefficients: tuple[float, ...], z: float) -> float:
    """c0 + z (c1 + z (c2 + ...)), by Horner's rule."""
    total = coefficients[-1]
    for each in coefficients[-2::-1]:
        total = each + z * total
    return total


@_in_cpp("real_exp")
def exp(x: float) -> float:
    """The exponential of a number, at most 1 unit in the last place from the exact one, on every device the same.

    Parameters
    ----------
    x : float
        Any number; beyond 709.78 the exponential is infinite.

    Returns
    -------
    float
        The exponential; where it is below 2**-1022, the error is at most 1 unit of 2**-1074.
    """
    x = float(x)
    if not x < 709.782712893384:
        return x if isnan(x) else inf
    if x < -745.2:
        return 0.0
    k = floor(x * _LOG2_E + 0.5)
    high = x - k * _LN2_HIGH
    low = k * _LN2_LOW
    r = high - low
    rest = (high - r) - low
    y = 1.0 + (r + (r * r * (0.5 + r * _polynomial(_EXP, r)) + rest))
    half = k >> 1
    return y * ldexp(1.0, half) * ldexp(1.0, k - half)


def _split_logarithm(x: float) -> tuple[float, int]:
    """m and k with x = m 2**k, and m between sqrt(1/2) and sqrt(2)."""
    m, k = frexp(x)
    return (m + m, k - 1) if m < 0.70710678118654752440 else (m, k)


@_in_cpp("real_log")
def log(x: float) -> float:
    """The natural logarithm, at most 1 unit in the last place from the exact one, on every device the same.

    Parameters
    ----------
    x : float
        Any number; the logarithm of 0 is -inf, that of a negative number NaN.
    """
    x = float(x)
    if not x > 0.0:
        return -inf if x == 0.0 else nan
    if x == inf:
        return x
    m, k = _split_logarithm(x)
    f = m - 1.0
    s = f / (2.0 + f)
    z = s * s
    r = z * _polynomial(_LOG, z)
    h = 0.5 * f * f
    return k * _LN2_HIGH - ((h - (s * (h + r) + k * _LN2_LOW)) - f)


def _reduced(x: float) -> tuple[int, float, float]:
    """The quadrant of an angle, 0 ... 3, and what remains of it, as a sum of two doubles."""
    n = floor(x * _TWO_OVER_PI + 0.5)
    first = x - n * _PIECES[0]
    second = n * _PIECES[1]
    r = first - second
    rest = n * _PIECES[2] - ((first - r) - second)
    y = r - rest
    return n & 3, y, (r - y) - rest


def _sine(y: float, rest: float) -> float:
    """The sine in -pi/4 ... pi/4."""
    z = y * y
    v = z * y
    r = _polynomial(_SIN[1:], z)
    return y - ((z * (0.5 * rest - v * r) - rest) - v * _SIN[0])


def _cosine(y: float, rest: float) -> float:
    """The cosine in -pi/4 ... pi/4."""
    z = y * y
    h = 0.5 * z
    w = 1.0 - h
    return w + (((1.0 - w) - h) + (z * z * _polynomial(_COS, z) - y * rest))


@_in_cpp("real_sin")
def sin(x: float) -> float:
    """The sine of an angle, on every device the same.

    Parameters
    ----------
    x : float
        The angle in radians. Up to 2**20 the error is at most 1 unit in the last place, or 1e-28; up to 2**30 it is
        at most 2e-16 times the angle; beyond the sine is NaN.
    """
    x = float(x)
    if not -FARTHEST <= x <= FARTHEST:
        return nan
    quadrant, y, rest = _reduced(x)
    value = _cosine(y, rest) if quadrant & 1 else _sine(y, rest)
    return -value if quadrant & 2 else value


@_in_cpp("real_cos")
def cos(x: float) -> float:
    """The cosine of an angle, on every device the same.

    Parameters
    ----------
    x : float
        The angle in radians, with the errors of `sin`.
    """
    x = float(x)
    if not -FARTHEST <= x <= FARTHEST:
        return nan
    quadrant, y, rest = _reduced(x)
    value = _sine(y, rest) if quadrant & 1 else _cosine(y, rest)
    return -value if (quadrant + 1) & 2 else value


@_in_cpp("real_tanh")
def tanh(x: float) -> float:
    """The hyperbolic tangent, at most 3 units in the last place from the exact one, on every device the same.

    Parameters
    ----------
    x : float
        Any number.
    """
    x = float(x)
    if isnan(x):
        return x
    a = -x if x < 0.0 else x
    if a < 0.5:
        t = a + a
        tail = _polynomial(_EXP_MINUS_1, t)
        e = t + t * t * (0.5 + t * tail)
        value = e / (e + 2.0)
    elif a < 22.0:
        value = 1.0 - 2.0 / (exp(a + a) + 1.0)
    else:
        value = 1.0
    return -value if x < 0.0 else value


def _product(a: float, b: float) -> tuple[float, float]:
    """a b as a sum of two doubles (T. J. Dekker, 1971)."""
    p = a * b
    t = _SPLIT * a
    a_high = t - (t - a)
    a_low = a - a_high
    t = _SPLIT * b
    b_high = t - (t - b)
    b_low = b - b_high
    return p, ((a_high * b_high - p) + a_high * b_low + a_low * b_high) + a_low * b_low


def _sum(a: float, b: float) -> tuple[float, float]:
    """a + b as a sum of two doubles (D. E. Knuth)."""
    s = a + b
    v = s - a
    return s, (a - (s - v)) + (b - v)


def _long_log(x: float) -> tuple[float, float]:
    """The logarithm of a number above 0 as a sum of two doubles, relative error below 2**-63."""
    m, k = _split_logarithm(x)
    f = m - 1.0
    d, d_rest = _sum(2.0, f)
    s = f / d
    p, p_rest = _product(s, d)
    s_rest = (((f - p) - p_rest) - s * d_rest) / d
    z, z_rest = _product(s, s)
    z_rest = z_rest + (s + s) * s_rest
    c, c_rest = _product(z, s)
    c_rest = c_rest + (z * s_rest + z_rest * s)
    t, t_rest = _product(c, _THIRD_HIGH)
    t_rest = t_rest + (c * _THIRD_LOW + c_rest * _THIRD_HIGH)
    tail = c * (z * _polynomial(_LOG[1:], z))
    high, rest = _sum(s + s, t)
    rest = rest + ((s_rest + s_rest) + t_rest + tail)
    total, total_rest = _sum(k * _LN2_HIGH, high)
    return _sum(total, total_rest + (rest + k * _LN2_LOW))


@_in_cpp("real_power")
def power(x: float, y: float) -> float:  # noqa: PLR0911 - a case for each special number
    """x to the power of y, on every device the same.

    Parameters
    ----------
    x : float
        The base. Of a negative one only whole powers are numbers, all others NaN.
    y : float
        The exponent. The error is at most 2 units in the last place, or 1 unit of 2**-1074.

    Returns
    -------
    float
        The power; 1 for an exponent of 0. A negative power of 0 is infinite.
    """
    x, y = float(x), float(y)
    if y == 0.0 or x == 1.0:
        return 1.0
    if isnan(x) or not -1e300 < y < 1e300:
        return nan
    a = -x if x < 0.0 else x
    sign = 1.0
    if x < 0.0:
        if y != floor(y):
            return nan
        half = 0.5 * y
        sign = 1.0 if half == floor(half) else -1.0
    if a == 0.0:
        return sign * (0.0 if y > 0.0 else inf)
    if a == inf:
        return sign * (inf if y > 0.0 else 0.0)
    high, low = _long_log(a)
    p = y * high
    if not -800.0 < p < 800.0:
        return sign * (inf if p > 0.0 else 0.0)
    p, rest = _product(y, high)
    rest = rest + y * low
    value = exp(p)
    return sign * (value if value in (0.0, inf) else value + value * rest)
