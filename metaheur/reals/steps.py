"""Steps: add one of some lengths to one entry, or subtract it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import ldexp
from typing import ClassVar, Self, final

import numpy as np
from attrs import field, frozen

from metaheur.errors import InputError
from metaheur.move import Move
from metaheur.neighborhood import Neighborhood, foreign, numbered
from metaheur.neighborhoods.substitution import SubstitutionMove
from metaheur.reals.deviates import tangent, typical
from metaheur.reals.domains_of import domains_of, floats
from metaheur.reals.elementary import TURN
from metaheur.representation import Representation

__all__ = ["Steps"]


@final
@frozen
class Steps(Neighborhood):
    """One entry becomes larger or smaller by one of S lengths, which are shares of its range: 2 S n moves.

    Index 2 S at + s is the step up by length s of the entry at `at`, index 2 S at + S + s the step down. Each move is
    a `SubstitutionMove`: a step beyond a bound continues from the other one, so that each move can be undone, and
    none is infeasible. Each length is rounded to a whole number of quanta, 1 or more; lengths that become equal are
    set one quantum apart.

    It acts on all entries that do not depend on each other, so on `Real`, and on vectors of whole numbers with more
    than 2 S values.

    Parameters
    ----------
    shares : sequence of float
        The lengths, in ascending order, as shares of the range of an entry, above 0 and below 1/2.

    See Also
    --------
    Steps.normal, Steps.cauchy, Steps.ladder
    """

    shares: tuple[float, ...] = field(converter=floats, metadata={"python only": True})

    source: ClassVar[str] = "steps.cuh"
    grouped: ClassVar[bool] = True

    def __attrs_post_init__(self) -> None:
        """Refuse lengths that are not ascending shares of a range."""
        ascending = bool((np.diff(self.shares) >= 0).all())
        if not (self.shares and ascending and self.shares[0] > 0 and self.shares[-1] < 0.5):
            raise InputError(
                f"`Steps.shares` must be ascending numbers above 0 and below 1/2, but is {self.shares}.",
                "use Steps.normal(0.1), Steps.cauchy(0.01) or Steps.ladder(16).",
            )

    @classmethod
    def normal(cls, deviation: float, count: int = 8) -> Self:
        """Quantiles of a normal distribution: steps as those of Gaussian mutation.

        Parameters
        ----------
        deviation : float
            The standard deviation, as a share of the range of an entry.
        count : int, default 8
            The number of lengths: the quantiles of (2 k + 1) / (2 `count`) of the absolute value.
        """
        quantiles = (typical((2 * k + 1) / (2 * count)) for k in range(count))
        return cls(np.minimum([deviation * each for each in quantiles], _LONGEST))

    @classmethod
    def cauchy(cls, scale: float, count: int = 8) -> Self:
        """Quantiles of a Cauchy distribution: mostly short steps, and a few very long ones.

        Parameters
        ----------
        scale : float
            Half of all steps are at most so long, as a share of the range of an entry.
        count : int, default 8
            The number of lengths, quantiles as in `normal`; the longest is nearly half of the range.
        """
        quantiles = (tangent(0.25 * TURN * ((2 * k + 1) / (2 * count))) for k in range(count))
        return cls(np.minimum([scale * each for each in quantiles], _LONGEST))

    @classmethod
    def ladder(cls, count: int = 16) -> Self:
        """Powers of two: lengths of a quarter of the range, an eighth, and so on.

        Parameters
        ----------
        count : int, default 16
            The number of lengths.
        """
        return cls([ldexp(1.0, -k) for k in range(count + 1, 1, -1)])

    @property
    def writes(self) -> int:
        """One position."""
        return 1

    @property
    def move_types(self) -> tuple[type[Move], ...]:
        """`SubstitutionMove`."""
        return (SubstitutionMove,)

    def supports(self, representation: Representation) -> bool:
        """Entries that do not depend on each other, each with more than 2 S values."""
        space = representation
        return space.independent and all(each > 2 * len(self.shares) for each in set(domains_of(space).tolist()))

    def _lengths(self, representation: Representation) -> np.ndarray:
        """The lengths in quanta, shape (n, S), ascending in each row, and below half the domain."""
        domains, count = domains_of(representation)[:, None], len(self.shares)
        lengths = np.maximum(np.rint(np.array(self.shares) * (domains - 1)).astype(np.int64), 1)
        places = np.arange(count)
        apart = np.maximum.accumulate(lengths - places, axis=1) + places
        return np.minimum(apart, (domains - 1) // 2 - (count - 1 - places))

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        """`lengths`, of each entry, and `domains`, the number of its values."""
        return {
            "lengths": self._lengths(representation).astype(np.int32),
            "domains": domains_of(representation).astype(np.int32),
        }

    def size(self, representation: Representation) -> int:
        """2 S n."""
        return 2 * len(self.shares) * representation.length

    def groups(self, representation: Representation) -> int:
        """One for each entry."""
        return representation.length

    def group(self, representation: Representation, g: int) -> range:
        """The steps of entry g."""
        width = 2 * len(self.shares)
        return range(width * g, width * (g + 1))

    def moves(self, representation: Representation) -> Iterator[SubstitutionMove]:
        """Every entry, and for each the steps up, then the steps down."""
        for at, row in enumerate(self._lengths(representation).tolist()):
            k = representation.domain(at)
            yield from (SubstitutionMove(at, length, k) for length in row)
            yield from (SubstitutionMove(at, k - length, k) for length in row)

    def move(self, representation: Representation, k: int) -> SubstitutionMove:
        """Quotient and remainder by 2 S."""
        many = self.batch(representation, np.array([numbered(self, representation, k)]))
        return SubstitutionMove(*(int(each[0]) for each in (many.at, many.shift, many.values)))

    def index(self, representation: Representation, move: SubstitutionMove) -> int:
        """2 S at + the place of the length."""
        n, count = representation.length, len(self.shares)
        k = representation.domain(int(move.at)) if 0 <= move.at < n else 0
        row = self._lengths(representation)[move.at] if k else np.zeros(0, np.int64)
        up = 0 < move.shift <= k // 2
        found = np.flatnonzero(row == (move.shift if up else k - move.shift))
        if move.values != k or not found.size:
            raise foreign(self, representation, move, f"0 <= at < {n}, and the shift is one of the lengths")
        return 2 * count * int(move.at) + (0 if up else count) + int(found[0])

    def batch(self, representation: Representation, indices: np.ndarray) -> SubstitutionMove:
        """The moves of many indices at once."""
        count = len(self.shares)
        at, s = np.divmod(np.asarray(indices, np.int64), 2 * count)
        length = self._lengths(representation)[at, s % count]
        k = domains_of(representation)[at]
        return SubstitutionMove(at, np.where(s < count, length, k - length), k)


_LONGEST = 0.499
"""The longest step, as a share of the range."""
