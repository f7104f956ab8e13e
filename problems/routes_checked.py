"""What problems of routes refuse of their fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from metaheur.errors import InputError

__all__ = ["require_least", "require_shapes", "require_times", "require_windows"]


def require_shapes(problem: Any, shapes: Mapping[str, tuple[int, ...]], stops: str) -> None:
    """Refuse fields of other shapes; `stops` says of what the depot is the last one, such as "7 customers"."""
    for name, shape in shapes.items():
        if (found := getattr(problem, name).shape) != shape:
            raise InputError(
                f"`{name}` must have the shape {shape}, as there are {stops}, but has the shape {found}.",
                "the depot is the last place.",
            )


def require_least(problem: Any, **least: int) -> None:
    """Refuse fields that are lower than a number."""
    for name, number in least.items():
        if getattr(problem, name) < number:
            raise InputError(f"`{name}` must be at least {number}, but is {getattr(problem, name)}.")


def require_times(problem: Any) -> None:
    """Refuse negative `distances`, `service` and `windows`, and what `require_windows` refuses."""
    if (problem.distances < 0).any() or (problem.service < 0).any() or (problem.windows < 0).any():
        raise InputError("`distances`, `service` and `windows` must be at least 0.")
    require_windows(problem.windows)


def require_windows(windows: np.ndarray) -> None:
    """Refuse a window that ends before it begins."""
    wrong = np.flatnonzero(windows[:, 0] > windows[:, 1])
    if len(wrong):
        window = windows[wrong[0]].tolist()
        raise InputError(f"A window must end after its begin, but that of place {wrong[0]} is {window}.")
