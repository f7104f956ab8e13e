"""A shell: the entry points of a unit, and what they work on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, final

import numpy as np
from attrs import field, frozen

from metaheur.component import Component
from metaheur.device.generator.launch import Launch
from metaheur.device.generator.record import Record

__all__ = ["Shell"]

Placing = Callable[..., tuple[Mapping[str, tuple[str, int]], Mapping[str, Any], int]]


def _nothing(*_: Any) -> tuple[Mapping[str, tuple[str, int]], Mapping[str, Any], int]:
    return {}, {}, 0


@final
@frozen(eq=False)
class Shell:
    """The entry points of a unit, and the struct `Arguments` that they are given.

    Parameters
    ----------
    pieces : tuple of str
        The C++ files with the entries, by path below the package.
    components : mapping of str to Component
        Members of `Arguments` besides the problem and what it keeps: neighborhoods, parts and loops by their names.
        Their C++ types are known by the capitalised names.
    members : mapping of str to str
        The other members, by name: C++ types, among them those of `records`.
    records : tuple of Record
        Structs that the entries use.
    defines : mapping of str to object
        Known to the compiler.
    launch : Launch
        How the entries are launched.
    place : callable, optional
        From (structs by name, device) to the places of the arrays that lie in shared memory or memory of a team's own,
        by their paths, more defines, and the bytes of shared memory that a block takes.
    stateless : bool
        Whether the problem keeps nothing beside a solution, since all changes of cost are computed without it.
    item : numpy.dtype, optional
        Type of a solution's entries; that of the representation by default.
    checked : bool
        Whether halves that are made of compiled methods check indices and overflow as they run; on a CPU only.
    """

    pieces: tuple[str, ...]
    components: Mapping[str, Component]
    members: Mapping[str, str]
    records: tuple[Record, ...] = ()
    defines: Mapping[str, Any] = field(factory=dict)
    launch: Launch = field(factory=Launch)
    place: Placing = _nothing
    stateless: bool = False
    item: np.dtype[Any] | None = None
    checked: bool = False
