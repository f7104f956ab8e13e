"""How a kernel is launched."""

from __future__ import annotations

from collections.abc import Mapping
from typing import final

from attrs import field, frozen

__all__ = ["Launch"]


@final
@frozen
class Launch:
    """The shape of a launch on a GPU; a CPU uses only `openmp`.

    `threads`: of a block. `shared`: bytes of dynamic shared memory a block, for the entries in `uses_shared`.
    `uses_shared`: the entries that take dynamic shared memory. `cooperative`: whether the blocks of a launch wait for
    each other, so that all must be resident. `narrow`: threads of a block for the entries that take fewer. `cluster`:
    blocks that form a cluster, in entries that are made of clusters. `openmp`: whether entries may use several CPU
    threads. `timed`: whether a GPU's clock times each launch, which takes 30 microseconds; else the time of waiting for
    it counts.
    """

    threads: int = 256
    shared: int = 0
    uses_shared: tuple[str, ...] = ()
    cooperative: bool = False
    narrow: Mapping[str, int] = field(factory=dict)
    cluster: int = 1
    openmp: bool = False
    timed: bool = False
