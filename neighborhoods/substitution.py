"""Substitution: give one position of a vector another value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Self, final

import numpy as np
from attrs import frozen

from metaheur.move import Move
from metaheur.neighborhood import Neighborhood, foreign, numbered
from metaheur.representation import Representation, Solution, is_uniform
from metaheur.source import Source, piece

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

    Where entries have different numbers of values, as in `Domains`, k - 1 and n become the sum of all k_a - 1, and the
    moves of a position follow those of the positions before it.

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
        """Entries that do not depend on each other, such as discrete vectors and domains."""
        return representation.independent

    def source_on(self, representation: Representation) -> Source | None:
        """Another half where entries have different numbers of values."""
        return None if is_uniform(representation) else piece("neighborhoods/substitution_of_domains.cuh")

    def constants(self, representation: Representation) -> Mapping[str, int]:
        """`k`, the number of values of an entry, or of the entry that has most."""
        return {"k": representation.values}

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        """`ends`, where entries have different numbers of values: the number of moves up to each position."""
        return {} if is_uniform(representation) else {"ends": _ends(representation)}

    def size(self, representation: Representation) -> int:
        """(k - 1) n, or the sum of all k_a - 1."""
        if not is_uniform(representation):
            return int(_ends(representation)[-1])
        return (representation.values - 1) * representation.length

    def groups(self, representation: Representation) -> int:
        """One for each position."""
        return representation.length

    def group(self, representation: Representation, g: int) -> range:
        """The other values of position g."""
        if not is_uniform(representation):
            end = int(_ends(representation)[g])
            return range(end - representation.domain(g) + 1, end)
        width = representation.values - 1
        return range(width * g, width * (g + 1))

    def towards(self, representation: Representation, x: Solution, guide: Solution, at: int) -> SubstitutionMove | None:
        """The shift by the difference of both values."""
        values = representation.domain(at)
        shift = (int(guide[at]) - int(x[at])) % values
        return SubstitutionMove(at, shift, values) if shift else None

    def moves(self, representation: Representation) -> Iterator[SubstitutionMove]:
        """Every position, and for each every shift 1 ... k - 1."""
        domains = ((at, representation.domain(at)) for at in range(representation.length))
        return (SubstitutionMove(at, shift, k) for at, k in domains for shift in range(1, k))

    def move(self, representation: Representation, k: int) -> SubstitutionMove:
        """Quotient and remainder by the number of shifts; or the position at which the sum of shifts exceeds k."""
        if not is_uniform(representation):
            many = self.batch(representation, np.array([numbered(self, representation, k)]))
            return SubstitutionMove(*(int(each[0]) for each in (many.at, many.shift, many.values)))
        values = representation.values
        at, shift = divmod(numbered(self, representation, k), values - 1)
        return SubstitutionMove(at, shift + 1, values)

    def index(self, representation: Representation, move: SubstitutionMove) -> int:
        """(k - 1) at + shift - 1."""
        n = representation.length
        k = representation.domain(int(move.at)) if 0 <= move.at < n else representation.values
        if not (0 <= move.at < n and 0 < move.shift < k and move.values == k):
            raise foreign(self, representation, move, f"0 <= at < {n}, 0 < shift < {k} and values = {k}")
        first = self.group(representation, int(move.at)).start
        return first + int(move.shift) - 1

    def batch(self, representation: Representation, indices: np.ndarray) -> SubstitutionMove:
        """The moves of many indices at once."""
        if not is_uniform(representation):
            ends, k = _ends(representation), np.asarray(indices, dtype=np.int64)
            at = np.searchsorted(ends, k, side="right")
            shifts = np.diff(ends, prepend=0)[at]
            return SubstitutionMove(at, k - ends[at] + shifts + 1, shifts + 1)
        values = representation.values
        at, shift = np.divmod(np.asarray(indices, dtype=np.int64), values - 1)
        return SubstitutionMove(at, shift + 1, np.full_like(at, values))


def _ends(representation: Representation) -> np.ndarray:
    """The number of moves up to each position; int64 array of shape (n,)."""
    return np.cumsum([representation.domain(k) - 1 for k in range(representation.length)], dtype=np.int64)
