"""Dynamic programming over a core: the seam where the devices plug in, and its Python half."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import final

import numpy as np
from attrs import define, field, frozen

from metaheur.device.device import Device
from metaheur.problems.trees.core_items import CoreItems
from metaheur.running.proof import Counts

__all__ = ["Core", "Decided", "Decider", "NumpyDecider", "beginning", "highest", "skip"]


@final
@define(eq=False)
class Core:
    """The states after the items of a core were decided, ascending in weight and in profit.

    `left`, `right`: the places of the core, `left` ... `right` - 1; items that cannot change are not decided, but
    skipped. `adds`: whether an item behind the core comes next, rather than one before it, if there are both.
    `weights`, `profits`, numpy.ndarray of int64, shape (count,): of the states. `paths`, numpy.ndarray of int32, shape
    (count,): the node at the end of the path of changes of each state. `parents`, `changed`, numpy.ndarray of int32,
    shape (nodes,): the node before each node, and the place of the item that it changes. Node 0 is the break solution.
    """

    left: int
    right: int
    adds: bool
    weights: np.ndarray
    profits: np.ndarray
    paths: np.ndarray
    parents: np.ndarray
    changed: np.ndarray


@final
@frozen
class Decided:
    """The result of a call of a decider.

    `steps`: how many items were decided. `counts`: the states that were counted in them. `best`: the best profit.
    `changes`: the places of the items in which a better solution differs from the break solution; None if none was
    found.
    """

    steps: int
    counts: Counts
    best: int
    changes: list[int] | None


class Decider(ABC):
    """Decides the items of a core, one after the other.

    `items`: all items. `full`: whether there is no memory for more states.
    """

    items: CoreItems
    full: bool

    @property
    def native_devices(self) -> tuple[Device, ...]:
        """The devices whose compiled code decides; none by default."""
        return ()

    @property
    @abstractmethod
    def count(self) -> int:
        """The number of states."""

    @abstractmethod
    def load(self, core: Core) -> None:
        """Begin, or go on, from a core."""

    @abstractmethod
    def decide(self, best: int, steps: int, branched: int) -> Decided:
        """Decide items, until a better solution is found or no state is left.

        `best`: the best profit so far. `steps`, `branched`: how many items at most, and after how many states no
        further item is decided.
        """

    @abstractmethod
    def core(self) -> Core:
        """The present core, with only the nodes on the paths of its states."""


def beginning(items: CoreItems) -> Core:
    """The core without items: its state is the break solution."""
    return Core(
        items.first,
        items.first,
        True,
        np.array([items.break_weight]),
        np.array([items.break_profit]),
        np.zeros(1, np.int32),
        np.zeros(1, np.int32),
        np.zeros(1, np.int32),
    )


def skip(items: CoreItems, core: Core, best: int) -> None:
    """Move the ends of a core over items that no better solution changes.

    R. S. Dembo and P. L. Hammer, "A reduction algorithm for knapsack problems", Methods of Operations Research 36,
    1980: the bound with the ratio of the break item.
    """
    if items.first == len(items.order):
        core.left = 0
        return
    first, room = items.first, items.capacity - items.break_weight
    gain = items.profits * items.weights[first] - items.weights * items.profits[first]  # of an item that is added
    best_of_all = (items.break_profit - wanted(items, best)) * items.weights[first] + room * items.profits[first]
    behind = np.flatnonzero(gain[core.right :] + best_of_all >= 0)
    before = np.flatnonzero(best_of_all - gain[: core.left] >= 0)
    core.right = core.right + int(behind[0]) if len(behind) else len(items.order)
    core.left = int(before[-1]) + 1 if len(before) else 0


def wanted(items: CoreItems, best: int) -> int:
    """The least profit that is above the best one and that a solution can have."""
    return (best // items.step + 1) * items.step


def highest(items: CoreItems, core: Core) -> np.ndarray:
    """For each state, an upper bound of the profits of its solutions: parts of the next items may be taken."""
    room = items.capacity - core.weights
    above = np.full(len(room), -1, np.int64)
    fits = room >= 0
    at = core.right if core.right < len(items.order) else None
    above[fits] = core.profits[fits]
    if at is not None:
        above[fits] += room[fits] * items.profits[at] // items.weights[at]
    if core.left > 0:
        last = core.left - 1
        above[~fits] = core.profits[~fits] + room[~fits] * items.profits[last] // items.weights[last]
    return above // items.step * items.step


@final
@define(eq=False)
class NumpyDecider(Decider):
    """Decides in Python: the reference, slow and easy to verify."""

    items: CoreItems
    full: bool = field(default=False, init=False)
    _core: Core = field(init=False)

    @property
    def count(self) -> int:
        return len(self._core.weights)

    def load(self, core: Core) -> None:
        self._core = core

    def decide(self, best: int, steps: int, branched: int) -> Decided:
        made, counts, changes = 0, Counts(), None
        while self.count and changes is None and made < steps and counts.branched < branched:
            core = self._core
            adds = core.right < len(self.items.order) and (core.adds or not core.left)
            place = core.right if adds else core.left - 1
            core.left, core.right, core.adds = core.left - (not adds), core.right + adds, not adds
            sign = 1 if adds else -1
            weights = core.weights + sign * int(self.items.weights[place])
            profits = core.profits + sign * int(self.items.profits[place])
            fitting = np.flatnonzero(weights <= self.items.capacity)
            if len(fitting) and profits[fitting[-1]] > best:
                best = int(profits[fitting[-1]])
                changes = [place, *self._changes(int(core.paths[fitting[-1]]))]
            skip(self.items, core, best)
            counts += self._merge(weights, profits, place, best)
            made += 1
        return Decided(made, counts, best, changes)

    def _changes(self, node: int) -> list[int]:
        found = []
        while node:
            found.append(int(self._core.changed[node]))
            node = int(self._core.parents[node])
        return found

    def _merge(self, weights: np.ndarray, profits: np.ndarray, place: int, best: int) -> Counts:
        """Join the states and the states with an item changed; drop what is dominated or without prospects."""
        core, count = self._core, self.count
        of_all = np.concatenate([core.weights, weights]), np.concatenate([core.profits, profits])
        order = np.lexsort([-of_all[1], of_all[0]])  # stable: among equals the unchanged one comes first
        before = np.concatenate([[-1], np.maximum.accumulate(of_all[1][order])[:-1]])
        staying = order[of_all[1][order] > before]
        parents = np.concatenate([core.paths, core.paths])[staying]
        core.weights, core.profits = of_all[0][staying], of_all[1][staying]
        hopeful = highest(self.items, core) >= wanted(self.items, best)
        changed = staying[hopeful] >= count
        core.weights, core.profits, parents = core.weights[hopeful], core.profits[hopeful], parents[hopeful]
        added, nodes = int(changed.sum()), len(core.parents)
        core.paths = parents.copy()
        core.paths[changed] = np.arange(nodes, nodes + added)
        core.parents = np.concatenate([core.parents, parents[changed]])
        core.changed = np.concatenate([core.changed, np.full(added, place, np.int32)])
        return Counts(
            branched=count,
            bounded=count,
            kept=added,
            by_bound=len(staying) - len(hopeful[hopeful]),
            by_dominance=2 * count - len(staying),
        )

    def core(self) -> Core:
        core = self._core
        used = np.zeros(len(core.parents), bool)
        used[core.paths] = used[0] = True
        for node in range(len(used) - 1, 0, -1):
            if used[node]:
                used[core.parents[node]] = True
        numbers = (np.cumsum(used) - 1).astype(np.int32)
        self._core = Core(
            core.left,
            core.right,
            core.adds,
            core.weights,
            core.profits,
            numbers[core.paths],
            numbers[core.parents[used]],
            core.changed[used],
        )
        return self._core
