"""An archive that is bounded by crowding distance."""

from __future__ import annotations

from typing import ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.archives.archive import Archive, youngest_lowest
from metaheur.validate import whole_field

__all__ = ["Crowding", "crowding_distances"]


@final
@frozen
class Crowding(Archive):
    """Removes the most crowded member.

    Parameters
    ----------
    capacity : int
        The largest number of members.

    Notes
    -----
    The crowding distance is K. Deb, A. Pratap, S. Agarwal and T. Meyarivan's, "A fast and elitist multiobjective
    genetic algorithm: NSGA-II", IEEE Transactions on Evolutionary Computation 6, 2002, section III B. It is computed
    anew after each removal.
    """

    capacity: int = whole_field()

    source: ClassVar[str] = "crowding.cuh"

    @property
    def limit(self) -> int:
        return self.capacity

    def worst(self, costs: np.ndarray) -> int:
        return youngest_lowest(crowding_distances(costs))


def crowding_distances(costs: np.ndarray) -> np.ndarray:
    """The crowding distance of each cost: the distance between its two neighbors, summed over the objectives.

    In each objective the costs are sorted by its values, and by index if these are equal. The first and the last cost
    have an infinite distance; to the distance of any other cost is added the difference between the next and the
    previous value, divided by the range of the objective.

    Parameters
    ----------
    costs : numpy.ndarray, shape (N, K)

    Returns
    -------
    numpy.ndarray of float64, shape (N,)
    """
    distances = np.zeros(len(costs))
    for k in range(costs.shape[1]):
        order = np.argsort(costs[:, k], kind="stable")
        values = costs[order, k].astype(np.float64)
        spread = values[-1] - values[0]
        if len(costs) > 2 and spread > 0:
            distances[order[1:-1]] += (values[2:] - values[:-2]) / spread
        distances[order[[0, -1]]] = np.inf
    return distances
