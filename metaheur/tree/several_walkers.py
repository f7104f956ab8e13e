"""Explorers on several devices of one process: each device has some groups, which first exchange on the device."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar, final

import numpy as np
from attrs import define, field

from metaheur.device.device import Device
from metaheur.errors import DeviceError, MetaheurError
from metaheur.problem import Problem
from metaheur.tree.local_walker import LocalWalker, Transfer
from metaheur.tree.part import Nodes
from metaheur.tree.round_report import RoundReport, joined_report, renumbered
from metaheur.tree.tree_parts import TreeParts
from metaheur.tree.walker import Slice, Walker, joined_parts, joined_slices, part_of
from metaheur.tree.work_stealing import GROUPS, exchanges_of, groups_of

__all__ = ["SeveralWalkers"]

T = TypeVar("T")


@final
@define(eq=False)
class SeveralWalkers(Walker):
    """The first groups of the explorers are on the first device, and so on; a thread drives each device.

    `parts`: the parts of the search. `walkers`: a walker for each device. `groups`: the most groups that the explorers
    form. The tree depends on this number.
    """

    parts: TreeParts
    problem: Problem
    walkers: Sequence[LocalWalker]
    groups: int = GROUPS
    count: int = field(default=0, init=False)
    _cuts: np.ndarray = field(init=False)
    _reports: np.ndarray = field(init=False)  # the reports of the last round, device by device
    _bins: list[np.ndarray] = field(init=False)  # for each device, how many explorers of each group have each rank
    _pool: ThreadPoolExecutor = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._pool = ThreadPoolExecutor(len(self.walkers))

    @property
    def native_devices(self) -> tuple[Device, ...]:
        return tuple(device for walker in self.walkers for device in walker.native_devices)

    def _each(self, do: Callable[[int, LocalWalker], T], *, short: bool = False) -> list[T]:
        """The results of all devices, which work at once; or in turn, if waking a thread would take longer."""

        def one(i: int, walker: LocalWalker) -> T:
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
        cuts, number = groups_of(self.count, self.groups), len(self.walkers)
        at = (len(cuts) - 1) * np.arange(number + 1) // number
        self._cuts = cuts[at]

        def one(i: int, walker: LocalWalker) -> tuple[np.ndarray, np.ndarray]:
            walker.load(part_of(arrays, *self._cuts[i : i + 2].tolist()), cuts[at[i] : at[i + 1] + 1] - cuts[at[i]])
            return walker.summary()

        self._take_in(self._each(one))

    def _take_in(self, summaries: list[tuple[np.ndarray, np.ndarray]]) -> None:
        reports, self._bins = [report for report, _ in summaries], [bins for _, bins in summaries]
        numbered = zip(reports, self._cuts[:-1], strict=True)
        self._reports = np.concatenate([renumbered(report, first) for report, first in numbered])

    def arrays(self) -> dict[str, np.ndarray]:
        return joined_parts(self._each(lambda _, walker: walker.arrays()))

    def explore(self, threshold: int, steps: int, *, completes: bool, eager: bool) -> None:
        def one(_: int, walker: LocalWalker) -> tuple[np.ndarray, np.ndarray]:
            walker.explore(threshold, steps, completes=completes, eager=eager)
            return walker.summary()

        self._take_in(self._each(one))

    def round_report(self) -> RoundReport:
        return joined_report(self._reports)

    @property
    def reports(self) -> np.ndarray:
        return np.concatenate(self._each(lambda i, walker: renumbered(walker.reports, int(self._cuts[i]))))

    @property
    def shares_left(self) -> np.ndarray:
        return np.concatenate([walker.shares_left for walker in self.walkers])

    def steal(self) -> None:
        rank, all_exchanges = exchanges_of(np.concatenate(self._bins))
        exchanges = np.split(all_exchanges, np.cumsum([len(each) for each in self._bins])[:-1])
        own, donated, received, _ = np.array([each.sum(axis=0) for each in exchanges]).T.tolist()

        def plan(i: int, walker: LocalWalker) -> None:
            walker.plan(rank, exchanges[i])
            walker.exchange(own[i])

        self._each(plan, short=True)
        if sum(donated):
            self._exchange(own, np.append(0, np.cumsum(donated)), np.append(0, np.cumsum(received)))

    def _exchange(self, own: list[int], donated: np.ndarray, received: np.ndarray) -> None:
        """The k-th donor to another group donates to the k-th receiver from another group, whatever their devices.

        `own`: for each device, the number of pairs within groups, which come first in its plan. `donated`, `received`:
        for each device, the number of its first donor to, and of its first receiver from, another group; then the
        number of all.
        """
        transfers: dict[tuple[int, int], Transfer] = {}

        def between(i: int, k: int) -> tuple[int, int, int]:
            """How many pairs have their donor on device i and their receiver on k, and the first in both plans."""
            first = max(donated[i], received[k])
            pairs = min(donated[i + 1], received[k + 1]) - first
            return int(pairs), int(own[i] + first - donated[i]), int(own[k] + first - received[k])

        def send(i: int, walker: LocalWalker) -> None:
            for k in range(len(self.walkers)):
                pairs, donor, receiver = between(i, k)
                if pairs > 0 and i == k:
                    walker.exchange(pairs, donor, receiver)
                elif pairs > 0:
                    transfers[i, k] = walker.send(pairs, donor)

        def receive(k: int, walker: LocalWalker) -> None:
            for i in range(len(self.walkers)):
                if (i, k) in transfers:
                    walker.receive(between(i, k)[2], transfers[i, k])

        self._each(send)
        if transfers:
            self._each(receive, short=True)

    def found(self, e: int) -> Nodes:
        walker, number = self._home(e)
        return walker.found(number)

    def fault(self, e: int) -> tuple[int, int, int, int]:
        walker, number = self._home(e)
        return walker.fault(number)

    def _home(self, e: int) -> tuple[Walker, int]:
        """The walker of an explorer, and the number of the explorer in it."""
        i = int(np.searchsorted(self._cuts, e, side="right")) - 1
        return self.walkers[i], e - int(self._cuts[i])

    def slice(self) -> Slice:
        return joined_slices(self._each(lambda _, walker: walker.slice()), self._cuts.tolist())
