"""Spaces that can be enumerated: their solutions by number, in lexicographic order."""

from __future__ import annotations

from collections.abc import Iterator
from math import factorial
from typing import final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.evaluators.evaluator import Evaluator
from metaheur.neighborhood import Neighborhood
from metaheur.representation import Representation, is_cyclic, is_uniform
from metaheur.walk import applied

__all__ = ["EnumeratedSpace", "ranks_of_permutations"]

MOST = 5_000_000
"""The most solutions that Python enumerates."""

ROWS = 1 << 16
"""Solutions that are made at a time."""


def ranks_of_permutations(xs: np.ndarray) -> np.ndarray:
    """The place of each permutation, a row each, in lexicographic order; int64."""
    n = xs.shape[1]
    ranks = np.zeros(len(xs), np.int64)
    for i in range(n - 1):
        ranks += (xs[:, i + 1 :] < xs[:, i : i + 1]).sum(axis=1) * factorial(n - 1 - i)
    return ranks


def permutations_of_ranks(ranks: np.ndarray, n: int) -> np.ndarray:
    """The permutations at these places, a row each."""
    left = np.tile(np.arange(n), (len(ranks), 1))
    out, rest = np.empty((len(ranks), n), np.int64), np.asarray(ranks, np.int64)
    rows = np.arange(len(ranks))
    for i in range(n):
        digit, rest = np.divmod(rest, factorial(n - 1 - i))
        out[:, i] = left[rows, digit]
        keep = np.arange(left.shape[1]) != digit[:, None]
        left = left[keep].reshape(len(ranks), -1)
    return out


@final
@frozen(eq=False)
class EnumeratedSpace:
    """All solutions of a representation: permutations, or strings of values that go together."""

    representation: Representation

    def __attrs_post_init__(self) -> None:
        """Refuse what cannot be numbered."""
        space = self.representation
        if not ((space.arranges and not is_cyclic(space)) or is_uniform(space)):
            raise InputError(
                f"Only permutations, bit strings and vectors of equal digits can be enumerated, not {space!r}.",
                "sample its local optima by Landscape.sampled_network.",
            )

    @property
    def count(self) -> int:
        """Number of solutions."""
        space = self.representation
        return factorial(space.length) if space.arranges else space.values**space.length

    def require_small(self) -> None:
        """Refuse a space that Python cannot enumerate."""
        if self.count > MOST:
            raise InputError(
                f"{self.representation!r} has {self.count:,} solutions, but at most {MOST:,} can be enumerated.",
                "sample the landscape by Landscape.sampled_network.",
            )

    def solutions(self, ranks: np.ndarray) -> np.ndarray:
        """The solutions with these numbers, a row each."""
        space = self.representation
        if space.arranges:
            return permutations_of_ranks(ranks, space.length).astype(space.dtype)
        weights = space.values ** np.arange(space.length - 1, -1, -1, dtype=np.int64)
        return (np.asarray(ranks, np.int64)[:, None] // weights % space.values).astype(space.dtype)

    def ranks(self, xs: np.ndarray) -> np.ndarray:
        """The numbers of solutions, a row each; int64."""
        space = self.representation
        if space.arranges:
            return ranks_of_permutations(np.asarray(xs))
        weights = space.values ** np.arange(space.length - 1, -1, -1, dtype=np.int64)
        found: np.ndarray = np.asarray(xs, np.int64) @ weights
        return found

    def chunks(self) -> Iterator[np.ndarray]:
        """The numbers of all solutions, some at a time."""
        self.require_small()
        for first in range(0, self.count, ROWS):
            yield np.arange(first, min(self.count, first + ROWS))

    def costs(self, evaluate: Evaluator) -> np.ndarray:
        """The minimised costs of all solutions."""
        return np.concatenate([evaluate.costs(self.solutions(each)).copy() for each in self.chunks()])

    def neighbors(self, neighborhood: Neighborhood) -> np.ndarray:
        """The numbers of the neighbors of each solution, in the order of moves; int32, shape (count, moves)."""
        self.require_small()
        space, size = self.representation, neighborhood.size(self.representation)
        if neighborhood.partial:
            raise InputError(f"{neighborhood!r} has moves that some solutions do not allow, so it is not enumerated.")
        moves = neighborhood.batch(space, np.arange(size))
        found = np.empty((self.count, size), np.int32)
        for ranks in self.chunks():
            for rank, x in zip(ranks, self.solutions(ranks), strict=True):
                if moves is NotImplemented:
                    beside = np.array([applied(move, x) for move in neighborhood.moves(space)])
                else:
                    beside = applied(moves, x)
                found[rank] = self.ranks(beside)
        return found
