"""matplotlib's drawing interface, which is optional."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from metaheur.errors import InputError

__all__ = ["pyplot"]


def pyplot() -> Any:
    """The module `matplotlib.pyplot`.

    Raises
    ------
    InputError
        If matplotlib is not installed.
    """
    try:
        return import_module("matplotlib.pyplot")
    except ImportError as error:
        raise InputError(
            "A picture needs matplotlib, which is not installed.", "pip install 'metaheur[plot]'."
        ) from error
