"""Random numbers of continuous distributions, the same on every device."""

from __future__ import annotations

from math import sqrt
from typing import Final

from metaheur.random import Random
from metaheur.reals.elementary import TURN, cos, log, sin

__all__ = ["cauchy", "fraction", "normal"]

_WORD: Final = 2.0**-32


def fraction(word: int) -> float:
    """A random word as a number between 0 and 1, neither of which it can be."""
    return (word + 0.5) * _WORD


def normal(random: Random, draw: int) -> float:
    """A standard normal number, by Box and Muller's transform of the first two words of a draw."""
    first, second, _, _ = random.words(draw)
    return sqrt(-2.0 * log(fraction(first))) * cos(TURN * fraction(second))


def cauchy(random: Random, draw: int) -> float:
    """A standard Cauchy number: the tangent of a random angle, of the first word of a draw."""
    angle = 0.5 * TURN * (fraction(random.bits(draw)) - 0.5)
    return sin(angle) / cos(angle)
