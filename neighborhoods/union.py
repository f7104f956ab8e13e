"""Union: the moves of several neighborhoods, in one index range."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any, ClassVar, Self, final

from attrs import field, frozen

from metaheur.errors import InputError
from metaheur.neighborhood import Move, Neighborhood
from metaheur.representation import Representation, Solution

__all__ = ["Union", "UnionMove"]


@final
@frozen
class UnionMove(Move):
    """A move of the first neighborhood of a union, or of those behind it.

    Parameters
    ----------
    which : int
        0 if `first` is the move, 1 if `second` is.
    first, second : Move
        The other one is the move with index 0 of its neighborhood and means nothing.
    """

    which: int
    first: Any
    second: Any

    @property
    def made(self) -> Any:
        """The move itself."""
        return self.second if self.which else self.first

    def apply(self, x: Solution) -> Solution:
        """The solution that the move itself leads to."""
        moved: Solution = self.made.apply(x)
        return moved

    def inverse(self) -> Self:
        """The inverse of the move itself."""
        back = self.made.inverse()
        return type(self)(self.which, self.first if self.which else back, back if self.which else self.second)


@final
@frozen(init=False)
class Union(Neighborhood):
    """The moves of several neighborhoods of one representation, first all of the first, then all of the second, ...

    Parameters
    ----------
    *neighborhoods : Neighborhood
        Two or more; each has at least one move on the representation.

    Notes
    -----
    A move that two of them share is there twice. Three and more are nested: Union(a, b, c) is Union(a, Union(b, c)).
    """

    first: Neighborhood = field()
    second: Neighborhood = field()

    def __init__(self, *neighborhoods: Neighborhood) -> None:
        """Nest the neighborhoods."""
        if len(neighborhoods) < 2:
            raise InputError(
                f"A union has two or more neighborhoods, but {len(neighborhoods)} are given.", "use it by itself."
            )
        for neighborhood in neighborhoods:
            if not isinstance(neighborhood, Neighborhood):
                raise InputError(f"{neighborhood!r} is no Neighborhood.", "pass an instance such as Swap().")
        first, *others = neighborhoods
        self.__attrs_init__(first, others[0] if len(others) == 1 else type(self)(*others))

    source: ClassVar[str] = "union.cuh"

    @property
    def depth(self) -> int:
        """How many unions are nested in this one, itself included."""
        return 1 + max(h.depth if isinstance(h, Union) else 0 for h in (self.first, self.second))

    @property
    def struct_name(self) -> str:
        """The generated struct: one for each depth."""
        return f"Union{self.depth}Data"

    @property
    def cpp_name(self) -> str:
        """The C++ type."""
        return f"Union<{self.struct_name}>"

    def supports(self, representation: Representation) -> bool:
        """What all of them support, with at least one move each."""
        return all(h.supports(representation) and h.size(representation) for h in (self.first, self.second))

    def size(self, representation: Representation) -> int:
        """The sum of the sizes."""
        return self.first.size(representation) + self.second.size(representation)

    def moves(self, representation: Representation) -> Iterator[UnionMove]:
        """All of the first, then all of the second."""
        zero, one = self.first.move(representation, 0), self.second.move(representation, 0)
        return chain(
            (UnionMove(0, move, one) for move in self.first.moves(representation)),
            (UnionMove(1, zero, move) for move in self.second.moves(representation)),
        )

    def move(self, representation: Representation, k: int) -> UnionMove:
        """The move of the first, or the one behind them."""
        size = self.first.size(representation)
        if k < size:
            return UnionMove(0, self.first.move(representation, k), self.second.move(representation, 0))
        return UnionMove(1, self.first.move(representation, 0), self.second.move(representation, k - size))

    def index(self, representation: Representation, move: UnionMove) -> int:
        """The index of the move itself, behind those of the first."""
        if move.which:
            return self.first.size(representation) + self.second.index(representation, move.second)
        return self.first.index(representation, move.first)
