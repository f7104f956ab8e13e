"""An archive that is bounded by a grid."""

from __future__ import annotations

from typing import ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.archives.archive import Archive
from metaheur.validate import whole_field

__all__ = ["Grid"]


@final
@frozen
class Grid(Archive):
    """Removes a member of the most crowded cell of a grid, which adapts to the members.

    The range of each objective over the members is divided into cells of equal length. For each objective a member
    with the smallest value is never removed: the oldest, if several have it.

    Parameters
    ----------
    capacity : int
        The largest number of members, 9 or more, so that it exceeds the number of objectives.
    divisions : int, default 16
        The number of cells per objective, 1 ... 2**15.

    Notes
    -----
    J. D. Knowles and D. W. Corne, "Approximating the nondominated front using the Pareto archived evolution strategy",
    Evolutionary Computation 8, 2000, section 3.2.
    """

    capacity: int = whole_field(9, maybe="use 9 or more.")
    divisions: int = whole_field(1, 2**15, default=16)

    source: ClassVar[str] = "grid.cuh"

    @property
    def limit(self) -> int:
        return self.capacity

    def worst(self, costs: np.ndarray) -> int:
        low, high = costs.min(axis=0).astype(np.float64), costs.max(axis=0).astype(np.float64)
        spread = np.where(high > low, high - low, 1.0)
        cells = ((costs - low) / spread * self.divisions).astype(np.int64)
        cells = np.minimum(cells, self.divisions - 1)
        _, cell, sizes = np.unique(cells, axis=0, return_inverse=True, return_counts=True)
        crowd = sizes[cell.reshape(-1)]
        crowd[np.argmin(costs, axis=0)] = 0
        return len(crowd) - 1 - int(np.argmax(crowd[::-1]))
