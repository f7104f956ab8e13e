"""Swap path: the first parent goes towards the second one by exchanges of its own entries."""

from __future__ import annotations

from typing import ClassVar, final

from attrs import frozen

from metaheur.parts.recombination.crossover import Crossover, coins
from metaheur.random import Random
from metaheur.representation import Representation, Solution

__all__ = ["SwapPath"]


@final
@frozen
class SwapPath(Crossover):
    """Entries of the first parent trade values until about half of the differing positions are as in the second one.

    From a random position on and around the end, a fair coin chooses positions where the child differs from the second
    parent. Such a position trades its value with the next one that has the wanted value and differs, too; if there is
    none, it stays. So the child has the values of the first parent as often: what any two entries may exchange keeps
    being a solution, such as strings with a fixed number of ones, and permutations. One thread makes the child.

    Notes
    -----
    After the swap path crossover of R. K. Ahuja, J. B. Orlin and A. Tiwari, "A greedy genetic algorithm for the
    quadratic assignment problem", Computers & Operations Research 27, 2000, which evaluates each solution on the path.
    """

    source: ClassVar[str] = "swap_path.cuh"
    keeps: ClassVar[str] = "common"

    def supports(self, representation: Representation) -> bool:
        """Solutions in which any two entries may trade their values."""
        return representation.exchanges

    def cross(self, x: Solution, other: Solution, random: Random) -> None:
        n = len(x)
        chosen, first = coins(random, n), random.index(-(-n // 128), n)
        for k in ((first + step) % n for step in range(n)):
            if not chosen[k] or x[k] == other[k]:
                continue
            behind = ((k + 1 + step) % n for step in range(n - 1))
            j = next((j for j in behind if x[j] == other[k] and x[j] != other[j]), None)
            if j is not None:
                x[k], x[j] = x[j], x[k]
