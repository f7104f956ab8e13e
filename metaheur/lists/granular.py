"""Granular neighborhoods: the moves that bring an item of a list to one of its candidates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Protocol, cast, final, runtime_checkable

import numpy as np
from attrs import Attribute, field, frozen

from metaheur.component import Representation
from metaheur.errors import InputError
from metaheur.fields import Array, data
from metaheur.lists.before import Before
from metaheur.lists.places import HasLists, lists_in
from metaheur.move import DependentMove, Move
from metaheur.neighborhood import Neighborhood
from metaheur.neighborhoods.by_candidates import ByCandidates
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
class GranularMove(DependentMove):
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


@final
@frozen(eq=False)
class Granular(ByCandidates):
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

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`previous`, the place before each place; int32 of shape (n,)."""
        return {"previous": Array((representation.length,), "int32")}

    def supports(self, representation: Representation) -> bool:
        """Lists of as many items as have candidates, which the neighborhood supports."""
        fits = isinstance(representation, HasLists) and lists_in(representation).items == len(self.candidates)
        return fits and self.neighborhood.supports(representation)

    def size(self, representation: Representation) -> int:
        """items * k * `variants`."""
        return int(self.candidates.size) * self.variants

    def bringing(self, representation: Representation, item: int, candidate: int, variant: int) -> GranularMove:
        return GranularMove(item, candidate, variant, cast(BringsNear, self.neighborhood), representation)
