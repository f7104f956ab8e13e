"""Which configurations are worse than the best one: Friedman's test with Conover's comparison of rank sums."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

import numpy as np

__all__ = ["chi_squared_quantile", "ranks", "surviving", "t_quantile"]

LEVEL = 0.05
"""A configuration is eliminated if so small a probability, or a smaller one, says that it is as good as the best."""


def ranks(costs: np.ndarray) -> np.ndarray:
    """The rank of each cost in its row, 1 for the lowest; equal costs share their mean rank.

    `costs`, float64, shape (blocks, configurations): a row for each block, that is, an instance with a seed.
    """
    below = (costs[:, None, :] < costs[:, :, None]).sum(axis=2)
    equal = (costs[:, None, :] == costs[:, :, None]).sum(axis=2)
    found: np.ndarray = below + (equal + 1) / 2
    return found


def surviving(costs: np.ndarray) -> np.ndarray:
    """Whether each configuration may still be the best one.

    Friedman's test asks whether configurations differ at all; if so, those are eliminated whose sum of ranks exceeds
    the lowest sum by more than the critical difference.

    `costs`, float64, shape (blocks, configurations): at least two blocks; lower is better. Returns bool, shape
    (configurations,).

    Notes
    -----
    W. J. Conover, "Practical Nonparametric Statistics", 3rd edition, 1999, section 5.8; M. Birattari, Z. Yuan, P.
    Balaprakash and T. Stützle, "F-Race and iterated F-Race: An overview", 2010.
    """
    blocks, count = costs.shape
    each = ranks(costs)
    sums = each.sum(axis=0)
    squares, level = float((each**2).sum()), blocks * count * (count + 1) ** 2 / 4
    if count < 2 or squares <= level:  # all costs of each block are equal
        return np.ones(count, dtype=bool)
    between = float((sums**2).sum()) / blocks
    if (count - 1) * blocks * (between - level) / (squares - level) <= chi_squared_quantile(1 - LEVEL, count - 1):
        return np.ones(count, dtype=bool)
    freedom = (blocks - 1) * (count - 1)
    spread = sqrt(max(0.0, 2 * blocks * (squares - between) / freedom))
    found: np.ndarray = sums - sums.min() <= t_quantile(1 - LEVEL / 2, freedom) * spread
    return found


def chi_squared_quantile(probability: float, freedom: int) -> float:
    """The quantile of the chi-squared distribution, to a few percent.

    Notes
    -----
    E. B. Wilson and M. M. Hilferty, "The distribution of chi-square", PNAS 17, 1931.
    """
    part = 2 / (9 * freedom)
    return float(freedom * (1 - part + NormalDist().inv_cdf(probability) * sqrt(part)) ** 3)


def t_quantile(probability: float, freedom: int) -> float:
    """The quantile of Student's distribution with four or more degrees of freedom, to about a percent.

    Notes
    -----
    M. Abramowitz and I. A. Stegun, "Handbook of Mathematical Functions", 1964, 26.7.5.
    """
    z = NormalDist().inv_cdf(probability)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return float(z + sum(term / freedom ** (power + 1) for power, term in enumerate(terms)))
