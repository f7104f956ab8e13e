"""The sequential ordering problem: a shortest path through all places, some of which come before others."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.fields import Array, data
from metaheur.problem import Problem
from metaheur.problems.formats.recognition import explained
from metaheur.problems.formats.sop import read_sop
from metaheur.problems.precedence import Precedence, with_precedence
from metaheur.random import START, Key, Random
from metaheur.representation import Permutation, Representation, Solution
from metaheur.source import Source

if TYPE_CHECKING:
    from metaheur.searches.recommendation import Recommendation

__all__ = ["SequentialOrdering"]


@final
@frozen(eq=False)
class SequentialOrdering(Problem):
    """Visit n places in an order that keeps precedences: minimise the length of the path, whose ends are free.

    The precedences are hard: every walk begins with an order that keeps them, and a move that would break one is
    infeasible. Moves are those of `Insertion` and `OrOpt`: an item, or a block of items, goes to another place.

    Parameters
    ----------
    distances : array_like of int32, shape (n, n)
        Whole numbers: distances[a, b] from place a to the next place b.
    precedences : array_like of int32, shape (any, 2)
        A row (a, b) where place a comes before place b. Those that follow from others need not be listed.

    Raises
    ------
    InputError
        If the matrix is not square, a pair names another place, or the precedences lead in a circle.

    Notes
    -----
    L. F. Escudero, "An inexact algorithm for the sequential ordering problem", European Journal of Operational Research
    37, 1988. L. M. Gambardella and M. Dorigo, "An ant colony system hybridized with a new local search for the
    sequential ordering problem", INFORMS Journal on Computing 12, 2000. Where each item is, and the nearest items that
    it must not pass, are kept beside each walk, so that a move of an item is judged and priced in O(1).
    """

    distances: np.ndarray = data("int32", ndim=2)
    precedences: np.ndarray = data("int32", ndim=2)

    @property
    def source(self) -> Source:  # type: ignore[override]
        """The C++ half."""
        return with_precedence("sequential_ordering.cuh")

    def __attrs_post_init__(self) -> None:
        n = len(self.distances)
        if self.distances.shape != (n, n) or not n:
            raise InputError(f"`distances` must be a square matrix, but has the shape {self.distances.shape}.")
        self.precedence  # noqa: B018 - checks the pairs

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Self:
        """Read a file of TSPLIB; see `read_sop` for the errors it raises."""
        with explained(path, "sop"):
            return cls(*read_sop(path))

    @cached_property
    def precedence(self) -> Precedence:
        """The precedences, item by item."""
        return Precedence.of(self.precedences, len(self.distances))

    @cached_property
    def representation(self) -> Permutation:
        """Orders of the n places."""
        return Permutation(len(self.distances))

    def cost(self, x: Solution) -> int:
        """The length of the path."""
        return int(self.distances[x[:-1], x[1:]].sum(dtype=np.int64))

    def violations(self, x: Solution) -> int:
        """How many pairs are in the wrong order."""
        return self.precedence.violations(x)

    def feasible(self, x: Solution, move: Any) -> bool:
        """Whether no item passes one that comes before or behind it."""
        return self.precedence.allows(x, move)

    def construct(self, random: Random) -> Solution:
        """From a place that is drawn among those that may be first, on to the nearest place that may be next."""
        last: list[int] = []

        def nearest(ready: list[int]) -> int:
            if last:
                ways = self.distances[last[0], ready]
                place = min(np.flatnonzero(ways == ways.min()).tolist(), key=ready.__getitem__)
            else:
                place = random.index(0, len(ready))
            last[:] = [ready[place]]
            return place

        return self.precedence.order(nearest)

    @cached_property
    def cost_type(self) -> str:
        """Type of a change of cost: "int32" if four times the longest path fits, otherwise "int64"."""
        most = int(np.abs(self.distances.astype(np.int64)).max(axis=1).sum())
        return "int32" if 4 * most < 2**31 else "int64"

    def recommended(self) -> tuple[Recommendation, ...]:
        """Iterated descents over moves of blocks of up to 8 items, and of up to 30; they accept what is a little worse.

        Measured on drawn ways between 40, 80 and 150 items, after 1 to 4 seconds: annealing and blocks of 3 are behind,
        and so are descents that accept nothing worse. Kicks move short blocks. The temperature is 0.6 times the mean
        way of a constructed path.
        """
        from metaheur.neighborhoods.or_opt import OrOpt
        from metaheur.parts import BetterOrEqual, Metropolis, RandomMoves
        from metaheur.searches import FirstImprovement, HillClimbing, IteratedLocalSearch
        from metaheur.searches.recommendation import Recommendation

        path = self.construct(Random(Key(0), START, 0))
        mean = self.cost(path) / len(path)
        accepts = Metropolis(float(f"{0.6 * mean:.3g}")) if mean > 0 else BetterOrEqual()
        return tuple(
            Recommendation(
                f"iterated descents, blocks of {longest}",
                IteratedLocalSearch(HillClimbing(moves, FirstImprovement()), RandomMoves(OrOpt(3), 3), accepts),
                "construct",
            )
            for longest, moves in ((8, OrOpt(8)), (30, OrOpt(30)))
        )

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        """The precedences, as `Precedence.tables` lists them."""
        return self.precedence.tables()

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """Where each item is and may go, as `Precedence.state` describes it."""
        return self.precedence.state()
