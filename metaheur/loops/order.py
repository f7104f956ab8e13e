"""Orders of moves: by index from a cursor on, or random."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from attrs import frozen

from metaheur.random import Random

__all__ = ["CyclicOrder", "MoveOrder", "RandomOrder"]


ROUNDS = 4
MIX = 0x9E3779B1


class MoveOrder(ABC):
    """A permutation of the indices 0 ... size - 1."""

    @abstractmethod
    def index(self, places: np.ndarray) -> np.ndarray:
        """The indices of moves at these places of the order."""

    @abstractmethod
    def place(self, indices: np.ndarray) -> np.ndarray:
        """The places of these indices in the order."""


@frozen
class CyclicOrder(MoveOrder):
    """The order of indices from a cursor on, and then from 0.

    `size`: number of indices. `cursor`: the first index.
    """

    size: int
    cursor: int

    def index(self, places: np.ndarray) -> np.ndarray:
        return np.asarray((places + self.cursor) % self.size)

    def place(self, indices: np.ndarray) -> np.ndarray:
        return np.asarray((indices - self.cursor) % self.size)


class RandomOrder(MoveOrder):
    """A random order by a Feistel network over the next power of four; a place outside passes through it again.

    Notes
    -----
    J. Black and P. Rogaway, "Ciphers with arbitrary finite domains", CT-RSA 2002.
    """

    def __init__(self, size: int, random: Random) -> None:
        self.size, self.keys = size, random.words(0)
        self.half = max(1, ((size - 1).bit_length() + 1) // 2)
        self.mask = (1 << self.half) - 1

    def index(self, places: np.ndarray) -> np.ndarray:
        return self._walked(places, range(ROUNDS))

    def place(self, indices: np.ndarray) -> np.ndarray:
        return self._walked(indices, range(ROUNDS - 1, -1, -1))

    def _walked(self, values: np.ndarray, rounds: range) -> np.ndarray:
        values = values.astype(np.uint64)
        outside = np.ones(values.shape, bool)
        while outside.any():
            values[outside] = self._permuted(values[outside], rounds)
            outside = values >= self.size
        return values.astype(np.int64)

    def _permuted(self, values: np.ndarray, rounds: range) -> np.ndarray:
        mask = np.uint64(self.mask)
        high, low = values >> np.uint64(self.half), values & mask
        backwards = rounds[0] > 0
        if backwards:
            high, low = low, high
        for r in rounds:
            high, low = low, high ^ (self._mixed(low, self.keys[r]) & mask)
        if backwards:
            high, low = low, high
        return np.asarray(high << np.uint64(self.half) | low)

    @staticmethod
    def _mixed(values: np.ndarray, key: int) -> np.ndarray:
        word = np.uint64(0xFFFFFFFF)
        mixed = (values ^ np.uint64(key)) * np.uint64(MIX) & word
        mixed = (mixed ^ mixed >> np.uint64(15)) * np.uint64(MIX) & word
        return np.asarray(mixed ^ mixed >> np.uint64(16))
