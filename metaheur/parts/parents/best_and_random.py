"""Selection of the best member, and of a random one beside it."""

from __future__ import annotations

from typing import ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.parts.parents.parent_selection import DRAWS, ParentSelection
from metaheur.random import Random

__all__ = ["BestAndRandom"]


@final
@frozen
class BestAndRandom(ParentSelection):
    """The best member, the first among equals, and a random other one.

    Notes
    -----
    K. Deb, A. Anand and D. Joshi, "A computationally efficient evolutionary algorithm for real-parameter optimization",
    Evolutionary Computation 10, 2002, with two parents: the generalized generation gap model (G3).
    """

    source: ClassVar[str] = "best_and_random.cuh"

    def parent(self, costs: np.ndarray, random: Random, number: int) -> int:
        best = int(np.argmin(costs))
        if not number or len(costs) == 1:
            return best
        other = random.index(number * DRAWS, len(costs) - 1)
        return other + (other >= best)
