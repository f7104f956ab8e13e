"""Non-dominated costs on a CPU, by divide and conquer in O(n (log n)**(K - 2)) for K objectives.

First a few costs with small sums are compared with all others, which removes most costs of a cloud. The remaining costs
are sorted, and one half is compared with the other half, recursively.
"""

from __future__ import annotations

from typing import final

import numpy as np
from attrs import define, field

from metaheur.device.device import CompiledUnit, Device
from metaheur.device.generator.launch import Launch
from metaheur.device.generator.plain import plain_unit
from metaheur.device.generator.record import Record
from metaheur.device.session import Session

__all__ = ["Divider"]

ARGUMENTS = Record(
    "Arguments",
    {**dict.fromkeys(("costs", "few"), "i64*"), **dict.fromkeys(("rows", "top"), "Row*"), "out": "u8*", "n": "i64",
     "m": "i64"},
)  # fmt: skip
"""The arguments of the entries."""

SAMPLE = 2**13
"""The few costs that are compared with all others are chosen from a sample of about this size."""


SIFTED = 2**11
"""From more costs than these on, a few are compared with all others first; for fewer, it takes longer than it saves."""


@final
@define(eq=False)
class Divider:
    """Filters costs on a CPU.

    `device`: a CPU. `objectives`: the number of objectives, 2 ... 8. `few`: the number of costs with small sums that
    are compared with all others. `pairs`: up to so many pairs of two sides are compared one by one.
    """

    device: Device
    objectives: int
    few: int = 16
    pairs: int = 2**13
    _unit: CompiledUnit = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Compile the entries."""
        text = f"constexpr int K = {self.objectives};\nconstexpr i64 FEW_PAIRS = {self.pairs};\nstruct Row;"
        launch = Launch(threads=1)
        self._unit = self.device.compile(plain_unit("archives/divide.cuh", ARGUMENTS, "int64", launch, text))

    def beaten(self, costs: np.ndarray) -> np.ndarray:
        """Which costs are dominated, or equal to an earlier cost: a mask of shape (n,).

        `costs`, int64, shape (n, K): the costs, contiguous in memory.
        """
        n = len(costs)
        out = np.zeros(n, bool)
        if n > SIFTED:
            strong = self._strong(costs)
            self._launch("sift", costs=costs, few=strong, out=out.view(np.uint8), n=n, m=len(strong))
        left = np.flatnonzero(~out) if n > SIFTED else np.arange(n)
        order, keys = _ordered(costs if len(left) == n else costs[left])
        if self.objectives == 2:
            last = keys[1, order]
            out[left[order[1:]]] = np.minimum.accumulate(last[:-1]) <= last[1:]
            return out
        rows = self._rows(left, order, keys)
        top = np.empty((8 * len(left) + 64, rows.shape[1]), np.int32)
        self._launch("divide", rows=rows, top=top, out=out.view(np.uint8), n=len(top), m=len(rows))
        return out

    def _launch(self, entry: str, **values: object) -> None:
        session = Session(self._unit, self.device)
        session.set(**{**dict.fromkeys(ARGUMENTS.members), **values})
        session.launch(entry)

    def _strong(self, costs: np.ndarray) -> np.ndarray:
        """The indices of a few costs of a sample whose sums, in units of each objective's mean, are small."""
        step = max(1, len(costs) // SAMPLE)
        above = costs[::step] - costs.min(axis=0).astype(np.float64)
        sums = above @ (1 / np.maximum(above.mean(axis=0), 1e-300))
        strong = np.argpartition(sums, self.few)[: self.few] if len(sums) > self.few else np.arange(len(sums))
        return np.sort(strong) * step

    def _rows(self, left: np.ndarray, order: np.ndarray, keys: np.ndarray) -> np.ndarray:
        """The rows of some costs in lexicographic order: the index, and the ranks in all objectives but the first."""
        rows = np.zeros((len(left), 4 if self.objectives <= 4 else 8), np.int32)
        rows[:, 0] = left[order]
        for k in range(1, self.objectives):
            key = keys[k][order]
            up = key.argsort()
            ascending = key[up]
            rows[up[1:], k] = (ascending[1:] != ascending[:-1]).cumsum()
        return rows


def _ordered(costs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The lexicographic order of some costs, equal ones by index, and their numbers, shape (K, n)."""
    keys = np.ascontiguousarray(costs.T)
    order = np.argsort(keys[0])
    first = keys[0, order]
    return np.lexsort(keys[::-1]) if (first[1:] == first[:-1]).any() else order, keys
