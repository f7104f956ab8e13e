"""Union: the moves of several neighborhoods, in one index range."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Self, final

from attrs import field, frozen

from metaheur.errors import InputError
from metaheur.move import Move
from metaheur.neighborhood import Neighborhood, foreign, numbered, resamples
from metaheur.neighborhoods.on import On
from metaheur.representation import Representation, Solution
from metaheur.tours.edges import trades_edges
from metaheur.tours.tour import Exchange, Tour

__all__ = ["Union", "UnionMove"]


@final
@frozen
class UnionMove(Move):
    """A move of the first neighborhood of a union, or of those behind it.

    Parameters
    ----------
    which : int
        0 if the move is one of the first neighborhood, 1 if it is one of those behind it.
    move : Move
        The move there; again a UnionMove where several neighborhoods are behind the first.
    """

    which: int
    move: Any

    def resolve(self, x: Solution) -> Move | None:
        """What the move itself stands for in the solution: never a UnionMove."""
        found: Move | None = self.move.resolve(x)
        return found

    def apply(self, x: Solution) -> Solution:
        """The solution that the move itself leads to, shape (n,)."""
        moved: Solution = self.move.apply(x)
        return moved

    def inverse(self) -> Self:
        """The inverse of the move itself, in the same neighborhood."""
        return type(self)(self.which, self.move.inverse())


@final
@frozen(init=False)
class Union(Neighborhood):
    """The moves of several neighborhoods of one representation, first all of the first, then all of the second, ...

    Parameters
    ----------
    *neighborhoods : Neighborhood
        Two or more; some may be empty. A union among them stands for its neighborhoods.

    Raises
    ------
    InputError
        If fewer than two are given, one is not a neighborhood, or one is a `Sampled`.

    Notes
    -----
    A move that two of them share is there twice. Three and more are nested: Union(a, b, c) is Union(a, Union(b, c)),
    and so is Union(Union(a, b), c). The moves write different numbers of positions, so that `writes` is None.
    """

    left: Neighborhood = field()
    right: Neighborhood = field()

    def __init__(self, *neighborhoods: Neighborhood) -> None:
        """Nest the neighborhoods, each of them in those behind it."""
        if len(neighborhoods) < 2:
            raise InputError(
                f"A union has two or more neighborhoods, but {len(neighborhoods)} are given.", "use it by itself."
            )
        for neighborhood in neighborhoods:
            if not isinstance(neighborhood, Neighborhood):
                raise InputError(
                    f"A union is made of neighborhoods, but {neighborhood!r} is given.",
                    "pass an instance such as Swap().",
                )
            if resamples(neighborhood):
                raise InputError(
                    f"A union has the same moves in every step, but {neighborhood!r} has others in each.",
                    "sample the union: Sampled(Union(...), count).",
                )
        first, *others = (part for each in neighborhoods for part in _parts_of(each))
        self.__attrs_init__(first, others[0] if len(others) == 1 else type(self)(*others))

    source: ClassVar[str] = "union.cuh"

    def __repr__(self) -> str:
        """As it is written: `Union(a, b, c)`."""
        return f"Union({', '.join(map(repr, _parts_of(self)))})"

    @property
    def move_types(self) -> tuple[type[Move], ...]:
        """The classes of moves of both neighborhoods; () if one of the neighborhoods does not list its own."""
        left, right = self.left.move_types, self.right.move_types
        return (*left, *right) if left and right else ()

    @property
    def partial(self) -> bool:
        """Whether a move of one of the neighborhoods may be infeasible."""
        return self.left.partial or self.right.partial

    @property
    def trades_edges(self) -> bool:
        """Whether both neighborhoods exchange edges of a tour."""
        return trades_edges(self.left) and trades_edges(self.right)

    def exchanges(self, tour: Tour, item: int) -> Iterator[Exchange]:
        """The exchanges of the first neighborhood, then the exchanges of the second."""
        for each in (self.left, self.right):
            if not trades_edges(each):
                raise InputError(f"{each!r} exchanges no edges of a tour.", "use TwoOpt(), OrOpt() and ThreeOpt().")
            yield from each.exchanges(tour, item)

    @property
    def relinks(self) -> bool:
        """Whether it joins moves of different parts, each of which lead from any part to any other."""
        parts = [each.part if isinstance(each, On) and each.relinks else "" for each in _parts_of(self)]
        return all(parts) and len(set(parts)) == len(parts)

    def towards(self, representation: Representation, x: Solution, guide: Solution, at: int) -> UnionMove | None:
        """The move of the neighborhood of the part with the position; see `On.towards`."""
        for which, each in enumerate((self.left, self.right)):
            found = each.towards(representation, x, guide, at)  # type: ignore[attr-defined]
            if found is not None:
                return UnionMove(which, found)
        return None

    def supports(self, representation: Representation) -> bool:
        """What all of the neighborhoods support."""
        return self.left.supports(representation) and self.right.supports(representation)

    def size(self, representation: Representation) -> int:
        """The sum of the sizes of the neighborhoods."""
        size = self.left.size(representation) + self.right.size(representation)
        if size >= 2**63:
            raise InputError(f"{self!r} on {representation!r} has {size} moves, beyond 64 bits (2**63 - 1).")
        return size

    def moves(self, representation: Representation) -> Iterator[UnionMove]:
        """All of the first, then all of the second."""
        for which, neighborhood in enumerate((self.left, self.right)):
            yield from (UnionMove(which, move) for move in neighborhood.moves(representation))

    def move(self, representation: Representation, k: int) -> UnionMove:
        """The move of the first, or the one behind them."""
        k = numbered(self, representation, k)
        before = self.left.size(representation)
        if k < before:
            return UnionMove(0, self.left.move(representation, k))
        return UnionMove(1, self.right.move(representation, k - before))

    def index(self, representation: Representation, move: UnionMove) -> int:
        """The index of the move in its own neighborhood, plus the size of the first if the move is of the second."""
        if not isinstance(move, UnionMove):
            raise foreign(self, representation, move, "its moves are UnionMoves", "wrap it in a UnionMove.")
        if move.which:
            return self.left.size(representation) + self.right.index(representation, move.move)
        return self.left.index(representation, move.move)


def _parts_of(neighborhood: Neighborhood) -> tuple[Neighborhood, ...]:
    """The neighborhoods of a union, in order; another neighborhood by itself."""
    if isinstance(neighborhood, Union):
        return (neighborhood.left, *_parts_of(neighborhood.right))
    return (neighborhood,)
