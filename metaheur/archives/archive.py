"""An archive: decides which of all offered solutions are kept."""

from __future__ import annotations

from typing import Any, final

import numpy as np

from metaheur.archives.dominance import covered, nondominated
from metaheur.archives.members import Members
from metaheur.errors import InputError
from metaheur.part import Part

__all__ = ["Archive"]


class Archive(Part):
    """Keeps mutually non-dominated solutions: a pure function of its members and of the candidates, in order.

    A candidate enters unless a member weakly dominates it, so that the first of equal costs is kept; the members that
    it dominates leave. The candidates of one iteration come in the order of the indices of their moves. Members are
    kept in the order in which they entered. An archive may then remove all `redundant` members. A *bounded* archive
    removes members one by one until `capacity` are left: each time the `worst` member, the youngest among equals.

    In C++, for a bounded archive, by all threads of a team: ``template <class Costs> i64 worst(Team, Costs costs, i64
    count, double* work) const``, where ``costs(i)`` are the `Objectives` of member i and `work` are 4 count numbers
    that it may write. An archive with redundant members has instead, for one thread: ``template <class Costs> bool
    redundant(Costs costs, i64 count, i64 i) const``, whether member i is one of them.
    """

    @property
    def limit(self) -> int | None:
        """The largest number of members; None, the default, for no limit."""
        return None

    def require(self, objectives: int) -> None:
        """Refuse a number of objectives that does not fit; by default every number fits.

        Raises
        ------
        InputError
            If the number does not fit.
        """
        return

    def redundant(self, costs: np.ndarray) -> np.ndarray:
        """Which members are removed, all at once, whatever their number: a mask; none by default.

        Parameters
        ----------
        costs : numpy.ndarray, shape (N, K)
            The costs of mutually non-dominated members.
        """
        return np.zeros(len(costs), bool)

    def worst(self, costs: np.ndarray) -> int:
        """The member to be removed; a bounded archive has a rule for it.

        Parameters
        ----------
        costs : numpy.ndarray, shape (N, K)
            The costs of mutually non-dominated members; N is above the limit.
        """
        raise InputError(
            f"{type(self).__name__} has no worst member, as it is not bounded.", "use Crowding(100), or define `worst`."
        )

    @final
    def accepted(self, members: Members, costs: np.ndarray) -> np.ndarray:
        """Which candidates enter, before the archive is bounded: indices, ascending.

        Parameters
        ----------
        members : Members
            The archive.
        costs : numpy.ndarray, shape (m, K)
            The costs of the candidates, in order.
        """
        free = np.flatnonzero(~covered(costs, members.costs))
        found: np.ndarray = free[nondominated(costs[free])]
        return found

    @final
    def insert(self, members: Members, entering: Members) -> Members:
        """The archive after candidates have entered: members that they dominate leave, then the archive is bounded.

        Parameters
        ----------
        members, entering : Members
            The archive, and candidates that `accepted` returned: no member or other candidate dominates them.
        """
        return self.bounded(members.rows(~covered(members.costs, entering.costs)).join(entering))

    @final
    def offer(self, members: Members, candidates: Members) -> Members:
        """The archive after candidates were offered, in order."""
        return self.insert(members, candidates.rows(self.accepted(members, candidates.costs)))

    @final
    def bounded(self, members: Members) -> Members:
        """The archive without redundant members, and with no more members than its limit."""
        members = members.rows(~self.redundant(members.costs))
        while self.limit is not None and len(members) > self.limit:
            members = members.rows(np.arange(len(members)) != self.worst(members.costs))
        return members


def youngest_lowest(scores: Any) -> int:
    """The index of the lowest score, the highest index among equals."""
    return len(scores) - 1 - int(np.argmin(scores[::-1]))
