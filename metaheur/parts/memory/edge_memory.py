"""EdgeMemory: an edge that a move removed must not return for a while."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, final

import numpy as np
from attrs import field, frozen

from metaheur.errors import InputError
from metaheur.fields import COUNT, Array, OneOf
from metaheur.move import Edges, WholeRing
from metaheur.neighborhood import Neighborhood
from metaheur.part import Kept
from metaheur.parts.memory.memory import TenureMemory, tells
from metaheur.parts.memory.tenure import AnyTenure, Tenure, require_tenure
from metaheur.random import Random
from metaheur.representation import Representation, Solution

__all__ = ["EdgeMemory"]

NEVER = 2**62
"""Later than any iteration."""


@final
@frozen
class EdgeMemory(TenureMemory):
    """A move is forbidden if each edge that it adds was removed within the edge's tenure.

    An edge is a pair of neighbors, in either order. In a cyclic permutation, a tour, the last item and the first one
    are neighbors; in other permutations the first and the last item are neighbors of the border.

    Parameters
    ----------
    tenure : Tenure or ReactiveTenure, default Tenure(0.9, 1.1)
        For how many iterations a removed edge must not return; each edge draws its own tenure.
    strict : bool, default False
        Whether one such edge is enough to forbid a move.

    Notes
    -----
    J. Knox, "Tabu search performance on the symmetric traveling salesman problem", Computers & Operations Research 21,
    1994. The memory keeps a table of n times n iterations; where there is a border, one row and column more.
    """

    tenure: AnyTenure = field(factory=Tenure, validator=require_tenure)
    strict: bool = field(default=False, kw_only=True, metadata={"python only": True, "tune": OneOf(False, True)})

    source: ClassVar[str] = "edge_memory.cuh"

    def require(self, neighborhood: Neighborhood) -> None:
        """Refuse a neighborhood whose moves do not tell their `edges`.

        Raises
        ------
        InputError
            If the moves do not tell their edges.
        """
        if not tells(neighborhood, "edges"):
            raise InputError(
                f"EdgeMemory needs moves of permutations that tell which edges they add and remove, but the moves of "
                f"{neighborhood!r} do not.",
                "use SolutionMemory() or MoveMemory(), which take any moves.",
            )

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`expiries`, int64: of each edge, by its smaller and its larger item; the border is the item n."""
        if not representation.arranges:
            raise InputError(
                f"EdgeMemory remembers neighbors in permutations, but solutions are of {representation!r}.",
                "use PlacementMemory().",
            )
        side = representation.length + (not representation.cyclic)
        return {"expiries": Array((side, side), "int64", within=COUNT)}

    def constants(self, representation: Representation) -> Mapping[str, bool]:
        """`cyclic`, and `strict`."""
        return {"cyclic": WholeRing.of(representation).cyclic, "strict": self.strict}

    def expiry(self, kept: Kept, x: Solution, move: Any) -> Any:
        """The smallest expiry among the edges that the move adds, the largest if `strict`; 0 if it adds no edge."""
        edges = move.edges(_ring(kept, x))
        items, found = _items(x), []
        for (p, q), meets in zip(edges.joined, _new(edges.joined, edges.parted), strict=True):
            a, b = items.take(p), items.take(q)
            expiry = kept["expiries"][np.minimum(a, b), np.maximum(a, b)]
            found.append(np.where(meets, expiry, -1 if self.strict else NEVER))
        latest = np.maximum.reduce(found) if self.strict else np.minimum.reduce(found)
        return np.where((latest < 0) | (latest == NEVER), 0, latest)[()]

    def remember(self, kept: Kept, x: Solution, move: Any, random: Random) -> None:
        """Each edge that the move removes must not return for a tenure of its own."""
        edges, items = move.edges(_ring(kept, x)), _items(x)
        for draw, ((p, q), parts) in enumerate(zip(edges.parted, _new(edges.parted, edges.joined), strict=True)):
            if parts:
                a, b = sorted((items[p], items[q]))
                kept["expiries"][a, b] = self.last(kept, x, random, draw)

    def attributes(self, representation: Representation) -> int:
        """The number of pairs of items, the border included."""
        return int((representation.length + 1) ** 2)

    def gains(self, kept: Kept, x: Solution, move: Any) -> tuple[tuple[Any, Any], ...]:
        """The edges that the move adds."""
        edges: Edges = move.edges(_ring(kept, x))
        items = _items(x)
        numbers = []
        for p, q in edges.joined:
            a, b = items.take(p), items.take(q)
            numbers.append(np.minimum(a, b) * (len(x) + 1) + np.maximum(a, b))
        return tuple(zip(numbers, _new(edges.joined, edges.parted), strict=True))


def _ring(kept: Kept, x: Solution) -> WholeRing:
    """The ring of the positions; a table with more than n rows has a border."""
    return WholeRing(len(x), len(kept["expiries"]) == len(x))


def _items(x: Solution) -> Solution:
    """The items by place, and after them the item n, the border."""
    return np.append(x, len(x))


def _new(edges: tuple[tuple[Any, Any], ...], others: tuple[tuple[Any, Any], ...]) -> list[Any]:
    """For each edge whether it is new: not among the others, and between two places; arrays entry by entry."""
    found = []
    for p, q in edges:
        same = np.equal(p, q)
        for r, s in others:
            same |= (np.equal(p, r) & np.equal(q, s)) | (np.equal(p, s) & np.equal(q, r))
        found.append(~same)
    return found
