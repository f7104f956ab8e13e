"""Correlations of costs along random walks, and of costs with distances."""

from __future__ import annotations

from math import inf, log
from typing import Any

import numpy as np

from metaheur.errors import InputError
from metaheur.landscape.estimate import Curve, Estimate
from metaheur.landscape.ground import Ground
from metaheur.searches.random_walk import RandomWalk
from metaheur.validate import whole

__all__ = ["autocorrelation", "correlation_length", "distance_correlation"]


def autocorrelation(ground: Ground, walks: int, steps: int, lags: int) -> Curve:
    """The autocorrelation of costs at lags 0 ... `lags`; mean and variance are those of all walks together."""
    whole(walks, "walks"), whole(steps, "steps"), whole(lags, "lags", 1, steps)
    starts = ground.starts(walks)
    costs = np.array(ground.walk(RandomWalk(ground.neighborhood), starts, steps).costs, np.float64)
    apart = costs - costs.mean()
    variance = float((apart**2).mean())
    if not variance:
        raise InputError("All costs along the walks are equal, so that they have no autocorrelation.")
    each = [(apart[: len(apart) - lag] * apart[lag:]).mean(axis=0) / variance for lag in range(lags + 1)]
    found = Curve.of(np.arange(lags + 1), each)
    found.values[0] = found.low[0] = found.high[0] = 1.0
    return found


def correlation_length(first: Estimate) -> Estimate:
    """-1 / ln r(1), from the autocorrelation at lag 1 (Stadler 1996); 0 where it is not positive."""
    value, low, high = (0.0 if r <= 0 else inf if r >= 1 else -1 / log(r) for r in (first.value, first.low, first.high))
    return Estimate(value, low, high, first.walks)


def distance_correlation(ground: Ground, walks: int, reference: Any, of: str) -> tuple[Estimate, np.ndarray, Any]:
    """The correlation of cost and distance to the nearest reference, the distances, and the costs of the solutions."""
    whole(walks, "walks", 2)
    if of not in ("random", "optima"):
        raise InputError(f'`of` must be "random" or "optima", but is {of!r}.')
    space = ground.problem.representation
    starts = ground.starts(walks)
    ends = ground.descend(starts) if of == "optima" or reference is None else None
    if reference is None:
        assert ends is not None
        references = np.unique(ends.solutions[ends.costs == ends.costs.min()], axis=0)
    else:
        references = np.array([space.validate(x) for x in np.atleast_2d(np.asarray(reference))])
    if of == "optima":
        assert ends is not None
        xs, costs = ends.solutions, ends.costs
    else:
        xs, costs = starts, ground.costs(starts)
    distances = np.array([min(space.distance(x, each) for each in references) for x in xs])
    shown = ground.shown(costs)
    return Estimate.correlation(shown, distances), distances, shown
