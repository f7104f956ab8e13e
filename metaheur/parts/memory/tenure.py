"""Tenure: for how many iterations a tabu search forbids a move."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any, ClassVar, final

import numpy as np
from attrs import Attribute, field, frozen

from metaheur.errors import InputError
from metaheur.fields import Factor, Range
from metaheur.lazy import expressible
from metaheur.part import Kept, Part
from metaheur.random import Random
from metaheur.representation import Solution
from metaheur.validate import ratio, require_ratio, whole_field

__all__ = ["AnyTenure", "Tenure"]

_NUMBERS = {"tune": Range(0.01, 2.0, log=True), "maybe": "use Tenure(0.9, 1.1), multiples of n, the default."}


class AnyTenure(Part):
    """Decides for how many iterations something is forbidden.

    In C++: ``i64 draw(u32 bits, i64 n) const``; optional ``void visit(Team, const Item* x, Random)`` and ``bool
    escapes() const``.
    """

    def visit(self, kept: Kept, x: Solution, random: Random) -> None:
        """Take note of the solution that a move led to; writes the kept arrays. Does nothing by default."""

    def escapes(self, kept: Kept) -> bool:
        """Whether the next move is to be a random one; False by default."""
        return False


@final
@frozen
class Tenure(AnyTenure):
    """An integer, uniform in [floor(low n) + low_plus, ceil(high n) + high_plus], where n is a solution's length.

    Parameters
    ----------
    low, high : float or fractions.Fraction
        Multiples of n, 0 <= low <= high <= 1000.
    low_plus, high_plus : int, default 0
        Iterations, 0 <= low_plus <= high_plus <= 2**30.

    Examples
    --------
    n/100 + rand(1 ... 10) of Glover, Lü and Hao (2010), and a fixed tenure of 12 iterations:

    >>> Tenure(0.01, 0.01, low_plus=1, high_plus=10), Tenure.fixed(12)
    (Tenure(low=1/100, high=1/100, low_plus=1, high_plus=10), Tenure(low=0, high=0, low_plus=12, high_plus=12))

    Notes
    -----
    Taillard, "Robust taboo search for the quadratic assignment problem", Parallel Computing 17, 1991: [0.9 n, 1.1 n].
    """

    low: Fraction = field(
        default=Fraction(9, 10), converter=ratio, validator=require_ratio, repr=str, metadata=_NUMBERS
    )
    high: Fraction = field(
        default=Fraction(11, 10), converter=ratio, validator=require_ratio, repr=str, metadata=_NUMBERS
    )
    low_plus: int = whole_field(0, 2**30, default=0, kw_only=True, metadata={"tune": Factor()})
    high_plus: int = whole_field(0, 2**30, default=0, kw_only=True, metadata={"tune": Factor()})

    source: ClassVar[str] = "tenure.cuh"

    @classmethod
    @expressible
    def fixed(cls, iterations: int) -> Tenure:
        """Always the same number of iterations."""
        return cls(0, 0, low_plus=iterations, high_plus=iterations)

    @high.validator
    def _ordered(self, _: Attribute[Any], high: Fraction) -> None:
        if high < self.low:
            raise InputError(
                f"A tenure's lower end must not exceed its upper end, but is {float(self.low)}, above {float(high)}.",
                "exchange them.",
            )

    @high_plus.validator
    def _plus_ordered(self, _: Attribute[Any], high_plus: int) -> None:
        if high_plus < self.low_plus:
            raise InputError(
                f"A tenure's `low_plus` must not exceed `high_plus`, but is {self.low_plus}, above {high_plus}.",
                "exchange them.",
            )

    def draw(self, bits: Any, n: int) -> Any:
        """The tenure for a random word; arrays entry by entry.

        Parameters
        ----------
        bits : int or numpy.ndarray
            Random words, 0 ... 2**32 - 1.
        n : int
            Length of a solution.
        """
        low, high = _interval(*self.low.as_integer_ratio(), *self.high.as_integer_ratio(), n)
        low, high = low + self.low_plus, high + self.high_plus
        if not isinstance(bits, np.ndarray | np.generic):
            return low + (bits * (high - low + 1) >> 32)
        above, below = divmod(high - low + 1, 2**32)  # the product has more than 64 bits
        wide = bits.astype(np.uint64)
        return (low + wide * np.uint64(above) + (wide * np.uint64(below) >> np.uint64(32))).astype(np.int64)


@cache
def _interval(a: int, b: int, c: int, d: int, n: int) -> tuple[int, int]:
    """The ends floor(a/b n) and ceil(c/d n)."""
    return a * n // b, -(-c * n // d)


def drawn(tenure: Any, kept: Kept, bits: int, n: int) -> int:
    """Draw a number of iterations from a tenure by a random word; `kept` is what the part around it keeps."""
    inner = kept.get("tenure")
    return int(tenure.draw(inner, bits, n) if inner else tenure.draw(bits, n))


def require_tenure(owner: Any, _: Attribute[Any], value: Any) -> None:
    """Refuse a value that is not a tenure; an attrs validator."""
    if not isinstance(value, AnyTenure):
        raise InputError(
            f"`{type(owner).__name__}.tenure` must be a Tenure or a ReactiveTenure, but is {value!r}.",
            "use Tenure(0.9, 1.1).",
        )
