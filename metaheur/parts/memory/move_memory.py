"""MoveMemory: a move that was made, or its inverse, is forbidden for a while."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, final

import numpy as np
from attrs import field, frozen

from metaheur.component import components_of
from metaheur.errors import InputError
from metaheur.fields import COUNT, Array, OneOf
from metaheur.neighborhood import Neighborhood, resamples
from metaheur.part import Kept
from metaheur.parts.memory.memory import TenureMemory
from metaheur.parts.memory.tenure import AnyTenure, Tenure, require_tenure
from metaheur.random import Random
from metaheur.representation import Representation, Solution
from metaheur.validate import whole_field

__all__ = ["MoveMemory"]

INVERTIBLE = ("FlipMove", "SubstitutionMove", "SwapMove", "TwoOptMove", "ThreeOptMove")
"""The classes of moves with an `inverse` in C++ that has an index in the same neighborhood."""


@final
@frozen
class MoveMemory(TenureMemory):
    """Forbids moves by their indices, whatever the solution; moves need no attributes, so any neighborhood fits.

    Parameters
    ----------
    tenure : Tenure or ReactiveTenure, default Tenure(0.9, 1.1)
        For how many iterations a move is forbidden.
    undo : bool, default False
        Whether the inverse of a move is forbidden, instead of the move itself. A swap, a flip and a reversal are their
        own inverses.
    capacity : int, default 2**14
        Moves that are remembered, 1 ... 2**30; a move replaces one whose index is the same modulo this number.

    Notes
    -----
    F. Glover, "Tabu search - part I", ORSA Journal on Computing 1, 1989. The index is that of the search's
    neighborhood; for a candidate list the index is made of the item, its candidate and the variant.
    """

    tenure: AnyTenure = field(factory=Tenure, validator=require_tenure)
    undo: bool = field(default=False, kw_only=True, metadata={"python only": True, "tune": OneOf(False, True)})
    capacity: int = whole_field(1, 2**30, default=2**14, kw_only=True)

    source: ClassVar[str] = "move_memory.cuh"

    @property
    def by_index(self) -> bool:
        """True: moves are known by their indices."""
        return True

    @property
    def reverses(self) -> bool:
        """Whether `undo` is set."""
        return self.undo

    def require(self, neighborhood: Neighborhood) -> None:
        """Refuse a neighborhood with other moves in every step; with `undo`, also moves without a numbered inverse.

        Raises
        ------
        InputError
            If it refuses the neighborhood, which the message names.
        """
        if resamples(neighborhood):
            raise InputError(
                f"MoveMemory remembers the indices of moves, but {neighborhood!r} numbers other moves in every step.",
                "use PlacementMemory(), EdgeMemory() or SolutionMemory().",
            )
        kinds = {kind.__name__ for kind in neighborhood.move_types}
        wraps = any(isinstance(inner, Neighborhood) for _, inner in components_of(neighborhood))
        if self.undo and (wraps or not kinds or not kinds.issubset(INVERTIBLE)):
            raise InputError(
                f"MoveMemory(undo=True) needs moves whose inverses have an index, but {neighborhood!r} has others.",
                f"use MoveMemory(), or a neighborhood of one of {', '.join(INVERTIBLE)}.",
            )

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`moves`: the indices of moves, by their remainders; `expiries`: the last iterations that forbid them."""
        return dict.fromkeys(("moves", "expiries"), Array((self.capacity,), "int64", within=COUNT))

    def expiry(self, kept: Kept, x: Solution, move: Any) -> Any:
        """The expiry of the move's index, 0 if it is not remembered."""
        slot = move % self.capacity
        return np.where(kept["moves"][slot] == move, kept["expiries"][slot], 0)[()]

    def remember(self, kept: Kept, x: Solution, move: Any, random: Random) -> None:
        """Write the index into its place, and draw its expiry."""
        slot = move % self.capacity
        kept["moves"][slot] = move
        kept["expiries"][slot] = self.last(kept, x, random)

    def attributes(self, representation: Representation) -> int:
        """The number of remainders of an index."""
        return self.capacity

    def gains(self, kept: Kept, x: Solution, move: Any) -> tuple[tuple[Any, Any], ...]:
        """The remainder of the index."""
        return ((move % self.capacity, True),)
