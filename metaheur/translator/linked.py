"""Solutions of lists, as compiled methods read them in Python."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, final

import numpy as np

__all__ = ["SHAPE", "Linked", "has_lists", "lists_shape"]

SHAPE = "lists_shape"
"""The table of the numbers of items and of lists, for C++."""


def has_lists(space: Any) -> bool:
    """Whether the solutions of a representation have lists of items."""
    return all(hasattr(space, name) for name in ("items", "lists", "optional", "split"))


def lists_shape(space: Any) -> dict[str, np.ndarray]:
    """The table of the numbers of items and lists; no table for other solutions."""
    return {SHAPE: np.array([space.items, space.lists], np.int64)} if has_lists(space) else {}


@final
class Linked(list[int]):
    """What follows each place of a solution of lists, in Python's own numbers."""

    def __init__(self, following: list[int], items: int) -> None:
        super().__init__(following)
        self._items = items

    def list(self, k: int) -> Iterator[int]:
        """The items of list k, in order."""
        at = self[self._items + k]
        while at < self._items:
            yield at
            at = self[at]

    def next(self, i: int) -> int:
        """What follows a place."""
        return self[i]

    def previous(self, i: int) -> int:
        """The place that another one follows."""
        return self.index(i)
