"""0-1 knapsack problems, with one constraint or several, as their files state them."""

from __future__ import annotations

from typing import final

import numpy as np
import numpy.typing as npt
from attrs import field, frozen

from metaheur.errors import InputError
from metaheur.fields import data

__all__ = ["KnapsackInstance"]


def _bits(value: npt.ArrayLike) -> np.ndarray:
    array = np.asarray(value)
    if not np.isin(array, (0, 1)).all():
        raise InputError("`solution` must hold 0 (not taken) or 1 (taken) for each item, but holds other values.")
    bits = array.astype(np.uint8)
    bits.flags.writeable = False
    return bits


@final
@frozen(eq=False)
class KnapsackInstance:
    """A 0-1 knapsack problem with n items and m constraints, as its file states it.

    Parameters
    ----------
    profits : array_like, shape (n,)
        Whole numbers, 0 or more.
    weights : array_like, shape (m, n)
        Whole numbers, 0 or more.
    capacities : array_like, shape (m,)
        Whole numbers, 0 or more.
    optimum : int, optional
        The largest profit, as the file states it; it is not checked. None if it is not stated.
    solution : array_like, shape (n,), optional
        The solution that the file states, 0 or 1 for each item; it is not checked. Empty if it is not stated.
    name : str, default ""
        The name, as the file states it.
    factor : int, default 1
        A power of ten: profits, weights, capacities and optimum are the numbers of the file times `factor`.

    Raises
    ------
    InputError
        If a field is not as described.
    """

    profits: np.ndarray = data("int64", ndim=1)
    weights: np.ndarray = data("int64", ndim=2)
    capacities: np.ndarray = data("int64", ndim=1)
    optimum: int | None = field(default=None, kw_only=True)
    solution: np.ndarray = field(default=(), converter=_bits, kw_only=True)
    name: str = field(default="", kw_only=True)
    factor: int = field(default=1, kw_only=True)

    def __attrs_post_init__(self) -> None:
        shape = (len(self.capacities), len(self.profits))
        if self.weights.shape != shape or 0 in shape:
            raise InputError(
                f"`weights` must have a row for each capacity and a column for each profit, shape {shape}, and not be "
                f"empty, but has the shape {self.weights.shape}."
            )
        for name in ("profits", "weights", "capacities"):
            if (low := int(getattr(self, name).min())) < 0:
                raise InputError(f"`{name}` must hold 0 or more, but holds {low}.")
        if self.solution.shape not in ((0,), self.profits.shape):
            raise InputError(
                f"`solution` must hold a value for each of {shape[1]} items, but has the shape {self.solution.shape}."
            )
