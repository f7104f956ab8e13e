"""Hamming: flip a fixed number of bits of a bit string."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import combinations, pairwise
from math import comb
from typing import Any, ClassVar, Self, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.move import Move
from metaheur.neighborhood import Neighborhood, foreign, numbered
from metaheur.representation import Representation, Solution, is_uniform
from metaheur.validate import whole_field

__all__ = ["FlipMove", "Hamming"]

LARGEST_RADIUS = 4


@final
@frozen
class FlipMove(Move):
    """Flip the bits at some positions. In C++ it is `FlipMove<r>`, r the number of positions.

    Parameters
    ----------
    at : tuple of int
        Positions, increasing, in 0 ... n-1; or a tuple of int64 arrays of one shape, which stand for that many moves.

    Examples
    --------
    >>> FlipMove((0, 2)).apply(np.array([0, 0, 1], np.uint8)).tolist()
    [1, 0, 0]
    """

    at: tuple[Any, ...]

    unsigned: ClassVar[tuple[str, ...]] = ("at",)

    def apply(self, x: Solution) -> Solution:
        """The bit string with those bits flipped, shape (n,), or (m, n) for m moves."""
        many = np.ndim(self.at[0]) > 0
        moved = np.tile(x, (len(self.at[0]), 1)) if many else x.copy()
        for position in self.at:
            moved[(np.arange(len(position)), position) if many else position] = 1 - x[position]
        return moved

    def inverse(self) -> Self:
        """The move itself: a flip undoes itself."""
        return self

    def placements(self, x: Solution) -> tuple[tuple[Any, Any], ...]:
        """Each position receives the other bit."""
        return tuple((position, 1 - x[position]) for position in self.at)


@final
@frozen
class Hamming(Neighborhood):
    """All bit strings at one Hamming distance: n choose radius moves, none where n < radius.

    The moves are numbered in lexicographic order of their positions; a group is the moves that share all positions
    but the last, so that Hamming(1) is one group of n moves. Exact wherever the size is below 2**63: n up to 2**31 - 1
    for radius 1 and 2, 3,810,779 for 3 and 121,977 for 4.

    Parameters
    ----------
    radius : int, default 1
        Number of bits that each move flips, 1 ... 4.

    Raises
    ------
    InputError
        If the radius is not as described; by `size` and all that number moves if the size is 2**63 or more.

    Notes
    -----
    Luong, Melab and Talbi 2009, section 4 (radius 1 and 2), and "Large neighborhood local search optimization on
    graphics processing units", 2010 (radius 3). The number of moves behind a move is the sum over its positions p of
    (n - 1 - p choose the number of positions from p on): the combinatorial number system, D. E. Knuth, The Art of
    Computer Programming 4A, section 7.2.1.3. It is undone one position at a time, by roots of polynomials.
    """

    radius: int = whole_field(1, LARGEST_RADIUS, default=1)

    source: ClassVar[str] = "hamming.cuh"

    @property
    def writes(self) -> int:
        """As many positions as the radius."""
        return self.radius

    def cpp_name(self, representation: Representation) -> str:
        """`Hamming<radius>`."""
        return f"Hamming<{self.radius}>"

    @property
    def move_types(self) -> tuple[type[Move], ...]:
        """`FlipMove`."""
        return (FlipMove,)

    def supports(self, representation: Representation) -> bool:
        """Entries that are 0 or 1, whatever the others are: bit strings of any length."""
        return is_uniform(representation) and representation.values == 2

    def size(self, representation: Representation) -> int:
        """The number of ways to choose `radius` of n positions."""
        size = comb(representation.length, self.radius)
        if size >= 2**63:
            raise InputError(
                f"{self!r} on {representation!r} has {size} moves, beyond 64 bits (2**63 - 1).", "use a smaller radius."
            )
        return size

    @property
    def grouped(self) -> bool:
        """Only with radius 1."""
        return self.radius == 1

    def groups(self, representation: Representation) -> int:
        """One group, with radius 1."""
        self._require_single("does not say which moves a group has")
        return 1

    def group(self, representation: Representation, g: int) -> range:
        """All flips, with radius 1."""
        self._require_single("does not say which moves a group has")
        return range(representation.length)

    @property
    def relinks(self) -> bool:
        """Only with radius 1."""
        return self.radius == 1

    def towards(self, representation: Representation, x: Solution, guide: Solution, at: int) -> FlipMove | None:
        """The flip of one bit, with radius 1."""
        self._require_single("has no moves that lead from one solution to another, position by position")
        return None if x[at] == guide[at] else FlipMove((at,))

    def moves(self, representation: Representation) -> Iterator[FlipMove]:
        """Every combination of positions, in lexicographic order."""
        return (FlipMove(at) for at in combinations(range(representation.length), self.radius))

    def move(self, representation: Representation, k: int) -> FlipMove:
        """The k-th combination of positions, by bisection of binomial coefficients."""
        n, size = representation.length, self.size(representation)
        behind, at = size - 1 - numbered(self, representation, k), []
        for free in range(self.radius, 0, -1):
            y = bisect_right(range(n + 1), behind, key=lambda y, free=free: comb(y, free)) - 1  # type: ignore[misc]
            at.append(n - 1 - y)
            behind -= comb(y, free)
        return FlipMove(tuple(at))

    def index(self, representation: Representation, move: FlipMove) -> int:
        """How many combinations stand before the combination of the move."""
        n, at = representation.length, [int(position) for position in move.at]
        increasing = all(i < j for i, j in pairwise(at))
        if len(at) != self.radius or not increasing or at[0] < 0 or at[-1] >= n:
            raise foreign(
                self, representation, move, f"its moves flip {self.radius} increasing positions of 0 ... {n - 1}"
            )
        behind = sum(comb(n - 1 - position, self.radius - c) for c, position in enumerate(at))
        return self.size(representation) - 1 - behind

    def batch(self, representation: Representation, indices: np.ndarray) -> FlipMove:
        """The moves of many indices at once: float roots, corrected until they hold the index."""
        n = representation.length
        behind, at = self.size(representation) - 1 - np.asarray(indices, dtype=np.int64), []
        for free in range(self.radius, 0, -1):
            y = _largest(behind, free)
            at.append(n - 1 - y)
            behind = behind - _binomial(y, free)
        return FlipMove(tuple(at))

    def _require_single(self, why: str) -> None:
        if self.radius != 1:
            raise InputError(f"{self!r} {why}.", "use Hamming(1).")


def _binomial(n: np.ndarray, k: int) -> np.ndarray:
    """The binomial coefficient, without overflow on the way: each step divides before it multiplies."""
    chosen = np.ones_like(n)
    for d in range(1, k + 1):
        whole, rest = np.divmod(chosen, d)
        chosen = whole * (n - d + 1) + rest * (n - d + 1) // d
    return chosen


def _largest(rank: np.ndarray, k: int) -> np.ndarray:
    """The largest y whose binomial coefficient (y choose k) does not exceed the rank."""
    if k == 1:
        return rank
    v = rank.astype(np.float64)
    root = (0.5 + np.sqrt(0.25 + 2 * v), 1 + np.cbrt(6 * v), 1.5 + np.sqrt(1.25 + np.sqrt(24 * v + 1)))[k - 2]
    y = root.astype(np.int64)
    y -= _binomial(y, k) > rank
    y += _binomial(y + 1, k) <= rank
    return y
