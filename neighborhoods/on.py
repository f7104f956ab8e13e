"""On: the moves of a neighborhood in one part of composite solutions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Self, final

import numpy as np
from attrs import Attribute, evolve, field, frozen

from metaheur.component import Component, components_of
from metaheur.errors import InputError
from metaheur.move import Move
from metaheur.neighborhood import Neighborhood, foreign, neighborhood_field
from metaheur.neighborhoods.insertion import Insertion
from metaheur.neighborhoods.on_each import OnEach
from metaheur.neighborhoods.swap import Swap
from metaheur.representation import Representation, Solution, places_of

__all__ = ["On", "PartMove", "UnplacedPartMove"]


@frozen
class PartMove(Move):
    """A move of one part of a composite solution; the other parts stay.

    A compiled formula takes the move itself, with positions in the part: ``def delta(self, x, m: Annotated[SwapMove,
    "order"])`` reads ``x.order[m.i]``. In C++ the class is ``PartMove<number of the part, SwapMove>``, with the members
    `first` and `move`.

    Parameters
    ----------
    first : int
        The first entry of the part.
    length : int
        The number of entries of the part.
    part : str
        The name of the part.
    move : Move
        The move; its positions are those in the part.
    """

    first: int
    length: int = field(metadata={"python only": True})
    part: str = field(metadata={"python only": True})
    move: Any

    def _inside(self, x: Solution) -> Solution:
        return np.asarray(x)[self.first : self.first + self.length]

    def resolve(self, x: Solution) -> Move | None:
        """The move that the move itself stands for, in the part; None if it is infeasible there."""
        found = self.move.resolve(self._inside(x))
        return None if found is None else evolve(self, move=found)

    def apply(self, x: Solution) -> Solution:
        """The solution with the part that the move leads to; for many moves a row each."""
        inner = np.asarray(self.move.apply(self._inside(x)))
        moved = np.tile(x, (len(inner), 1)) if inner.ndim == 2 else np.array(x)
        moved[..., self.first : self.first + self.length] = inner
        return moved

    def inverse(self) -> Self:
        """The inverse of the move, in the same part."""
        return evolve(self, move=self.move.inverse())

    def placements(self, x: Solution) -> tuple[tuple[Any, Any], ...]:
        """Those of the move, at the positions of the part."""
        return tuple((self.first + at, value) for at, value in self.move.placements(self._inside(x)))

    def departures(self, x: Solution) -> tuple[tuple[Any, Any], ...]:
        """Those of the move, at the positions of the part."""
        return tuple((self.first + at, value) for at, value in self.move.departures(self._inside(x)))


@final
@frozen
class UnplacedPartMove(PartMove):
    """A move of one part, of a class that does not say which positions it writes."""

    placements = Move.placements
    departures = Move.departures


@final
@frozen
class On(Neighborhood):
    """The moves of a neighborhood in one part of `Composite` solutions, numbered as in the part.

    `Union` joins the moves of several parts: ``Union(On("order", Swap()), On("mode", Substitution()))``.

    Parameters
    ----------
    part : str
        The name of the part.
    neighborhood : Neighborhood
        Of the space of the part, such as `Swap`; not one that is made of others, but `OnEach`.
    """

    part: str = field(metadata={"python only": True})
    neighborhood: Neighborhood = neighborhood_field(steady=True)

    source: ClassVar[str] = "on.cuh"

    @neighborhood.validator
    def _has_moves_of_its_own(self, _: Attribute[Any], value: Any) -> None:
        inner = [each for _, each in components_of(value) if isinstance(each, Neighborhood)]
        inner = [] if inner in ([Swap()], [Insertion()]) else inner  # of one that numbers its moves as these do
        keeps = type(value).state is not Component.state
        if isinstance(value, On) or (inner and not isinstance(value, OnEach)) or keeps:
            raise InputError(
                f"On takes a neighborhood with moves of its own, but {value!r} is made of others, or keeps arrays.",
                "join several by Union(On(...), On(...)); sample by Sampled(On(...), count).",
            )

    def inner_space(self, name: str, representation: Representation) -> Representation:
        """The space of the part."""
        return self._space(representation)

    def _space(self, representation: Representation) -> Representation:
        found: Representation = representation.parts[self.part]  # type: ignore[attr-defined]
        return found

    @property
    def writes(self) -> int | None:
        """As many positions as the moves of the neighborhood."""
        return self.neighborhood.writes

    @property
    def move_types(self) -> tuple[type[Move], ...]:
        """`PartMove`; `UnplacedPartMove` where moves do not say which positions they write; () for unknown ones."""
        kinds = self.neighborhood.move_types
        placed = all(kind.tells("placements") for kind in kinds)
        return () if not kinds else (PartMove,) if placed else (UnplacedPartMove,)

    @property
    def partial(self) -> bool:
        """Whether a move of the neighborhood may be infeasible."""
        return self.neighborhood.partial

    @property
    def relinks(self) -> bool:
        """Whether the moves of the neighborhood lead from any part to any other."""
        return hasattr(self.neighborhood, "towards") and bool(getattr(self.neighborhood, "relinks", True))

    def towards(self, representation: Representation, x: Solution, guide: Solution, at: int) -> PartMove | None:
        """The move of the neighborhood; None for a position of another part."""
        place, inner = places_of(representation)[self.part], self.neighborhood
        if not place.start <= at < place.stop or not hasattr(inner, "towards"):
            return None
        found = inner.towards(self._space(representation), x[place], guide[place], at - place.start)
        return None if found is None else self._lifted(representation, found)

    def supports(self, representation: Representation) -> bool:
        """Solutions with a part of this name that the neighborhood supports."""
        return self.part in places_of(representation) and self.neighborhood.supports(self._space(representation))

    def constants(self, representation: Representation) -> Mapping[str, int]:
        """`offset`, the first entry of the part, and `behind`, the first entry behind it."""
        place = places_of(representation)[self.part]
        return {"offset": place.start, "behind": place.stop}

    def cpp_name(self, representation: Representation) -> str:
        """`On<p>` for part p."""
        return f"On<{list(places_of(representation)).index(self.part)}>"

    def _lifted(self, representation: Representation, move: Any) -> PartMove:
        place = places_of(representation)[self.part]
        kind = PartMove if type(move).tells("placements") else UnplacedPartMove
        return kind(place.start, place.stop - place.start, self.part, move)

    def size(self, representation: Representation) -> int:
        """As many moves as in the part."""
        return self.neighborhood.size(self._space(representation))

    def moves(self, representation: Representation) -> Iterator[PartMove]:
        """The moves of the part."""
        return (self._lifted(representation, each) for each in self.neighborhood.moves(self._space(representation)))

    def move(self, representation: Representation, k: int) -> PartMove:
        """The move of the part with the same index."""
        return self._lifted(representation, self.neighborhood.move(self._space(representation), k))

    def index(self, representation: Representation, move: Any) -> int:
        """The index in the part."""
        if not isinstance(move, PartMove) or move.part != self.part:
            raise foreign(self, representation, move, f"its moves are PartMoves of {self.part}")
        return self.neighborhood.index(self._space(representation), move.move)

    def batch(self, representation: Representation, indices: np.ndarray) -> Any:
        """The moves of many indices at once, where the neighborhood makes many."""
        found = self.neighborhood.batch(self._space(representation), indices)
        return found if found is NotImplemented else self._lifted(representation, found)
