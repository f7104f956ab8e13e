"""Crossovers of permutations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.fields import Array
from metaheur.parts.recombination.crossover import Crossover, coins, segment
from metaheur.random import Random
from metaheur.representation import Representation, Solution

__all__ = ["CycleCrossover", "EdgeRecombination", "OrderCrossover", "PartiallyMapped", "PositionBased", "UniformLike"]


class PermutationCrossover(Crossover):
    """A crossover of permutations; one thread makes the child."""

    def supports(self, representation: Representation) -> bool:
        return representation.arranges

    def cache(self, representation: Representation) -> Mapping[str, Array]:
        """`marks`: a number for each item or position."""
        return {"marks": Array((representation.length,), "int32")}


@final
@frozen
class OrderCrossover(PermutationCrossover):
    """A segment of the first parent; behind it and around the end, the other items as they follow in the second parent.

    Both the child and the second parent are read from the position behind the segment on.

    Notes
    -----
    L. Davis, "Applying adaptive algorithms to epistatic domains", IJCAI 1985 (OX).
    """

    source: ClassVar[str] = "order_crossover.cuh"

    def cross(self, x: Solution, other: Solution, random: Random) -> None:
        n, (first, last) = len(x), segment(random, len(x))
        inside = np.zeros(n, bool)
        inside[x[first : last + 1]] = True
        order = np.roll(other, -(last + 1))
        x[np.arange(last + 1, n + first) % n] = order[~inside[order]]


@final
@frozen
class PartiallyMapped(PermutationCrossover):
    """The first parent, in which swaps give each position of a segment the item of the second parent, one by one.

    Notes
    -----
    D. E. Goldberg and R. Lingle, "Alleles, loci and the traveling salesman problem", ICGA 1985 (PMX).
    """

    source: ClassVar[str] = "partially_mapped.cuh"
    keeps: ClassVar[str] = "common"

    def cross(self, x: Solution, other: Solution, random: Random) -> None:
        first, last = segment(random, len(x))
        places = np.argsort(x)
        for k in range(first, last + 1):
            a, b = x[k], other[k]
            p = places[b]
            x[k], x[p] = b, a
            places[a], places[b] = p, k


@final
@frozen
class CycleCrossover(PermutationCrossover):
    """Each cycle of positions in which both parents have the same items comes from a parent that a coin chooses.

    The coin of a cycle is the draw of its first position.

    Notes
    -----
    I. M. Oliver, D. J. Smith and J. R. C. Holland, "A study of permutation crossover operators on the traveling
    salesman problem", ICGA 1987 (CX), where one cycle comes from the first parent, and all others from the second.
    """

    source: ClassVar[str] = "cycle_crossover.cuh"
    keeps: ClassVar[str] = "parents"

    def cross(self, x: Solution, other: Solution, random: Random) -> None:
        places, passed = np.argsort(x), np.zeros(len(x), bool)
        for first in range(len(x)):
            changes = not passed[first] and random.bits(first) & 1
            k = first
            while not passed[k]:
                passed[k] = True
                following = places[other[k]]
                if changes:
                    x[k] = other[k]
                k = following


@final
@frozen
class PositionBased(PermutationCrossover):
    """Positions that coins choose keep their items; the other items are put in the order of the second parent.

    Notes
    -----
    G. Syswerda, "Schedule optimization using genetic algorithms", Handbook of Genetic Algorithms, 1991.
    """

    source: ClassVar[str] = "position_based.cuh"

    def cross(self, x: Solution, other: Solution, random: Random) -> None:
        filled = coins(random, len(x))
        moves = np.zeros(len(x), bool)
        moves[x[filled]] = True
        x[filled] = other[moves[other]]


@final
@frozen
class UniformLike(PermutationCrossover):
    """Common items stay; each other position has an item of one of the parents while there is one, and else any.

    The positions are visited from left to right: a coin chooses a parent; if its item is used already, the item of
    the other parent is taken. Positions that stay empty are filled at random with the items that are left.

    Notes
    -----
    D. M. Tate and A. E. Smith, "A genetic approach to the quadratic assignment problem", Computers & Operations
    Research 22, 1995.
    """

    source: ClassVar[str] = "uniform_like.cuh"
    keeps: ClassVar[str] = "common"

    def cache(self, representation: Representation) -> Mapping[str, Array]:
        """`marks`: whether an item is used; the positions that stay empty, and the items that are left."""
        return {name: Array((representation.length,), "int32") for name in ("marks", "empty", "left")}

    def cross(self, x: Solution, other: Solution, random: Random) -> None:
        n = len(x)
        used = np.zeros(n, bool)
        used[x[x == other]] = True
        empty, chosen = [], coins(random, n)
        for k in np.flatnonzero(x != other).tolist():
            items = (other[k], x[k]) if chosen[k] else (x[k], other[k])
            item = next((each for each in items if not used[each]), None)
            if item is None:
                empty.append(k)
            else:
                x[k], used[item] = item, True
        left = np.flatnonzero(~used).tolist()
        for k in empty:
            place = random.index(n + k, len(left))
            x[k], left[place] = left[place], left[-1]
            left.pop()


@final
@frozen
class EdgeRecombination(PermutationCrossover):
    """A tour of edges of both parents, from the first item of the first parent on.

    The next item is a neighbor in either parent, the one with the fewest neighbors left. Among equals one is drawn; at
    the first step, the first of these is taken: the next and the previous item in the first parent, then in the second
    one. If no neighbor is left, one of all items left is drawn.

    Notes
    -----
    D. Whitley, T. Starkweather and D. Fuquay, "Scheduling problems and traveling salesmen: the genetic edge
    recombination operator", ICGA 1989.
    """

    source: ClassVar[str] = "edge_recombination.cuh"

    def cache(self, representation: Representation) -> Mapping[str, Array]:
        """The neighbors of each item, -1 for one that is named before, and how many of them are left; -1 if passed."""
        n = representation.length
        return {"near": Array((n, 4), "int32"), "left": Array((n,), "int32")}

    def cross(self, x: Solution, other: Solution, random: Random) -> None:
        near: list[list[int]] = [[] for _ in x]
        for tour in (x.tolist(), other.tolist()):
            for before, item, after in zip(tour[-1:] + tour[:-1], tour, tour[1:] + tour[:1], strict=True):
                near[item] += [each for each in dict.fromkeys((after, before)) if each not in near[item]]
        left = {item: len(near[item]) for item in range(len(x))}
        for k in range(1, len(x)):
            last = int(x[k - 1])
            del left[last]
            for each in near[last]:
                if each in left:
                    left[each] -= 1
            reached = [each for each in near[last] if each in left]
            if reached:
                fewest = [each for each in reached if left[each] == min(map(left.__getitem__, reached))]
                x[k] = fewest[random.index(k, len(fewest)) if k > 1 else 0]
            else:
                x[k] = list(left)[random.index(k, len(left))]
