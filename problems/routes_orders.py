"""Orders in which customers come back into routes."""

from __future__ import annotations

import numpy as np

__all__ = ["orders_of"]


def orders_of(home: np.ndarray, demands: np.ndarray, windows: np.ndarray | None = None) -> np.ndarray:
    """Orders in which `RuinAndRecreate` and `StringRemoval` put customers back, int32 of shape (11 or 17, c).

    With weight 4 at random, 4 by decreasing demand, 2 farthest from the depot first, and 1 nearest first; and if there
    are windows, with weight 2 each by their lengths, by their begins, and by their ends, the last ones first.

    `home`, `demands`: the distance from the depot, and the demand, of each customer. `windows`: shape (c, 2).
    """
    rows = [*[0 * home] * 4, *[-demands] * 4, *[-home] * 2, home]
    if windows is not None:
        opens, closes = windows.T
        rows += [closes - opens] * 2 + [opens] * 2 + [-closes] * 2
    return np.array(rows, np.int32)
