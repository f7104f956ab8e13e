"""An archive that is truncated where members are near each other."""

from __future__ import annotations

from typing import ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.archives.archive import Archive
from metaheur.parts.replacement.ranks import squares_between, truncated
from metaheur.validate import whole_field

__all__ = ["DistanceTruncation"]


@final
@frozen
class DistanceTruncation(Archive):
    """Removes the member that is nearest to another one; where these distances are equal, the next ones decide.

    Objectives are scaled to 0 ... 1 by their ranges among the members. Of two members that are nearest to each other
    leaves the one with the nearer second neighbor, and so on; the youngest among equals.

    Parameters
    ----------
    capacity : int
        The largest number of members.

    Notes
    -----
    E. Zitzler, M. Laumanns and L. Thiele, "SPEA2: improving the strength Pareto evolutionary algorithm", TIK-Report
    103, ETH Zürich, 2001, section 3.2.
    """

    capacity: int = whole_field()

    source: ClassVar[str] = "distance_truncation.cuh"

    @property
    def limit(self) -> int:
        return self.capacity

    def worst(self, costs: np.ndarray) -> int:
        squares = squares_between(costs)
        np.fill_diagonal(squares, np.inf)
        return truncated(squares, np.arange(len(costs)), len(costs) - 1)[0]
