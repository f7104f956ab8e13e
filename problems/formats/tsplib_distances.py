"""The distances of TSPLIB between points in the plane or on the globe, rounded as in its documentation.

Source: G. Reinelt, "TSPLIB 95", Universität Heidelberg, 1995 (section 2 of the documentation).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

import numpy as np
import numpy.typing as npt

__all__ = ["FORMULAS"]

Reals = npt.NDArray[np.float64]

_PI: Final = 3.141592  # TSPLIB's own: GEO's published lengths depend on it
_RADIUS: Final = 6378.388  # of the earth, in km


def _euclidean(p: Reals, q: Reals) -> Reals:
    return np.floor(_straight(p, q) + 0.5)


def _ceiling(p: Reals, q: Reals) -> Reals:
    return np.ceil(_straight(p, q))


def _pseudo_euclidean(p: Reals, q: Reals) -> Reals:
    x, y = p[..., 0] - q[..., 0], p[..., 1] - q[..., 1]
    exact: Reals = np.sqrt((x * x + y * y) / 10.0)
    rounded = np.floor(exact + 0.5)
    return np.asarray(rounded + (rounded < exact))


def _geographical(p: Reals, q: Reals) -> Reals:
    a, b = _radians(p), _radians(q)
    q1 = np.cos(a[..., 1] - b[..., 1])
    q2 = np.cos(a[..., 0] - b[..., 0])
    q3 = np.cos(a[..., 0] + b[..., 0])
    angle: Reals = np.arccos(np.clip(0.5 * ((1.0 + q1) * q2 - (1.0 - q1) * q3), -1.0, 1.0))
    return np.floor(_RADIUS * angle + 1.0)


def _manhattan(p: Reals, q: Reals) -> Reals:
    return np.asarray(np.floor(np.abs(p - q).sum(axis=-1) + 0.5))


def _maximum(p: Reals, q: Reals) -> Reals:
    return np.asarray(np.floor(np.abs(p - q) + 0.5).max(axis=-1))


def _straight(p: Reals, q: Reals) -> Reals:
    x, y = p[..., 0] - q[..., 0], p[..., 1] - q[..., 1]
    return np.asarray(np.sqrt(x * x + y * y))


def _radians(degrees_and_minutes: Reals) -> Reals:
    degrees = np.trunc(degrees_and_minutes)
    return np.asarray(_PI * (degrees + 5.0 * (degrees_and_minutes - degrees) / 3.0) / 180.0)


FORMULAS: Final[Mapping[str, Callable[[Reals, Reals], Reals]]] = MappingProxyType(
    {
        "EUC_2D": _euclidean,
        "CEIL_2D": _ceiling,
        "ATT": _pseudo_euclidean,
        "GEO": _geographical,
        "MAN_2D": _manhattan,
        "MAX_2D": _maximum,
    }
)
"""By EDGE_WEIGHT_TYPE: the distances, whole numbers in float64, of the points p and q.

Both are arrays of shape (..., 2), broadcast against each other; for GEO latitude and longitude as degrees.minutes.
"""
