"""Granular neighborhoods: the moves that bring an item of a list to one of its candidates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Protocol, Self, cast, final, runtime_checkable

import numpy as np
from attrs import Attribute, field, frozen

from metaheur.component import Representation
from metaheur.errors import InputError
from metaheur.fields import Array, data
from metaheur.lists.before import Before
from metaheur.lists.places import HasLists, lists_in
from metaheur.move import Move
from metaheur.neighborhood import Neighborhood, foreign, numbered
from metaheur.neighborhoods.restricted import require_candidates
from metaheur.representation import Solution

__all__ = ["BringsNear", "Granular", "GranularMove"]


@runtime_checkable
class BringsNear(Protocol):
    """A neighborhood of lists whose moves can bring two given items together; `Granular` needs one."""

    @property
    def variants(self) -> int:
        """In how many ways a move can bring two items together."""

    def near(self, representation: Representation, item: int, candidate: int, variant: int, before: Before) -> Move:
        """The move that brings an item to a candidate, in one of the ways.

        In C++: ``template <class Before> Move near(int item, int candidate, int variant, Before before) const``.

        `representation`: the lists. `variant`: 0 ... variants - 1. `before`: ``before(place, steps)`` is the place so
        many steps before another one. The move may be infeasible.
        """


@final
@frozen
class GranularMove(Move):
    """Bring an item to one of its candidates; which move that is depends on where both are.

    Parameters
    ----------
    item, candidate : int
        Items.
    variant : int
        In which of the neighborhood's ways: see its `near`.
    neighborhood : Neighborhood
        Whose move it is; it `BringsNear`.
    space : Lists
        The representation.
    """

    item: int
    candidate: int
    variant: int
    neighborhood: BringsNear = field(repr=False, metadata={"python only": True})
    space: Representation = field(repr=False, metadata={"python only": True})

    def resolve(self, x: Solution) -> Move | None:
        """The move of the neighborhood; None if it is infeasible."""
        before, space = Before(x, lists_in(self.space)), self.space
        return self.neighborhood.near(space, self.item, self.candidate, self.variant, before).resolve(x)

    def apply(self, x: Solution) -> Solution:
        """The solution that the move leads to; a copy of x if the move is infeasible."""
        move = self.resolve(x)
        return x.copy() if move is None else move.apply(x)

    def inverse(self) -> Self:
        """Refused, since the move that leads back depends on the solution."""
        raise InputError(f"{self!r} depends on the solution, and so does its inverse.", "use resolve(x).inverse().")


@final
@frozen(eq=False)
class Granular(Neighborhood):
    """The moves of a neighborhood of lists that bring an item to one of its candidates, such as the nearest customers.

    There is an index for each item, each of its candidates and each of the `variants` in which a move can bring two
    items together: items * k * variants moves. No item comes behind the head of a list, so that empty lists stay empty
    unless a move takes them from another neighborhood: ``Union(Granular(...), Relocate(1))``.

    Parameters
    ----------
    neighborhood : Neighborhood
        `Relocate`, `CrossExchange`, `TwoOptStar`, or another one that `BringsNear`.
    candidates : array_like, shape (items, k)
        For each item its candidates, different from each other and from the item.

    Raises
    ------
    InputError
        If the moves do not bring items together, or the candidates are not as described.

    Notes
    -----
    P. Toth and D. Vigo, "The granular tabu search and its application to the vehicle-routing problem", INFORMS Journal
    on Computing 15, 2003. The place before each item is kept beside each walk.
    """

    neighborhood: Neighborhood = field()
    candidates: np.ndarray = data("int32", ndim=2)

    source: ClassVar[str] = "granular.cuh"

    @neighborhood.validator
    def _brings(self, _: Attribute[Any], value: Any) -> None:
        if not isinstance(value, Neighborhood) or not isinstance(value, BringsNear):
            raise InputError(
                f"Granular needs a neighborhood whose moves bring two items of lists together, but {value!r} does not.",
                "use Relocate(), CrossExchange() or TwoOptStar(), or write `variants` and `near`.",
            )

    def __attrs_post_init__(self) -> None:
        """Refuse tables in which an item has no candidates, or some that are not other items, each once."""
        require_candidates(self.candidates)

    @property
    def move_types(self) -> tuple[type[Move], ...]:
        """The classes of moves of the neighborhood."""
        return self.neighborhood.move_types

    @property
    def partial(self) -> bool:
        return True

    @property
    def _brings_near(self) -> BringsNear:
        """The neighborhood, as far as its moves bring items together."""
        return cast(BringsNear, self.neighborhood)

    def constants(self, representation: Representation) -> Mapping[str, int]:
        """`variants` of the neighborhood."""
        return {"variants": self._brings_near.variants}

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`previous`, the place before each place; int32 of shape (n,)."""
        return {"previous": Array((representation.length,), "int32")}

    def supports(self, representation: Representation) -> bool:
        """Lists of as many items as have candidates, which the neighborhood supports."""
        fits = isinstance(representation, HasLists) and lists_in(representation).items == len(self.candidates)
        return fits and self.neighborhood.supports(representation)

    def size(self, representation: Representation) -> int:
        """items * k * `variants`."""
        return int(self.candidates.size) * self._brings_near.variants

    def moves(self, representation: Representation) -> Iterator[GranularMove]:
        """Item by item, candidate by candidate, variant by variant."""
        return (self.move(representation, k) for k in range(self.size(representation)))

    def move(self, representation: Representation, k: int) -> GranularMove:
        """Quotients and remainders by the numbers of variants and of candidates."""
        place, variant = divmod(numbered(self, representation, k), self._brings_near.variants)
        item, rank = divmod(place, self.candidates.shape[1])
        candidate = int(self.candidates[item, rank])
        return GranularMove(item, candidate, variant, self._brings_near, representation)

    def index(self, representation: Representation, move: GranularMove) -> int:
        """The place of the candidate among the candidates of the item."""
        variants = self._brings_near.variants
        known = 0 <= move.item < len(self.candidates) and 0 <= move.variant < variants
        ranks: list[int] = np.flatnonzero(self.candidates[move.item] == move.candidate).tolist() if known else []
        if not ranks:
            raise foreign(self, representation, move, "the item has no such candidate, or there is no such variant")
        place: int = move.item * self.candidates.shape[1] + ranks[0]
        return place * variants + move.variant
