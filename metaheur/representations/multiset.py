"""Multiset: arrangements of values, each of which occurs a fixed number of times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, final

import numpy as np
from attrs import field, frozen

from metaheur.component import Representation, Solution
from metaheur.random import Key, Random
from metaheur.representation import hamming, outside, shuffled_starts
from metaheur.validate import whole_numbers

__all__ = ["Multiset"]


def _counts(values: Any) -> tuple[int, ...]:
    return whole_numbers(values, "Multiset.counts", 1)


@final
@frozen
class Multiset(Representation):
    """Arrangements of the values 0, 1, ..., where value v occurs `counts[v]` times.

    So the n m operations of a job shop are arranged as n jobs that occur m times each, and a partition into classes of
    fixed sizes has the class of each item. `Interchange` keeps the counts.

    Parameters
    ----------
    counts : sequence of int
        How often each value occurs, each 1 or more, 2**31 - 1 together.
    """

    counts: tuple[int, ...] = field(converter=_counts, metadata={"python only": True})

    source: ClassVar[str] = "multiset.cuh"
    exchanges: ClassVar[bool] = True

    @property
    def length(self) -> int:
        """Number of entries: the sum of the counts."""
        return sum(self.counts)

    @property
    def values(self) -> int:
        """Number of values: as many as there are counts."""
        return len(self.counts)

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        """`ends`: how many entries hold a value up to each."""
        return {"ends": np.cumsum(self.counts).astype(np.int32)}

    def random(self, random: Random) -> Solution:
        """Draw one of the arrangements: the sorted values, shuffled by Fisher and Yates; int32 array of shape (n,)."""
        found: Solution = self._sorted()[random.permutation(self.length)]
        return found

    def starts(self, keys: Sequence[Key]) -> np.ndarray:
        """The random starts of many walks, drawn side by side; int32 array of shape (W, n)."""
        found: np.ndarray = self._sorted()[shuffled_starts(keys, self.length)]
        return found

    def _sorted(self) -> np.ndarray:
        return np.repeat(np.arange(self.values, dtype=self.dtype), self.counts)

    def violation(self, x: Solution) -> str:
        """The first position that is out of range, or the first value that occurs another number of times, or ""."""
        if reason := outside(x, self.values):
            return reason
        found = np.bincount(x, minlength=self.values)
        wrong = np.flatnonzero(found != self.counts)
        return f"value {wrong[0]} occurs {found[wrong[0]]} times, not {self.counts[wrong[0]]}." if wrong.size else ""

    def distance(self, x: Solution, y: Solution) -> int:
        """Hamming distance: the number of positions where x and y differ; an interchange changes two."""
        return hamming(x, y)
