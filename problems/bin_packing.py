"""Bin packing: items in bins of one capacity, as few as can be."""

from __future__ import annotations

import os
from functools import cached_property
from math import isqrt
from typing import TYPE_CHECKING, Any, ClassVar, Self, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.fields import data
from metaheur.lazy import expressible
from metaheur.lists.lists import Lists
from metaheur.lists.reversal_move import ReversalMove
from metaheur.lists.segments_move import SegmentsMove
from metaheur.lists.tails_move import TailsMove
from metaheur.move import Move
from metaheur.problem import Problem
from metaheur.problems.first_fit import first_fit
from metaheur.problems.formats.bpplib import read_bins
from metaheur.problems.formats.recognition import explained
from metaheur.random import Random
from metaheur.representation import Solution
from metaheur.translator.decorator import compiled
from metaheur.validate import whole

if TYPE_CHECKING:
    from metaheur.searches.recommendation import Recommendation

__all__ = ["BinPacking"]


@final
@frozen(eq=False)
class BinPacking(Problem):
    """Items are packed into as few bins of one capacity as can be; a cost has three levels.

    A solution has a list of items for each bin; their order has no meaning. The levels are the overload, the weight
    above the capacity of all bins; the number of bins that are used; and the gaps, the squared capacities of used bins
    less the squared loads, which are low where some bins are nearly full, and others nearly empty. Cutting stock is the
    same problem, with an item for each piece.

    Parameters
    ----------
    weights : array_like of int32, shape (n,)
        The weight of each item, 1 ... `capacity`.
    capacity : int
        What a bin holds, 1 or more.
    bins : int
        The most bins, 1 or more.

    Raises
    ------
    InputError
        If a field is not as described.

    Notes
    -----
    E. Falkenauer, "A hybrid grouping genetic algorithm for bin packing", Journal of Heuristics 2, 1996, for the gaps.
    """

    weights: np.ndarray = data("int32", ndim=1)
    capacity: int = data("int32")
    bins: int = data("int32")

    levels: ClassVar[tuple[str, ...]] = ("overload", "bins", "gaps")
    segment: ClassVar[tuple[str, ...]] = ("load",)
    moves: ClassVar[tuple[type[Move], ...]] = (SegmentsMove, TailsMove, ReversalMove)

    def __attrs_post_init__(self) -> None:
        if not len(self.weights) or self.capacity < 1 or self.bins < 1:
            raise InputError(
                f"There must be an item, and `capacity` and `bins` be at least 1, but there are {len(self.weights)} "
                f"items, and these are {self.capacity} and {self.bins}."
            )
        wrong = np.flatnonzero((self.weights < 1) | (self.weights > self.capacity))
        if len(wrong):
            raise InputError(
                f"The weight of item {wrong[0]} must be in 1 ... {self.capacity}, the capacity of a bin, but is "
                f"{self.weights[wrong[0]]}."
            )

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], *, bins: int | None = None) -> Self:
        """Read a file of BPPLIB; see `read_bins` for its errors. `bins`: by default as many as first fit takes."""
        with explained(path, "bpplib"):
            weights, capacity = read_bins(path)
        if bins is None:  # items that fit into no bin are refused in the end
            bins = len(first_fit(np.minimum(weights, capacity), capacity))
        return cls(weights, capacity, bins)

    @cached_property
    def representation(self) -> Lists:
        """A list of items for each bin."""
        return Lists(len(self.weights), self.bins)

    def level_bounds(self) -> tuple[tuple[int, int], ...]:
        """All items in one bin, all bins, and all of them empty but for a little; a bin that is too full has no gap."""
        total = int(self.weights.sum())
        return (0, total), (0, self.bins), (0, self.bins * self._scaled**2)

    @property
    def _scaled(self) -> int:
        """The capacity in units of gaps, which are as fine as 64 bits allow."""
        return self.capacity // self.gap_unit + 1

    @cached_property
    def gap_unit(self) -> int:
        """Loads count in so many units in `gaps`: 1 for capacities up to 1,000 and up to some 3,000 items."""
        wide = (int(self.weights.sum()) + 1) * (self.bins + 1) * self.bins
        return -(-self.capacity // max(1, min(1000, isqrt(2**59 // wide))))

    def constants(self, representation: Any) -> dict[str, int]:
        """`gap_unit`."""
        return {"gap_unit": self.gap_unit}

    @compiled
    def unit(self, place: Any) -> Any:
        """The load of one place."""
        return (self.weights[place] if place < len(self.weights) else 0,)

    @compiled
    def join(self, a: Any, b: Any) -> Any:
        """The load of both."""
        return (a.load + b.load,)

    @compiled
    def price(self, a: Any) -> Any:
        """What is above the capacity; 1 if the bin is used; its gap."""
        if a.load == 0:
            return 0, 0, 0
        whole, load = self.capacity // self.gap_unit, a.load // self.gap_unit
        return max(0, a.load - self.capacity), 1, max(0, whole * whole - load * load)

    def loads(self, x: Solution) -> np.ndarray:
        """The load of each bin."""
        return np.array([int(self.weights[items].sum()) for items in self.representation.split(x)])

    def construct(self, random: Random) -> Solution:
        """First fit decreasing; items for which there is no bin go to the bin with the least load."""
        bins = first_fit(self.weights, self.capacity)
        kept = bins[: self.bins]
        for item in (each for more in bins[self.bins :] for each in more):
            min(kept, key=lambda items: int(self.weights[items].sum())).append(item)
        return self.representation.join(kept)

    @expressible
    def nearest(self, k: int) -> np.ndarray:
        """For each item k others, of all weights: candidates for `RuinAndRecreate`, from whose bins items are taken."""
        n = len(self.weights)
        steps = 1 + np.arange(min(whole(k, "k", 1), n - 1)) * max(1, (n - 1) // max(1, min(k, n - 1)))
        found: np.ndarray = (np.arange(n)[:, None] + steps[None]) % n
        return found.astype(np.int32)

    @property
    def orders(self) -> np.ndarray:
        """Orders in which `RuinAndRecreate` puts items back: at random, or, three times as often, heaviest first."""
        return np.stack([0 * self.weights, *[-self.weights] * 3])

    def recommended(self) -> tuple[Recommendation, ...]:
        """Ruin and recreate from first fit decreasing, which takes what is as good."""
        from metaheur.lists.ruin_and_recreate import RuinAndRecreate
        from metaheur.loops.no_search import NoSearch
        from metaheur.parts import BetterOrEqual
        from metaheur.searches.iterated_local_search import IteratedLocalSearch
        from metaheur.searches.recommendation import Recommendation
        from metaheur.searches.suited import suited

        if len(self.weights) < 3:
            return suited(self)
        near, orders = self.nearest(40), self.orders
        removal = RuinAndRecreate(near, orders, average=12, longest=4)
        names = {"problem.nearest(40)": near, "problem.orders": removal.orders}
        search = IteratedLocalSearch(NoSearch(), removal, BetterOrEqual())
        return (Recommendation("ruin and recreate", search, "construct", names=names),)
