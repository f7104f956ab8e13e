"""Restricted: the moves that make an item and one of its candidates neighbours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Self, final

import numpy as np
from attrs import Attribute, field, frozen

from metaheur.errors import InputError
from metaheur.neighborhood import Move, Neighborhood
from metaheur.problem import Kept, data
from metaheur.representation import Permutation, Representation, Solution

__all__ = ["CandidateMove", "Restricted"]


@final
@frozen
class CandidateMove(Move):
    """Make an item and one of its candidates neighbours; which move that is depends on where both stand.

    Parameters
    ----------
    item, candidate : int
        Items, 0 ... n-1.
    way : int
        Which of the neighborhood's ways to make two items neighbours: see its `joining`.
    neighborhood : Neighborhood
        Whose move it is.
    representation : Representation
        A permutation.
    """

    item: int
    candidate: int
    way: int
    neighborhood: Neighborhood = field(repr=False, metadata={"python only": True})
    representation: Representation = field(repr=False, metadata={"python only": True})

    def within(self, x: Solution) -> Move | None:
        """The move of the neighborhood; None where there is none, as where they are neighbours already."""
        p, q = (int(np.flatnonzero(x == item)[0]) for item in (self.item, self.candidate))
        return self.neighborhood.joining(self.representation, p, q, self.way)

    def apply(self, x: Solution) -> Solution:
        """The solution that the move leads to; a copy where there is none."""
        move = self.within(x)
        return x.copy() if move is None else move.apply(x)

    def inverse(self) -> Self:
        """Refused: what leads back depends on the solution."""
        raise InputError(f"{self!r} is no move without a solution, so it has no inverse.", "use within(x).inverse().")


@final
@frozen(eq=False)
class Restricted(Neighborhood):
    """The moves of a neighborhood of permutations that make an item and one of its candidates neighbours.

    There is an index for each item, each of its candidates, and each of the `ways` in which a move of the neighborhood
    can make two items neighbours: n k ways moves, where all moves would be n**2 or more. An index denotes no move where
    the two are neighbours already or stand where that way is closed; a move may have several indices.

    Parameters
    ----------
    neighborhood : Neighborhood
        TwoOpt, OrOpt, Insertion, Swap, or another with `joining`.
    candidates : array_like, shape (n, k)
        For each item 0 ... n-1 its candidates, different from each other and from the item: of a tour, say, the k
        nearest cities (`TSP.nearest`).

    Raises
    ------
    InputError
        If the neighborhood joins no items, or the candidates are not as described.

    Notes
    -----
    Candidate lists are those of S. Lin and B. W. Kernighan, "An effective heuristic algorithm for the
    traveling-salesman problem", Operations Research 21, 1973. Beside each walk is kept where the items stand.
    """

    neighborhood: Neighborhood = field()
    candidates: np.ndarray = data("int32", ndim=2)

    source: ClassVar[str] = "restricted.cuh"

    @neighborhood.validator
    def _joins(self, _: Attribute[Any], value: Any) -> None:
        if not isinstance(value, Neighborhood) or not value.ways:
            raise InputError(
                f"Restricted takes moves that make two items neighbours, but {value!r} has none.",
                "use TwoOpt(), OrOpt(), Insertion() or Swap(), or write `ways` and `joining`.",
            )

    def __attrs_post_init__(self) -> None:
        """Refuse candidates that are none."""
        n, k = self.candidates.shape
        items = np.arange(n)[:, None]
        if not k:
            raise InputError(f"candidates has the shape ({n}, 0): every item has at least one candidate.")
        wrong = (self.candidates < 0) | (self.candidates >= n) | (self.candidates == items)
        if wrong.any():
            i, r = np.argwhere(wrong)[0]
            raise InputError(
                f"candidates[{i}, {r}] is {self.candidates[i, r]}, but candidates of item {i} are other items of "
                f"0 ... {n - 1}."
            )
        ordered = np.sort(self.candidates, axis=1)
        twice = ordered[:, 1:] == ordered[:, :-1]
        if twice.any():
            i, r = np.argwhere(twice)[0]
            raise InputError(f"candidates of item {i} name item {ordered[i, r]} twice.")

    @property
    def struct_name(self) -> str:
        """The generated struct: one for each neighborhood."""
        return f"Restricted{type(self.neighborhood).__name__}Data"

    @property
    def cpp_name(self) -> str:
        """The C++ type."""
        return f"Restricted<{self.struct_name}>"

    @property
    def partial(self) -> bool:
        """Always."""
        return True

    def constants(self, representation: Representation) -> Mapping[str, int]:
        """`ways`."""
        return {"ways": self.neighborhood.ways}

    def state(self, representation: Representation) -> Mapping[str, Kept]:
        """Where the items stand."""
        return {"positions": Kept((representation.length,), "int32")}

    def supports(self, representation: Representation) -> bool:
        """Permutations of as many items as have candidates, which the neighborhood supports."""
        fits = isinstance(representation, Permutation) and representation.length == len(self.candidates)
        return fits and self.neighborhood.supports(representation)

    def size(self, representation: Representation) -> int:
        """N k ways; 0 where the neighborhood is empty."""
        return self.candidates.size * self.neighborhood.ways if self.neighborhood.size(representation) else 0

    def moves(self, representation: Representation) -> Iterator[CandidateMove]:
        """Item by item, candidate by candidate, way by way."""
        return (self.move(representation, k) for k in range(self.size(representation)))

    def move(self, representation: Representation, k: int) -> CandidateMove:
        """Quotients and remainders by the numbers of ways and of candidates."""
        size = self.size(representation)
        if not 0 <= k < size:
            raise InputError(
                f"{k} is no index of {type(self).__name__} on {representation!r}: it has {size} moves, "
                f"0 ... {size - 1}."
            )
        place, way = divmod(int(k), self.neighborhood.ways)
        item, rank = divmod(place, self.candidates.shape[1])
        return CandidateMove(item, int(self.candidates[item, rank]), way, self.neighborhood, representation)

    def index(self, representation: Representation, move: CandidateMove) -> int:
        """The place of the candidate among those of the item."""
        known = 0 <= move.item < len(self.candidates) and 0 <= move.way < self.neighborhood.ways
        ranks: list[int] = np.flatnonzero(self.candidates[move.item] == move.candidate).tolist() if known else []
        if not ranks:
            raise InputError(f"{move!r} is no move of Restricted on {representation!r}: no such candidate, or way.")
        place: int = move.item * self.candidates.shape[1] + ranks[0]
        return place * self.neighborhood.ways + move.way
