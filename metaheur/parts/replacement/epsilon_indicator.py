"""Replacement by the additive epsilon indicator, for several objectives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.fields import Array, Range
from metaheur.parts.replacement.ordered import OrderedReplacement
from metaheur.parts.replacement.ranks import repeated, scaled
from metaheur.validate import real_field, whole_field

__all__ = ["EpsilonIndicator"]


@final
@frozen
class EpsilonIndicator(OrderedReplacement):
    """The solutions with the largest losses leave, one by one, until as many are left as there are members.

    The loss of a solution x beside the others is the sum of exp(-I(y, x) / (scaling c)) over all others y that have not
    left. I(y, x) is the additive epsilon indicator: the least number by which all objectives of y have to fall so that
    y weakly dominates x. Objectives are scaled to 0 ... 1 by their ranges among members and children; c is the largest
    absolute value of I. Of equal losses, the last solution leaves. Parents are selected by the losses among the
    survivors. Solutions that are equal to an earlier one leave first.

    Parameters
    ----------
    count : int, optional
        How many children the members have before the members change; by default as many as there are members.
    scaling : float, default 0.05
        The scaling factor (kappa), 0.01 ... 1: with a small one, the nearest other solutions decide.

    Notes
    -----
    E. Zitzler and S. Künzli, "Indicator-based selection in multiobjective search", PPSN VIII, 2004: the adaptive
    variant, section 3. Fitness there is the negative of the loss.
    """

    count: int | None = whole_field(1, 2**20, default=None)
    scaling: float = real_field(0.01, 1.0, default=0.05, kw_only=True, metadata={"tune": Range(0.01, 1.0, log=True)})

    source: ClassVar[str] = "epsilon_indicator.cuh"

    def children(self, size: int) -> int:
        return self.count or size

    def scratch(self, size: int) -> Mapping[str, Array]:
        """The losses of members and children."""
        return {"losses": Array((size + self.children(size),), "float64")}

    def order(self, costs: np.ndarray, solutions: np.ndarray, size: int) -> np.ndarray:
        copies = repeated(solutions)
        left = np.flatnonzero(~copies)
        indicator = epsilons(costs)
        largest = np.abs(indicator).max()
        terms = exponentials(indicator / -(self.scaling * (largest if largest > 0 else 1.0)))
        np.fill_diagonal(terms, 0.0)
        losses, leaving = np.zeros(len(costs)), []
        for y in left:  # one after the other, as a sum of floats depends on its order
            losses += terms[y]
        while len(left) > size:
            worst = left[len(left) - 1 - int(np.argmax(losses[left][::-1]))]
            leaving.append(worst)
            left = left[left != worst]
            losses -= terms[worst]
        kept = left[np.argsort(losses[left], kind="stable")]
        return np.concatenate([kept, np.array(leaving[::-1], np.int64), np.flatnonzero(copies)])


def epsilons(costs: np.ndarray) -> np.ndarray:
    """The additive epsilon indicator of each pair, I(y, x) in row y, objectives scaled to 0 ... 1; shape (N, N).

    `costs`: shape (N, K).
    """
    values = scaled(costs)
    found: np.ndarray = (values[:, None] - values[None]).max(axis=2)
    return found


def exponentials(x: np.ndarray) -> np.ndarray:
    """The powers of e, by additions and multiplications alone, so that all devices have the same bits.

    Four terms of the series at x / 1,024, then ten squares; the relative error is below 1e-5 for -60 ... 60, and
    below 1e-4 for -100 ... 100.
    """
    y = x / 1024.0
    found = 1.0 + y * (1.0 + y * (0.5 + y * (1.0 / 6.0 + y * (1.0 / 24.0))))
    for _ in range(10):
        found = found * found
    return found
