"""All solutions of a small representation."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product
from math import prod

import numpy as np

from metaheur.errors import CheckFailed
from metaheur.representation import Representation

__all__ = ["solutions_of"]

TRIED = 10**6
"""The most rows that are tried, one by one."""


def solutions_of(space: Representation, most: int, maybe: str) -> np.ndarray:
    """All solutions of a representation, a row each, in the order of their entries.

    `most`: how many solutions it may have. `maybe`: the way out where it has more.
    """
    n = space.length
    domains = [] if space.arranges else [space.domain(k) for k in range(min(n, 40))]
    tried = prod(range(1, min(n, 20) + 1)) if space.arranges else prod(domains)
    sure = space.arranges or space.independent
    if tried <= (most if sure else TRIED):  # asked first: `product` holds every value of every entry
        rows: Iterator[tuple[int, ...]] = permutations(range(n)) if space.arranges else product(*map(range, domains))
        found = [row for row in rows if sure or not space.violation(np.array(row, space.dtype))]
        if len(found) <= most:
            return np.array(found, space.dtype).reshape(-1, n)
    raise CheckFailed(f"{space!r} has more than {most:,} solutions, and the check lists all.", maybe)
