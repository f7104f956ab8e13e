"""The memory that a unit's arguments lead to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from metaheur.device.device import Buffer, CompiledUnit, Device
from metaheur.device.generator.layout import Member
from metaheur.device.generator.unit import TranslationUnit

__all__ = ["allocate", "bind", "copies_of"]


def allocate(  # noqa: PLR0913 - keyword-only
    unit: TranslationUnit,
    device: Device,
    *,
    walks: int = 1,
    league: int = 1,
    workers: int = 1,
    tabulates: bool = True,
) -> dict[str, Buffer]:
    """The arrays of a unit's structs on a device, by their paths.

    Parameters
    ----------
    unit : TranslationUnit
        What is to run.
    device : Device
        Where.
    walks : int
        How many walks keep arrays and numbers.
    league : int
        Blocks that share a walk, each with a replica of what is not divided.
    workers : int
        Teams that need scratch of their own.
    tabulates : bool
        Whether there are tables of all moves.
    """
    buffers = {}
    for path, member in unit.arrays():
        if member.values is not None:
            buffers[path] = device.hold(member.padded_values(device, 1), member.place)
        else:
            copies = workers if member.scratch else copies_of(member, walks, league, tabulates=tabulates)
            buffers[path] = device.zeros(copies * member.entries(device), member.stored) if copies else None
    return buffers


def bind(
    compiled: CompiledUnit, device: Device, values: Mapping[str, Any], *, blocks: int = 1
) -> tuple[Buffer, dict[str, Buffer]]:
    """A unit's arguments on a device: its data, uploaded, and arrays of one's own.

    Parameters
    ----------
    compiled : CompiledUnit
        What is to be launched, such as ``neighborhood.kernel(problem, device)``.
    device : Device
        Where.
    values : mapping of str to array or number
        The shell's members: arrays on the device (CuPy's on a GPU, NumPy's on the host), and numbers.
    blocks : int, default 1
        Of the largest launch on a GPU.

    Returns
    -------
    arguments : Buffer
        For the entries, together with a number: ``kernel((blocks,), (threads,), (arguments, numpy.int64(0)))``.
    buffers : dict of str to Buffer
        What the arguments lead to; it must live as long as they.
    """
    unit = compiled.unit
    buffers = allocate(unit, device, workers=max(1, blocks * unit.launch.threads // 32))
    arrays = {name: value for name, value in values.items() if not isinstance(value, int | float)}
    pointers = {name: device.pointer(array) for name, array in arrays.items()}
    arguments = device.upload(unit.arguments(device, buffers, {**values, **pointers}))
    return arguments, {**buffers, **arrays}


def copies_of(member: Member, walks: int, league: int, *, tabulates: bool) -> int:
    """How many copies of a kept array the walks have: one for each, and for each block that shares it if need be."""
    if member.table and not tabulates:
        return 0
    divided = member.divided and member.place != "Own"  # there each block has an array of its own
    return walks if divided or not member.shape else walks * league
