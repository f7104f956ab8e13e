"""ArcMemory: two items that trade their order must not trade it back for a while."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, final

import numpy as np
from attrs import field, frozen

from metaheur.errors import InputError
from metaheur.fields import COUNT, Array
from metaheur.neighborhood import Neighborhood
from metaheur.neighborhoods.insertion import InsertionMove
from metaheur.neighborhoods.swap import SwapMove
from metaheur.part import Kept
from metaheur.parts.memory.memory import TenureMemory
from metaheur.parts.memory.tenure import AnyTenure, Tenure, require_tenure
from metaheur.random import Random
from metaheur.representation import Representation, Solution, is_cyclic

__all__ = ["ArcMemory"]


@final
@frozen
class ArcMemory(TenureMemory):
    """A move is forbidden if it turns an arc back: two items that traded their order within the tenure of that trade.

    An insertion turns the arcs between an item and all that it passes; a swap those between both items, and between
    each of them and the items that lie between them. Solutions are permutations, or `Repeated` ones, such as the jobs
    on each machine; an arc then joins two items of one copy.

    Parameters
    ----------
    tenure : Tenure or ReactiveTenure, default Tenure(0.9, 1.1)
        For how many iterations an arc must not be turned back; each move draws one tenure for all of its arcs.

    Notes
    -----
    M. Dell'Amico and M. Trubian, "Applying tabu search to the job-shop scheduling problem", Annals of Operations
    Research 41, 1993; E. Nowicki and C. Smutnicki, "A fast taboo search algorithm for the job shop problem", Management
    Science 42, 1996. The memory keeps an iteration for each ordered pair of items, in each copy.
    """

    tenure: AnyTenure = field(factory=Tenure, validator=require_tenure)

    source: ClassVar[str] = "arc_memory.cuh"

    def require(self, neighborhood: Neighborhood) -> None:
        """Refuse a neighborhood of other moves than insertions and swaps.

        Raises
        ------
        InputError
            If it has other moves.
        """
        kinds = neighborhood.move_types
        if not kinds or not all(issubclass(kind, InsertionMove | SwapMove) for kind in kinds):
            raise InputError(
                f"ArcMemory knows which items insertions and swaps turn round, but {neighborhood!r} has other moves.",
                "use EdgeMemory(), or SolutionMemory() for any moves.",
            )

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`expiries`, int64 of shape (length, items): until when an item of a copy must not come before another one.

        Raises
        ------
        InputError
            If solutions are not permutations or copies of them, or are cyclic.
        """
        space = _copy(representation)
        if not space.arranges or is_cyclic(space):
            raise InputError(
                f"ArcMemory remembers which item comes first, but solutions are of {representation!r}.",
                "use EdgeMemory() for tours, PlacementMemory() for others.",
            )
        return {"expiries": Array((representation.length, space.length), "int64", within=COUNT)}

    def constants(self, representation: Representation) -> Mapping[str, int]:
        """`width`, the number of items of a copy."""
        return {"width": _copy(representation).length}

    def expiry(self, kept: Kept, x: Solution, move: Any) -> Any:
        """The largest expiry of the arcs that the move would turn back; 0 if none was turned."""
        n = kept["expiries"].shape[1]
        rows, table = np.asarray(x).reshape(-1, n), kept["expiries"].reshape(-1, n, n)
        turned = table[np.arange(len(rows))[:, None, None], rows[:, None, :], rows[:, :, None]]
        turned = np.triu(turned, 1)  # of places p < q: until when the item at q must not come before the one at p
        first = np.maximum.accumulate(turned, axis=2)  # the item at p, and all up to q
        last = np.maximum.accumulate(turned[:, ::-1], axis=1)[:, ::-1]  # the item at q, and all from p on
        (copy, low), high = np.divmod(np.minimum(move.i, move.j), n), np.maximum(move.i, move.j) % n
        first, last = first[copy, low, high], last[copy, low, high]
        if isinstance(move, SwapMove):
            return np.maximum(first, last)[()]
        return np.where(np.less(move.i, move.j), first, last)[()]

    def remember(self, kept: Kept, x: Solution, move: Any, random: Random) -> None:
        """The items that trade their order must not trade it again within a tenure."""
        expiries, until, items = kept["expiries"], self.last(kept, x, random), np.asarray(x)
        (low, high), swap = sorted((int(move.i), int(move.j))), isinstance(move, SwapMove)
        base = low - low % expiries.shape[1]
        if swap or move.i < move.j:
            expiries[base + items[low], items[low + 1 : high + 1]] = until
        if swap or move.i > move.j:
            expiries[base + items[low:high], items[high]] = until


def _copy(representation: Representation) -> Representation:
    """The space of a copy; the representation itself if it has none."""
    space: Representation = getattr(representation, "space", representation)
    return space
