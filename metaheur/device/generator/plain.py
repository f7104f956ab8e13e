"""Units of kernels that work on arrays alone: without a problem, a search or a team."""

from __future__ import annotations

import numpy as np

from metaheur.device.generator.compose import CPP_TYPES
from metaheur.device.generator.launch import Launch
from metaheur.device.generator.record import Record, Types
from metaheur.device.generator.unit import TranslationUnit, unit_of
from metaheur.source import Source, piece

__all__ = ["plain_unit"]


def plain_unit(path: str, arguments: Record, number: str, launch: Launch, constants: str = "") -> TranslationUnit:
    """The entries of one file of the package.

    `path`: the file, such as "archives/filter.cuh"; or several, divided by spaces, of which the last has the entries.
    `arguments`: `Arguments`: what the entries are given. `number`: "int64" or "float64": what `Number` is. `launch`:
    how the entries are launched. `constants`: C++ between the prelude and `Arguments`.
    """
    dtype = np.dtype(number)
    types = Types(dtype, dtype, np.dtype(np.int32))
    head = f"#define MH_THREADS {launch.threads}\ntypedef {CPP_TYPES[number]} Cost;\ntypedef Cost Number;"
    sources = [
        Source(head, "generated/types.cuh"),
        piece("device/cuh/prelude.cuh"),
        Source(constants, "generated/constants.cuh"),
    ]
    return unit_of(sources, members=arguments.members, pieces=path.split(), types=types, launch=launch)
