"""The memory of this machine, and a check before large arrays are made.

A file of twenty bytes can state a size that no machine has memory for, and so can a tabu list of n by n entries. The
check computes the memory that a size needs, and refuses it with a message if it exceeds the memory of the machine.
"""

from __future__ import annotations

import os
import resource
from contextlib import suppress
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from metaheur.errors import InputError

__all__ = ["available", "require", "square", "usable"]

_CGROUPS: Final = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))

SMALL: Final = 1 << 20
"""Bytes for which the limits are not read, which takes longer than to make such an array."""


def usable() -> int:
    """Return the most bytes of memory that this process may use: the machine's memory, or the limit of a container."""
    limits = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    limits += [soft for soft in (resource.getrlimit(resource.RLIMIT_AS)[0],) if soft != resource.RLIM_INFINITY]
    for file in _CGROUPS:
        with suppress(OSError, ValueError), file.open("rb", buffering=0) as lines:  # it is missing, or holds "max"
            limits.append(int(lines.read(64)))
    return min(limits)


def available() -> int:
    """Return the bytes that this process can take now without swapping, as the system estimates."""
    with suppress(OSError, StopIteration, ValueError):
        lines = Path("/proc/meminfo").read_text(encoding="utf-8").splitlines()
        free = next(1024 * int(line.split()[1]) for line in lines if line.startswith("MemAvailable:"))
        return min(free, usable())
    return usable()


def require(count: int, what: str, maybe: str = "") -> None:
    """Refuse an object that takes more memory than this process may use.

    `count`: the bytes that the object takes. `what`: the object in the message, such as "A matrix of 9 rows and
    columns". `maybe`: the way out, for the message.
    """
    if count > SMALL and count > (most := usable()):
        raise InputError(f"{what} takes {_shown(count)} of memory, but only {_shown(most)} can be used.", maybe)


def square(n: int, what: str) -> npt.NDArray[np.int64]:
    """Return an n x n matrix of zeros, if there is memory for the matrix and for two copies, which later steps make."""
    require(
        3 * 8 * n * n, f"The matrix of {what}, of {n} rows and columns,", "a number in the header of its file is wrong."
    )
    return np.zeros((n, n), np.int64)


def _shown(count: int) -> str:
    return f"{count / 2**30:,.3g} GiB" if count >= 2**20 else f"{count:,} bytes"
