"""The plain representations: bit strings, vectors of digits, permutations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Self, final

import numpy as np
from attrs import frozen

from metaheur.component import Representation, Solution
from metaheur.random import START, Key, Random, philox4x32_array
from metaheur.validate import whole_field

__all__ = [
    "BitString",
    "DiscreteVector",
    "NamedParts",
    "Permutation",
    "Representation",
    "Solution",
    "SolutionView",
    "is_cyclic",
    "is_uniform",
    "named",
    "places_of",
    "read_only",
    "uniform_words",
]

_LONGEST = 2**31 - 1


def read_only(array: np.ndarray) -> np.ndarray:
    """A view of an array that functions of users can read but not write."""
    view = array.view()
    view.flags.writeable = False
    return view


class SolutionView(np.ndarray[Any, np.dtype[Any]]):
    """A solution, or a solution a row, that is read as its space says; `space` is None for what is cut out of one."""

    space: Any = None

    @classmethod
    def of(cls, x: Any, space: Any) -> Self:
        """A view of an array of entries, shape (n,) or (m, n)."""
        view = np.asarray(x).view(cls)
        view.space = space
        return view

    def __array_finalize__(self, source: Any) -> None:
        """Give copies and rows their space."""
        whole = getattr(source, "shape", ())[-1:] == self.shape[-1:]
        self.space = getattr(source, "space", None) if whole else None

    def __reduce__(self) -> Any:
        """Copies for other processes keep the space."""
        return type(self).of, (np.asarray(self), self.space)


class NamedParts(SolutionView):
    """A solution of a `Composite`, or a solution a row, whose parts are attributes: views as their spaces read them."""

    def __getattr__(self, name: str) -> np.ndarray:
        """A part by its name."""
        places = places_of(self.__dict__.get("space"))
        if name not in places:
            raise AttributeError(f"a solution has no part called {name!r}, only {', '.join(places) or 'entries'}")
        part: np.ndarray = self.space.parts[name].view(np.asarray(self)[..., places[name]])
        return part


def places_of(space: Representation | None) -> Mapping[str, slice]:
    """Where the named parts of solutions lie; empty for a representation without parts."""
    return getattr(space, "places", {})


def named(space: Representation, x: Solution) -> Solution:
    """A solution, or a solution a row, as Python reads it: the array itself if nothing in it has a name."""
    return space.view(x) if isinstance(x, np.ndarray) else x


def uniform(random: Random, n: int, k: Any) -> np.ndarray:
    """`random.integer(i, 0, k - 1)` for each draw i in 0 ... n - 1, at once; k may be an array."""
    counter = np.empty((n, 4), np.uint32)
    counter[:, 0] = np.arange(n)
    counter[:, 1:] = random.stream, random.iteration & 0xFFFFFFFF, random.iteration >> 32
    bits = philox4x32_array(counter, np.array((random.key.seed, random.key.walk), np.uint32))[:, 0]
    drawn: np.ndarray = (bits.astype(np.uint64) * np.uint64(k)) >> np.uint64(32)
    return drawn


ROWS = 1 << 22
"""The number of random words that are drawn at once for many starts, to save memory."""


def uniform_words(keys: Sequence[Key], n: int) -> Iterator[np.ndarray]:
    """The random words 0 ... n - 1 of many starts, a few starts at a time; uint64 arrays of shape (rows, n)."""
    words = np.array([(key.seed, key.walk) for key in keys], np.uint32).reshape(-1, 1, 2)
    counter = np.zeros((1, n, 4), np.uint32)
    counter[0, :, 0], counter[0, :, 1] = np.arange(n), START
    rows = max(1, ROWS // n)
    for first in range(0, len(words), rows):
        yield philox4x32_array(counter, words[first : first + rows])[..., 0].astype(np.uint64)


def uniform_starts(keys: Sequence[Key], n: int, k: Any, dtype: np.dtype[Any]) -> np.ndarray:
    rows = [(bits * np.uint64(k) >> np.uint64(32)).astype(dtype) for bits in uniform_words(keys, n)]
    return np.concatenate(rows) if rows else np.zeros((0, n), dtype)


def shuffled_starts(keys: Sequence[Key], n: int) -> np.ndarray:
    """`Random.permutation` of many keys: a row each, all shuffled at the same time."""
    found = []
    for bits in uniform_words(keys, n):
        partners = (bits * np.arange(1, n + 1, dtype=np.uint64) >> np.uint64(32)).astype(np.int64).T.copy()
        walks = np.arange(len(bits))
        order = np.repeat(np.arange(n, dtype=np.int32)[:, None], len(bits), axis=1)
        for i in range(n - 1, 0, -1):
            other = order[partners[i], walks]
            order[partners[i], walks] = order[i]
            order[i] = other
        found.append(np.ascontiguousarray(order.T))
    return np.concatenate(found) if found else np.zeros((0, n), np.int32)


def hamming(x: Solution, y: Solution) -> int:
    return int(np.count_nonzero(np.asarray(x) != np.asarray(y)))


def outside(x: Solution, k: int) -> str:
    wrong = (x < 0) | (x >= k)
    if not wrong.any():
        return ""
    i = int(np.argmax(wrong))
    return f"position {i} holds {x[i]}, but the values are 0 ... {k - 1}."


@frozen
class _Vectors(Representation):
    """Vectors of n entries, each one of the values 0 ... values - 1, whatever the others are."""

    n: int = whole_field(1, _LONGEST)

    independent: ClassVar[bool] = True
    exchanges: ClassVar[bool] = True

    @property
    def length(self) -> int:
        """Number of entries: n."""
        return self.n

    def random(self, random: Random) -> Solution:
        """Draw one of the vectors: entry i is `random.integer(i, 0, values - 1)`; array of shape (n,)."""
        return uniform(random, self.n, self.values).astype(self.dtype)

    def starts(self, keys: Sequence[Key]) -> np.ndarray:
        """The random starts of many walks, drawn side by side; array of shape (W, n)."""
        return uniform_starts(keys, self.n, self.values, self.dtype)

    def violation(self, x: Solution) -> str:
        """The first position whose value is out of range, in words, or ""."""
        return outside(x, self.values)

    def distance(self, x: Solution, y: Solution) -> int:
        """Hamming distance: the number of positions where x and y differ, which is the fewest changes of an entry."""
        return hamming(x, y)


@final
@frozen
class BitString(_Vectors):
    """Strings of n bits, each 0 or 1; a bit is stored in a byte.

    Parameters
    ----------
    n : int
        Number of bits, 1 ... 2**31 - 1.
    """

    source: ClassVar[str] = "representations/bit_string.cuh"
    dtype: ClassVar[np.dtype[Any]] = np.dtype(np.uint8)

    @property
    def values(self) -> int:
        """Number of values of an entry: 2."""
        return 2


@final
@frozen
class DiscreteVector(_Vectors):
    """Vectors of n entries, each one of the k values 0 ... k-1.

    Parameters
    ----------
    n : int
        Number of entries, 1 ... 2**31 - 1.
    k : int
        Number of values of each entry, 2 ... 2**31 - 1.
    """

    k: int = whole_field(2, _LONGEST, maybe="leave out entries that have no choice.")

    source: ClassVar[str] = "representations/discrete_vector.cuh"

    @property
    def values(self) -> int:
        """Number of values of an entry: k."""
        return self.k


@final
@frozen
class Permutation(Representation):
    """Arrangements of 0 ... n-1.

    Parameters
    ----------
    n : int
        Number of items, 1 ... 2**31 - 1.
    cyclic : bool, default False
        Whether rotations and reversals are the same solution, as in a tour; neighborhoods then leave out the moves
        that give the same tour.
    """

    n: int = whole_field(1, _LONGEST)
    cyclic: bool = False

    source: ClassVar[str] = "representations/permutation.cuh"
    arranges: ClassVar[bool] = True
    exchanges: ClassVar[bool] = True

    @property
    def length(self) -> int:
        """Number of entries: n."""
        return self.n

    @property
    def values(self) -> int:
        """Number of values of an entry: n."""
        return self.n

    def random(self, random: Random) -> Solution:
        """Draw one of the n! permutations by Fisher and Yates' shuffle; int32 array of shape (n,)."""
        return random.permutation(self.n)

    def starts(self, keys: Sequence[Key]) -> np.ndarray:
        """The random starts of many walks, drawn side by side; int32 array of shape (W, n)."""
        return shuffled_starts(keys, self.n)

    def violation(self, x: Solution) -> str:
        """The first position that is out of range or repeats an item, in words, or ""."""
        outside = (x < 0) | (x >= self.n)
        if outside.any():
            k = int(np.argmax(outside))
            return f"position {k} holds {x[k]}, but the items are 0 ... {self.n - 1}."
        count = np.bincount(x, minlength=self.n)
        if (count != 1).any():
            item = int(np.argmax(count > 1))
            first, second = np.flatnonzero(x == item)[:2]
            return f"positions {first} and {second} both hold {item}, and {int(np.argmax(count == 0))} is missing."
        return ""

    def distance(self, x: Solution, y: Solution) -> int:
        """Swap distance: the fewest swaps of two entries that turn x into y, 0 ... n - 1.

        It is n minus the number of cycles of the permutation that sends x[i] to y[i] (A. Cayley, "Note on the theory of
        permutations", 1849), also for cyclic permutations: a rotation of a tour has a positive distance to the tour.
        See `bond_distance`.
        """
        jump = np.empty(self.n, dtype=np.int64)
        jump[x] = y
        smallest = np.arange(self.n)  # of the items reached from each item so far
        for _ in range(self.n.bit_length()):
            np.minimum(smallest, smallest[jump], out=smallest)
            jump = jump[jump]
        return self.n - int(np.count_nonzero(smallest == np.arange(self.n)))

    def bond_distance(self, x: Solution, y: Solution) -> int:
        """Bond distance: the number of adjacencies of x that are not in y.

        Two items are adjacent if they stand beside each other, in either order; in a cyclic permutation the last and
        the first are adjacent too. So rotating or reversing a tour does not change its distance.

        Parameters
        ----------
        x, y : numpy.ndarray, shape (n,)
            Solutions.

        Returns
        -------
        int
            In 0 ... n - 1, or 0 ... n for cyclic permutations.

        Notes
        -----
        K. D. Boese, A. B. Kahng and S. Muddu, "A new adaptive multi-start technique for combinatorial global
        optimizations", Operations Research Letters 16, 1994.
        """
        place = np.empty(self.n, dtype=np.int64)
        place[y] = np.arange(self.n)
        there = place[x]
        apart = np.abs(there - np.roll(there, -1)) if self.cyclic else np.abs(np.diff(there))
        near = apart <= 1
        if self.cyclic:
            near |= apart == self.n - 1
        return int(np.count_nonzero(~near))


def is_cyclic(representation: Representation) -> bool:
    """Whether rotations and reversals of a solution are the same solution: a cyclic permutation."""
    return representation.arranges and representation.cyclic


def is_uniform(representation: Representation) -> bool:
    """Whether the entries do not depend on each other, and all have the same values."""
    space = representation
    same = type(space).domain is Representation.domain  # then all entries have all values
    return space.independent and (same or all(space.domain(k) == space.values for k in range(space.length)))
