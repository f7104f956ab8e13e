"""How a solution is written down: its array, its random draw, its validity and its distances."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, final

import numpy as np
from attrs import field, frozen

from metaheur.errors import InputError
from metaheur.random import Random

__all__ = ["Permutation", "Representation", "Solution"]

Solution = np.ndarray[Any, np.dtype[Any]]
"""A solution: a one-dimensional array as its Representation describes it."""


class Representation(ABC):
    """The space of solutions: which arrays are solutions, and how far apart they are.

    Attributes
    ----------
    n : int
        Number of entries of a solution.
    dtype : numpy.dtype
        Type of the entries in NumPy.
    device_type : str
        Type of the entries in C++.
    """

    dtype: ClassVar[np.dtype[Any]]
    device_type: ClassVar[str]

    @property
    @abstractmethod
    def length(self) -> int:
        """Number of entries of a solution."""

    @property
    @abstractmethod
    def values(self) -> int:
        """Number of values that an entry can take: the entries lie in 0 ... values - 1."""

    @abstractmethod
    def random(self, random: Random) -> Solution:
        """Draw a solution, each with the same probability; array of shape (length,)."""

    @abstractmethod
    def offence(self, x: Solution) -> str:
        """The first reason why an integer array of the right shape is no solution, or "" if it is one."""

    @abstractmethod
    def distance(self, x: Solution, y: Solution) -> int:
        """Number of elementary changes between two solutions."""

    def validate(self, x: Any) -> Solution:
        """Return x as a read-only solution of one's own.

        Parameters
        ----------
        x : array_like, shape (length,)
            What is to be a solution.

        Returns
        -------
        numpy.ndarray
            A read-only copy with the representation's dtype.

        Raises
        ------
        InputError
            If x has another shape, entries that are not whole numbers, or is no solution.
        """
        array = np.asarray(x)
        if array.shape != (self.length,):
            raise InputError(
                f"A solution of {self!r} has the shape ({self.length},), but this one has {array.shape}.",
                "it belongs to another instance.",
            )
        if array.dtype.kind not in "iub" and not (array.dtype.kind == "f" and bool((array == np.floor(array)).all())):
            raise InputError(
                f"A solution of {self!r} is made of whole numbers, but this one has entries of type {array.dtype}.",
                "convert it with numpy.asarray(x, dtype=int).",
            )
        if array.dtype.kind == "f" or array.dtype.itemsize > self.dtype.itemsize:
            outside = (array < np.iinfo(self.dtype).min) | (array > np.iinfo(self.dtype).max)
            if outside.any():
                k = int(np.argmax(outside))
                raise InputError(f"Entry {k} of the solution is {array[k]}, beyond the values of {self!r}.")
        solution = np.array(array, dtype=self.dtype)
        reason = self.offence(solution)
        if reason:
            raise InputError(f"This is no solution of {self!r}: {reason}", "it counts from 1 where 0 is meant.")
        solution.flags.writeable = False
        return solution


def _positive(_: Any, attribute: Any, value: Any) -> None:
    if not isinstance(value, int | np.integer) or isinstance(value, bool) or not 1 <= value < 2**31:
        raise InputError(
            f"{attribute.name} is the length of a solution, a whole number in 1 ... 2**31 - 1, but it is {value!r}."
        )


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

    n: int = field(validator=_positive)
    cyclic: bool = False

    dtype: ClassVar[np.dtype[Any]] = np.dtype(np.int32)
    device_type: ClassVar[str] = "int"

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

    def offence(self, x: Solution) -> str:
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
        """Swap distance: the fewest swaps that turn x into y, n minus the cycles of y o x^-1."""
        step = np.empty(self.n, dtype=np.int64)
        step[x] = y
        seen = np.zeros(self.n, dtype=bool)
        cycles = 0
        for start in range(self.n):
            if not seen[start]:
                cycles += 1
                item = start
                while not seen[item]:
                    seen[item] = True
                    item = int(step[item])
        return self.n - cycles
