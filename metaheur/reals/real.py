"""Real: vectors of real numbers, each on a grid of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from math import ceil, floor, frexp, isfinite, ldexp
from typing import TYPE_CHECKING, Any, ClassVar, final

import numpy as np
from attrs import field, frozen

from metaheur.component import Representation, Solution
from metaheur.errors import InputError
from metaheur.random import Key, Random
from metaheur.reals.real_vector import RealVector
from metaheur.representation import hamming, uniform, uniform_starts
from metaheur.validate import whole_field

if TYPE_CHECKING:
    from metaheur.neighborhood import Neighborhood
    from metaheur.parts import Crossover

__all__ = ["Real"]


def _bound(value: Any) -> float | tuple[float, ...]:
    """A bound as a float, or one for each entry."""
    array = np.asarray(value, np.float64)
    return float(array) if array.ndim == 0 else tuple(array.ravel().tolist())


def _bound_field() -> Any:
    """Declare an attrs field that holds a bound, or one for each entry."""
    return field(converter=_bound, metadata={"python only": True})


@final
@frozen
class Real(Representation):
    """Vectors of n real numbers between bounds, each a multiple of its *quantum*, a power of two.

    Entry k is a whole number, 0 ... `domain(k)` - 1, and stands for the real number ``quanta[k] * (firsts[k] +
    entry)``, which is exact in double precision. So moves lead back exactly, and equality, hashes, archives and
    checkpoints mean what they mean for whole numbers. Both bounds are on the grid, or less than a quantum beyond it; so
    is every whole multiple of the quantum, such as 0.

    A solution that a problem or a user gets has ``x.value(k)``, and ``x.reals`` for all numbers at once. In a
    `Composite` these belong to the part: ``x.place.value(k)``. Compiled methods read ``x.value(k)``, too.

    Parameters
    ----------
    n : int
        Number of entries, 1 ... 2**31 - 1.
    low, high : float, or sequence of float
        The bounds, of all entries or of each; low < high.
    bits : int, default 31
        The quantum is the smallest power of two by which fewer than 2**bits numbers lie between the bounds, 2 ... 31.
    """

    n: int = whole_field(1, 2**31 - 1, metadata={"python only": True})
    low: float | tuple[float, ...] = _bound_field()
    high: float | tuple[float, ...] = _bound_field()
    bits: int = whole_field(2, 31, default=31, metadata={"python only": True})

    source: ClassVar[str] = "real.cuh"
    dtype: ClassVar[np.dtype[Any]] = np.dtype(np.int32)
    independent: ClassVar[bool] = True

    def __attrs_post_init__(self) -> None:
        """Refuse bounds that are not numbers, not in order, or so close that there is only one number."""
        for name, bound in (("low", self.low), ("high", self.high)):
            if isinstance(bound, tuple) and len(bound) != self.n:
                raise InputError(
                    f"`Real.{name}` has {len(bound)} bounds, but there are {self.n} entries.",
                    "give one number for all entries, or one for each.",
                )
        for k, (low, high) in enumerate(self._bounds):
            if not (isfinite(low) and isfinite(high) and low < high):
                raise InputError(
                    f"The bounds of entry {k} of a Real must be finite numbers in order, but are {low} and {high}.",
                    "write Real(n, low, high) with low < high.",
                )
        self._grids  # noqa: B018 - which refuses bounds that are too close

    @property
    def _bounds(self) -> Sequence[tuple[float, float]]:
        """The bounds of each entry; of the first alone, if all have the same ones."""
        lows = self.low if isinstance(self.low, tuple) else (self.low,)
        highs = self.high if isinstance(self.high, tuple) else (self.high,)
        count = max(len(lows), len(highs))
        return list(zip(lows * (count // len(lows)), highs * (count // len(highs)), strict=True))

    @cached_property
    def _grids(self) -> Sequence[tuple[float, int, int]]:
        """Quantum, first multiple and number of values of each entry; of the first alone, if all are the same."""
        return [_grid(low, high, self.bits) for low, high in self._bounds]

    def _each(self, place: int, dtype: type) -> np.ndarray:
        """One of the numbers of `_grids`, for each entry; read-only."""
        found: np.ndarray = np.array([grid[place] for grid in self._grids], dtype)
        return np.broadcast_to(found, (self.n,)) if len(found) == 1 else found

    @cached_property
    def quanta(self) -> np.ndarray:
        """The distance between neighboring numbers of each entry, a power of two; float64 array of shape (n,)."""
        return self._each(0, np.float64)

    @cached_property
    def firsts(self) -> np.ndarray:
        """The lowest number of each entry, in quanta: whole numbers; float64 array of shape (n,)."""
        return self._each(1, np.float64)

    @cached_property
    def domains(self) -> np.ndarray:
        """How many numbers each entry can be; int64 array of shape (n,)."""
        return self._each(2, np.int64)

    @property
    def length(self) -> int:
        """Number of entries: n."""
        return self.n

    @property
    def values(self) -> int:
        """Number of values of the entry that has most."""
        return max(grid[2] for grid in self._grids)

    @property
    def exchanges(self) -> bool:
        """Whether all entries have the same numbers, so that any two may trade them."""
        return len(set(self._grids)) == 1

    def domain(self, k: int) -> int:
        """How many numbers entry k can be."""
        return self._grids[k if len(self._grids) > 1 else 0][2]

    def view(self, x: Solution) -> RealVector:
        """The same array, or many arrays a row each, whose entries can be read as real numbers."""
        return RealVector.of(x, self)

    def value(self, k: int, entry: int) -> float:
        """The real number that an entry k stands for."""
        quantum, first, _ = self._grids[k if len(self._grids) > 1 else 0]
        return quantum * (first + int(entry))

    def decode(self, x: Any) -> np.ndarray:
        """The real numbers of a solution, or of many.

        Parameters
        ----------
        x : array_like of int, shape (n,) or (m, n)
            A solution, or a solution a row.

        Returns
        -------
        numpy.ndarray of float64
            Of the same shape.
        """
        found: np.ndarray = self.quanta * (self.firsts + np.asarray(x))
        return found

    def encode(self, reals: Any) -> RealVector:
        """The solution nearest to real numbers: its `decode` is their nearest numbers on the grids.

        Parameters
        ----------
        reals : array_like of float, shape (n,)
            The real numbers; one beyond a bound becomes the nearest number within.

        Raises
        ------
        InputError
            If there are more or fewer than n, or one is not a number.
        """
        array = np.asarray(reals, np.float64)
        if array.shape != (self.n,) or np.isnan(array).any():
            raise InputError(
                f"`Real.encode` takes {self.n} real numbers, but is given {array.shape} of them, or one that is NaN."
            )
        entries = np.clip(np.rint(array / self.quanta) - self.firsts, 0, self.domains - 1)
        found = self.validate(entries)
        assert isinstance(found, RealVector)
        return found

    def neighborhoods(self) -> tuple[Neighborhood, ...]:
        """What is tried first: steps by powers of two; any other value, where an entry has few."""
        from metaheur.neighborhoods.substitution import Substitution
        from metaheur.reals.steps import Steps

        fewest = min(grid[2] for grid in self._grids)
        return (Steps.ladder(min(28, fewest.bit_length() - 2)) if fewest > 7 else Substitution(),)

    def crossover(self) -> Crossover:
        """`SimulatedBinary`, which is tried first on real numbers."""
        from metaheur.reals.simulated_binary import SimulatedBinary

        return SimulatedBinary()

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        """`domains`: how many numbers each entry can be."""
        return {"domains": self.domains.astype(np.int32)}

    def random(self, random: Random) -> Solution:
        """Draw one of the vectors: entry i is `random.integer(i, 0, domain(i) - 1)`; int32 array of shape (n,)."""
        return uniform(random, self.n, self.domains.astype(np.uint64)).astype(self.dtype)

    def starts(self, keys: Sequence[Key]) -> np.ndarray:
        """The random starts of many walks, drawn side by side; int32 array of shape (W, n)."""
        return uniform_starts(keys, self.n, self.domains.astype(np.uint64), self.dtype)

    def violation(self, x: Solution) -> str:
        """The first position whose entry is not in its domain, in words, or ""."""
        entries = np.asarray(x)
        wrong = np.flatnonzero((entries < 0) | (entries >= self.domains))
        if not wrong.size:
            return ""
        k = int(wrong[0])
        return f"position {k} holds {entries[k]}, but its values are 0 ... {self.domain(k) - 1}."

    def distance(self, x: Solution, y: Solution) -> int:
        """Hamming distance: the number of positions where x and y differ, which is the fewest steps of any length."""
        return hamming(np.asarray(x), np.asarray(y))


def _grid(low: float, high: float, bits: int) -> tuple[float, int, int]:
    """The quantum between two bounds, the first multiple of it, and the number of multiples."""
    power = max(
        (frexp(high - low)[1] - 1 if isfinite(high - low) else 1024) - bits,
        frexp(max(abs(low), abs(high)))[1] - 53,
        -1022,
    )
    while True:
        quantum = ldexp(1.0, power)
        first, last = ceil(low / quantum), floor(high / quantum)
        if last - first + 1 < 2**bits:
            break
        power += 1
    if last <= first:
        raise InputError(
            f"Between {low} and {high} there is at most one multiple of {quantum}.", "use more bits, or wider bounds."
        )
    return quantum, first, last - first + 1
