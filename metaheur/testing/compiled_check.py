"""Shared by the checks: the devices of this machine, a problem without costs, and a compiled unit with arrays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, final

import numpy as np
from attrs import define, field, frozen

from metaheur.component import Component
from metaheur.device.device import Device
from metaheur.device.generator.kernels import compiled_kernels
from metaheur.device.generator.launch import Launch
from metaheur.device.generator.layout import CPP
from metaheur.device.generator.shell import Shell
from metaheur.device.names import device_of
from metaheur.device.session import Session
from metaheur.errors import CheckFailed, DeviceError
from metaheur.problem import Problem
from metaheur.representation import Representation, Solution
from metaheur.testing.faults import require_sound

__all__ = ["CompiledCheck", "ConstantProblem", "devices_here"]

THREADS = 256


def devices_here() -> list[str]:
    """The compiled devices of this machine: "host" if there is a C++ compiler, "cuda" if there is a GPU."""
    found = []
    for name in ("host", "cuda"):
        try:
            device_of(name)
        except DeviceError:
            continue
        found.append(name)
    return found


def require_instance(value: Any, kind: type, check: str, example: str) -> None:
    """Refuse a value that is not an instance of a class, such as the class itself."""
    if not isinstance(value, kind):
        raise CheckFailed(
            f"{check} was given {value!r}, which is not a {kind.__name__}.", f"pass an instance such as {example}."
        )


def chosen_devices(devices: Iterable[str] | str | None, what: str) -> list[str]:
    """The devices on which a check runs."""
    if isinstance(devices, str):
        return [devices]
    found = devices_here() if devices is None else list(devices)
    if devices is None and not found:
        raise CheckFailed(
            f"The C++ half of {what} was not checked: there is neither a C++ compiler nor a GPU.",
            "install g++, or pass devices=[] to check the Python half alone.",
        )
    return found


@final
@frozen(eq=False)
class ConstantProblem(Problem):
    """A problem in which every solution costs 0, for checks of neighborhoods and parts.

    `space`: the representation of its solutions. `cost_type`: as in `Problem`.
    """

    space: Representation
    _cost_type: str = field(default="int64", alias="cost_type")

    source: ClassVar[str] = "constant_problem.cuh"

    @property
    def representation(self) -> Representation:
        return self.space

    @property
    def cost_type(self) -> str:
        return self._cost_type

    def cost(self, x: Solution) -> int:
        return 0


@final
@define(eq=False)
class CompiledCheck:
    """A compiled check: components, C++ files that call them, and arrays by their names in `Arguments`.

    `problem`: a problem with a C++ half. `components`: the components by their names in `Arguments`. `device`: where
    the check runs. `pieces`: the C++ files, by path below the package. `arrays`, mapping of str to numpy.ndarray or
    int: the other members of `Arguments`, in order. `defines`: macros that the compiler knows. `checked`: whether
    compiled methods check indices and overflow as they run.
    """

    problem: Problem
    components: Mapping[str, Component]
    device: Device
    pieces: tuple[str, ...]
    arrays: Mapping[str, Any]
    defines: Mapping[str, Any] = field(factory=dict)
    checked: bool = False
    session: Session = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Compile the unit, and upload the arrays."""
        if self.checked:
            self.arrays = {**self.arrays, "fault": np.zeros(6, np.int64)}
            self.pieces = (*self.pieces, "testing/faults.cuh")
        shell = Shell(
            pieces=self.pieces,
            components=self.components,
            members={name: _pointer(array, self.problem) for name, array in self.arrays.items()},
            defines=self.defines,
            launch=Launch(threads=THREADS),
            checked=self.checked,
        )
        self.session = Session(compiled_kernels(self.problem, shell, self.device), self.device)
        self.session.keep(workers=THREADS)
        self.session.set(**{name: self._on_device(value) for name, value in self.arrays.items()})

    def _on_device(self, value: Any) -> Any:
        return self.device.upload(value) if isinstance(value, np.ndarray) else value

    def launch(self, entry: str, value: int = 0) -> None:
        """Run an entry."""
        self.session.launch(entry, value)
        if self.checked:
            self.session.launch("faults")
            require_sound(self.read("fault").tolist())

    def read(self, name: str) -> np.ndarray:
        """The current content of an array, in its own shape; on a CPU the array itself."""
        array: np.ndarray = self.session.read(name).reshape(self.arrays[name].shape)
        return array

    def fill(self, name: str, value: Any) -> None:
        """Overwrite an array with a value, which is broadcast to its shape."""
        self.session.write(name, np.broadcast_to(value, self.arrays[name].shape))


def _pointer(array: Any, problem: Problem) -> str:
    """The C++ type of a member: an integer of 64 bits, or a pointer to an array; `Cost*` for rows of K objectives."""
    if not isinstance(array, np.ndarray):
        return "i64"
    if problem.objectives and array.ndim == 2 and array.dtype != problem.representation.dtype:
        return "Cost*"
    return "Item*" if array.dtype == problem.representation.dtype and array.ndim == 2 else f"{CPP[array.dtype.name]}*"
