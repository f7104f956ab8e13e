"""The published kinds of random knapsacks with one constraint."""

from __future__ import annotations

from collections.abc import Callable
from math import isqrt
from typing import Final

import numpy as np

from metaheur.errors import InputError
from metaheur.validate import whole

__all__ = ["KINDS", "boukedjar", "pisinger"]

Pair = tuple[np.ndarray, np.ndarray]
"""Profits and weights."""


def _uncorrelated(draw: np.random.Generator, n: int, most: int) -> Pair:
    return draw.integers(1, most + 1, n), draw.integers(1, most + 1, n)


def _weak(draw: np.random.Generator, n: int, most: int) -> Pair:
    weights = draw.integers(1, most + 1, n)
    return np.maximum(1, weights + draw.integers(-(most // 10), most // 10 + 1, n)), weights


def _strong(draw: np.random.Generator, n: int, most: int) -> Pair:
    weights = draw.integers(1, most + 1, n)
    return weights + most // 10, weights


def _inverse(draw: np.random.Generator, n: int, most: int) -> Pair:
    profits = draw.integers(1, most + 1, n)
    return profits, profits + most // 10


def _almost(draw: np.random.Generator, n: int, most: int) -> Pair:
    weights = draw.integers(1, most + 1, n)
    return weights + most // 10 + draw.integers(-(most // 500), most // 500 + 1, n), weights


def _subset_sum(draw: np.random.Generator, n: int, most: int) -> Pair:
    weights = draw.integers(1, most + 1, n)
    return weights, weights


def _even_odd_subset_sum(draw: np.random.Generator, n: int, most: int) -> Pair:
    weights = 2 * draw.integers(1, most // 2 + 1, n)
    return weights, weights


def _even_odd(draw: np.random.Generator, n: int, most: int) -> Pair:
    weights = 2 * draw.integers(1, most // 2 + 1, n)
    return weights + most // 10, weights


def _similar(draw: np.random.Generator, n: int, most: int) -> Pair:
    return draw.integers(1, most + 1, n), draw.integers(100 * most, 100 * most + most // 10 + 1, n)


def _multiple_strong(draw: np.random.Generator, n: int, most: int) -> Pair:
    weights = draw.integers(1, most + 1, n)
    return weights + np.where(weights % 6, 2 * most // 10, 3 * most // 10), weights


def _ceiling(draw: np.random.Generator, n: int, most: int) -> Pair:
    weights = draw.integers(1, most + 1, n)
    return 3 * -(-weights // 3), weights


def _circle(draw: np.random.Generator, n: int, most: int) -> Pair:
    weights = draw.integers(1, most + 1, n)
    heights = [isqrt(4 * (4 * most**2 - (w - 2 * most) ** 2) // 9) for w in weights.tolist()]
    return np.array(heights, np.int64), weights


def _spanner(kind: Callable[[np.random.Generator, int, int], Pair]) -> Callable[[np.random.Generator, int, int], Pair]:
    """Multiples 1 ... 10 of two items of a kind, which are divided by 11 and rounded up before."""

    def drawn(draw: np.random.Generator, n: int, most: int) -> Pair:
        profits, weights = (-(-each // 11) for each in kind(draw, 2, most))
        which, times = draw.integers(0, 2, n), draw.integers(1, 11, n)
        return profits[which] * times, weights[which] * times

    return drawn


KINDS: Final[dict[str, Callable[[np.random.Generator, int, int], Pair]]] = {
    "uncorrelated": _uncorrelated,
    "weakly correlated": _weak,
    "strongly correlated": _strong,
    "inverse strongly correlated": _inverse,
    "almost strongly correlated": _almost,
    "subset sum": _subset_sum,
    "even-odd subset sum": _even_odd_subset_sum,
    "even-odd": _even_odd,
    "similar weights": _similar,
    "uncorrelated spanner": _spanner(_uncorrelated),
    "weakly correlated spanner": _spanner(_weak),
    "strongly correlated spanner": _spanner(_strong),
    "multiple strongly correlated": _multiple_strong,
    "profit ceiling": _ceiling,
    "circle": _circle,
}
"""Functions of a generator, the number of items and the largest number drawn; they return profits and weights."""


def pisinger(kind: str, n: int, *, largest: int, h: int, seed: int) -> tuple[np.ndarray, np.ndarray, int]:
    """Draw profits, weights and the capacity; see `Knapsack.pisinger`."""
    if kind not in KINDS:
        raise InputError(f"`kind` must be one of {', '.join(KINDS)}, but is {kind!r}.")
    h, largest = whole(h, "h", 1, 100), whole(largest, "largest", 10, 1 << 24)
    profits, weights = _drawn(kind, n, largest, seed)
    load = h * int(weights.sum())
    capacity = 2 * (load // 202) + 1 if kind.startswith("even-odd") else load // 101
    return profits, weights, capacity


def boukedjar(n: int, *, seed: int) -> tuple[np.ndarray, np.ndarray, int]:
    """Draw profits, weights and the capacity; see `Knapsack.boukedjar`."""
    profits, weights = _drawn("strongly correlated", n, 100, seed)
    return profits, weights, int(weights.sum()) // 2


def _drawn(kind: str, n: int, largest: int, seed: int) -> Pair:
    n, seed = whole(n, "n", 1, 1 << 24), whole(seed, "seed", 0)
    return KINDS[kind](np.random.Generator(np.random.PCG64(seed)), n, largest)
