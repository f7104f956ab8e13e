"""An archive that is bounded by crowding distance."""

from __future__ import annotations

from typing import ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.archives.archive import Archive, youngest_lowest
from metaheur.parts.replacement.ranks import crowding_distances
from metaheur.validate import whole_field

__all__ = ["Crowding"]


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
