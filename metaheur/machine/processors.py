"""The processors of this machine."""

from __future__ import annotations

import os
from math import ceil
from pathlib import Path

__all__ = ["cores", "quota", "sharing"]

CONTROL_GROUPS = Path("/sys/fs/cgroup")
"""The folder in which Linux tells the limits of a container."""

SHARED_FROM = 1 << 14
"""Elementary operations that several threads share: fewer take less than some 20 µs, in which threads hardly wake."""


def cores(groups: Path = CONTROL_GROUPS) -> int:
    """How many CPU cores this process may use: by its affinity, and by the quota in its container's folder `groups`."""
    here = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    limit = quota(groups)
    return here if limit >= here else max(1, ceil(limit))


def sharing(threads: int, work: int) -> int:
    """How many of so many threads share work of about so many nanoseconds: all of them, or one where it is little."""
    return threads if work >= SHARED_FROM else 1


def quota(folder: Path) -> float:
    """The number of processors whose time a control group may take; infinite without a limit.

    `folder`: the folder of ``cpu.max`` (version 2), or of ``cpu/cpu.cfs_quota_us`` and ``cpu/cpu.cfs_period_us``
    (version 1).
    """
    for names in (("cpu.max",), ("cpu/cpu.cfs_quota_us", "cpu/cpu.cfs_period_us")):
        try:
            words = " ".join((folder / name).read_text(encoding="ascii") for name in names).split()
            limit, period = float(words[0]), float(words[1])
        except (OSError, ValueError, IndexError):  # no such file, or "max"
            continue
        if limit > 0 and period > 0:
            return limit / period
    return float("inf")
