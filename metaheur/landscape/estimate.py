"""An estimate from several walks, with its interval."""

from __future__ import annotations

from math import atanh, sqrt, tanh
from typing import Any, final

import numpy as np
from attrs import frozen

from metaheur.tuning.statistics import t_quantile

__all__ = ["Curve", "Estimate"]

FEW = 5
"""Fewer walks give no interval: its quantile needs four degrees of freedom."""


@final
@frozen
class Estimate:
    """A number that walks estimate, and its 95 % confidence interval; ``print(estimate)`` shows both.

    Parameters
    ----------
    value : float
        The estimate.
    low, high : float
        The ends of the interval; NaN with fewer than five walks.
    walks : int
        The walks, or samples, that it comes from.
    """

    value: float
    low: float
    high: float
    walks: int

    @classmethod
    def of(cls, values: Any) -> Estimate:
        """The mean of one value a walk, with the interval of Student's distribution; NaN values are left out.

        Parameters
        ----------
        values : array_like, shape (W,)
            The values.
        """
        known = np.asarray(values, np.float64)
        known = known[~np.isnan(known)]
        count = len(known)
        if not count:
            return cls(np.nan, np.nan, np.nan, 0)
        mean = float(known.mean())
        if count < FEW:
            return cls(mean, np.nan, np.nan, count)
        half = t_quantile(0.975, count - 1) * float(known.std(ddof=1)) / sqrt(count)
        return cls(mean, mean - half, mean + half, count)

    @classmethod
    def correlation(cls, x: np.ndarray, y: np.ndarray) -> Estimate:
        """Pearson's correlation of two columns, with the interval of Fisher's transformation.

        Parameters
        ----------
        x, y : numpy.ndarray, shape (m,)
            The columns; NaN where one of them does not vary.
        """
        count = len(x)
        first, second = np.asarray(x, np.float64), np.asarray(y, np.float64)
        if count < 2 or not first.std() or not second.std():
            return cls(np.nan, np.nan, np.nan, count)
        r = min(1.0, max(-1.0, float(np.corrcoef(first, second)[0, 1])))
        if count < FEW or abs(r) > 1 - 1e-12:
            return cls(r, *((r, r) if count >= FEW else (np.nan, np.nan)), count)
        half = 1.959964 / sqrt(count - 3)
        return cls(r, tanh(atanh(r) - half), tanh(atanh(r) + half), count)

    def __str__(self) -> str:
        """The value, and the interval in parentheses."""
        return f"{self.value:.4g} ({self.low:.4g} ... {self.high:.4g})" if self.low == self.low else f"{self.value:.4g}"


@final
@frozen(eq=False)
class Curve:
    """Estimates along an axis, such as the autocorrelation at each lag.

    Parameters
    ----------
    x : numpy.ndarray, shape (m,)
        The places on the axis.
    values, low, high : numpy.ndarray of float64, shape (m,)
        The estimates, and the ends of their 95 % intervals; see `Estimate`.
    walks : int
        The walks that they come from.
    """

    x: np.ndarray
    values: np.ndarray
    low: np.ndarray
    high: np.ndarray
    walks: int

    @classmethod
    def of(cls, x: Any, columns: Any) -> Curve:
        """One estimate for each column.

        Parameters
        ----------
        x : array_like, shape (m,)
            The places on the axis.
        columns : array_like, shape (m, W)
            For each place, the value of each walk.
        """
        rows = [Estimate.of(each) for each in columns]
        values, low, high = (np.array([getattr(row, name) for row in rows]) for name in ("value", "low", "high"))
        return cls(np.asarray(x), values, low, high, max((row.walks for row in rows), default=0))

    def at(self, i: int) -> Estimate:
        """The estimate at place i."""
        return Estimate(float(self.values[i]), float(self.low[i]), float(self.high[i]), self.walks)
