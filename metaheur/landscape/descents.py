"""Adaptive walks, and escapes from the local optima where they end."""

from __future__ import annotations

from typing import final

import numpy as np
from attrs import frozen

from metaheur.landscape.estimate import Curve, Estimate
from metaheur.landscape.ground import Ground
from metaheur.searches.hill_climbing import HillClimbing
from metaheur.searches.pivoting import Pivoting
from metaheur.searches.random_walk import RandomWalk
from metaheur.validate import whole

__all__ = ["AdaptiveWalks", "EscapeRates", "adaptive_walks", "escape_rates"]


@final
@frozen(eq=False)
class AdaptiveWalks:
    """Descents from random solutions.

    Parameters
    ----------
    length : Estimate
        The steps from a start to its local optimum.
    cost : Estimate
        The cost of the local optimum.
    lengths, costs : numpy.ndarray, shape (W,)
        Both for each walk; costs as the user reads them.
    optima : numpy.ndarray, shape (m, n)
        The different local optima, in ascending order.
    counts : numpy.ndarray of int64, shape (m,)
        How many walks ended in each.
    number : Estimate
        How many local optima there are, from how often optima were found again (Chao 1984): a lower bound on average.
    """

    length: Estimate
    cost: Estimate
    lengths: np.ndarray
    costs: np.ndarray
    optima: np.ndarray
    counts: np.ndarray
    number: Estimate


def adaptive_walks(ground: Ground, walks: int, pivoting: Pivoting | None) -> AdaptiveWalks:
    """Descents from random solutions, by best improvement unless another rule is given."""
    starts = ground.starts(whole(walks, "walks"))
    ends = ground.descend(starts, None if pivoting is None else HillClimbing(ground.neighborhood, pivoting))
    optima, counts = np.unique(ends.solutions, axis=0, return_counts=True)
    shown = ground.shown(ends.costs)
    return AdaptiveWalks(
        Estimate.of(ends.steps), Estimate.of(shown), ends.steps, shown, optima, counts, richness(counts)
    )


def richness(counts: np.ndarray) -> Estimate:
    """How many kinds there are, from how often each was seen.

    A. Chao, "Nonparametric estimation of the number of classes in a population", Scandinavian Journal of Statistics 11,
    1984, with the logarithmic interval of Chao 1987.
    """
    seen, once, twice = len(counts), int((counts == 1).sum()), int((counts == 2).sum())
    missing = once * (once - 1) / (2 * (twice + 1))
    total = int(counts.sum())
    if not missing:
        return Estimate(float(seen), float(seen), float(seen), total)
    a, b = once, twice + 1
    variance = a * (a - 1) / (2 * b) + a * (2 * a - 1) ** 2 / (4 * b**2) + a**2 * (b - 1) * (a - 1) ** 2 / (4 * b**4)
    spread = float(np.exp(1.959964 * np.sqrt(np.log(1 + variance / missing**2))))
    return Estimate(seen + missing, seen + missing / spread, seen + missing * spread, total)


@final
@frozen(eq=False)
class EscapeRates:
    """How often a descent leaves a local optimum behind, after so many random moves from it.

    Parameters
    ----------
    escaped : Curve
        Over the number of moves: the share of walks that did not come back to the local optimum.
    improved : Curve
        The share that ended in a better one.

    Notes
    -----
    P. Merz, "Advanced fitness landscape analysis and the performance of memetic algorithms", Evolutionary Computation
    12(3), 2004, section 4.
    """

    escaped: Curve
    improved: Curve


def escape_rates(ground: Ground, walks: int, farthest: int) -> EscapeRates:
    """Random walks of 1 ... `farthest` moves from local optima, and descents from each of their solutions."""
    whole(walks, "walks"), whole(farthest, "farthest")
    ends = ground.descend(ground.starts(walks))
    steps = range(1, farthest + 1)
    walked = ground.walk(RandomWalk(ground.neighborhood), ends.solutions, farthest, frozenset(steps))
    escaped, improved = [], []
    for at in steps:
        later = ground.descend(walked.solutions[at])
        escaped.append((later.solutions != ends.solutions).any(axis=1))
        improved.append(later.costs < ends.costs)
    return EscapeRates(Curve.of(steps, escaped), Curve.of(steps, improved))
