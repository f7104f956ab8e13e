"""Weight strategies: which weighted sums of several objectives are minimised, one after the other."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from math import comb
from typing import Any, Final, final

import numpy as np
from attrs import frozen

from metaheur.archives.dominance import nondominated
from metaheur.errors import InputError
from metaheur.fields import numbers_of
from metaheur.lazy import expressible
from metaheur.random import START, Key, Random
from metaheur.validate import whole, whole_field

__all__ = [
    "AnytimeWeights",
    "DichotomicWeights",
    "RandomWeights",
    "RegularWeights",
    "WeightStrategy",
    "balanced",
    "compositions",
    "nearest_weights",
    "require_two",
    "simplex_lattice",
]

_MOST: Final = 5000
"""The most rows of weights of a lattice."""


def balanced(shares: Sequence[int], spans: Sequence[int]) -> tuple[int, ...]:
    """Whole weights that give objectives of different scales their shares.

    `shares`: the share of each objective, 0 or more. `spans`: the range of each objective, 1 or more. Returns for each
    objective the largest span divided by its own span, rounded, times its share.

    Examples
    --------
    >>> balanced([1, 2], [1000, 10])
    (1, 200)
    """
    most = max(spans)
    return tuple((2 * most + span) // (2 * span) * share for share, span in zip(shares, spans, strict=True))


def simplex_lattice(divisions: int, objectives: int) -> np.ndarray:
    """Weights that divide the simplex evenly, corners included, in lexicographic order; shape (k, K), rows of sum 1.

    Parameters
    ----------
    divisions : int
        The number of steps from one objective to another, 1 or more.
    objectives : int
        The number K of objectives, 2 or more. There are (divisions + K - 1)! / (divisions! (K - 1)!) rows.

    Raises
    ------
    InputError
        If an argument is not such a number, or there are more than 5000 rows.

    Notes
    -----
    I. Das and J. E. Dennis, "Normal-boundary intersection: a new method for generating the Pareto surface in nonlinear
    multicriteria optimization problems", SIAM Journal on Optimization 8, 1998.

    Examples
    --------
    >>> simplex_lattice(2, 2).tolist()
    [[0.0, 1.0], [0.5, 0.5], [1.0, 0.0]]
    """
    divisions, objectives = whole(divisions, "divisions"), whole(objectives, "objectives", 2)
    rows = comb(divisions + objectives - 1, objectives - 1)
    if rows > _MOST:
        raise InputError(
            f"{divisions} divisions for {objectives} objectives make {rows} weights, more than {_MOST}.",
            "use fewer divisions.",
        )
    return np.array(list(compositions(divisions, objectives))) / divisions


def fewest_divisions(rows: int, objectives: int) -> int:
    """The divisions of the smallest lattice with so many rows at least.

    Examples
    --------
    >>> fewest_divisions(91, 3)
    12
    """
    divisions = 1
    while comb(divisions + objectives - 1, objectives - 1) < rows:
        divisions += 1
    return divisions


def nearest_weights(weights: Any, count: int) -> np.ndarray:
    """The nearest rows of each row of weights, itself first, by Euclidean distance; the first among equals.

    Parameters
    ----------
    weights : array_like, shape (k, K)
        Finite numbers.
    count : int
        How many, 1 or more; all k rows if there are fewer.

    Returns
    -------
    numpy.ndarray of int32, shape (k, count)

    Raises
    ------
    InputError
        If the weights are not a matrix of finite numbers, or the count is not a whole number from 1 on.

    Examples
    --------
    >>> nearest_weights(simplex_lattice(3, 2), 2).tolist()
    [[0, 1], [1, 0], [2, 1], [3, 2]]
    """
    weights, count = numbers_of(weights, "weights", "float64", 2), whole(count, "count")
    apart = ((weights[:, None] - weights[None]) ** 2).sum(axis=2).round(12)
    np.fill_diagonal(apart, -1.0)
    return np.argsort(apart, axis=1, kind="stable")[:, :count].astype(np.int32)


@expressible
class WeightStrategy(ABC):
    """Gives the next weights, which may depend on the costs found with earlier weights."""

    def require(self, objectives: int) -> None:
        """Refuse a number of objectives that does not fit; by default every number fits.

        Raises
        ------
        InputError
            If the number does not fit.
        """
        return

    @abstractmethod
    def weights(self, turn: int, costs: np.ndarray, spans: Sequence[int]) -> tuple[int, ...] | None:
        """The weights of a turn, not negative and not all 0; None if there are no more.

        Parameters
        ----------
        turn : int
            The number of the turn, from 0 on.
        costs : numpy.ndarray, shape (m, K)
            The costs found so far: with each objective alone, then in each turn; all minimised.
        spans : sequence of int, length K
            The range of each objective among the first K costs, 1 or more.
        """


@final
@frozen
class RegularWeights(WeightStrategy):
    """Shares that divide the simplex evenly, without its corners, which are the single objectives.

    Parameters
    ----------
    divisions : int
        The number of steps from one objective to another, 2 ... 1000.
    """

    divisions: int = whole_field(2, 1000)

    def weights(self, turn: int, costs: np.ndarray, spans: Sequence[int]) -> tuple[int, ...] | None:
        count = comb(self.divisions + len(spans) - 1, len(spans) - 1) - len(spans)
        if turn >= count:
            return None
        inner = (each for each in compositions(self.divisions, len(spans)) if max(each) < self.divisions)
        return balanced(next(islice(inner, turn, None)), spans)


def compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """All ways to write a number as an ordered sum, in lexicographic order."""
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for others in compositions(total - first, parts - 1):
            yield (first, *others)


@final
@frozen
class RandomWeights(WeightStrategy):
    """Random shares.

    Parameters
    ----------
    count : int
        The number of weights.
    seed : int, default 0
        In 0 ... 2**32 - 1.
    """

    count: int = whole_field()
    seed: int = whole_field(0, 2**32 - 1, default=0)

    def weights(self, turn: int, costs: np.ndarray, spans: Sequence[int]) -> tuple[int, ...] | None:
        if turn >= self.count:
            return None
        random = Random(Key(self.seed), START, turn)
        return balanced([random.integer(k, 1, 1000) for k in range(len(spans))], spans)


@final
@frozen
class AnytimeWeights(WeightStrategy):
    """The middle, then the middles of both halves, and so on: shares are spread at any time; two objectives.

    Parameters
    ----------
    levels : int
        The number of levels, 1 ... 16: 2**levels - 1 weights in all.

    Notes
    -----
    J. Dubois-Lacoste, M. López-Ibáñez and T. Stützle, "Improving the anytime behavior of two-phase local search",
    Annals of Mathematics and Artificial Intelligence 61, 2011, section 3.1.
    """

    levels: int = whole_field(1, 16)

    def require(self, objectives: int) -> None:
        require_two(self, objectives)

    def weights(self, turn: int, costs: np.ndarray, spans: Sequence[int]) -> tuple[int, ...] | None:
        level = (turn + 1).bit_length()
        if level > self.levels:
            return None
        share = 2 * (turn + 1 - (1 << level - 1)) + 1
        return balanced([share, (1 << level) - share], spans)


@final
@frozen
class DichotomicWeights(WeightStrategy):
    """Weights for which two neighbors on the front cost the same, the most distant pair first; two objectives.

    Parameters
    ----------
    count : int
        The largest number of weights; there are fewer if all pairs of neighbors have been tried.

    Notes
    -----
    Y. P. Aneja and K. P. K. Nair, "Bicriteria transportation problem", Management Science 25, 1979.
    """

    count: int = whole_field()

    def require(self, objectives: int) -> None:
        require_two(self, objectives)

    def weights(self, turn: int, costs: np.ndarray, spans: Sequence[int]) -> tuple[int, ...] | None:
        if turn >= self.count:
            return None
        tried: set[Any] = set()
        for before in range(turn):  # the pairs that were tried follow from the costs that were found
            self._next(costs[: 2 + before], tried)
        pair = self._next(costs, tried)
        if pair is None:
            return None
        (x, y), (u, v) = pair
        return (y - v, u - x)

    @staticmethod
    def _next(costs: np.ndarray, tried: set[Any]) -> Any:
        """The most distant neighbors on the front that have not been tried; they are added to `tried`."""
        front = sorted(map(tuple, costs[nondominated(costs)].tolist()))
        pairs = [pair for pair in pairwise(front) if pair not in tried]
        pair = max(pairs, key=lambda p: (p[1][0] - p[0][0]) * (p[0][1] - p[1][1]), default=None)
        if pair is not None:
            tried.add(pair)
        return pair


def require_two(strategy: WeightStrategy, objectives: int) -> None:
    """Refuse another number of objectives than two."""
    if objectives != 2:
        raise InputError(
            f"{type(strategy).__name__} knows two objectives, but there are {objectives}.", "use RegularWeights."
        )
