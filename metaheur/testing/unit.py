"""What the checks share: the devices of this machine, and a unit with its arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, final

import numpy as np
from attrs import define, field, frozen

from metaheur.device.device import Buffer, Device, Module
from metaheur.device.kernel import EVALUATION_THREADS, compose
from metaheur.device.names import device_of
from metaheur.device.source import Source
from metaheur.errors import DeviceError
from metaheur.neighborhood import Neighborhood
from metaheur.parts.part import Part
from metaheur.problem import Problem
from metaheur.representation import Representation, Solution

__all__ = ["CheckUnit", "Costless", "devices_here"]


def devices_here() -> list[str]:
    """The compiled devices of this machine: "host" where there is a C++ compiler, "cuda" where there is a GPU."""
    found = []
    for name in ("host", "cuda"):
        try:
            device_of(name)
        except DeviceError:
            continue
        found.append(name)
    return found


@final
@frozen(eq=False)
class Costless(Problem):
    """A problem that costs nothing: what neighborhoods and parts are checked with.

    Parameters
    ----------
    space : Representation
        Of its solutions.
    """

    space: Representation

    source: ClassVar[Source] = Source(
        "struct Costless : CostlessData { MH_FN Total cost(Team, const Item*) const { return 0; } };", "costless.cuh"
    )

    @property
    def representation(self) -> Representation:
        """The given one."""
        return self.space

    def cost(self, x: Solution) -> int:
        """0."""
        return 0


@final
@define(eq=False)
class CheckUnit:
    """A compiled check: a neighborhood and parts, the check's shell, and arrays by their names in `Arguments`.

    Parameters
    ----------
    neighborhood : Neighborhood
        With a C++ half.
    representation : Representation
        Of the solutions.
    device : Device
        Where the check runs.
    shell : str
        The shell's path below the package.
    arrays : mapping of str to numpy.ndarray or int
        The members of `Arguments` behind the structs, in order.
    parts : mapping of str to Part
        Parts by their names in `Arguments`.
    defines : mapping of str to object
        Known to the compiler.
    """

    neighborhood: Neighborhood
    representation: Representation
    device: Device
    shell: str
    arrays: Mapping[str, Any]
    parts: Mapping[str, Part] = field(factory=dict)
    defines: Mapping[str, Any] = field(factory=dict)
    _buffers: dict[str, Buffer] = field(init=False)
    _module: Module = field(init=False)
    _arguments: Buffer = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Compile and upload."""
        kernel = compose(
            Costless(self.representation),
            self.neighborhood,
            self.parts,
            self.device,
            defines={"MH_THREADS": EVALUATION_THREADS, "MH_BLOCKS": 1, "MH_TILE": 8, **self.defines},
            shells=[self.shell],
            pointers=tuple(self.arrays),
        )
        self._buffers = {n: self.device.upload(a) for n, a in self.arrays.items() if isinstance(a, np.ndarray)}
        pointers = {n: self.device.pointer(b) for n, b in self._buffers.items()}
        numbers = {n: a for n, a in self.arrays.items() if not isinstance(a, np.ndarray)}
        packed = {name: struct.pack(self.device, self._buffers) for name, struct in kernel.structs.items()}
        self._arguments = self.device.upload(kernel.arguments(packed, {**pointers, **numbers}))
        self._module = self.device.compile(kernel.text)

    def launch(self, entry: str, value: int = 0) -> None:
        """Run an entry of the shell."""
        self._module.launch(entry, self._arguments, value)

    def read(self, name: str) -> np.ndarray:
        """One of the arrays."""
        return self.device.download(self._buffers[name])

    def fill(self, name: str, value: int) -> None:
        """Overwrite one of the arrays with one value."""
        self.device.write(self._buffers[name], np.full_like(self.arrays[name], value))
