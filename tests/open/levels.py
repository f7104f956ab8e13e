"""A problem whose costs have levels, for workers to import."""

from typing import ClassVar

import numpy as np
from attrs import frozen

from metaheur import BitString
from metaheur.problem import Problem


@frozen(eq=False)
class Levelled(Problem):
    """Too many bits are a violation; among the feasible, more are better."""

    representation = BitString(20)
    levels: ClassVar[tuple[str, ...]] = ("hard", "soft")

    def level_bounds(self) -> tuple[tuple[int, int], ...]:
        return (0, 20), (-20, 0)

    def cost(self, x: np.ndarray) -> tuple[int, int]:
        ones = int(x.sum())
        return max(0, ones - 7), -ones
