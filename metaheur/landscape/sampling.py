"""Samples of solutions and of their neighbors."""

from __future__ import annotations

from typing import Any, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.landscape.estimate import Estimate
from metaheur.landscape.ground import Ground
from metaheur.parts import Fixed
from metaheur.random import Key, Random
from metaheur.searches.simulated_annealing import SimulatedAnnealing
from metaheur.validate import whole

__all__ = ["DensityOfStates", "FitnessCloud", "density_of_states", "fitness_cloud", "neighborhood_statistics"]

NEIGHBOR = 1002
"""The stream of the random neighbors of fitness clouds."""


@final
@frozen(eq=False)
class DensityOfStates:
    """The distribution of costs in the space, estimated from random solutions.

    Parameters
    ----------
    costs : numpy.ndarray, shape (W,)
        The costs of the solutions, as the user reads them.
    mean : Estimate
        The mean cost.
    deviation, skewness, kurtosis : float
        The standard deviation, the third standardised moment, and the fourth one less 3; NaN where all costs are equal.
    """

    costs: np.ndarray
    mean: Estimate
    deviation: float
    skewness: float
    kurtosis: float

    def histogram(self, bins: int = 30) -> tuple[np.ndarray, np.ndarray]:
        """The share of solutions in each interval of costs, and the ends of the intervals; see `numpy.histogram`.

        Parameters
        ----------
        bins : int, default 30
            Number of intervals.
        """
        counts, ends = np.histogram(self.costs, whole(bins, "bins"))
        return counts / len(self.costs), ends


def density_of_states(ground: Ground, walks: int) -> DensityOfStates:
    """The costs of random solutions."""
    costs = ground.shown(ground.costs(ground.starts(whole(walks, "walks", 2))))
    apart = np.asarray(costs, np.float64) - np.mean(costs)
    spread = float(np.sqrt((apart**2).mean()))
    skew, flat = (float((apart**p).mean() / spread**p) if spread else np.nan for p in (3, 4))
    return DensityOfStates(costs, Estimate.of(costs), spread, skew, flat - 3)


@final
@frozen(eq=False)
class FitnessCloud:
    """Costs of solutions and of a neighbor of each.

    Parameters
    ----------
    costs, neighbors : numpy.ndarray, shape (m,)
        The cost of each solution, and that of its neighbor, as the user reads them.
    correlation : Estimate
        The correlation of both.
    improving : Estimate
        The share of solutions whose neighbor is better.
    """

    costs: np.ndarray
    neighbors: np.ndarray
    correlation: Estimate
    improving: Estimate


def fitness_cloud(ground: Ground, walks: int, neighbor: str, temperature: float | None, steps: int) -> FitnessCloud:
    """Costs of solutions, and of a random or the best neighbor of each.

    `temperature`: None for random solutions; else those at which walks by Metropolis' rule end after `steps` trials.
    """
    whole(walks, "walks", 2)
    if neighbor not in ("random", "best"):
        raise InputError(f'`neighbor` must be "random" or "best", but is {neighbor!r}.')
    xs = ground.starts(walks)
    if temperature is not None:
        search = SimulatedAnnealing(ground.neighborhood, temperature, Fixed())
        xs = ground.walk(search, xs, whole(steps, "steps"), frozenset({steps})).solutions[steps]
    costs = ground.costs(xs)
    changes = np.zeros(walks, costs.dtype)
    for w, deltas in enumerate(ground.deltas(xs, costs)):
        if not len(deltas):
            continue
        drawn = Random(Key(ground.seed, w), NEIGHBOR, 0).index(0, len(deltas)) if neighbor == "random" else None
        changes[w] = deltas.min() if drawn is None else deltas[drawn]
    shown, others = ground.shown(costs), ground.shown(costs + changes)
    return FitnessCloud(shown, others, Estimate.correlation(shown, others), Estimate.of(changes < 0))


STATISTICS = ("lowest", "lower quartile", "median", "upper quartile", "highest", "mean", "deviation")


def neighborhood_statistics(ground: Ground, walks: int) -> dict[str, Estimate]:
    """Statistics of the changes of cost of all moves of random solutions, and shares of moves by their sign."""
    xs = ground.starts(whole(walks, "walks"))
    costs = ground.costs(xs)
    rows: list[tuple[Any, ...]] = []
    for deltas in ground.deltas(xs, costs):
        if len(deltas):
            quartiles = np.quantile(deltas, (0, 0.25, 0.5, 0.75, 1))
            signs = ((deltas < 0).mean(), (deltas == 0).mean(), (deltas > 0).mean())
            rows.append((*quartiles, deltas.mean(), deltas.std(), *signs))
    names = (*STATISTICS, "improving", "neutral", "worsening")
    columns = np.array(rows).reshape(-1, len(names)).T
    return {name: Estimate.of(column) for name, column in zip(names, columns, strict=True)}
