"""Devices by name."""

from __future__ import annotations

import re

from metaheur.device.compiler import find_compiler
from metaheur.device.cuda import Cuda
from metaheur.device.device import Device
from metaheur.device.host import Host
from metaheur.errors import InputError

__all__ = ["device_of", "require_name"]


def require_name(name: object) -> None:
    """Refuse what is not the name of a device.

    Raises
    ------
    InputError
        Unless the name is "auto", "numpy", "host", "cuda" or "cuda:<index>".
    """
    if not isinstance(name, str) or not re.fullmatch(r"auto|numpy|host|cuda(:\d{1,4})?", name):
        raise InputError(f"{name!r} is not the name of a device.", 'use "auto", "numpy", "host", "cuda" or "cuda:1".')


def device_of(name: str) -> Device:
    """The compiled device "host", "cuda" or "cuda:<index>".

    Raises
    ------
    InputError
        For any other name.
    DeviceError
        If the device is not there.
    """
    require_name(name)
    if name == "host":
        find_compiler()
        return Host()
    if name.startswith("cuda"):
        return Cuda(int(name.partition(":")[2] or 0))
    raise InputError(f"{name!r} is not a compiled device.", 'use "host" or "cuda".')
