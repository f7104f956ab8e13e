"""An archive: what is kept of all solutions that were offered."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, final

import numpy as np

from metaheur.archives.dominance import covered, nondominated
from metaheur.archives.members import Members
from metaheur.part import Part

__all__ = ["Archive"]


class Archive(Part):
    """Keeps solutions that no other one dominates: a pure function of its members and of what is offered, in order.

    A candidate enters unless a member weakly dominates it, so that the first of equal costs is kept; the members that
    it dominates leave. Candidates of one iteration are taken by the index of their moves. Members stand in the order in
    which they came. A *bounded* archive then lets members go, one at a time, until `capacity` are left: the `worst`
    one by its kind, and among equals the youngest.

    In C++, for a bounded archive, by all threads of a team: ``template <class Costs> i64 worst(Team, Costs costs, i64
    count, double* work) const``, where ``costs(i)`` are the `Objectives` of member i and `work` are 4 count numbers
    that it may write.
    """

    @property
    def limit(self) -> int | None:
        """How many members are kept at most; None, the default, for all."""
        return None

    def require(self, objectives: int) -> None:
        """Refuse a number of objectives that the kind does not know; none by default.

        Raises
        ------
        InputError
            With both numbers.
        """
        return

    @abstractmethod
    def worst(self, costs: np.ndarray) -> int:
        """The member to let go.

        Parameters
        ----------
        costs : numpy.ndarray, shape (N, K)
            Of members of which none dominates another one, N above the limit.
        """

    @final
    def accepted(self, members: Members, costs: np.ndarray) -> np.ndarray:
        """Which candidates enter, before the archive is bounded: indices, ascending.

        Parameters
        ----------
        members : Members
            The archive.
        costs : numpy.ndarray, shape (m, K)
            Of the candidates, in order.
        """
        free = np.flatnonzero(~covered(costs, members.costs))
        found: np.ndarray = free[nondominated(costs[free])]
        return found

    @final
    def insert(self, members: Members, entering: Members) -> Members:
        """The archive with what `accepted` has found: those that they dominate leave, then it is bounded.

        Parameters
        ----------
        members, entering : Members
            The archive, and candidates of which no member dominates one, nor one of them another.
        """
        return self.bounded(members.rows(~covered(members.costs, entering.costs)).join(entering))

    @final
    def offer(self, members: Members, candidates: Members) -> Members:
        """The archive after candidates were offered, in order."""
        return self.insert(members, candidates.rows(self.accepted(members, candidates.costs)))

    @final
    def bounded(self, members: Members) -> Members:
        """The archive with no more members than its limit."""
        while self.limit is not None and len(members) > self.limit:
            members = members.rows(np.arange(len(members)) != self.worst(members.costs))
        return members


def youngest_lowest(scores: Any) -> int:
    """The index of the lowest score, the highest index among equals."""
    return len(scores) - 1 - int(np.argmin(scores[::-1]))
