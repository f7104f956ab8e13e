"""First fit decreasing: how items of some weights go into bins."""

from __future__ import annotations

import numpy as np

__all__ = ["first_fit"]


def first_fit(weights: np.ndarray, capacity: int) -> list[list[int]]:
    """First fit decreasing: each item, the heaviest first, goes into the first bin that still holds it."""
    size, found = 1 << max(0, len(weights) - 1).bit_length(), [list[int]() for _ in weights]
    room = [capacity] * (2 * size)  # of each bin, from `size` on, and the most in either half of the bins above them
    for item in np.argsort(-weights, kind="stable").tolist():
        weight, k = int(weights[item]), 1
        while k < size:
            k = 2 * k + (room[2 * k] < weight)
        room[k] -= weight
        found[k - size].append(item)
        while k > 1:
            k //= 2
            room[k] = max(room[2 * k], room[2 * k + 1])
    return [items for items in found if items]
