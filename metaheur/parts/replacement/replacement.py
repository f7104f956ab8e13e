"""Replacement: which members of a population give way to children."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from attrs import Attribute, field, frozen

from metaheur.errors import InputError
from metaheur.fields import Array, Range
from metaheur.part import Kept, Part
from metaheur.parts.parents.parent_selection import rank_of
from metaheur.problem import Problem
from metaheur.validate import ratio, require_ratio, true_or_false, whole_field

__all__ = [
    "BestChildren",
    "Generational",
    "OldestMember",
    "QualityAndDistance",
    "Replacement",
    "SteadyState",
    "WorseParent",
]


class Replacement(Part):
    """Decides which members of a population give way to children.

    Attributes
    ----------
    several : bool
        Whether it is for several objectives; False by default, where it is for one.
    family : bool
        Whether all children between two replacements have the same parents; False by default.
    """

    facts: ClassVar[tuple[str, ...]] = ("family",)
    several: ClassVar[bool] = False
    family: ClassVar[bool] = False

    def require(self, problem: Problem) -> None:
        """Refuse a problem that does not fit: of several objectives if the replacement is for one, or the reverse.

        Raises
        ------
        InputError
            If the problem does not fit; names the reason.
        """
        if bool(problem.objectives) != self.several:
            raise InputError(
                f"{type(self).__name__} replaces members by {'several objectives' if self.several else 'one objective'}"
                f", but this {type(problem).__name__} has {', '.join(problem.objectives) or 'one'}.",
                "use RankAndCrowding() for several objectives, SteadyState() for one.",
            )

    @abstractmethod
    def children(self, size: int) -> int:
        """The number of children between two replacements.

        Parameters
        ----------
        size : int
            The number of members.

        Raises
        ------
        InputError
            If a population of this size is too small.
        """

    @abstractmethod
    def replace(self, population: Kept) -> None:
        """Replace members by children; writes `solutions` and `costs`.

        In C++, by all threads of a team: ``template <class Population> void replace(Walk&, Population&) const``. A
        population of C++ has the arrays below, `size`, the number of members, `litter`, the number of children,
        `scores` and `near`, ``size + litter`` whole numbers each that may be written, and ``take(walk, s, c)``, which
        puts child c in the place of member s.

        Parameters
        ----------
        population : mapping
            The members, `solutions` of shape (k, n) and `costs` of shape (k,), and all children, `children` of shape
            (c, n) and `child_costs` of shape (c,). With K objectives, costs have another axis of length K. `parents`
            has the two members whose child joined last. `random`: random numbers, of which selections of parents use
            the first ``2 * DRAWS``; in C++, ``walk.random(selection_stream)``.
        """

    def rate(self, population: Kept) -> None:
        """Rate the members of a population that has just become full; nothing by default.

        In C++, as for `replace`: ``template <class Population> void rate(Walk&, Population&) const``.

        Parameters
        ----------
        population : mapping
            As for `replace`; the children are not used.
        """

    def fitness(self, population: Kept) -> np.ndarray:
        """The numbers by which parents are selected, lower is better, shape (k,): the costs of the members by default.

        In C++: ``template <class Population> auto fitness(const Population&) const``, which returns a function of s
        whose value is the number of member s; a replacement with `fitness` must have `rate`, too.

        Parameters
        ----------
        population : mapping
            As for `replace`.
        """
        found: np.ndarray = population["costs"]
        return found

    def arrays(self, size: int) -> Mapping[str, Array]:
        """Arrays that a population of so many members keeps for the replacement, by name; none by default.

        Parameters
        ----------
        size : int
            The number of members.
        """
        return {}

    def scratch(self, size: int) -> Mapping[str, Array]:
        """Arrays of a population of C++ that hold numbers during a replacement only, by name; none by default.

        Parameters
        ----------
        size : int
            The number of members.
        """
        return {}


@final
@frozen
class SteadyState(Replacement):
    """Each child in turn takes the place of the worst member, the first among equals, unless the child costs more.

    With several children this is the (mu + lambda) replacement: the best of members and children survive, children
    rather than members among equals.

    Parameters
    ----------
    count : int, default 1
        How many children the members have before the members change.
    duplicates : bool, default False
        Whether a child may be equal to a member; by default such a child is refused.

    Notes
    -----
    G. Syswerda, "A study of reproduction in generational and steady-state genetic algorithms", Foundations of Genetic
    Algorithms 1, 1991.
    """

    count: int = whole_field(1, 2**20, default=1)
    duplicates: bool = field(default=False, validator=true_or_false, kw_only=True)

    source: ClassVar[str] = "steady_state.cuh"

    def children(self, size: int) -> int:
        return self.count

    def replace(self, population: Kept) -> None:
        costs = population["costs"]
        for c, cost in enumerate(population["child_costs"]):
            worst = int(np.argmax(costs))
            if cost <= costs[worst] and (self.duplicates or not has(population, c)):
                take(population, worst, c)


@final
@frozen
class Generational(Replacement):
    """All members give way to children, except the elite, the best members; the first are better among equals.

    Parameters
    ----------
    elite : int, default 1
        How many members stay, fewer than there are.

    Notes
    -----
    K. A. De Jong, "An analysis of the behavior of a class of genetic adaptive systems", University of Michigan, 1975.
    """

    elite: int = whole_field(0, 2**20, default=1, metadata={"tune": Range(0, 10)})

    source: ClassVar[str] = "generational.cuh"

    def children(self, size: int) -> int:
        if self.elite >= size:
            raise InputError(
                f"The elite must be smaller than the population, but has {self.elite} of {size} members.",
                f"use Generational({max(0, size - 1)}), or a larger population.",
            )
        return size - self.elite

    def replace(self, population: Kept) -> None:
        ranks = [rank_of(population["costs"], s) for s in range(len(population["costs"]))]
        leaving = (s for s, rank in enumerate(ranks) if rank >= self.elite)
        for c, s in enumerate(leaving):
            take(population, s, c)


@final
@frozen
class BestChildren(Replacement):
    """All members give way to the best children, also to worse ones: the (mu, lambda) replacement.

    Of k members and their children the k best children become the members, the first ones among equals.

    Parameters
    ----------
    count : int
        How many children the members have before the members change, lambda: as many as members, or more.

    Notes
    -----
    H.-P. Schwefel, Numerische Optimierung von Computer-Modellen mittels der Evolutionsstrategie, 1977; H.-G. Beyer and
    H.-P. Schwefel, "Evolution strategies: a comprehensive introduction", Natural Computing 1, 2002.
    """

    count: int = whole_field(1, 2**20)

    source: ClassVar[str] = "best_children.cuh"

    def children(self, size: int) -> int:
        if self.count < size:
            raise InputError(
                f"There must be as many children as members, or more, but `BestChildren.count` is {self.count}, and "
                f"there are {size} members.",
                f"use BestChildren({7 * size}), or a smaller population.",
            )
        return self.count

    def replace(self, population: Kept) -> None:
        size, child_costs = len(population["costs"]), population["child_costs"]
        best = (c for c in range(len(child_costs)) if rank_of(child_costs, c) < size)
        for s, c in enumerate(best):
            take(population, s, c)


@final
@frozen
class OldestMember(Replacement):
    """A child takes the place of the member that joined first, also if it costs more.

    Notes
    -----
    First in, first out: K. A. De Jong and J. Sarma, "Generation gaps revisited", Foundations of Genetic Algorithms 2,
    1993; aging evolution of E. Real, A. Aggarwal, Y. Huang and Q. V. Le, "Regularized evolution for image classifier
    architecture search", AAAI 2019.
    """

    source: ClassVar[str] = "oldest_member.cuh"

    def children(self, size: int) -> int:
        return 1

    def arrays(self, size: int) -> Mapping[str, Array]:
        """`oldest`: the member that joined first."""
        return {"oldest": Array((), "int64", within=(0, size - 1))}

    def replace(self, population: Kept) -> None:
        oldest = int(population["oldest"])
        take(population, oldest, 0)
        population["oldest"][()] = (oldest + 1) % len(population["costs"])


@final
@frozen
class WorseParent(Replacement):
    """A child takes the place of its worse parent, the first one if both are equal; also if the child costs more.

    A solution that arrives from another walk takes the place of a parent of the last child.

    Notes
    -----
    P. Galinier and J.-K. Hao, "Hybrid evolutionary algorithms for graph coloring", Journal of Combinatorial
    Optimization 3, 1999, section 3.1.
    """

    source: ClassVar[str] = "worse_parent.cuh"

    def children(self, size: int) -> int:
        return 1

    def replace(self, population: Kept) -> None:
        first, second = population["parents"].tolist()
        costs = population["costs"]
        take(population, second if costs[second] > costs[first] else first, 0)


@final
@frozen
class QualityAndDistance(Replacement):
    """A child joins the members, and the one with the worst score leaves; a child that is equal to a member is refused.

    The score is a weighted sum of two ranks among all: by cost, and by the distance to the nearest other one, which is
    the number of positions in which both differ; a large distance is good. Ranks and scores that are equal are ordered
    by index, the child last. The best one by cost never leaves. A replacement computes all distances.

    Parameters
    ----------
    quality : float or fractions.Fraction, default 0.6
        The weight of the cost, 0.5 ... 1; the weight of the distance is 1 - quality.

    Notes
    -----
    Z. Lü and J.-K. Hao, "A memetic algorithm for graph coloring", European Journal of Operational Research 203, 2010,
    section 2.5, with ranks as in T. Vidal et al., "A hybrid genetic algorithm for multidepot and periodic vehicle
    routing problems", Operations Research 60, 2012.
    """

    quality: Fraction = field(
        default=Fraction(3, 5), converter=ratio, validator=require_ratio, repr=str, metadata={"tune": Range(0.5, 1.0)}
    )

    source: ClassVar[str] = "quality_and_distance.cuh"

    @quality.validator
    def _weighs(self, _: Attribute[Any], value: Fraction) -> None:
        if not Fraction(1, 2) <= value <= 1:
            raise InputError(
                f"`QualityAndDistance.quality` must be in 0.5 ... 1, but is {float(value)}.",
                "use 0.6, the default.",
            )

    def children(self, size: int) -> int:
        return 1

    def replace(self, population: Kept) -> None:
        if has(population, 0):
            return
        costs = np.append(population["costs"], population["child_costs"][0])
        everyone = np.vstack([population["solutions"], population["children"][:1]])
        apart = np.count_nonzero(everyone[:, None] != everyone[None], axis=2)
        np.fill_diagonal(apart, everyone.shape[1] + 1)
        near = -apart.min(axis=1)
        share, whole = self.quality.numerator, self.quality.denominator
        scores = [share * rank_of(costs, s) + (whole - share) * rank_of(near, s) for s in range(len(costs))]
        scores[int(np.argmin(costs))] = -1  # the best one never leaves, also where it has the worst distance
        leaving = len(costs) - 1 - int(np.argmax(scores[::-1]))
        if leaving < len(costs) - 1:
            take(population, leaving, 0)


def has(population: Kept, c: int) -> bool:
    """Whether a child is equal to a member, and costs the same."""
    alike = population["solutions"][population["costs"] == population["child_costs"][c]]
    return bool((alike == population["children"][c]).all(axis=1).any())


def take(population: Kept, s: int, c: int) -> None:
    """Put child c in the place of member s."""
    population["solutions"][s] = population["children"][c]
    population["costs"][s] = population["child_costs"][c]
