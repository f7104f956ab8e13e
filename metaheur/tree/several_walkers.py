"""Explorers on several devices of one process: each has some groups, who deal there first."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar, final

import numpy as np
from attrs import define, field

from metaheur.device.device import Device
from metaheur.errors import DeviceError, MetaheurError
from metaheur.problem import Problem
from metaheur.tree.deals import deals_of, groups_of
from metaheur.tree.part import Nodes
from metaheur.tree.unit import TreeParts
from metaheur.tree.walker import (
    Gift,
    OwnWalker,
    Said,
    Slice,
    Walker,
    joined_parts,
    joined_slices,
    part_of,
    renumbered,
    said_of,
)

__all__ = ["SeveralWalkers"]

T = TypeVar("T")


@final
@define(eq=False)
class SeveralWalkers(Walker):
    """The first groups of the explorers on the first device, and so on; a thread each lets them search.

    Parameters
    ----------
    parts : TreeParts
        What is searched.
    problem : Problem
        On what.
    walkers : sequence of OwnWalker
        Of each device.
    """

    parts: TreeParts
    problem: Problem
    walkers: Sequence[OwnWalker]
    count: int = field(default=0, init=False)
    _cuts: np.ndarray = field(init=False)
    _heard: np.ndarray = field(init=False)  # what all said of the last round, device by device
    _bins: list[np.ndarray] = field(init=False)  # of each device, how many of each group have each rank
    _pool: ThreadPoolExecutor = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._pool = ThreadPoolExecutor(len(self.walkers))

    @property
    def native_devices(self) -> tuple[Device, ...]:
        return tuple(device for walker in self.walkers for device in walker.native_devices)

    def _each(self, do: Callable[[int, OwnWalker], T], *, short: bool = False) -> list[T]:
        """What all devices do at once, or one after the other where it takes less time than to wake a thread."""

        def one(i: int, walker: OwnWalker) -> T:
            try:
                return do(i, walker)
            except MetaheurError:
                raise
            except Exception as error:
                raise DeviceError(
                    f"Explorers {self._cuts[i]} ... {self._cuts[i + 1] - 1} are lost with their device: {error!r}.",
                    "resume the last checkpoint on the other devices.",
                ) from error

        return list((map if short else self._pool.map)(one, range(len(self.walkers)), self.walkers))

    def load(self, arrays: Mapping[str, np.ndarray]) -> None:
        self.count = len(arrays["heights"])
        cuts, number = groups_of(self.count), len(self.walkers)
        at = (len(cuts) - 1) * np.arange(number + 1) // number
        self._cuts = cuts[at]

        def one(i: int, walker: OwnWalker) -> tuple[np.ndarray, np.ndarray]:
            walker.load(part_of(arrays, *self._cuts[i : i + 2].tolist()), cuts[at[i] : at[i + 1] + 1] - cuts[at[i]])
            return walker.summary()

        self._hear(self._each(one))

    def _hear(self, said: list[tuple[np.ndarray, np.ndarray]]) -> None:
        rows, self._bins = np.stack([row for row, _ in said]), [bins for _, bins in said]
        self._heard = np.concatenate([renumbered(rows[i : i + 1], first) for i, first in enumerate(self._cuts[:-1])])

    def arrays(self) -> dict[str, np.ndarray]:
        return joined_parts(self._each(lambda _, walker: walker.arrays()))

    def explore(self, threshold: int, steps: int, *, completes: bool, eager: bool) -> None:
        def one(_: int, walker: OwnWalker) -> tuple[np.ndarray, np.ndarray]:
            walker.explore(threshold, steps, completes=completes, eager=eager)
            return walker.summary()

        self._hear(self._each(one))

    def heard(self) -> Said:
        return said_of(self._heard)

    @property
    def rows(self) -> np.ndarray:
        return np.concatenate(self._each(lambda i, walker: renumbered(walker.rows, int(self._cuts[i]))))

    @property
    def left(self) -> np.ndarray:
        return np.concatenate([walker.left for walker in self.walkers])

    def give(self) -> None:
        key, deal = deals_of(np.concatenate(self._bins))
        deals = np.split(deal, np.cumsum([len(each) for each in self._bins])[:-1])
        own, given, taken, _ = np.array([each.sum(axis=0) for each in deals]).T.tolist()

        def plan(i: int, walker: OwnWalker) -> None:
            walker.plan(key, deals[i])
            walker.pass_on(own[i])

        self._each(plan, short=True)
        if sum(given):
            self._exchange(own, np.append(0, np.cumsum(given)), np.append(0, np.cumsum(taken)))

    def _exchange(self, own: list[int], given: np.ndarray, taken: np.ndarray) -> None:
        """Who gives to other groups does so, in order, to who takes from them.

        Parameters
        ----------
        own : list of int
            On each device, the pairs within groups, which come first in its plan.
        given, taken : numpy.ndarray
            Which of those who give, and who take, each device has first; and the number of all.
        """
        gifts: dict[tuple[int, int], Gift] = {}

        def between(i: int, k: int) -> tuple[int, int, int]:
            """How many give from one device to another, and the first of them in the plans of both."""
            first = max(given[i], taken[k])
            pairs = min(given[i + 1], taken[k + 1]) - first
            return int(pairs), int(own[i] + first - given[i]), int(own[k] + first - taken[k])

        def take(i: int, walker: OwnWalker) -> None:
            for k in range(len(self.walkers)):
                pairs, at, there = between(i, k)
                if pairs > 0 and i == k:
                    walker.pass_on(pairs, at, there)
                elif pairs > 0:
                    gifts[i, k] = walker.take_away(pairs, at)

        def put(k: int, walker: OwnWalker) -> None:
            for i in range(len(self.walkers)):
                if (i, k) in gifts:
                    walker.put_here(between(i, k)[2], gifts[i, k])

        self._each(take)
        if gifts:
            self._each(put, short=True)

    def found(self, e: int) -> Nodes:
        walker, own = self._who(e)
        return walker.found(own)

    def fault(self, e: int) -> tuple[int, int, int, int]:
        walker, own = self._who(e)
        return walker.fault(own)

    def _who(self, e: int) -> tuple[Walker, int]:
        i = int(np.searchsorted(self._cuts, e, side="right")) - 1
        return self.walkers[i], e - int(self._cuts[i])

    def slice(self) -> Slice:
        return joined_slices(self._each(lambda _, walker: walker.slice()), self._cuts.tolist())
