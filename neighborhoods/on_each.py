"""On each: the moves of a neighborhood in each copy of a repeated space."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, final

import numpy as np
from attrs import Attribute, evolve, fields, frozen

from metaheur.component import Component, components_of
from metaheur.errors import InputError
from metaheur.move import Move
from metaheur.neighborhood import Neighborhood, foreign, neighborhood_field, numbered
from metaheur.neighborhoods.hamming import FlipMove
from metaheur.neighborhoods.insertion import Insertion, InsertionMove
from metaheur.neighborhoods.substitution import SubstitutionMove
from metaheur.neighborhoods.swap import Swap, SwapMove
from metaheur.representation import Representation

__all__ = ["OnEach"]

_KINDS = (SwapMove, InsertionMove, SubstitutionMove, FlipMove)
"""The moves that are made of positions, which can be those of a copy."""


@final
@frozen
class OnEach(Neighborhood):
    """The moves of a neighborhood in each copy of `Repeated(copies, space)`: the first copy's, then the second's, ...

    Index c size + k is move k of copy c. The moves are those of the neighborhood, with positions in the whole solution,
    so that formulas for them serve here, too.

    Parameters
    ----------
    neighborhood : Neighborhood
        Of the space of a copy: `Swap`, `Insertion`, `Interchange`, `Substitution`, `Hamming` or one of the same moves.
    """

    neighborhood: Neighborhood = neighborhood_field(steady=True)

    source: ClassVar[str] = "on_each.cuh"

    @neighborhood.validator
    def _has_positions(self, _: Attribute[Any], value: Any) -> None:
        inner = [each for _, each in components_of(value) if isinstance(each, Neighborhood)]
        inner = [] if inner in ([Swap()], [Insertion()]) else inner  # of one that numbers its moves as these do
        keeps = type(value).state is not Component.state
        if inner or keeps or not value.move_types or not set(value.move_types) <= set(_KINDS):
            raise InputError(
                f"OnEach takes moves of positions, such as swaps and substitutions, but not those of {value!r}.",
                "join several by Union(OnEach(Swap()), OnEach(Insertion())).",
            )

    def inner_space(self, name: str, representation: Representation) -> Representation:
        """The space of a copy."""
        return _copy(representation)

    @property
    def writes(self) -> int | None:
        """As many positions as the moves of the neighborhood."""
        return self.neighborhood.writes

    @property
    def move_types(self) -> tuple[type[Move], ...]:
        """The classes of moves of the neighborhood."""
        return self.neighborhood.move_types

    @property
    def partial(self) -> bool:
        """Whether a move of the neighborhood may be infeasible."""
        return self.neighborhood.partial

    def supports(self, representation: Representation) -> bool:
        """Repeated spaces that the neighborhood supports."""
        if not hasattr(representation, "copies"):
            return False
        return self.neighborhood.supports(_copy(representation))

    def constants(self, representation: Representation) -> Mapping[str, int]:
        """`copies`, and `width`, the length of a copy."""
        space = _copy(representation)
        return {"copies": representation.length // space.length, "width": space.length}

    def size(self, representation: Representation) -> int:
        """The number of copies times the moves of one."""
        space = _copy(representation)
        return representation.length // space.length * self.neighborhood.size(space)

    def moves(self, representation: Representation) -> Iterator[Any]:
        """The moves of each copy, copy by copy."""
        space = _copy(representation)
        begins = range(0, representation.length, space.length)
        return (_shifted(move, begin) for begin in begins for move in self.neighborhood.moves(space))

    def move(self, representation: Representation, k: int) -> Any:
        """Quotient and remainder by the moves of a copy."""
        space = _copy(representation)
        copy, inner = divmod(numbered(self, representation, k), self.neighborhood.size(space))
        return _shifted(self.neighborhood.move(space, inner), copy * space.length)

    def index(self, representation: Representation, move: Any) -> int:
        """The moves of the copies before, and the index in the copy."""
        space = _copy(representation)
        places = [place for name in _PLACES if hasattr(move, name) for place in np.atleast_1d(getattr(move, name))]
        copies = {int(place) // space.length for place in places}
        if len(copies) != 1 or not 0 <= min(copies) < representation.length // space.length:
            raise foreign(self, representation, move, "its positions lie in one copy")
        copy = min(copies)
        inner = self.neighborhood.index(space, _shifted(move, -copy * space.length))
        return copy * self.neighborhood.size(space) + inner

    def batch(self, representation: Representation, indices: np.ndarray) -> Any:
        """The moves of many indices at once, where the neighborhood makes many."""
        space = _copy(representation)
        copies, inner = np.divmod(np.asarray(indices, np.int64), max(1, self.neighborhood.size(space)))
        moves = self.neighborhood.batch(space, inner)
        return moves if moves is NotImplemented else _shifted(moves, copies * space.length)


_PLACES = ("i", "j", "at")
"""The fields of moves that are positions."""


def _shifted(move: Any, by: Any) -> Any:
    """The same move at positions that are so much higher."""
    names = (each.name for each in fields(type(move)) if each.name in _PLACES)
    return evolve(move, **{name: _higher(getattr(move, name), by) for name in names})


def _higher(place: Any, by: Any) -> Any:
    return tuple(each + by for each in place) if isinstance(place, tuple) else place + by


def _copy(representation: Representation) -> Representation:
    """The space of a copy."""
    space: Representation = representation.space  # type: ignore[attr-defined]
    return space
