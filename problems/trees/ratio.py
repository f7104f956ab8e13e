"""Items of a knapsack by their ratio of profit to weight."""

from __future__ import annotations

import numpy as np

__all__ = ["products_overflow", "sorted_by_ratio"]


def products_overflow(profits: np.ndarray, weights: np.ndarray) -> str:
    """Why a bound that multiplies a weight by a profit does not fit items, in words; "" if it does."""
    weight, profit = int(weights.max()), int(profits.max())
    if weight * profit < 2**63:
        return ""
    return (
        f"The bound multiplies weights up to {weight} by profits up to {profit}, which overflows int64.\n"
        "Maybe divide them by a common factor."
    )


def sorted_by_ratio(profits: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Indices by decreasing ratio of profit to weight, exactly; of equal ratios the first index comes first.

    Ratios are compared by a long division. Two different ratios differ by at least 1 / (w w'), so finitely many digits
    suffice.

    `profits`, `weights`, int64, shape (n,): at least 0 and below 2**61. Items without weight come first.
    """
    weightless, heavy = np.flatnonzero(weights == 0), np.flatnonzero(weights)
    return np.concatenate([weightless, heavy[_sorted(profits[heavy], weights[heavy])]])


def _sorted(profits: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Like `sorted_by_ratio`, for items that all have a weight."""
    if not len(weights):
        return np.zeros(0, np.int64)
    bits, known = int(weights.max()).bit_length(), 62 - int(profits.max()).bit_length()  # binary places of the ratios
    digits, rest = [(profits << known) // weights], (profits << known) % weights
    while known < 2 * bits:
        rest = rest << (62 - bits)
        digits.append(rest // weights)
        rest, known = rest % weights, known + 62 - bits
    found: np.ndarray = np.lexsort([-digit for digit in reversed(digits)])
    return found
