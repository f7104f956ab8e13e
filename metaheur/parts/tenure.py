"""Tenure: for how long a tabu search remembers."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any, ClassVar, final

import numpy as np
from attrs import Attribute, field, frozen

from metaheur.errors import InputError
from metaheur.parts.part import Part

__all__ = ["Tenure"]


_FINEST = 10**6
"""Largest denominator of a multiple of n: with it, its products with n fit into 64 bits."""


def _ratio(value: Any) -> Fraction:
    """The number as its decimal digits say it: 1.1 is 11/10, so that 1.1 times 10 is 11."""
    if isinstance(value, bool | str) or not isinstance(value, int | float | np.integer | np.floating | Fraction):
        raise InputError(f"A tenure must be a multiple of n, a number such as 0.9, but is {value!r}.")
    if not 0 <= value <= 1000:
        raise InputError(
            f"A tenure must be a multiple of n in 0 ... 1000, but is {value!r}.", "use tenure=(0.9, 1.1), the default."
        )
    if isinstance(value, Fraction) and value.denominator > _FINEST:
        raise InputError(
            f"The denominator of a tenure must be at most {_FINEST}, but it is {value!r}.",
            f"round it with limit_denominator({_FINEST}).",
        )
    return Fraction(str(value)).limit_denominator(_FINEST)


@final
@frozen
class Tenure(Part):
    """An integer drawn uniformly from [floor(low n), ceil(high n)], n the length of a solution.

    Parameters
    ----------
    low, high : float or fractions.Fraction
        Multiples of n, 0 <= low <= high <= 1000.

    Notes
    -----
    Taillard, "Robust taboo search for the quadratic assignment problem", Parallel Computing 17, 1991: [0.9 n, 1.1 n].
    """

    low: Fraction = field(default=Fraction(9, 10), converter=_ratio, repr=str)
    high: Fraction = field(default=Fraction(11, 10), converter=_ratio, repr=str)

    source: ClassVar[str] = "tenure.cuh"

    @high.validator
    def _ordered(self, _: Attribute[Any], high: Fraction) -> None:
        if high < self.low:
            raise InputError(
                f"A tenure's lower end must not exceed its upper end, but is {float(self.low)}, above {float(high)}.",
                "exchange them.",
            )

    def draw(self, bits: Any, n: int) -> Any:
        """The tenure that a random word stands for; arrays entry by entry.

        Parameters
        ----------
        bits : int or numpy.ndarray
            Random words, 0 ... 2**32 - 1.
        n : int
            Length of a solution.
        """
        low, high = _interval(*self.low.as_integer_ratio(), *self.high.as_integer_ratio(), n)
        if not isinstance(bits, np.ndarray | np.generic):
            return low + (bits * (high - low + 1) >> 32)
        above, below = divmod(high - low + 1, 2**32)  # the product has more than 64 bits
        wide = bits.astype(np.uint64)
        return (low + wide * np.uint64(above) + (wide * np.uint64(below) >> np.uint64(32))).astype(np.int64)


@cache
def _interval(a: int, b: int, c: int, d: int, n: int) -> tuple[int, int]:
    """The ends floor(a/b n) and ceil(c/d n)."""
    return a * n // b, -(-c * n // d)
