"""Explorers on several devices of one process: each keeps its share, and what one gives to another goes by the host."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar, final

import numpy as np
from attrs import define, field

from metaheur.device.device import Device
from metaheur.errors import DeviceError, MetaheurError
from metaheur.problem import Problem
from metaheur.tree.part import Nodes
from metaheur.tree.unit import TreeParts
from metaheur.tree.walker import (
    Gift,
    OwnWalker,
    Slice,
    Walker,
    idle_rank,
    joined_slices,
    pairs_of,
    part_of,
    renumbered,
)

__all__ = ["SeveralWalkers"]

T = TypeVar("T")


@final
@define(eq=False)
class SeveralWalkers(Walker):
    """The first share of the explorers on the first device, and so on; a thread each lets them search.

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
    _rows: list[np.ndarray] = field(factory=list, init=False)
    _pool: ThreadPoolExecutor = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._pool = ThreadPoolExecutor(len(self.walkers))

    @property
    def native_devices(self) -> tuple[Device, ...]:
        return tuple(device for walker in self.walkers for device in walker.native_devices)

    def _each(self, do: Callable[[int, OwnWalker], T]) -> list[T]:
        """What all devices do at once."""

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

        return list(self._pool.map(one, range(len(self.walkers)), self.walkers))

    def load(self, arrays: Mapping[str, np.ndarray]) -> None:
        self.count = len(arrays["heights"])
        self._cuts = self.count * np.arange(len(self.walkers) + 1) // len(self.walkers)
        self._each(lambda i, walker: walker.load(part_of(arrays, *self._cuts[i : i + 2].tolist())))
        self._hear()

    def _hear(self) -> None:
        self._rows = self._each(lambda i, walker: renumbered(walker.rows, int(self._cuts[i])))

    def arrays(self) -> dict[str, np.ndarray]:
        return self.slice()[0]

    def explore(self, threshold: int, steps: int, *, completes: bool, eager: bool) -> None:
        self._each(lambda _, walker: walker.explore(threshold, steps, completes=completes, eager=eager))
        self._hear()

    @property
    def rows(self) -> np.ndarray:
        return np.concatenate(self._rows)

    @property
    def left(self) -> np.ndarray:
        return np.concatenate([walker.left for walker in self.walkers])

    def give(self, pairs: int) -> None:
        ranks = np.concatenate(self._each(lambda _, walker: walker.ranks))
        victims, thieves = pairs_of(ranks, pairs, idle_rank(self.parts, self.problem))
        start, end = (np.searchsorted(self._cuts, who, side="right") - 1 for who in (victims, thieves))
        gifts: dict[tuple[int, int], Gift] = {}

        def between(i: int, k: int) -> tuple[np.ndarray, np.ndarray]:
            mine = (start == i) & (end == k)
            return victims[mine] - self._cuts[i], thieves[mine] - self._cuts[k]

        def take(i: int, walker: OwnWalker) -> None:
            for k in range(len(self.walkers)):
                given, taken = between(i, k)
                if len(given) and i == k:
                    walker.pass_on(given, taken)
                elif len(given):
                    gifts[i, k] = walker.take_away(given)

        def put(k: int, walker: OwnWalker) -> None:
            for i in range(len(self.walkers)):
                if (i, k) in gifts:
                    walker.put_here(between(i, k)[1], gifts[i, k])

        self._each(take)
        self._each(put)

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
