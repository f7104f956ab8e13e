"""Hashes of solutions: sums of mixed words, of which a move changes a few.

The hash of a solution is the sum, modulo 2**64, of a word for each position and its value. For a cyclic permutation it
is the sum of a word for each pair of neighbors: the same tour has the same hash for every start and both directions.
The words are those of a counter-based generator (splitmix64: G. L. Steele, D. Lea and C. H. Flood, "Fast splittable
pseudorandom number generators", 2014) in place of the tables of A. L. Zobrist, "A new hashing method with application
for game playing", 1970.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from metaheur.representation import Solution

__all__ = ["hash_of", "word"]

_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


def word(a: Any, b: Any) -> np.ndarray:
    """The word of 64 bits for a pair of numbers in 0 ... 2**32 - 1; arrays entry by entry, uint64."""
    with np.errstate(over="ignore"):
        v = (np.asarray(a).astype(np.uint64) << np.uint64(32) | np.asarray(b).astype(np.uint64)) + _STEP
        v = (v ^ (v >> np.uint64(30))) * _FIRST
        v = (v ^ (v >> np.uint64(27))) * _SECOND
    return v ^ (v >> np.uint64(31))


def hash_of(x: Solution, *, cyclic: bool) -> np.ndarray:
    """The hashes of solutions, int64.

    `x`, shape (n,) or (m, n): solutions. `cyclic`: whether they are cyclic permutations. Returns shape () or (m,): sums
    modulo 2**64, as signed numbers.
    """
    if cyclic:
        behind = np.roll(x, -1, axis=-1)
        words = word(np.minimum(x, behind), np.maximum(x, behind))
    else:
        words = word(np.arange(x.shape[-1]), x)
    return np.asarray(words.sum(axis=-1, dtype=np.uint64)).astype(np.int64)
