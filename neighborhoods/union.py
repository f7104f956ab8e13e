"""Union: the moves of several neighborhoods, in one index range."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Self, final

from attrs import field, frozen

from metaheur.errors import InputError
from metaheur.neighborhood import Move, Neighborhood
from metaheur.neighborhoods.sampled import Sampled
from metaheur.representation import Representation, Solution

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

    def within(self, x: Solution) -> Move | None:
        """What the move itself is in the solution: never a UnionMove."""
        made: Move | None = self.move.within(x)
        return made

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
        If fewer than two are given, one is no neighborhood, or one is a `Sampled`.

    Notes
    -----
    A move that two of them share is there twice. Three and more are nested: Union(a, b, c) is Union(a, Union(b, c)),
    and so is Union(Union(a, b), c). The moves write different numbers of positions, so that `writes` is None.
    """

    first: Neighborhood = field()
    second: Neighborhood = field()

    def __init__(self, *neighborhoods: Neighborhood) -> None:
        """Nest the neighborhoods, each of them in those behind it."""
        if len(neighborhoods) < 2:
            raise InputError(
                f"A union has two or more neighborhoods, but {len(neighborhoods)} are given.", "use it by itself."
            )
        for neighborhood in neighborhoods:
            if not isinstance(neighborhood, Neighborhood):
                raise InputError(f"{neighborhood!r} is no Neighborhood.", "pass an instance such as Swap().")
            if isinstance(neighborhood, Sampled):
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
    def depth(self) -> int:
        """How many unions are nested in this one, itself included."""
        return 1 + (self.second.depth if isinstance(self.second, Union) else 0)

    @property
    def struct_name(self) -> str:
        """The generated struct: one for each depth."""
        return f"Union{self.depth}Data"

    @property
    def cpp_name(self) -> str:
        """The C++ type."""
        return f"Union<{self.struct_name}>"

    @property
    def partial(self) -> bool:
        """Whether one of them is."""
        return self.first.partial or self.second.partial

    def supports(self, representation: Representation) -> bool:
        """What all of them support."""
        return self.first.supports(representation) and self.second.supports(representation)

    def size(self, representation: Representation) -> int:
        """The sum of the sizes."""
        size = self.first.size(representation) + self.second.size(representation)
        if size >= 2**63:
            raise InputError(f"{self!r} on {representation!r} has {size} moves, beyond 64 bits (2**63 - 1).")
        return size

    def moves(self, representation: Representation) -> Iterator[UnionMove]:
        """All of the first, then all of the second."""
        for which, neighborhood in enumerate((self.first, self.second)):
            yield from (UnionMove(which, move) for move in neighborhood.moves(representation))

    def move(self, representation: Representation, k: int) -> UnionMove:
        """The move of the first, or the one behind them."""
        size = self.size(representation)
        if not 0 <= k < size:
            raise InputError(f"{k} is no index of Union on {representation!r}: it has {size} moves, 0 ... {size - 1}.")
        before = self.first.size(representation)
        if k < before:
            return UnionMove(0, self.first.move(representation, k))
        return UnionMove(1, self.second.move(representation, k - before))

    def index(self, representation: Representation, move: UnionMove) -> int:
        """The index of the move itself, behind those of the first."""
        if not isinstance(move, UnionMove):
            raise InputError(f"{move!r} is no move of {self!r}.", "wrap it in a UnionMove.")
        if move.which:
            return self.first.size(representation) + self.second.index(representation, move.move)
        return self.first.index(representation, move.move)


def _parts_of(neighborhood: Neighborhood) -> tuple[Neighborhood, ...]:
    """The neighborhoods of a union, in order; a neighborhood that is none by itself."""
    if isinstance(neighborhood, Union):
        return (neighborhood.first, *_parts_of(neighborhood.second))
    return (neighborhood,)
