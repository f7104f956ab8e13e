"""The check of a neighborhood too large to be enumerated: its numbering at the corners."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from metaheur.device.device import Device
from metaheur.device.names import device_of
from metaheur.errors import CheckFailed
from metaheur.neighborhood import Neighborhood
from metaheur.random import Key, Random
from metaheur.representation import Representation
from metaheur.testing.neighborhoods import numbers_of
from metaheur.testing.unit import CheckUnit, devices_here

__all__ = ["check_corners"]

POWERS = (2**31, 2**32, 2**53, 2**62)
"""Where numbers leave a type: 32-bit integers, the integers that doubles hold, and beyond."""


def check_corners(
    neighborhood: Neighborhood,
    representation: Representation,
    *,
    seed: int = 0,
    samples: int = 64,
    devices: Iterable[str] | None = None,
) -> None:
    """Check the numbering of a neighborhood of any size where it is most likely to go wrong.

    Both halves are asked for the first and last moves, those around 2**31, 2**32, 2**53 and 2**62, random ones, and
    those on both sides of every boundary between groups that is met on the way.

    Parameters
    ----------
    neighborhood : Neighborhood
        With a C++ half that has no state. `check_neighborhood` enumerates a small one.
    representation : Representation
        Of any length.
    seed : int, default 0
        Of the random indices.
    samples : int, default 64
        How many of them.
    devices : iterable of str, optional
        Of "host", "cuda", ...; None for all that are here.

    Raises
    ------
    CheckFailed
        With the first index that is not as it should be.
    """
    size = neighborhood.size(representation)
    random = Random(Key(seed), 0, 0)
    near = [0, size, *POWERS]
    indices = {k + shift for k in near for shift in (-2, -1, 0, 1)} | {random.index(d, size) for d in range(samples)}
    name = f"{neighborhood!r} on {representation!r}"
    chosen = _within(indices, size)
    _check_python(neighborhood, representation, chosen, name)
    for device in devices_here() if devices is None else devices:
        bounds = _check_cpp(neighborhood, representation, chosen, device_of(device), f"{name} on {device}")
        around = _within({bound + shift for bound in bounds for shift in (-1, 0, 1)}, size)
        _check_python(neighborhood, representation, around, name)
        _check_cpp(neighborhood, representation, around, device_of(device), f"{name} on {device}")


def _within(indices: Iterable[int], size: int) -> list[int]:
    return sorted(k for k in indices if 0 <= k < size)


def _check_python(neighborhood: Neighborhood, representation: Representation, indices: list[int], name: str) -> None:
    """`index` undoes `move`, and `batch` agrees."""
    moves = [neighborhood.move(representation, k) for k in indices]
    for k, move in zip(indices, moves, strict=True):
        if neighborhood.index(representation, move) != k:
            raise CheckFailed(f"{name}: index({move!r}) is not {k}, of which it is the move.")
    batch = neighborhood.batch(representation, np.array(indices, dtype=np.int64))
    if batch is NotImplemented:
        return
    for number, values in enumerate(numbers_of(batch)):
        for k, move, value in zip(indices, moves, np.broadcast_to(values, len(indices)), strict=True):
            if value != numbers_of(move)[number]:
                raise CheckFailed(f"{name}: batch() makes {value} number {number} of index {k}, but it is {move!r}.")


def _check_cpp(
    neighborhood: Neighborhood, representation: Representation, indices: list[int], device: Device, name: str
) -> set[int]:
    """Size, `unrank`, `index` and groups; the bounds of the groups that were met."""
    expected = np.array([numbers_of(neighborhood.move(representation, k)) for k in indices])
    count, width = expected.shape
    arrays: dict[str, Any] = {
        "indices": np.array(indices, dtype=np.int64),
        "count": count,
        "width": width,
        "fields": np.full(count * width, -1, np.int32),
        "grouped": np.full(count * width, -1, np.int32),
        **{each: np.full(count, -1, np.int64) for each in ("ranks", "firsts", "ends", "sizes")},
    }
    unit = CheckUnit(neighborhood, representation, device, "device/check_corners.cuh", arrays)
    unit.launch("corners")
    size = neighborhood.size(representation)
    if unit.read("sizes")[0] != size:
        raise CheckFailed(f"{name}: size() is {unit.read('sizes')[0]}, but there are {size} moves.")
    for what in ("fields", "grouped"):
        found = unit.read(what).reshape(count, width)
        for k, row, right in zip(indices, found.tolist(), expected.tolist(), strict=True):
            if row != right:
                maker = "unrank" if what == "fields" else "its group"
                raise CheckFailed(f"{name}: {maker} makes {row} of index {k}, but the move is {right}.")
    firsts, ends = unit.read("firsts").tolist(), unit.read("ends").tolist()
    for k, rank, first, end in zip(indices, unit.read("ranks").tolist(), firsts, ends, strict=True):
        if rank != k or not first <= k < end:
            raise CheckFailed(f"{name}: index {k} has the rank {rank} and a group {first} ... {end - 1}.")
    return {*firsts, *ends}
