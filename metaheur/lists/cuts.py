"""Cuts: two places behind which lists are cut, and the move that joins them anew."""

from __future__ import annotations

from typing import final

import numpy as np
from attrs import field, frozen

from metaheur.lists.places import HasLists
from metaheur.lists.reversal_move import ReversalMove
from metaheur.lists.tails_move import TailsMove
from metaheur.move import DependentMove
from metaheur.representation import Solution

__all__ = ["CutsMove", "place_of"]


@final
@frozen
class CutsMove(DependentMove):
    """Cut behind two places: two lists exchange their tails; one list reverses the items between the places.

    It stands for a `TailsMove` or a `ReversalMove`, which problems know. It is infeasible where nothing would change:
    both tails are empty, or one item is between.

    Parameters
    ----------
    p, q : int
        Places: items, or heads.
    space : Lists
        The representation.
    """

    p: int
    q: int
    space: HasLists = field(repr=False, metadata={"python only": True})

    def resolve(self, x: Solution) -> TailsMove | ReversalMove | None:
        """The move; None where it would change nothing, or a place is an item that is left out."""
        found = [place_of(self.space, x, place) for place in (self.p, self.q)]
        if None in found:
            return None
        (one, p_rank, p_end), (other, q_rank, q_end) = found  # type: ignore[misc]
        if one != other:
            empty = p_end == self.p and q_end == self.q
            return None if empty else TailsMove(self.p, self.q, p_end, q_end)
        p, q = (self.p, self.q) if p_rank < q_rank else (self.q, self.p)
        return ReversalMove(p, int(x[p]), q) if abs(p_rank - q_rank) > 1 else None


def place_of(space: HasLists, x: Solution, place: int) -> tuple[int, int, int] | None:
    """The list of a place, its rank in it, 0 of the head, and the last place of the list; None if it is left out."""
    for k, items in enumerate(space.split(np.asarray(x))):
        ring = [space.items + k, *items]
        if place in ring:
            return k, ring.index(place), ring[-1]
    return None
