"""Devices by name."""

from __future__ import annotations

from collections.abc import Sequence

from metaheur.device.cuda.cuda import Cuda
from metaheur.device.device import Device
from metaheur.device.host.compiler import find_compiler
from metaheur.device.host.host import Host
from metaheur.errors import DeviceError, InputError
from metaheur.validate import require_device

__all__ = ["device_for", "device_of"]


def device_of(name: str, placement: str = "auto") -> Device:
    """The compiled device "host", "cuda" or "cuda:<index>"; its placement of data is described at `Cuda`."""
    require_device(name)
    if name == "host":
        find_compiler()
        return Host()
    if name.startswith("cuda"):
        return Cuda(int(name.partition(":")[2] or 0), placement=placement)
    raise InputError(f"{name!r} is not a compiled device.", 'use "host" or "cuda".')


def device_for(asked: str, missing: Sequence[str], *, gpu: bool, why: str) -> tuple[str, str]:
    """The name of the device that a model chooses, and why.

    `asked`: a name, or "auto". `missing`: the names of components without a C++ half. `gpu`: whether a GPU is to be
    taken, where there is one. `why`: the reason for either.
    """
    if asked != "auto":
        return asked, f"asked for; beware, {why}" if asked[:4] == "cuda" and not gpu else "asked for"
    if missing:
        return "numpy", f"{missing[0]} has no C++ half"
    if gpu:
        try:
            return device_of("cuda").name, why
        except DeviceError as error:
            why = error.reason
    try:
        return device_of("host").name, why
    except DeviceError as error:
        return "numpy", error.reason
