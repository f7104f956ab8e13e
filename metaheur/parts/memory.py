"""Memory: which moves are forbidden, and until when."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, final

import numpy as np
from attrs import field, frozen

from metaheur.device.source import Source
from metaheur.errors import InputError
from metaheur.fields import Array
from metaheur.neighborhood import Neighborhood
from metaheur.parts.part import Kept, Part
from metaheur.parts.tenure import Tenure
from metaheur.random import Random
from metaheur.representation import Representation, Solution

__all__ = ["Memory", "NoMemory", "PlacementMemory"]


class Memory(Part):
    """Forbids moves for a while.

    Attributes
    ----------
    forbids : bool
        Whether it ever forbids a move; where it does not, `expiry` and `remember` are not called.
    """

    facts: ClassVar[tuple[str, ...]] = ("forbids",)
    forbids: ClassVar[bool] = True

    def require(self, neighborhood: Neighborhood) -> None:
        """Refuse a neighborhood whose moves cannot be remembered."""

    @abstractmethod
    def expiry(self, kept: Kept, x: Solution, move: Any) -> Any:
        """The last iteration in which a move is forbidden; arrays for many moves.

        In C++: ``i64 expiry(const Item* x, Move) const``.
        """

    @abstractmethod
    def remember(self, kept: Kept, x: Solution, move: Any, random: Random) -> None:
        """Take note that `move` is made from x in iteration `random.iteration`; writes the kept arrays.

        In C++, called by all threads of a team before the move is made: ``void remember(Team, const Item* x, Move,
        Random) const``.
        """


@final
@frozen
class NoMemory(Memory):
    """Nothing is ever forbidden."""

    source: ClassVar[Source] = Source("struct NoMemory : NoMemoryData {};", "metaheur/parts/no_memory.cuh")
    forbids: ClassVar[bool] = False

    def expiry(self, kept: Kept, x: Solution, move: Any) -> Any:
        return np.zeros(np.shape(move), np.int64)

    def remember(self, kept: Kept, x: Solution, move: Any, random: Random) -> None: ...


@final
@frozen
class PlacementMemory(Memory):
    """A move is forbidden when all the values that it writes stood at those positions within their tenure.

    Parameters
    ----------
    tenure : Tenure, default Tenure(0.9, 1.1)
        For how long a value must not return to a position that it left; each value draws its own.

    Notes
    -----
    Taillard 1991, section 3: a swap is tabu when it would put *both* items back. Kept is a table of n positions times
    the values: the last iteration in which the return is forbidden.
    """

    tenure: Tenure = field(factory=Tenure)

    source: ClassVar[str] = "placement_memory.cuh"

    def require(self, neighborhood: Neighborhood) -> None:
        """Moves must write a fixed number of positions.

        Raises
        ------
        InputError
            If `neighborhood.writes` is None.
        """
        if neighborhood.writes is None:
            raise InputError(
                f"PlacementMemory needs moves that write a fixed number of positions, but those of {neighborhood!r} "
                "do not.",
                "use Swap() or another neighborhood of small moves, or a memory of your own in a Scan.",
            )

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`expiries`, int64 of shape (n, values)."""
        return {"expiries": Array((representation.length, representation.values), "int64")}

    def expiry(self, kept: Kept, x: Solution, move: Any) -> Any:
        """The smallest expiry among the placements that the move would make."""
        expiries = kept["expiries"]
        values = expiries.shape[1]
        first, *others = (expiries.take(position * values + value) for position, value in move.placements(x))
        for other in others:
            first = np.minimum(first, other)
        return first

    def remember(self, kept: Kept, x: Solution, move: Any, random: Random) -> None:
        """Each value that the move displaces must not return for a tenure of its own."""
        for draw, (position, _) in enumerate(move.placements(x)):
            tenure = self.tenure.draw(random.bits(draw), len(x))
            kept["expiries"][position, x[position]] = random.iteration + tenure
