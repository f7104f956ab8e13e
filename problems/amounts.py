"""Numbers that do not overflow: amounts of knapsacks, and bounds of costs."""

from __future__ import annotations

import numpy as np

from metaheur.errors import InputError

__all__ = ["reach", "require_bound"]

_LIMIT = 2**61
_MOST_COST = 2**62


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


def require_bound(bound: int, maybe: str = "") -> None:
    """Refuse data with which costs could reach 2**62; `maybe` names the way out."""
    if bound >= _MOST_COST:
        raise InputError(
            f"Costs could reach {bound}, which overflows int64 (2**62 = {_MOST_COST} is the limit).", maybe
        )
