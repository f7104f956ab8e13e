"""Filters of many costs on a device: which costs are non-dominated, and which are dominated by other costs.

On a CPU the non-dominated costs are found by divide and conquer (`Divider`). On a GPU, with up to three objectives, the
non-dominated of n costs take O(n √n). The costs are divided into √n buckets in the order of the first objective, and
into √n buckets in the order of the second. A table of prefix minima over both kinds of buckets tells whether a cost in
lower buckets of both dominates; a cost that passes is compared with the costs of its own two buckets. With more
objectives, every cost is compared with all other costs.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from math import isqrt
from typing import Any, final

import numpy as np
from attrs import define, field

from metaheur.archives.divide import Divider
from metaheur.device.cuda.cuda import cupy
from metaheur.device.device import CompiledUnit, Device
from metaheur.device.generator.launch import Launch
from metaheur.device.generator.plain import plain_unit
from metaheur.device.generator.record import Record
from metaheur.device.generator.unit import TranslationUnit
from metaheur.device.names import device_of
from metaheur.device.session import Session
from metaheur.errors import InputError

__all__ = ["Filter", "filter_on", "unit_of"]

THREADS = 256
"""Threads of a block, and costs with which it compares at a time."""

BLOCKS = 1056
"""So many blocks keep a GPU busy: eight for each of 132 processors."""

MOST_IN_BUCKET = 3072
"""The most costs of a bucket."""

MOST = 2**63 - 1
"""The number that means no cost in tables of minima."""

ARGUMENTS = Record(
    "Arguments",
    {
        **dict.fromkeys(("keys", "others", "ranges", "cells"), "i64*"),
        **dict.fromkeys(("order", "ranks", "long_run"), "i32*"),
        "out": "u8*",
        **dict.fromkeys(("n", "m", "next", "bucket", "grid"), "i64"),
    },
)
"""The arguments of the entries."""


def unit_of(objectives: int) -> TranslationUnit:
    """The unit of the entries for costs of some number of objectives."""
    launch = Launch(threads=THREADS, narrow={"across": 32})
    return plain_unit("archives/filter.cuh", ARGUMENTS, "int64", launch, f"constexpr int K = {objectives};")


@lru_cache(maxsize=32)
def filter_on(device: str, objectives: int) -> Filter:
    """The filter of a device, compiled once for each number of objectives."""
    return Filter(device_of(device), objectives)


@final
@define(eq=False)
class Filter:
    """Filters costs on a device.

    `objectives`: the number of objectives, 2 ... 8. `few`: up to so many costs a GPU compares each with all others.
    """

    device: Device
    objectives: int
    few: int = 1 << 14
    _xp: Any = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Whose arrays are used."""
        self._xp = cupy() if self._gpu else np

    @cached_property
    def _unit(self) -> CompiledUnit:
        return self.device.compile(unit_of(self.objectives))

    @cached_property
    def _divider(self) -> Divider:
        return Divider(self.device, self.objectives)

    @property
    def _gpu(self) -> bool:
        return self.device.kind == "cuda"

    def covered(self, costs: Any, by: Any) -> Any:
        """Which costs are weakly dominated by at least one other cost: a mask, in the memory of the costs."""
        with self.device.current:
            some, others = self._array(costs), self._array(by)
            if some.dtype.kind != others.dtype.kind:
                some, others = some.astype(np.float64), others.astype(np.float64)
            out = self._xp.zeros(len(some), bool)
            if len(some) and len(others):
                self._compare_all(self._ordered(some), self._ordered(others), out)
            return self._back(out, costs)

    def nondominated(self, costs: Any) -> Any:
        """Which costs are non-dominated, of equal costs only the first: a mask, in the memory of the costs."""
        with self.device.current:
            ordered = self._ordered(self._array(costs))
            n = len(ordered)
            out = self._xp.zeros(n, bool)
            if n and not self._gpu:
                out = self._divider.beaten(ordered)
            elif n and (n <= self.few or self.objectives > 3):
                self._compare_all(ordered, ordered, out)
            elif n:
                self._divide(self._xp.ascontiguousarray(ordered.T), out)
            return self._back(~out, costs)

    def _back(self, mask: Any, costs: Any) -> Any:
        return mask if isinstance(costs, self._xp.ndarray) or not self._gpu else mask.get()

    def _array(self, costs: Any) -> Any:
        costs = self._xp.asarray(costs)
        if costs.ndim != 2 or costs.shape[1] != self.objectives or costs.dtype.kind not in "iuf":
            raise InputError(
                f"Costs must be numbers of the shape (m, {self.objectives}), but are {costs.dtype} of the shape "
                f"{costs.shape}."
            )
        if costs.dtype.kind == "f" and self._xp.isnan(costs).any():
            raise InputError("Costs must be numbers, but some are NaN.", "leave those rows out.")
        if costs.dtype.kind == "u":
            if costs.size and costs.max() > MOST:
                raise InputError(f"Costs must fit int64, but one is {costs.max()}.", "scale them down.")
            costs = costs.astype(np.int64)
        if len(costs) >= 2**31:
            raise InputError(
                f"A filter takes up to 2**31 - 1 costs, but there are {len(costs)}.", "filter parts first."
            )
        return costs

    def _ordered(self, costs: Any) -> Any:
        """The costs as whole numbers in the same order, shape (m, K)."""
        if costs.dtype.kind == "f":
            bits = (costs.astype(np.float64) + 0.0).view(np.int64)  # -0.0 becomes 0.0
            costs = self._xp.where(bits < 0, bits ^ MOST, bits)
        return self._xp.ascontiguousarray(costs, np.int64)

    def _session(self, **values: Any) -> Session:
        """A session whose arguments are these, and no others."""
        session = Session(self._unit, self.device)
        session.set(**{**dict.fromkeys(ARGUMENTS.members), **values})
        return session

    def _compare_all(self, costs: Any, others: Any, out: Any) -> None:
        """Compare every cost with all others."""
        n, m = len(costs), len(others)
        session = self._session(keys=costs, others=others, out=_bytes(out), n=n, m=m, next=self.objectives)
        tiles = -(-n // THREADS)
        share = max(1, -(-m // THREADS * tiles // self._together())) * THREADS  # so that all blocks run at once
        session.launch("meet_others", share, blocks=tiles * -(-m // share))

    def _together(self) -> int:
        """How many blocks run at once."""
        return self._unit.together("meet_others") if self._gpu else 1

    def _below_most(self, keys: Any) -> Any:
        """The same costs; if one of the third numbers is `MOST`, which means no cost, third numbers become ranks."""
        if self.objectives == 3 and (keys[2] == MOST).any():
            keys = keys.copy()
            keys[2] = self._xp.unique(keys[2], return_inverse=True)[1]
        return keys

    def _divide(self, keys: Any, out: Any) -> None:
        """On a GPU: compare the costs that pass the table of buckets with their own two buckets."""
        xp, n, keys = self._xp, keys.shape[1], self._below_most(keys)
        bucket = min(MOST_IN_BUCKET, isqrt(n - 1) + 1)
        grid = -(-n // bucket)
        order, ranks = xp.empty((2, n), np.int32), xp.empty((2, n), np.int32)
        ranges, cells, long_run = (
            xp.full(2 * self.objectives, MOST),
            xp.full(grid * grid, MOST),
            xp.zeros(1, np.int32),
        )
        session = self._session(
            keys=keys, ranges=ranges, cells=cells, order=order, ranks=ranks, long_run=long_run, out=_bytes(out), n=n,
            next=1, bucket=bucket, grid=grid,
        )  # fmt: skip
        each = -(-n // THREADS)  # blocks with a thread for each cost
        session.launch("ranges", blocks=min(each, BLOCKS))
        first, second = self._narrow(keys[:2], ranges)
        order[0] = xp.argsort(first)
        session.launch("untie", blocks=each)
        if long_run.item():
            order[0] = xp.lexsort(keys[::-1])
        order[1] = order[0][xp.argsort(second[order[0]])]
        session.launch("rank", blocks=each)
        session.launch("place", blocks=each)
        session.launch("across", blocks=grid)
        session.launch("down", blocks=-(-grid // THREADS))
        session.launch("look", blocks=each)
        for axis in (0, 1):
            session.launch("meet_bucket", axis, blocks=grid)

    def _narrow(self, keys: Any, ranges: Any) -> Any:
        """Keys in the same order, of 32 bits where their span fits: those are sorted faster."""
        ends = ranges.get()
        found = []
        for k, key in enumerate(keys):
            low, high = int(ends[2 * k]), -int(ends[2 * k + 1])
            found.append((key - low).astype(np.int32) if high - low < 2**31 else key)
        return found


def _bytes(mask: Any) -> Any:
    """The memory of a mask as numbers of 8 bits, as C++ writes them."""
    return mask.view(np.uint8)
