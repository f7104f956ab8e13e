"""The greedy partition crossover of colorings and other partitions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.fields import Array
from metaheur.parts.recombination.crossover import Crossover
from metaheur.random import Random
from metaheur.representation import Representation, Solution, is_uniform

__all__ = ["GreedyPartition"]


@final
@frozen
class GreedyPartition(Crossover):
    """The largest class of one parent and of the other in turn becomes a class of the child.

    A class consists of the positions with the same value, such as the vertices of one color. The items of a class that
    the child takes leave both parents; of classes with the same size, the one with the lowest value is taken. A class
    keeps its value if the child has no class of this value yet, and otherwise has the lowest free value. After as many
    classes as the parents have values, the remaining items join classes at random. The first class comes from the first
    parent. One thread makes the child.

    Notes
    -----
    P. Galinier and J.-K. Hao, "Hybrid evolutionary algorithms for graph coloring", Journal of Combinatorial
    Optimization 3, 1999, section 3.2 (GPX).
    """

    source: ClassVar[str] = "greedy_partition.cuh"

    def supports(self, representation: Representation) -> bool:
        return is_uniform(representation)

    def cache(self, representation: Representation) -> Mapping[str, Array]:
        """The value of each position in the child, and the sizes of the classes of both parents."""
        return {
            "chosen": Array((representation.length,), "int32"),
            "sizes": Array((2, representation.values), "int32"),
            "free": Array((representation.values,), "int32"),
        }

    def cross(self, x: Solution, other: Solution, random: Random) -> None:
        parents, values = (x.copy(), other), int(max(x.max(), other.max())) + 1
        left, free = np.ones(len(x), bool), np.ones(values, bool)
        for turn in range(values):
            parent = parents[turn % 2]
            largest = int(np.argmax(np.bincount(parent[left], minlength=values)))
            value = largest if free[largest] else int(np.argmax(free))
            taken = left & (parent == largest)
            x[taken], free[value] = value, False
            left &= ~taken
            if not left.any():
                return
        for k in np.flatnonzero(left).tolist():
            x[k] = random.index(k, values)
