"""Solutions of lists, as compiled methods read them in Python."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, final

import numpy as np

from metaheur.translator.spaces import spaces_of

__all__ = ["SHAPE", "Linked", "has_lists", "lists_shape"]

SHAPE = "lists_shape"
"""How the name of the table of the numbers of items and of lists begins, for C++; the name of a part follows."""


def has_lists(space: Any) -> bool:
    """Whether the solutions of a representation have lists of items."""
    return all(hasattr(space, name) for name in ("items", "lists", "optional", "split"))


def lists_shape(space: Any) -> dict[str, np.ndarray]:
    """The table of the numbers of items and lists, for each part that has lists; no table for other solutions."""
    found = ((name, each) for name, each in spaces_of(space) if has_lists(each))
    return {SHAPE + name: np.array([each.items, each.lists], np.int64) for name, each in found}


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
