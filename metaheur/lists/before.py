"""What comes before items of lists, in a solution."""

from __future__ import annotations

from functools import cached_property
from typing import final

import numpy as np
from attrs import frozen

from metaheur.lists.cuts import place_of
from metaheur.lists.places import HasLists
from metaheur.representation import Solution

__all__ = ["Before"]


@final
@frozen
class Before:
    """The places before others in a solution: ``before(place, steps)``.

    Parameters
    ----------
    x : numpy.ndarray, shape (n,)
        The solution.
    space : Lists
        The representation.
    """

    x: Solution
    space: HasLists

    def __call__(self, place: int, steps: int) -> int:
        """The place that comes so many steps before another one; around its ring, over the head."""
        for _ in range(steps):
            place = int(self._previous[place])
        return place

    def list(self, place: int) -> int:
        """The list of a place; -1 of an item that is left out."""
        found = place_of(self.space, self.x, place)
        return -1 if found is None else found[0]

    @cached_property
    def _previous(self) -> np.ndarray:
        return np.argsort(np.asarray(self.x))
