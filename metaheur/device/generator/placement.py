"""Placements: in which of a GPU's memories a problem's data lies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any

import numpy as np

from metaheur.device.generator.layout import Member, Struct, rounded
from metaheur.device.generator.target import Target
from metaheur.errors import InputError
from metaheur.source import Source, piece
from metaheur.validate import choice_field

__all__ = ["CONSTANT_MEMORY", "placed_data", "placed_structs", "placement_field", "require_all_shared", "sources_of"]

CONSTANT_MEMORY = 1 << 16
"""Bytes of a unit's constant memory."""

TEXELS = 1 << 27
"""Entries of a texture that every GPU has room for."""

FIXED: Mapping[str, str] = {
    "global": "Global",
    "read-only": "ReadOnly",
    "texture": "Texture",
    "constant": "Constant",
}
"""The placements of all data, whatever its size, and what C++ calls them."""


def placement_field() -> Any:
    """Declare an attrs field that holds a placement, "auto" by default."""
    return choice_field("auto", "shared", *FIXED, default="auto", kw_only=True)


def placed_data(data: Struct, problem: str, device: Target) -> Struct:
    """A problem's data, placed by the device; unchanged where the use of each array decides."""
    return data.placed(_places(data.arrays(), problem, device))


def placed_structs(structs: Mapping[str, Struct], owner: str, device: Target) -> dict[str, Struct]:
    """The same for several structs of one unit, by name, whose data share constant memory."""
    arrays = chain.from_iterable(struct.arrays(f"{name}.") for name, struct in structs.items())
    places = _places(arrays, owner, device)
    return {name: struct.placed(places, f"{name}.") for name, struct in structs.items()}


def _places(arrays: Iterable[tuple[str, Member]], owner: str, device: Target) -> dict[str, tuple[str, int]]:
    """The places of data by their paths, and the entries before them in constant memory."""
    place = FIXED.get(device.placement, "")
    places, taken = dict[str, tuple[str, int]](), 0
    for path, member in arrays if place else ():
        nbytes, texels = rounded(member.nbytes(device)), TEXELS * member.stored.itemsize
        if place == "Constant" and taken + nbytes > CONSTANT_MEMORY:
            raise _too_large(f"{owner}.{path}", nbytes, CONSTANT_MEMORY - taken, CONSTANT_MEMORY, device)
        if place == "Texture" and nbytes > texels:
            raise _too_large(f"{owner}.{path}", nbytes, texels, texels, device)
        places[path] = (place, taken // member.stored.itemsize if place == "Constant" else 0)
        taken += nbytes
    return places


def require_all_shared(
    data: Mapping[str, int], placed: Mapping[str, Any], problem: str, device: Target, limit: int
) -> None:
    """Refuse a placement in shared memory that has no room for some array.

    `data`: bytes of the problem's arrays by their paths. `placed`: the paths that found room. `problem`: its class, for
    messages. `device`: whose shared memory it is. `limit`: bytes of it that a block can have for data.
    """
    left = limit - sum(nbytes for path, nbytes in data.items() if path in placed)
    for path, nbytes in data.items():
        if path not in placed:
            raise _too_large(f"{problem}.{path.partition('.')[2]}", nbytes, left, limit, device)


def _too_large(array: str, nbytes: int, left: int, limit: int, device: Target) -> InputError:
    return InputError(
        f"{array} takes {nbytes:,} bytes, but {max(0, left):,} of the {limit:,} bytes of {device.placement} "
        f"memory of {device.name} are left.",
        'use placement="auto".',
    )


def sources_of(structs: Iterable[Struct], device: Target) -> list[Source]:
    """The sources by which a unit reads data without pointers: texture objects, and the contents of constants."""
    if device.placement == "texture":
        return [piece("device/cuh/texture_cuda.cuh")]
    if device.placement == "constant":
        return [Source(_constants(structs, device), "generated/constants.cuh"), piece("device/cuh/constant_cuda.cuh")]
    return []


def _constants(structs: Iterable[Struct], device: Target) -> str:
    """The text of constant memory: all arrays of the data, each from a multiple of 16 bytes on.

    Text, and not a copy into the module, since CuPy has one module for all units of one text.
    """
    raw = b"".join(_padded(member, device) for each in structs for _, member in each.arrays()) or bytes(16)
    words = [f"{word:#x}" for word in np.frombuffer(raw, "<u4").tolist()]
    lines = (", ".join(words[k : k + 8]) for k in range(0, len(words), 8))
    return f"__constant__ __align__(16) u32 mh_constants[{len(words)}] = {{\n" + ",\n".join(lines) + "};\n"


def _padded(member: Member, device: Target) -> bytes:
    raw = member.padded_values(device, 1).tobytes()
    return raw.ljust(rounded(len(raw)), b"\0")
