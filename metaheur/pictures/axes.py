"""matplotlib's drawing interface, which is optional, and the look of metaheur's pictures."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from metaheur.errors import InputError

__all__ = ["STYLE", "new_axes", "pyplot", "subplots"]

STYLE = "metaheur.pictures.metaheur"
"""The style sheet, by the name under which matplotlib finds it."""


def pyplot() -> Any:
    """The module `matplotlib.pyplot`."""
    try:
        return import_module("matplotlib.pyplot")
    except ImportError as error:
        raise InputError(
            "A picture needs matplotlib, which is not installed.", "pip install 'metaheur[plot]'."
        ) from error


def subplots(rows: int = 1, columns: int = 1, **options: Any) -> tuple[Any, Any]:
    """A figure and its axes in the look of metaheur's pictures; see `matplotlib.pyplot.subplots`.

    Returns `axes`, matplotlib.axes.Axes, shape (rows, columns).
    """
    plt = pyplot()
    with plt.style.context(STYLE):
        drawn: tuple[Any, Any] = plt.subplots(rows, columns, squeeze=False, layout="constrained", **options)
        interactive = plt.isinteractive()  # the first figure of a notebook makes it so, and the style would forget it
    plt.interactive(interactive)
    return drawn


def new_axes(ax: Any = None) -> Any:
    """The axes of the caller; or those of a new figure."""
    return subplots()[1][0, 0] if ax is None else ax
