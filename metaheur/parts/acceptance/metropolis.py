"""Metropolis' criterion: deteriorations are accepted with a probability that falls with the temperature."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, ClassVar, final

import numpy as np
from attrs import field, frozen

from metaheur.part import Kept
from metaheur.parts.acceptance.cooling import CooledAcceptance, Cooling, cooling_of
from metaheur.representation import Representation

__all__ = ["Metropolis", "exponential"]

ONE = 2**32
"""The number that represents 1 in the table of logarithms."""

LN2 = round(0.6931471805599453 * ONE)


@cache
def logarithms() -> np.ndarray:
    """The natural logarithms of 1, 1 + 1/256, ... 2, in units of 2**-32; int64, shape (257,).

    They are computed in whole numbers and so are the same on every machine, however its `log` rounds.
    """
    table = [0]
    for i in range(256):  # ln((257 + i) / (256 + i)) = 2 artanh(1 / (513 + 2 i))
        x = 513 + 2 * i
        terms = (2 * (ONE << 32) // ((2 * k + 1) * x ** (2 * k + 1)) for k in range(4))
        table.append(table[-1] + sum(terms))
    out = np.array([value >> 32 for value in table], np.int64)
    out.flags.writeable = False
    return out


def exponential(bits: Any) -> Any:
    """An exponentially distributed number with mean 1 from random bits: -ln((bits + 1) / 2**32).

    Computed in whole numbers from the position of the leading bit, a table and interpolation: the error is below 2e-6,
    and every device gives the same.

    `bits`: random words, 0 ... 2**32 - 1. Returns multiples of 2**-32 in 0 ... 32 ln 2.
    """
    if isinstance(bits, int):
        return _negative_logarithm(bits + 1, (bits + 1).bit_length() - 1, _listed_logarithms())
    word = np.asarray(bits).astype(np.int64) + 1
    power = np.frexp(word.astype(np.float64))[1].astype(np.int64) - 1
    return _negative_logarithm(word, power, logarithms())[()]


@cache
def _listed_logarithms() -> list[int]:
    """The table for Python's numbers, which are many times as fast where there is one."""
    table: list[int] = logarithms().tolist()
    return table


def _negative_logarithm(word: Any, power: Any, table: Any) -> Any:
    """-ln(word / 2**32), where word is in 2**power ... 2**(power + 1) - 1."""
    mantissa = word << (32 - power)  # in 2**32 ... 2**33 - 1
    place, rest = (mantissa >> 24) - 256, mantissa & 0xFFFFFF
    logarithm = table[place] + ((table[place + 1] - table[place]) * rest >> 24)
    return ((32 - power) * LN2 - logarithm) * 2.0**-32


@final
@frozen
class Metropolis(CooledAcceptance):
    """Accepts a change of cost that is at most the temperature times an exponential random number.

    So it is accepted with the probability min(1, exp(-delta / temperature)).

    Parameters
    ----------
    cooling : Cooling or float
        The temperature and how it falls; a number is a fixed temperature.

    Notes
    -----
    N. Metropolis et al., "Equation of state calculations by fast computing machines", The Journal of Chemical Physics
    21, 1953.
    """

    cooling: Cooling = field(converter=cooling_of)

    source: ClassVar[str] = "metropolis.cuh"
    draws: ClassVar[bool] = True

    def constants(self, representation: Representation) -> Mapping[str, int]:
        """`ln2` in units of 2**-32."""
        return {"ln2": LN2}

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        """`logarithms`, in the same units."""
        return {"logarithms": logarithms()}

    def accepts(self, kept: Kept, delta: Any, current: Any, best: Any, draw: Any) -> Any:
        level = kept["cooling"]["level"]
        if isinstance(delta, int | float):
            return delta <= 0 or float(delta) <= level[()] * exponential(draw)
        return (delta <= 0) | (np.asarray(delta, np.float64) <= level * exponential(draw))
