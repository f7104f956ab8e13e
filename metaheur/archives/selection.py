"""Selection: which members of an archive are explored next."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.part import Part
from metaheur.parts.replacement.ranks import crowding_distances
from metaheur.random import Random
from metaheur.validate import whole_field

__all__ = ["AllMembers", "LeastCrowded", "MemberSelection", "OldestMembers", "OptimisticHypervolume", "RandomMembers"]


class MemberSelection(Part):
    """Chooses the members of the next round, in order, among the members that have not been visited.

    In C++, by all threads of a team: ``template <class Front> i64 choose(Team, const Front& front, i64 free, i64* out,
    double* work, Random) const``. On entry `out` holds the indices of the `free` unvisited members, ascending; on
    return it holds the indices of the chosen members, whose number is returned. `front.count` is the number of members
    and `front.costs(i)` the costs of one; `work` are 4 front.count numbers that the function may write.
    """

    def require(self, objectives: int) -> None:
        """Refuse a number of objectives that does not fit; by default every number fits.

        Raises
        ------
        InputError
            If the number does not fit.
        """
        return

    @abstractmethod
    def choose(self, costs: np.ndarray, unvisited: np.ndarray, random: Random) -> np.ndarray:
        """The indices of the members to explore, in order.

        Parameters
        ----------
        costs : numpy.ndarray, shape (N, K)
            The costs of all members.
        unvisited : numpy.ndarray of int, shape (m,)
            The indices of the members that have not been visited, ascending; m >= 1.
        random : Random
            The random numbers of the round.
        """


@final
@frozen
class RandomMembers(MemberSelection):
    """Chooses random members, each with the same probability.

    Parameters
    ----------
    count : int, default 1
        The number of members of a round; all, if there are fewer.
    """

    count: int = whole_field(default=1)

    source: ClassVar[str] = "random_members.cuh"

    def choose(self, costs: np.ndarray, unvisited: np.ndarray, random: Random) -> np.ndarray:
        left = unvisited.copy()
        count = min(self.count, len(left))
        for draw in range(count):
            other = draw + random.index(draw, len(left) - draw)
            left[[draw, other]] = left[[other, draw]]
        return left[:count]


@final
@frozen
class OldestMembers(MemberSelection):
    """Chooses the oldest members.

    Parameters
    ----------
    count : int, default 1
        The number of members of a round; all, if there are fewer.
    """

    count: int = whole_field(default=1)

    source: ClassVar[str] = "oldest_members.cuh"

    def choose(self, costs: np.ndarray, unvisited: np.ndarray, random: Random) -> np.ndarray:
        return unvisited[: self.count]


@final
@frozen
class AllMembers(MemberSelection):
    """Chooses all members, from the oldest on; each is explored, even if a neighbor of another dominates it."""

    source: ClassVar[str] = "all_members.cuh"

    def choose(self, costs: np.ndarray, unvisited: np.ndarray, random: Random) -> np.ndarray:
        return unvisited


@final
@frozen
class LeastCrowded(MemberSelection):
    """Chooses the members with the largest crowding distance in the archive, the oldest among equals.

    Parameters
    ----------
    count : int, default 1
        The number of members of a round; all, if there are fewer.
    """

    count: int = whole_field(default=1)

    source: ClassVar[str] = "least_crowded.cuh"

    def choose(self, costs: np.ndarray, unvisited: np.ndarray, random: Random) -> np.ndarray:
        order = np.argsort(-crowding_distances(costs)[unvisited], kind="stable")
        return unvisited[order[: self.count]]


@final
@frozen
class OptimisticHypervolume(MemberSelection):
    """Chooses the members around which the hypervolume might grow most, the oldest among equals; two objectives.

    Between two neighbors of a front, the best point to hope for is in each objective as good as the better neighbor.
    The score of a member is the sum of the areas between the member and these points on both sides; at an end of the
    front, twice the area on the one side.

    Parameters
    ----------
    count : int, default 1
        The number of members of a round; all, if there are fewer.

    Notes
    -----
    J. Dubois-Lacoste, M. López-Ibáñez and T. Stützle, "Anytime Pareto local search", European Journal of Operational
    Research 243, 2015, section 4.1.
    """

    count: int = whole_field(default=1)

    source: ClassVar[str] = "optimistic_hypervolume.cuh"

    def require(self, objectives: int) -> None:
        if objectives != 2:
            raise InputError(
                f"OptimisticHypervolume knows two objectives, but there are {objectives}.", "use LeastCrowded."
            )

    def choose(self, costs: np.ndarray, unvisited: np.ndarray, random: Random) -> np.ndarray:
        order = np.argsort(costs[:, 0], kind="stable")
        x, y = costs[order].astype(np.float64).T
        gaps = (x[1:] - x[:-1]) * (y[:-1] - y[1:])
        worth = np.empty(len(costs))
        left, right = np.append(0.0, gaps), np.append(gaps, 0.0)
        worth[order] = left + right
        worth[order[[0, -1]]] *= 2
        return unvisited[np.argsort(-worth[unvisited], kind="stable")[: self.count]]
