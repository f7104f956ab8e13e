"""The p-median problem: open p places so that the others are near to one of them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Self, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.fields import Array, data
from metaheur.problem import Problem
from metaheur.problems.formats.pmed import read_pmed
from metaheur.problems.formats.recognition import explained
from metaheur.representation import Representation, Solution
from metaheur.representations.subset import Subset
from metaheur.validate import whole_field

if TYPE_CHECKING:
    from metaheur.searches.recommendation import Recommendation

__all__ = ["PMedian"]


@final
@frozen(eq=False)
class PMedian(Problem):
    """Open p of n places: minimise the sum over all places of the distance to the nearest open one.

    Parameters
    ----------
    distances : array_like, shape (n, n)
        Whole numbers, 0 or more: distances[v, k] from place v to place k. Where places weigh differently, multiply.
    p : int
        How many are opened, 1 ... n.

    Raises
    ------
    InputError
        If the matrix is not square, a distance is negative, p is out of range, or costs could reach 2**57.

    Notes
    -----
    S. L. Hakimi, "Optimum locations of switching centers and the absolute centers and medians of a graph", Operations
    Research 12, 1964. M. G. C. Resende and R. F. Werneck, "A fast swap-based local search procedure for location
    problems", Annals of Operations Research 150, 2007. The nearest and the second nearest open place of each place are
    kept beside each walk, so that the change of cost of an exchange takes O(n).
    """

    distances: np.ndarray = data("int64", ndim=2)
    p: int = whole_field(1)

    source: ClassVar[str] = "p_median.cuh"

    def __attrs_post_init__(self) -> None:
        n = len(self.distances)
        if self.distances.shape != (n, n) or not n:
            raise InputError(f"`distances` must be a square matrix, but has the shape {self.distances.shape}.")
        if self.distances.min() < 0:
            raise InputError(f"`distances` must be 0 or more, but one is {self.distances.min()}.")
        if self.p > n:
            raise InputError(f"`p` must be in 1 ... {n}, the number of places, but is {self.p}.")
        if self._most >= 2**57:
            raise InputError(f"Costs could reach {self._most}, which overflows int64 (2**57 is the limit).")

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Self:
        """Read a file of OR-Library; see `read_pmed` for the errors it raises."""
        with explained(path, "p-median"):
            return cls(*read_pmed(path))

    @cached_property
    def representation(self) -> Subset:
        """Subsets of p places."""
        return Subset(len(self.distances), self.p)

    @cached_property
    def _most(self) -> int:
        return int(sum(self.distances.max(axis=1).tolist()))

    def cost(self, x: Solution) -> int:
        """The sum of the distances to the nearest open place."""
        return int(self.distances[:, x[: self.p]].min(axis=1).sum())

    @cached_property
    def cost_type(self) -> str:
        """Type of a change of cost: "int32" if twice the largest cost fits, otherwise "int64"."""
        return "int32" if 2 * self._most < 2**31 else "int64"

    def recommended(self) -> tuple[Recommendation, ...]:
        """Iterated descents: ahead of annealing in a second, and of tabu search, which looks at all exchanges."""
        from metaheur.searches.suited import descents
        from metaheur.searches.usual import usual_neighborhoods

        return tuple(descents(self, usual_neighborhoods(self.representation)))

    def constants(self, representation: Representation) -> Mapping[str, int | bool]:
        """`open`, the number of open places."""
        return {"open": self.p}

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`first`, `second`: where in the solution the nearest and the second nearest open place of each place are."""
        n = len(self.distances)
        return {"first": Array((n,)), "second": Array((n,))}
