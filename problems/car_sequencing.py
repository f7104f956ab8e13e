"""The car sequencing problem: an order of cars in which no option is asked for too often."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.fields import Array, data
from metaheur.lazy import expressible
from metaheur.neighborhoods.swap import SwapMove
from metaheur.problem import Problem
from metaheur.problems.formats.car_sequencing import read_cars
from metaheur.problems.formats.recognition import explained
from metaheur.representation import Representation, Solution
from metaheur.representations.multiset import Multiset
from metaheur.translator.decorator import compiled
from metaheur.validate import whole

if TYPE_CHECKING:
    from metaheur.searches.recommendation import Recommendation

__all__ = ["CarSequencing"]


@final
@frozen(eq=False)
class CarSequencing(Problem):
    """Order cars on a line so that of `blocks[o]` consecutive ones at most `limits[o]` need option o.

    A solution has the class of the car at each position; cars of a class are alike. Minimised is the sum, over all
    options and all blocks of consecutive cars, of how many cars more than the limit need the option: an order of cost 0
    keeps all limits.

    Parameters
    ----------
    counts : array_like of int32, shape (classes,)
        How many cars there are of each class, each 1 or more.
    needs : array_like of int32, shape (classes, options)
        1 where a class needs an option, otherwise 0.
    limits : array_like of int32, shape (options,)
        The most cars of a block that may need an option, 0 or more.
    blocks : array_like of int32, shape (options,)
        The lengths of the blocks, 1 or more. A block longer than the line is never full, and has no cost.

    Raises
    ------
    InputError
        If the shapes do not fit, a number is out of range, or costs could reach 2**31.

    Notes
    -----
    B. D. Parrello, W. C. Kabat and L. Wos, "Job-shop scheduling using automated reasoning: a case study of the
    car-sequencing problem", Journal of Automated Reasoning 2, 1986. I. P. Gent and T. Walsh, "CSPLib: a benchmark
    library for constraints", CP 1999, problem 1. How many cars of each block need each option is kept beside each walk,
    so that the change of cost of an exchange takes as long as the blocks of the options that only one of both needs.

    Examples
    --------
    >>> cars = CarSequencing([2, 2], [[1, 0], [0, 1]], [1, 1], [2, 3])
    >>> cars.cost(np.array([0, 0, 1, 1])), cars.cost(np.array([0, 1, 0, 1]))
    (2, 1)
    """

    counts: np.ndarray = data("int32", ndim=1)
    needs: np.ndarray = data("int32", ndim=2)
    limits: np.ndarray = data("int32", ndim=1)
    blocks: np.ndarray = data("int32", ndim=1)

    def __attrs_post_init__(self) -> None:
        shape = (len(self.counts), len(self.limits))
        if self.needs.shape != shape or len(self.blocks) != shape[1] or not all(shape):
            raise InputError(
                f"`needs` must have a row for each of {shape[0]} counts, and a column for each of {shape[1]} limits "
                f"and {len(self.blocks)} blocks, but has the shape {self.needs.shape}."
            )
        for name, low in (("counts", 1), ("needs", 0), ("limits", 0), ("blocks", 1)):
            if getattr(self, name).min() < low:
                raise InputError(f"`{name}` must be {low} or more, but one is {getattr(self, name).min()}.")
        if self.needs.max() > 1:
            raise InputError(f"`needs` must be 0 or 1, but one is {self.needs.max()}.")
        most = int(self.counts.sum(dtype=np.int64)) * int(self.blocks.sum(dtype=np.int64))
        if most >= 2**30:
            raise InputError(f"Costs could reach {most:,}, which overflows int32 (2**30 is the limit).")

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Self:
        """Read a file of CSPLib; see `read_cars` for the errors it raises."""
        with explained(path, "cars"):
            return cls(*read_cars(path))

    @classmethod
    @expressible
    def random(cls, n: int, *, classes: int = 20, seed: int) -> Self:
        """Draw n cars with the five options of CSPLib's instances: 1 of 2, 2 of 3, 1 of 3, 2 of 5 and 1 of 5.

        Each car needs an option with a probability of 9 of 10 times its limit per block, as in instances of high
        utilisation; a class with the same options as another one is joined with it.

        Parameters
        ----------
        n : int
            Number of cars.
        classes : int, default 20
            Most classes.
        seed : int
            Seed of the random numbers.
        """
        random, limits, blocks = np.random.default_rng(seed), np.array([1, 2, 1, 2, 1]), np.array([2, 3, 3, 5, 5])
        kinds = random.random((whole(classes, "classes"), 5)) < 0.9 * limits / blocks
        needs, counts = np.unique(kinds[random.integers(0, classes, whole(n, "n"))], axis=0, return_counts=True)
        return cls(counts, needs.astype(np.int32), limits, blocks)

    @cached_property
    def representation(self) -> Multiset:
        """The class of the car at each position."""
        return Multiset(self.counts.tolist())

    @compiled
    def cost(self, x: Solution) -> Any:
        """How many cars more than the limits need an option, over all options and blocks."""
        total = 0
        for o in range(len(self.limits)):
            for w in range(self.n - self.blocks[o] + 1):
                total += max(0, sum(self.needs[x[w + k], o] for k in range(self.blocks[o])) - self.limits[o])
        return total

    @compiled
    def init(self, x: Solution, s: Any) -> None:
        """Count the cars that need each option in the block that begins at each position."""
        for w in range(self.n):
            for o in range(len(self.limits)):
                s.count[w, o] = sum(self.needs[x[c], o] for c in range(w, min(w + self.blocks[o], self.n)))

    @compiled
    def only(self, first: Any, last: Any, o: Any, s: Any, by: Any) -> Any:
        """The change of cost where the counts of the blocks that begin at first ... last change by `by`."""
        total = 0
        for w in range(max(0, first), min(last, self.n - self.blocks[o]) + 1):
            over = s.count[w, o] - self.limits[o]
            total += max(0, over + by) - max(0, over)
        return total

    @compiled
    def delta(self, x: Solution, s: Any, m: SwapMove) -> Any:
        """The change of cost of an exchange: of the blocks that hold one of both cars."""
        total = 0
        for o in range(len(self.limits)):
            by, width = self.needs[x[m.j], o] - self.needs[x[m.i], o], self.blocks[o]
            if by != 0:
                total += self.only(m.i - width + 1, min(m.i, m.j - width), o, s, by)
                total += self.only(max(m.i + 1, m.j - width + 1), m.j, o, s, -by)
        return total

    @compiled
    def commit(self, x: Solution, s: Any, m: SwapMove) -> None:
        """Count again in the blocks that hold one of both cars."""
        for o in range(len(self.limits)):
            by, width = self.needs[x[m.i], o] - self.needs[x[m.j], o], self.blocks[o]
            for w in range(max(0, m.i - width + 1), min(m.i, m.j - width) + 1):
                s.count[w, o] += by
            for w in range(max(m.i + 1, m.j - width + 1), m.j + 1):
                s.count[w, o] -= by

    @property
    def cost_type(self) -> str:
        """Always "int32": larger costs are refused."""
        return "int32"

    def recommended(self) -> tuple[Recommendation, ...]:
        """What suits the representation."""
        from metaheur.searches.suited import suited

        return suited(self)

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`count`: how many cars need each option, in the block that begins at each position."""
        return {"count": Array((representation.length, len(self.limits)), "int32")}
