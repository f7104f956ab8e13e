"""A translation unit: a C++ text, the layout of its arguments, and how it is launched."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, final

import numpy as np
from attrs import field, frozen

from metaheur.device.generator.launch import Launch
from metaheur.device.generator.layout import Member, Struct
from metaheur.device.generator.record import Types
from metaheur.device.generator.target import Buffer, Target

__all__ = ["TranslationUnit"]


@final
@frozen(eq=False)
class TranslationUnit:
    """A C++ text, the layout of its arguments, and how it is launched.

    Parameters
    ----------
    text : str
        The whole unit.
    structs : mapping of str to Struct
        The members of `Arguments` that are generated from components: "problem", "state", and the shell's.
    members : mapping of str to numpy.dtype
        The members behind them: numbers, addresses and records.
    types : Types
        What Cost, Total and Item are.
    launch : Launch
        How its entries are launched.
    pointees : mapping of str to numpy.dtype
        What the addresses among the members lead to; without those that lead to types of which C++ alone knows.
    """

    text: str
    structs: Mapping[str, Struct]
    members: Mapping[str, np.dtype[Any]]
    types: Types
    launch: Launch
    pointees: Mapping[str, np.dtype[Any]] = field(factory=dict)

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        """The layout of `Arguments`."""
        structs = ((name, struct.dtype()) for name, struct in self.structs.items())
        return np.dtype([*structs, *self.members.items()], align=True)

    def arrays(self) -> Iterator[tuple[str, Member]]:
        """The arrays and kept numbers of all structs, by paths such as "problem.weights" and "loop.memory.expiries"."""
        for name, struct in self.structs.items():
            yield from struct.arrays(f"{name}.")

    def arguments(self, device: Target, buffers: Mapping[str, Buffer], values: Mapping[str, Any]) -> np.ndarray:
        """The value of `Arguments`.

        Parameters
        ----------
        device : Target
            Where the arrays lie.
        buffers : mapping of str to Buffer
            The arrays by their paths.
        values : mapping of str to object
            The other members: numbers, addresses, records.
        """
        out = np.zeros((), dtype=self.dtype)
        for name, struct in self.structs.items():
            out[name] = struct.pack(device, buffers, f"{name}.")
        for name, value in values.items():
            out[name] = value
        return out
