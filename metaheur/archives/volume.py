"""The hypervolume on a compiled device, in slices between the third objectives; on a GPU each thread has a slice."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from metaheur.device.cuda.cuda import cupy
from metaheur.device.device import CompiledUnit, Device
from metaheur.device.generator.launch import Launch
from metaheur.device.generator.plain import plain_unit
from metaheur.device.generator.record import Record
from metaheur.device.generator.unit import TranslationUnit
from metaheur.device.names import device_of
from metaheur.device.session import Session
from metaheur.errors import InputError

__all__ = ["unit_of", "volume_on"]

THREADS = 256
"""Threads of a block, and costs in its shared memory at a time."""

ARGUMENTS = Record(
    "Arguments",
    {**dict.fromkeys(("widths", "ys", "depths", "areas", "top"), "Cost*"), "slices": "i64*", "n": "i64"},
)
"""The width, the y and the slice of each cost, sorted as `_by_x` or `_by_z` says; the depth and the area of each slice,
in ascending order of z; and the y of the reference point."""


def unit_of(number: str) -> TranslationUnit:
    """The unit of the entries for numbers of a type, "int64" or "float64"."""
    return plain_unit("archives/volume.cuh", ARGUMENTS, number, Launch(threads=THREADS))


@lru_cache(maxsize=32)
def _compiled(device: Device, number: str) -> CompiledUnit:
    return device.compile(unit_of(number))


def volume_on(name: str, costs: np.ndarray, corner: np.ndarray) -> int | float:
    """The hypervolume of costs of two or three objectives that are below the reference point in each.

    `name`: the name of a compiled device. `costs`: shape (N, K). `corner`, shape (K,): the reference point.
    """
    device = device_of(name)
    if not len(costs):
        return 0
    number = "float64" if "f" in (costs.dtype.kind, corner.dtype.kind) else "int64"
    low = costs.min(axis=0)
    spans = corner.astype(object) - low.astype(object)
    if number == "int64" and max(spans) >= 2**31:
        raise InputError(
            f"On {device.name}, costs up to a reference point span less than 2**31 in each objective, but these "
            f"{max(spans)}.",
            'use device="numpy".',
        )
    with device.current:
        return _measured(device, costs.astype(number), corner.astype(number))


def _measured(device: Device, costs: np.ndarray, corner: np.ndarray) -> int | float:
    n, arranged = len(costs), _by_x if device.kind == "cuda" else _by_z
    xp = cupy() if device.kind == "cuda" else np
    points = xp.asarray(costs)
    x, y = xp.ascontiguousarray(points.T[:2])
    z, end = (points[:, 2], corner[2]) if len(corner) > 2 else (xp.zeros_like(x), 1)  # an area is one slice
    up = xp.argsort(z)
    arrays = {
        **arranged(xp, x, y, up, corner),
        "depths": xp.diff(z[up], append=xp.asarray([end], z.dtype)),
        "areas": xp.zeros_like(x),
        "top": xp.asarray(corner[1:2]),
    }
    session = Session(_compiled(device, x.dtype.name), device)
    session.set(**arrays, n=n)
    session.launch("slices", blocks=-(-n // THREADS))
    areas, depths = arrays["areas"], arrays["depths"]
    if x.dtype.kind == "f":
        return float((areas * depths).sum())
    upper, lower = (int((part * depths).sum()) for part in (areas >> 32, areas & (2**32 - 1)))  # each below 2**63
    return (upper << 32) + lower


def _by_x(xp: Any, x: Any, y: Any, up: Any, corner: np.ndarray) -> dict[str, Any]:
    """The costs by ascending x, each with its distance to the next x as width."""
    along, slices = xp.argsort(x), xp.empty(len(x), np.int64)
    slices[up] = xp.arange(len(x))
    widths = xp.diff(x[along], append=xp.asarray(corner[:1]))
    return {"widths": widths, "ys": y[along], "slices": slices[along]}


def _by_z(xp: Any, x: Any, y: Any, up: Any, corner: np.ndarray) -> dict[str, Any]:
    """The costs by ascending z, each with its distance to the reference point as width; memory for a staircase."""
    return {"widths": corner[0] - x[up], "ys": y[up], "slices": xp.empty(len(x), np.int64)}
