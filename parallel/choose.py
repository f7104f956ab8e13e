"""The choice of a device for a search, by pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.machine.memory import available
from metaheur.problem import Problem
from metaheur.running.thresholds import Thresholds
from metaheur.search import Search

__all__ = ["lack", "require_staged", "require_steps", "require_walks", "streams"]


KEY_BYTES = 128
"""Bytes of a key in Python, with its place in a tuple."""


def require_walks(walks: int, problem: Problem) -> None:
    """Refuse more walks than fit into the memory of the host, with a key and two solutions for each walk."""
    space, free = problem.representation, available()
    each = KEY_BYTES + 2 * space.length * space.dtype.itemsize
    if walks * each > free:
        raise InputError(
            f"{walks:,} walks of {type(problem).__name__} with {space!r} would take {walks * each / 2**30:,.1f} GiB "
            f"for their keys and solutions alone, but {free / 2**30:,.1f} GiB are free.",
            f"use fewer walks: {free // each:,} would fit at most.",
        )


def require_steps(search: Search[Any], model: str) -> None:
    """Refuse a search of one walk that only its program can advance, such as an exact search."""
    if search.program is not None and search.program.alone:
        raise InputError(
            f"{type(search).__name__} brings a runner of its own, and has no walks that {model} could spread.",
            "use IterationLevel(), or TreeExploration for exact searches.",
        )


def require_staged(search: Search[Any], device: Device, *, resident: bool) -> None:
    """Refuse a placement in a GPU's shared memory without a resident program, whose blocks would copy the data."""
    if device.placement == "shared" and not (resident and search.program.stages):
        raise InputError(
            f'placement="shared" copies data into the blocks that keep the walks of a loop, but here '
            f"{type(search).__name__} keeps no walk on {device.name}.",
            'use placement="auto".',
        )


def lack(missing: Sequence[str]) -> str:
    """A list of things without a C++ half, in words: "A and B have no C++ half"."""
    *most, last = dict.fromkeys(missing)
    return f"{', '.join(most)} and {last} have no C++ half" if most else f"{last} has no C++ half"


def streams(size: int, *, updates: bool, thresholds: Thresholds) -> bool:
    """Whether a search without memory evaluates each step on the whole device, and keeps no table."""
    if size < thresholds.stream_from:
        return False
    return size >= thresholds.stream_always_from or not updates
