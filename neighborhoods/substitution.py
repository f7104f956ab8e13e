"""Substitution: give one position of a vector another value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Self, final

import numpy as np
from attrs import frozen

from metaheur.move import Move
from metaheur.neighborhood import Neighborhood, foreign, numbered
from metaheur.representation import Representation, Solution, is_uniform

__all__ = ["Substitution", "SubstitutionMove"]


@final
@frozen
class SubstitutionMove(Move):
    """Add a shift to the value at one position, modulo the number of values.

    The move holds a shift, and not the value itself, so that it changes every solution.

    Parameters
    ----------
    at : int
        Position, 0 <= at < n; or an int64 array, which stands for that many moves.
    shift : int
        Added to the value, 0 < shift < values; or an array like `at`.
    values : int
        Number of values of an entry, 2 ... 2**31 - 1; or an array like `at`.
    """

    at: Any
    shift: Any
    values: Any

    unsigned: ClassVar[tuple[str, ...]] = ("at", "shift", "values")

    def apply(self, x: Solution) -> Solution:
        """The vector with the new value, shape (n,), or (m, n) for m moves."""
        if np.ndim(self.at) == 0:
            moved = x.copy()
            moved[self.at] = self.value(x)
            return moved
        moved = np.tile(x, (len(self.at), 1))
        moved[np.arange(len(self.at)), self.at] = self.value(x)
        return moved

    def inverse(self) -> Self:
        """The shift that completes a whole turn."""
        return type(self)(self.at, self.values - self.shift, self.values)

    def placements(self, x: Solution) -> tuple[tuple[Any, Any], ...]:
        """Position `at` receives its new value."""
        return ((self.at, self.value(x)),)

    def value(self, x: Solution) -> Any:
        """The new value of position `at`: (x[at] + shift) mod values, an int64 or an array of them."""
        return np.add(x[self.at], self.shift, dtype=np.int64) % self.values


@final
@frozen
class Substitution(Neighborhood):
    """All ways to give one position of a vector another value: (k - 1) n moves.

    Index (k - 1) at + shift - 1 is the move that adds `shift` to the value at position `at`, modulo k; a group is the
    moves at one position. The numbering does not depend on the solution.
    """

    source: ClassVar[str] = "substitution.cuh"
    grouped: ClassVar[bool] = True

    @property
    def writes(self) -> int:
        """One position."""
        return 1

    @property
    def move_types(self) -> tuple[type[Move], ...]:
        """`SubstitutionMove`."""
        return (SubstitutionMove,)

    def supports(self, representation: Representation) -> bool:
        """Entries that do not depend on each other and have the same values, such as discrete vectors."""
        return is_uniform(representation)

    def constants(self, representation: Representation) -> Mapping[str, int]:
        """`k`, the number of values of an entry."""
        return {"k": representation.values}

    def size(self, representation: Representation) -> int:
        """(k - 1) n."""
        return (representation.values - 1) * representation.length

    def groups(self, representation: Representation) -> int:
        """One for each position."""
        return representation.length

    def group(self, representation: Representation, g: int) -> range:
        """The other values of position g."""
        width = representation.values - 1
        return range(width * g, width * (g + 1))

    def towards(self, representation: Representation, x: Solution, guide: Solution, at: int) -> SubstitutionMove | None:
        """The shift by the difference of both values."""
        shift = (int(guide[at]) - int(x[at])) % representation.values
        return SubstitutionMove(at, shift, representation.values) if shift else None

    def moves(self, representation: Representation) -> Iterator[SubstitutionMove]:
        """Every position, and for each every shift 1 ... k - 1."""
        n, k = representation.length, representation.values
        return (SubstitutionMove(at, shift, k) for at in range(n) for shift in range(1, k))

    def move(self, representation: Representation, k: int) -> SubstitutionMove:
        """Quotient and remainder by the number of shifts."""
        values = representation.values
        at, shift = divmod(numbered(self, representation, k), values - 1)
        return SubstitutionMove(at, shift + 1, values)

    def index(self, representation: Representation, move: SubstitutionMove) -> int:
        """(k - 1) at + shift - 1."""
        n, k = representation.length, representation.values
        if not (0 <= move.at < n and 0 < move.shift < k and move.values == k):
            raise foreign(self, representation, move, f"0 <= at < {n}, 0 < shift < {k} and values = {k}")
        return int(move.at) * (k - 1) + int(move.shift) - 1

    def batch(self, representation: Representation, indices: np.ndarray) -> SubstitutionMove:
        """The moves of many indices at once."""
        values = representation.values
        at, shift = np.divmod(np.asarray(indices, dtype=np.int64), values - 1)
        return SubstitutionMove(at, shift + 1, np.full_like(at, values))
