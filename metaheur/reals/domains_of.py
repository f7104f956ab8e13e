"""What steps of all kinds ask of a representation, and of their lengths."""

from __future__ import annotations

from typing import Any

import numpy as np

from metaheur.representation import Representation

__all__ = ["domains_of", "floats"]


def floats(values: Any) -> tuple[float, ...]:
    """Numbers as a tuple of floats."""
    return tuple(np.asarray(values, np.float64).ravel().tolist())


def domains_of(space: Representation) -> np.ndarray:
    """The number of values of each entry; int64 array of shape (n,)."""
    if type(space).domain is Representation.domain:  # then all entries have all values
        return np.full(space.length, space.values, np.int64)
    known = getattr(space, "domains", None)
    return np.array([space.domain(k) for k in range(space.length)] if known is None else known, np.int64)
