"""Upper bounds of what routes within windows of time can cost."""

from __future__ import annotations

from typing import Any

__all__ = ["delays", "lengths"]


def lengths(problem: Any) -> int:
    """Of the length of all routes."""
    return int((len(problem.demands) + problem.vehicles) * int(problem.distances.max()))


def delays(problem: Any) -> int:
    """Of all that vehicles are late."""
    last = int((len(problem.demands) + problem.vehicles) * int(problem.windows.max()))
    return 2 * (lengths(problem) + int(problem.service.sum()) + last)
