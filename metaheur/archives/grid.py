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
    """Lets a member of the most crowded cell of a grid go, which adapts to the members.

    Each objective's range over the members is divided into cells of one length. A member with the smallest value of an
    objective, the oldest of equals, stays.

    Parameters
    ----------
    capacity : int
        How many members are kept at most, from 9 on: more than objectives.
    divisions : int, default 16
        Cells an objective, 1 ... 2**15.

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
