"""Subset: so many of n items."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.component import Representation, Solution
from metaheur.errors import InputError
from metaheur.random import Key, Random
from metaheur.representation import Permutation, shuffled_starts
from metaheur.validate import whole_field

__all__ = ["Subset"]


@final
@frozen
class Subset(Representation):
    """Subsets of p of the items 0 ... n - 1: an array of all items, the p members first.

    The order of the members, and that of the others, has no meaning. `Interchange` takes a member out and another item
    in: p (n - p) moves, each of O(1), for p-medians, dispersion and the like.

    Parameters
    ----------
    n : int
        Number of items, 2 ... 2**31 - 1.
    p : int
        Number of members, 1 ... n - 1.
    """

    n: int = whole_field(2, 2**31 - 1)
    p: int = whole_field(1, 2**31 - 1)

    source: ClassVar[str] = "subset.cuh"
    arranges: ClassVar[bool] = True
    exchanges: ClassVar[bool] = True

    def __attrs_post_init__(self) -> None:
        """Refuse as many members as items, or more."""
        if self.p >= self.n:
            raise InputError(
                f"Subset.p is {self.p}, but there are {self.n} items, of which some are no members.",
                f"use p={self.n - 1} or fewer.",
            )

    @property
    def length(self) -> int:
        """Number of entries: n, the members and the others."""
        return self.n

    @property
    def values(self) -> int:
        """Number of values of an entry: n."""
        return self.n

    @property
    def members(self) -> int:
        """Number of members, which come first: p."""
        return self.p

    def random(self, random: Random) -> Solution:
        """Draw a subset, by Fisher and Yates' shuffle of all items; int32 array of shape (n,)."""
        return random.permutation(self.n)

    def starts(self, keys: Sequence[Key]) -> np.ndarray:
        """The random starts of many walks, drawn side by side; int32 array of shape (W, n)."""
        return shuffled_starts(keys, self.n)

    def violation(self, x: Solution) -> str:
        """The first position that is out of range or repeats an item, in words, or ""."""
        return Permutation(self.n).violation(x)

    def distance(self, x: Solution, y: Solution) -> int:
        """The number of members of x that are not members of y: the fewest interchanges that turn x into y."""
        return self.p - len(np.intersect1d(x[: self.p], y[: self.p]))
