"""The members of an archive: arrays with a row per member, in the order in which members entered."""

from __future__ import annotations

from typing import Any, final

import numpy as np
from attrs import field, frozen

from metaheur.representation import Representation

__all__ = ["Members"]


def rows() -> Any:
    """A field for an array with a row per member; the number of rows changes."""
    return field(metadata={"rows": True})


@final
@frozen(eq=False)
class Members:
    """Solutions with their costs, in the order in which they entered.

    Parameters
    ----------
    costs : numpy.ndarray, shape (N, K)
        The costs, int64 or float64; smaller is better.
    solutions : numpy.ndarray, shape (N, n)
        A solution a row.
    visited : numpy.ndarray of bool, shape (N,)
        Whether the whole neighborhood of a member has been explored.
    born : numpy.ndarray of int64, shape (N,)
        The iteration in which a member was found.
    """

    costs: np.ndarray = rows()
    solutions: np.ndarray = rows()
    visited: np.ndarray = rows()
    born: np.ndarray = rows()

    @classmethod
    def of(cls, representation: Representation, solutions: Any, costs: Any, born: int = 0) -> Members:
        """Members that have not been visited.

        Parameters
        ----------
        representation : Representation
            The representation of the solutions.
        solutions : array_like, shape (N, n)
        costs : array_like, shape (N, K)
        born : int
            The iteration in which all members were found.
        """
        costs = np.asarray(costs)
        costs = costs.astype(np.float64 if costs.dtype.kind == "f" else np.int64)
        xs = np.asarray(solutions, representation.dtype).reshape(len(costs), representation.length)
        return cls(costs, xs, np.zeros(len(costs), bool), np.full(len(costs), born, np.int64))

    def __len__(self) -> int:
        return len(self.costs)

    def rows(self, which: Any) -> Members:
        """The members with some indices, or those for which a mask is true."""
        return Members(self.costs[which], self.solutions[which], self.visited[which], self.born[which])

    def join(self, others: Members) -> Members:
        """These members, followed by other members."""
        pairs = ((getattr(self, name), getattr(others, name)) for name in ("costs", "solutions", "visited", "born"))
        return Members(*(np.concatenate(pair) for pair in pairs))

    def unvisited(self) -> np.ndarray:
        """The indices of the members that have not been visited, ascending."""
        return np.flatnonzero(~self.visited)
