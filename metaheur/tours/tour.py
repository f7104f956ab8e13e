"""A tour while a local search changes it: who stands beside whom, the candidates, and exchanges of edges."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias, final

import numpy as np
from attrs import Factory, define, field

__all__ = ["Exchange", "Step", "Tour"]

Step: TypeAlias = tuple[int, int, int, int]
"""(a, b, c, d): the edges a-b and c-d become a-c and b-d; b comes behind a and d behind c, or both come before."""

Exchange: TypeAlias = tuple[Any, tuple[Step, ...]]
"""By how much a tour becomes cheaper, and the steps that do it, one after the other."""


@final
@define(eq=False)
class Tour:
    """A cyclic permutation whose cost is the sum of its edges; the C++ half is `Tour` in loops/tour.cuh.

    `items`: the permutation; written. `candidates`: for each item others that may become its neighbors, the nearest
    first. `edge`: ``edge(a, b)``: what the edge between two items costs, the same in both directions. `least`:
    ``least(a, b)``: what it costs at least, by which candidates are in order; `edge` by default.
    """

    items: list[int]
    candidates: Any
    edge: Callable[[int, int], Any]
    least: Callable[[int, int], Any] = field(default=Factory(lambda self: self.edge, takes_self=True))
    positions: list[int] = field(init=False)
    evaluated: int = field(init=False, default=0)
    waiting: deque[int] = field(init=False, factory=deque)
    _waits: list[bool] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.positions = np.argsort(np.array(self.items)).tolist()
        self._waits = [False] * len(self.items)

    def beside(self, item: int, side: int) -> int:
        """The item behind another one (side 0), or before it (side 1)."""
        n = len(self.items)
        return self.items[(self.positions[item] + (-1 if side else 1)) % n]

    def steps_to(self, a: int, b: int, side: int) -> int:
        """How many items there are from a to b, b included, in one direction."""
        ahead = self.positions[b] - self.positions[a]
        return (-ahead if side else ahead) % len(self.items)

    def reverse(self, i: int, j: int) -> None:
        """Reverse the items at the positions i ... j, counted around the tour."""
        items, positions, n = self.items, self.positions, len(self.items)
        for _ in range(((j - i) % n + 1) // 2):
            items[i], items[j] = items[j], items[i]
            positions[items[i]], positions[items[j]] = i, j
            i, j = (i + 1) % n, (j - 1) % n

    def flip(self, i: int, j: int) -> None:
        """Reverse the positions i ... j; or all others, which gives the same tour, where these are fewer."""
        n = len(self.items)
        if 2 * ((j - i) % n + 1) > n:
            i, j = (j + 1) % n, (i - 1) % n
            if (i - j) % n == 1:
                return
        self.reverse(i, j)

    def make(self, steps: Iterable[Step]) -> None:
        """Make an exchange; the ends of its edges wait to be looked at."""
        for a, b, c, d in steps:
            first, last = (b, c) if self.beside(a, 0) == b else (a, d)
            self.flip(self.positions[first], self.positions[last])
            self.wait(a, b, c, d)

    def wait(self, *items: int) -> None:
        """Put items at the end of the queue, unless they wait already."""
        for item in items:
            if not self._waits[item]:
                self._waits[item] = True
                self.waiting.append(item)

    def first_waiting(self) -> int:
        """Take the item that has waited longest."""
        item = self.waiting.popleft()
        self._waits[item] = False
        return item
