"""Several devices by name."""

from __future__ import annotations

from typing import Any

from metaheur.device.names import require_name
from metaheur.errors import InputError

__all__ = ["names_of"]


def names_of(value: Any) -> tuple[str, ...]:
    """The names of several compiled devices.

    Raises
    ------
    InputError
        If there is none, or one that is not compiled.
    """
    if isinstance(value, str) or not value:
        raise InputError(f"`devices` must name several devices, but is {value!r}.", 'use ("cuda:0", "cuda:1").')
    names = tuple(value)
    for name in names:
        require_name(name)
        if name in ("auto", "numpy"):
            raise InputError(f'`devices` must be "host" or GPUs, but holds {name!r}.', 'use ("cuda:0", "cuda:1").')
    return names
