"""Random numbers of continuous distributions, the same on every device."""

from __future__ import annotations

from math import sqrt
from typing import Final

import numpy as np

from metaheur.random import START, Key, Random
from metaheur.reals.elementary import TURN, cos, exp, log, sin

__all__ = ["cauchy", "fraction", "normal", "normals", "tangent", "typical"]

_WORD: Final = 2.0**-32


def fraction(word: int) -> float:
    """A random word as a number between 0 and 1, neither of which it can be."""
    return (word + 0.5) * _WORD


def normal(random: Random, draw: int) -> float:
    """A standard normal number, by Box and Muller's transform of the first two words of a draw."""
    first, second, _, _ = random.words(draw)
    return sqrt(-2.0 * log(fraction(first))) * cos(TURN * fraction(second))


def normals(seed: int, count: int) -> np.ndarray:
    """Standard normal numbers for an instance with a seed; float64 array of shape (count,)."""
    random = Random(Key(seed), START, 0)
    return np.array([normal(random, draw) for draw in range(count)])


def cauchy(random: Random, draw: int) -> float:
    """A standard Cauchy number: the tangent of a random angle, of the first word of a draw."""
    return tangent(0.5 * TURN * (fraction(random.bits(draw)) - 0.5))


def tangent(angle: float) -> float:
    """The tangent of an angle in radians."""
    return sin(angle) / cos(angle)


def typical(share: float) -> float:
    """The absolute value that so large a share of standard normal numbers does not exceed, by Newton's method."""
    found, missing, density = 0.0, share, sqrt(4.0 / TURN)
    while found + missing / density > found:
        found += missing / density
        density = sqrt(4.0 / TURN) * exp(-0.5 * found * found)
        term = total = found
        factor = 1.0
        while total + term > total:
            factor += 2.0
            term = term * found * found / factor
            total += term
        missing = share - density * total
    return found
