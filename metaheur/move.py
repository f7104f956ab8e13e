"""A move: one change of a solution."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.representation import Representation, Solution, is_cyclic

if TYPE_CHECKING:
    from metaheur.source import Source

__all__ = ["DependentMove", "Edges", "Move", "WholeRing"]


@final
@frozen
class WholeRing:
    """The positions of a permutation as places in a ring; or, if it is not cyclic, as places between two borders.

    `n`: number of items. `cyclic`: whether the last item is beside the first. Otherwise both are beside the border, the
    place n.
    """

    n: int
    cyclic: bool

    @classmethod
    def of(cls, representation: Representation) -> Self:
        """The ring of a permutation."""
        return cls(representation.length, is_cyclic(representation))

    def place(self, p: Any) -> Any:
        """The place, in 0 ... n, of a position in -1 ... 2 n - 1; arrays entry by entry."""
        if self.cyclic:
            return p % self.n
        return np.where((np.asarray(p) < 0) | (np.asarray(p) >= self.n), self.n, p)[()]


@final
@frozen
class Edges:
    """Which places of a ring a move joins and parts: pairs of places of the solution before the move.

    A pair that is both joined and parted has no meaning, and a pair of a place with itself has none either.

    `joined`, `parted`: places as `WholeRing.place` returns them; ints, or arrays for many moves.
    """

    joined: tuple[tuple[Any, Any], ...]
    parted: tuple[tuple[Any, Any], ...]


class Move(ABC):
    """A small frozen value: one change of a solution, the same name in C++.

    A move's fields are integers; or integer arrays of one shape, and then the value stands for that many moves.

    Attributes
    ----------
    source : str, pathlib.Path, Source or None
        The C++ struct of the same name, as in `Component`; None for the moves that metaheur ships, which every unit
        knows. If a problem's C++ half mentions a move class of your own, list the class in `Problem.moves`.
    unsigned : tuple of str
        Names of fields that are never negative, so that compiled methods index with them as they are.
    """

    source: ClassVar[str | Path | Source | None] = None
    unsigned: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def apply(self, x: Solution) -> Solution:
        """The solution that the move leads to.

        Parameters
        ----------
        x : numpy.ndarray, shape (n,)
            The solution before the move; it is not written.

        Returns
        -------
        numpy.ndarray
            A new array of shape (n,); or (m, n), a row for each move, where the fields are arrays of m moves.
        """

    @abstractmethod
    def inverse(self) -> Self:
        """The move that leads back."""

    def resolve(self, x: Solution) -> Move | None:
        """The move that problems know: this move, unless it stands for another one in `x`, as in a union.

        Parameters
        ----------
        x : numpy.ndarray, shape (n,)
            The solution.

        Returns
        -------
        Move or None
            None if the move is infeasible in this solution: see `Neighborhood.partial`.
        """
        return self

    def placements(self, x: Solution) -> tuple[tuple[Any, Any], ...]:
        """The (position, value) pairs that the move would write into x, in the order of the C++ half.

        Only for moves that write a fixed number of positions: see `Neighborhood.writes`.
        """
        raise InputError(
            f"{type(self).__name__} does not write a fixed number of positions, so it has no placements.",
            "use a memory that does not ask for them.",
        )

    def departures(self, x: Solution) -> tuple[tuple[Any, Any], ...]:
        """The (position, value) pairs that the move undoes, as many as `placements`; a memory may forbid their return.

        By default the positions of the placements, with the values that x has there.
        """
        return tuple((position, x[position]) for position, _ in self.placements(x))

    def edges(self, ring: WholeRing) -> Edges:
        """The neighbors that the move joins and parts, in the order of the C++ half; for moves of permutations.

        Only for moves that change a fixed number of neighbors, or fewer.
        """
        raise InputError(
            f"{type(self).__name__} does not say which neighbors it joins and parts, so it has no edges.",
            "use a memory that does not ask for them.",
        )

    @classmethod
    def tells(cls, attribute: str) -> bool:
        """Whether moves of the class have `placements`, or `edges`."""
        return getattr(cls, attribute) is not getattr(Move, attribute)


class DependentMove(Move):
    """A move that stands for another one, which depends on the solution: see `resolve`."""

    @abstractmethod
    def resolve(self, x: Solution) -> Move | None:
        """The move that it stands for; None if it is infeasible in this solution."""

    def apply(self, x: Solution) -> Solution:
        """The solution that the move leads to, shape (n,); a copy of x if the move is infeasible."""
        move = self.resolve(x)
        return x.copy() if move is None else move.apply(x)

    def inverse(self) -> Self:
        """Refused by default, since the move that leads back depends on the solution."""
        raise InputError(f"{self!r} depends on the solution, and so does its inverse.", "use resolve(x).inverse().")


def blocks(ring: WholeRing, begin: Any, middle: Any, end: Any, kind: Any) -> Edges:
    """The edges of a move that reverses or exchanges the blocks begin ... middle - 1 and middle ... end - 1.

    `begin`, `middle`, `end`: positions, counted around the ring. `kind`: a sum: 1 where the first block is reversed, 2
    where the second is, 4 where they are exchanged.
    """
    first = _turned(begin, middle - 1, kind & 1 != 0)
    second = _turned(middle, end - 1, kind & 2 != 0)
    exchanged = kind & 4 != 0
    (a, b), (c, d) = (
        tuple(np.where(exchanged, right, left)[()] for left, right in zip(one, other, strict=True))
        for one, other in ((first, second), (second, first))
    )
    whole = ring.cyclic & (end - begin == ring.n)  # nothing remains outside: the blocks are each other's neighbors
    joined = ((np.where(whole, d, begin - 1), a), (b, c), (d, np.where(whole, a, end)))
    parted = ((begin - 1, begin), (middle - 1, middle), (end - 1, end))
    return Edges(*(tuple((ring.place(p), ring.place(q)) for p, q in pairs) for pairs in (joined, parted)))


def _turned(begin: Any, end: Any, reverse: Any) -> tuple[Any, Any]:
    return np.where(reverse, end, begin), np.where(reverse, begin, end)
