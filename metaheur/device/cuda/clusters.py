"""Thread-block clusters by the driver's interface, for questions that CuPy cannot ask."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any, final

from metaheur.errors import DeviceError

__all__ = ["PORTABLE", "allow_large_clusters", "clusters_together"]

PORTABLE = 8
"""Every GPU with clusters has room for so many blocks in a cluster; a kernel must ask for more."""

NON_PORTABLE_CLUSTER_SIZE_ALLOWED = 14
"""A value of `CUfunction_attribute`."""


@final
class _LaunchConfig(ctypes.Structure):
    """`CUlaunchConfig`; the size of a cluster is the kernel's own."""

    _fields_ = (
        ("grid", ctypes.c_uint * 3),
        ("block", ctypes.c_uint * 3),
        ("shared", ctypes.c_uint),
        ("stream", ctypes.c_void_p),
        ("attributes", ctypes.c_void_p),
        ("count", ctypes.c_uint),
    )


@cache
def _driver() -> Any:
    """The driver's library, which is there where CuPy works."""
    try:
        return ctypes.CDLL("nvcuda.dll" if hasattr(ctypes, "WinDLL") else "libcuda.so.1")
    except OSError as error:
        raise DeviceError(f"The library of the GPU's driver cannot be loaded: {error}.") from error


def allow_large_clusters(kernel: int) -> None:
    """Let a kernel have clusters of more blocks than are portable. `kernel`: the address of the `CUfunction`."""
    _driver().cuFuncSetAttribute(ctypes.c_void_p(kernel), NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1)


def clusters_together(kernel: int, blocks: int, threads: int, shared: int) -> int:
    """How many clusters of a kernel, the address of a `CUfunction`, run at one time; 0 if there is no room for one.

    `blocks`: of a cluster. `threads`: of a block. `shared`: bytes of dynamic shared memory a block.
    """
    config = _LaunchConfig((blocks, 1, 1), (threads, 1, 1), shared, None, None, 0)
    found = ctypes.c_int(0)
    failed = _driver().cuOccupancyMaxActiveClusters(ctypes.byref(found), ctypes.c_void_p(kernel), ctypes.byref(config))
    return 0 if failed else found.value
