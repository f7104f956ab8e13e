"""A solution of lists, as Python reads it."""

from __future__ import annotations

from typing import final

import numpy as np

from metaheur.lists.places import HasLists
from metaheur.representation import SolutionView

__all__ = ["LinkedLists"]


@final
class LinkedLists(SolutionView):
    """A solution of `Lists`, or several solutions, a row each: an array of successors whose lists can be read.

    Attributes
    ----------
    space : Lists or None
        The space of the solution; None for a part of a solution.
    """

    space: HasLists | None

    @property
    def lists(self) -> list[list[int]]:
        """The items of each list, in order."""
        return self._space.split(self)

    @property
    def left_out(self) -> list[int]:
        """The items that are in no list, in order of their numbers."""
        items = np.arange(self._space.items)
        found: list[int] = items[np.asarray(self)[: len(items)] == items].tolist()
        return found

    def list(self, k: int) -> list[int]:
        """The items of list k, in order."""
        return self.lists[k]

    def next(self, i: int) -> int:
        """What follows an item or a head; a head k + `items` where the list k ends, the item itself if left out."""
        return int(self[i])

    def previous(self, i: int) -> int:
        """The place before an item or a head: the inverse of `next`."""
        return int(np.flatnonzero(np.asarray(self) == i)[0])

    @property
    def _space(self) -> HasLists:
        if self.space is None or self.ndim != 1:
            raise AttributeError("only a whole solution has lists, not many solutions or a part of one")
        return self.space
