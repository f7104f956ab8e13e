"""KindMemory: a value must not return to positions of a kind; moves to equivalent solutions are never made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final, final

import numpy as np
from attrs import field, frozen

from metaheur.errors import InputError
from metaheur.fields import COUNT, Array, data
from metaheur.move import Move
from metaheur.neighborhood import Neighborhood
from metaheur.part import Kept
from metaheur.parts.kinds import require_kinds, require_kinds_of
from metaheur.parts.memory.memory import TenureMemory, tells
from metaheur.parts.memory.tenure import AnyTenure, Tenure, require_tenure
from metaheur.random import Random
from metaheur.representation import Representation, Solution

__all__ = ["KindMemory"]

WITHOUT_END: Final = 2**62
"""The expiry of a move that is always forbidden: the last number that counts iterations."""


@final
@frozen(eq=False)
class KindMemory(TenureMemory):
    """A move is forbidden if each value that it takes to positions of another kind left that kind within its tenure.

    Positions of one kind can exchange their values without a change of meaning or cost: interchangeable facilities of a
    quadratic assignment problem, for example. A move that only makes such exchanges is always forbidden. Its change of
    cost is 0, better than that of any worsening move, so tabu search would make it instead of leaving a local optimum.
    Solutions are permutations.

    Parameters
    ----------
    kinds : array_like, shape (n,)
        The kind of each position, 0 ... n - 1: `QAP.kinds`.
    tenure : Tenure or ReactiveTenure, default Tenure(0.9, 1.1)
        For how many iterations a value must not return to positions of a kind that it left; each value draws its own
        tenure.

    Raises
    ------
    InputError
        If the kinds are not such numbers; in a run, if there are more or fewer kinds than positions, or if solutions
        are not permutations.

    Notes
    -----
    `PlacementMemory` is the case in which no two positions are of one kind. The memory keeps a table of the number of
    kinds times the number of values.
    """

    kinds: np.ndarray = data("int32", ndim=1)
    tenure: AnyTenure = field(factory=Tenure, validator=require_tenure)

    source: ClassVar[str] = "kind_memory.cuh"
    local: ClassVar[bool] = True

    def __attrs_post_init__(self) -> None:
        """Refuse kinds that are not numbered."""
        require_kinds("KindMemory.kinds", self.kinds)

    def require(self, neighborhood: Neighborhood) -> None:
        """Refuse a neighborhood whose moves do not tell all values that they write.

        Raises
        ------
        InputError
            If the moves do not tell all values that they write.
        """
        complete = all(kind.departures is Move.departures for kind in neighborhood.move_types)
        if not tells(neighborhood, "placements") or not complete:
            raise InputError(
                f"KindMemory needs moves that tell all values that they write, but those of {neighborhood!r} do not.",
                "use Swap(), or SolutionMemory() for any moves.",
            )

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`expiries`, int64 of shape (kinds, values).

        Raises
        ------
        InputError
            If there are more or fewer kinds than positions, or if solutions are not permutations.
        """
        if not representation.arranges:
            raise InputError(
                f"KindMemory needs solutions in which each value has one position, but has {representation!r}.",
                "use PlacementMemory() or SolutionMemory().",
            )
        require_kinds_of(representation.length, "KindMemory.kinds", self.kinds)
        return {"expiries": Array((self._count, representation.values), "int64", within=COUNT)}

    def expiry(self, kept: Kept, x: Solution, move: Any) -> Any:
        """The least expiry of the values that come to another kind; 2**62 if there are none."""
        least: Any = WITHOUT_END
        for number, comes in self.gains(kept, x, move):
            least = np.minimum(least, np.where(comes, kept["expiries"].take(number), WITHOUT_END))
        return least

    def remember(self, kept: Kept, x: Solution, move: Any, random: Random) -> None:
        """Each value that leaves a kind must not return for a tenure of its own."""
        after = self._paired(move.placements(x))
        for draw, (kind, value) in enumerate(self._paired(move.departures(x))):
            if not _among(after, kind, value):
                kept["expiries"][kind, value] = self.last(kept, x, random, draw)

    def attributes(self, representation: Representation) -> int:
        """One for each kind and value."""
        return self._count * representation.values

    def gains(self, kept: Kept, x: Solution, move: Any) -> tuple[tuple[Any, Any], ...]:
        """The values that come to a kind."""
        values, before = np.int64(kept["expiries"].shape[1]), self._paired(move.departures(x))
        after = self._paired(move.placements(x))
        return tuple((kind * values + value, np.logical_not(_among(before, kind, value))) for kind, value in after)

    @property
    def _count(self) -> int:
        """The number of kinds."""
        return int(self.kinds.max()) + 1

    def _paired(self, places: tuple[tuple[Any, Any], ...]) -> list[tuple[Any, Any]]:
        """The kinds of positions, with the values there."""
        return [(self.kinds.take(position), value) for position, value in places]


def _among(pairs: list[tuple[Any, Any]], kind: Any, value: Any) -> Any:
    """Whether a value at a kind is among some pairs."""
    found: Any = False
    for other, there in pairs:
        found |= (kind == other) & (value == there)
    return found
