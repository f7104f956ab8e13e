"""The random numbers of Taillard's benchmark instances, so that these can be made from their published seeds.

Source: É. Taillard, "Benchmarks for basic scheduling problems", European Journal of Operational Research 64, 1993
(section 2), after P. Bratley, B. L. Fox and L. E. Schrage, "A Guide to Simulation", Springer 1983.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

__all__ = ["uniform"]

_MODULUS: Final = 2**31 - 1


def uniform(seed: int, low: int, high: int) -> Iterator[int]:
    """Draw integers without end, uniformly in low ... high, by the generator x ← 16807 x mod 2**31 - 1.

    `seed`: the x before the first, 1 ... 2**31 - 2. `low`, `high`: the bounds, both included; the integer is low +
    floor((high - low + 1) x / (2**31 - 1)).

    Examples
    --------
    >>> from itertools import islice
    >>> list(islice(uniform(873654221, 1, 99), 5))
    [54, 83, 15, 71, 77]
    """
    while True:
        seed = 16807 * seed % _MODULUS
        yield low + (high - low + 1) * seed // _MODULUS
