"""Walks that several runners hold between them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Any, final

import numpy as np

from metaheur.representation import Solution
from metaheur.walk import Walks

__all__ = ["Joined", "shares"]


@final
class Joined(Walks):
    """The walks of several runners, one after the other.

    Parameters
    ----------
    parts : sequence of Walks
        Not empty.
    """

    def __init__(self, parts: Sequence[Walks]) -> None:
        self.parts = tuple(parts)
        self.firsts = (0, *accumulate(len(part) for part in parts))
        self.keys = tuple(key for part in parts for key in part.keys)
        counts = ("iterations", "evaluated", "improved_at", "moved", "neutral")
        for name in ("costs", "best_costs", *counts, "finished", "stopped"):
            setattr(self, name, np.concatenate([getattr(part, name) for part in parts]))

    def share(self) -> tuple[Walks, ...]:
        """The parts, told which of their walks are to rest."""
        for part, first in zip(self.parts, self.firsts, strict=False):
            part.stopped = self.stopped[first : first + len(part)].copy()
        return self.parts

    def _at(self, w: int) -> tuple[Walks, int]:
        p = bisect_right(self.firsts, w) - 1
        return self.parts[p], w - self.firsts[p]

    def state(self, w: int) -> Any:
        part, own = self._at(w)
        return part.state(own)

    def best_solution(self, w: int) -> Solution:
        part, own = self._at(w)
        return part.best_solution(own)

    def best_solutions(self) -> np.ndarray:
        return np.concatenate([part.best_solutions() for part in self.parts])


def shares(count: int, weights: Sequence[float]) -> list[slice]:
    """So many things dealt out in proportion to weights, one after the other.

    Parameters
    ----------
    count : int
        How many things.
    weights : sequence of float
        Above 0.
    """
    total, sums = sum(weights), list(accumulate(weights))
    ends = [round(count * each / total) for each in sums]
    return [slice(first, last) for first, last in zip([0, *ends], ends, strict=False)]
