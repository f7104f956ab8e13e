"""Domains: vectors of entries, each with values of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, final

import numpy as np
from attrs import field, frozen

from metaheur.component import Representation, Solution
from metaheur.random import Key, Random
from metaheur.representation import hamming, uniform, uniform_starts
from metaheur.validate import whole_numbers

__all__ = ["Domains"]


def _sizes(values: Any) -> tuple[int, ...]:
    return whole_numbers(values, "Domains.sizes", 1)


@final
@frozen
class Domains(Representation):
    """Vectors in which entry a is one of its own `sizes[a]` values 0 ... sizes[a] - 1.

    So each operation has a machine of its own list, and each activity one of its modes. With equal sizes these are the
    vectors of `DiscreteVector`.

    Parameters
    ----------
    sizes : sequence of int
        Number of values of each entry, 1 ... 2**31 - 1.
    """

    sizes: tuple[int, ...] = field(converter=_sizes, metadata={"python only": True})

    source: ClassVar[str] = "domains.cuh"
    independent: ClassVar[bool] = True

    @property
    def length(self) -> int:
        """Number of entries: as many as there are sizes."""
        return len(self.sizes)

    @property
    def values(self) -> int:
        """Number of values of the entry that has most."""
        return max(self.sizes)

    @property
    def exchanges(self) -> bool:
        """Whether all entries have the same values, so that any two may trade them."""
        return min(self.sizes) == max(self.sizes)

    def domain(self, k: int) -> int:
        """Number of values of entry k."""
        return self.sizes[k]

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        """`sizes`."""
        return {"sizes": np.array(self.sizes, np.int32)}

    def random(self, random: Random) -> Solution:
        """Draw one of the vectors: entry i is `random.integer(i, 0, sizes[i] - 1)`; int32 array of shape (n,)."""
        return uniform(random, self.length, np.array(self.sizes, np.uint64)).astype(self.dtype)

    def starts(self, keys: Sequence[Key]) -> np.ndarray:
        """The random starts of many walks, drawn side by side; int32 array of shape (W, n)."""
        return uniform_starts(keys, self.length, np.array(self.sizes, np.uint64), self.dtype)

    def violation(self, x: Solution) -> str:
        """The first position whose value is not in its domain, in words, or ""."""
        wrong = np.flatnonzero((x < 0) | (x >= np.array(self.sizes)))
        if not wrong.size:
            return ""
        k = int(wrong[0])
        return f"position {k} holds {x[k]}, but its values are 0 ... {self.sizes[k] - 1}."

    def distance(self, x: Solution, y: Solution) -> int:
        """Hamming distance: the number of positions where x and y differ, which is the fewest substitutions."""
        return hamming(x, y)
