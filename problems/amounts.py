"""Amounts of knapsacks: whole numbers from 0 on, whose sum does not overflow."""

from __future__ import annotations

import numpy as np

from metaheur.errors import InputError

__all__ = ["reach"]

_LIMIT = 2**61


def reach(**amounts: np.ndarray | int) -> int:
    """Return the sum of all amounts; refuse negative ones, and sums from 2**61 on."""
    lists = {name: np.ravel(values).tolist() for name, values in amounts.items()}
    for name, values in lists.items():
        if min(values, default=0) < 0:
            raise InputError(f"`{name}` must hold 0 or more, but holds {min(values)}.")
    total: int = sum(map(sum, lists.values()))
    if total >= _LIMIT:
        *first, last = lists
        raise InputError(
            f"{', '.join(first).capitalize()} and {last} add up to {total}, which overflows int64 (2**61 = {_LIMIT} is "
            "the limit).",
            "divide profits, or weights and capacities, by a common factor.",
        )
    return total
