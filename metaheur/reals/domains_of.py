"""What steps of all kinds ask of a representation, and of their lengths."""

from __future__ import annotations

from typing import Any

import numpy as np

from metaheur.representation import Representation

__all__ = ["domains_of", "floats", "nearest_within", "ranges_of"]


def floats(values: Any) -> tuple[float, ...]:
    """Numbers as a tuple of floats."""
    return tuple(np.asarray(values, np.float64).ravel().tolist())


def domains_of(space: Representation) -> np.ndarray:
    """The number of values of each entry; int64 array of shape (n,)."""
    if type(space).domain is Representation.domain:  # then all entries have all values
        return np.full(space.length, space.values, np.int64)
    known = getattr(space, "domains", None)
    return np.array([space.domain(k) for k in range(space.length)] if known is None else known, np.int64)


def ranges_of(space: Representation) -> np.ndarray:
    """The largest value of each entry, 1 or more, by which entries become shares; float64 array of shape (n,)."""
    ranges: np.ndarray = np.maximum(domains_of(space) - 1, 1).astype(np.float64)
    return ranges


def nearest_within(values: np.ndarray, most: np.ndarray) -> np.ndarray:
    """The whole numbers nearest to some values, between 0 and the largest ones, as floats."""
    found: np.ndarray = np.minimum(np.maximum(np.floor(values + 0.5), 0.0), most)
    return found
