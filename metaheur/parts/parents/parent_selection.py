"""Selection of parents: which members of a population have a child."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar, Final, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.fields import Range, data
from metaheur.part import Part
from metaheur.random import Random
from metaheur.validate import whole_field

__all__ = ["DRAWS", "BestParents", "NearParents", "ParentSelection", "RandomParents", "RankRoulette", "Tournament"]

DRAWS: Final = 1 << 16
"""Random numbers for one parent."""

_TRIES: Final = 64
"""The most members that are drawn for one parent until one is accepted."""


class ParentSelection(Part):
    """Selects a parent by the costs of the members of a population."""

    def require(self, size: int) -> None:
        """Refuse populations of a size that does not fit; by default all fit.

        Parameters
        ----------
        size : int
            The number of members.

        Raises
        ------
        InputError
            If it does not fit.
        """

    @abstractmethod
    def parent(self, costs: np.ndarray, random: Random, number: int) -> int:
        """The index of a member that becomes a parent.

        In C++, in all threads of a team: ``template <class Costs> i64 parent(Team, const Costs& costs, i64 size,
        Random, u32 number) const``, where ``costs(s)`` is the cost of member s.

        Parameters
        ----------
        costs : numpy.ndarray, shape (k,)
            The costs of the members.
        random : Random
            The random numbers of the child; the draws ``number * DRAWS`` up to ``(number + 1) * DRAWS - 1`` are for
            this parent.
        number : int
            Which parent of the child it is: 0 or 1.
        """


@final
@frozen
class RandomParents(ParentSelection):
    """Each member with the same probability.

    Notes
    -----
    Whatever their costs, as in evolution strategies, where the replacement alone selects: H.-G. Beyer and H.-P.
    Schwefel, "Evolution strategies: a comprehensive introduction", Natural Computing 1, 2002.
    """

    source: ClassVar[str] = "random_parents.cuh"

    def parent(self, costs: np.ndarray, random: Random, number: int) -> int:
        return random.index(number * DRAWS, len(costs))


@final
@frozen(eq=False)
class NearParents(ParentSelection):
    """A random member, and one of its neighbors.

    Parameters
    ----------
    neighbors : array_like, shape (k, T)
        For each of k members other members, such as `nearest_weights` yields.

    Notes
    -----
    The mating restriction of Q. Zhang and H. Li, "MOEA/D: a multiobjective evolutionary algorithm based on
    decomposition", IEEE Transactions on Evolutionary Computation 11, 2007, where both parents are neighbors of the
    member whose turn it is; here this member is the first parent.
    """

    neighbors: np.ndarray = data("int32", ndim=2)

    source: ClassVar[str] = "near_parents.cuh"

    def __attrs_post_init__(self) -> None:
        """Refuse neighbors that are not members."""
        outside = self.neighbors[(self.neighbors < 0) | (self.neighbors >= len(self.neighbors))]
        if outside.size or not self.neighbors.size:
            size = len(self.neighbors)
            raise InputError(
                f"The neighbors of {size} members must be in 0 ... {size - 1}, but are {self.neighbors.tolist()}."
            )

    def require(self, size: int) -> None:
        if size != len(self.neighbors):
            raise InputError(
                f"Each member needs neighbors, but there are {size} members and {len(self.neighbors)} rows.",
                f"use Breeding(..., size={len(self.neighbors)}).",
            )

    def parent(self, costs: np.ndarray, random: Random, number: int) -> int:
        first = random.index(0, len(costs))
        return int(self.neighbors[first, random.index(number * DRAWS, self.neighbors.shape[1])]) if number else first


@final
@frozen
class Tournament(ParentSelection):
    """The member with the lowest cost of some that are drawn at random, with repetitions; the first drawn among equals.

    Parameters
    ----------
    rivals : int, default 2
        How many members are drawn, 1 ... 65536.

    Notes
    -----
    D. E. Goldberg and K. Deb, "A comparative analysis of selection schemes used in genetic algorithms", Foundations of
    Genetic Algorithms 1, 1991.
    """

    rivals: int = whole_field(1, DRAWS, default=2, metadata={"tune": Range(2, 10)})

    source: ClassVar[str] = "tournament.cuh"

    def parent(self, costs: np.ndarray, random: Random, number: int) -> int:
        drawn = [random.index(number * DRAWS + k, len(costs)) for k in range(self.rivals)]
        return min(drawn, key=lambda s: costs[s])


@final
@frozen
class RankRoulette(ParentSelection):
    """The member of rank r among k with a probability proportional to k - r; the best member has the rank 0.

    Members of equal cost are ranked by index. Members are drawn at random, each accepted with the probability (k - r) /
    k; after 64 refusals the last member is taken.

    Notes
    -----
    J. E. Baker, "Adaptive selection methods for genetic algorithms", ICGA 1985 (linear ranking); A. Lipowski and D.
    Lipowska, "Roulette-wheel selection via stochastic acceptance", Physica A 391, 2012.
    """

    source: ClassVar[str] = "rank_roulette.cuh"

    def parent(self, costs: np.ndarray, random: Random, number: int) -> int:
        drawn = 0
        for k in range(_TRIES):
            drawn = random.index(number * DRAWS + 2 * k, len(costs))
            if rank_of(costs, drawn) <= random.index(number * DRAWS + 2 * k + 1, len(costs)):
                break
        return drawn


@final
@frozen
class BestParents(ParentSelection):
    """Each of the best members with the same probability; the first are better among equals.

    Parameters
    ----------
    count : int
        How many members may become parents, 1 or more, and not more than there are.

    Notes
    -----
    Truncation selection: H. Mühlenbein and D. Schlierkamp-Voosen, "Predictive models for the breeder genetic
    algorithm", Evolutionary Computation 1, 1993. Members are drawn until one is among the best; after 64 others, a
    rank is drawn.
    """

    count: int = whole_field(1, 2**20, metadata={"tune": Range(2, 50, log=True)})

    source: ClassVar[str] = "best_parents.cuh"

    def require(self, size: int) -> None:
        if self.count > size:
            raise InputError(
                f"`BestParents.count` must not exceed the number of members, but is {self.count}, of {size} members.",
                f"use BestParents({max(1, size // 2)}), or a larger population.",
            )

    def parent(self, costs: np.ndarray, random: Random, number: int) -> int:
        for k in range(_TRIES):
            drawn = random.index(number * DRAWS + k, len(costs))
            if rank_of(costs, drawn) < self.count:
                return drawn
        rank = random.index(number * DRAWS + _TRIES, self.count)
        return int(np.argsort(costs, kind="stable")[rank])


def rank_of(costs: np.ndarray, s: int) -> int:
    """The number of members with a lower cost, or with the same cost and a lower index than member s."""
    return int(np.count_nonzero(costs < costs[s]) + np.count_nonzero(costs[:s] == costs[s]))
