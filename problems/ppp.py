"""The permuted perceptron problem."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar, Self, final

import numpy as np
from attrs import field, frozen

from metaheur.errors import InputError
from metaheur.neighborhoods.hamming import FlipMove
from metaheur.problem import Kept, Problem, data
from metaheur.representation import BitString, Solution

__all__ = ["PPP"]

MARGIN = 8
"""Agreements below 0 and above n for which the C++ half's tables have room; the same number stands there."""

CHUNK = 128
"""Moves that the C++ half evaluates together."""

LARGEST = 20_000
"""Rows and columns of a random instance."""


def _signs(value: Any) -> np.ndarray:
    """A matrix of +1 and -1, read-only int8."""
    try:
        array = np.asarray(value)
    except ValueError:
        raise InputError("a is ragged: its rows have different lengths.") from None
    if array.ndim != 2 or not array.size:
        raise InputError(f"a is a matrix with at least one row and column, but its shape is {array.shape}.")
    if array.dtype.kind not in "iuf":
        raise InputError(f"a is made of +1 and -1, but here of {array.dtype}.")
    wrong = (array != 1) & (array != -1)
    if wrong.any():
        i, j = np.argwhere(wrong)[0]
        raise InputError(
            f"a is made of +1 and -1, but a[{i}, {j}] is {array[i, j]}.", "write 2 a - 1 where the entries are bits."
        )
    array = np.array(array, np.int8, order="C")
    array.flags.writeable = False
    return array


@final
@frozen(eq=False)
class PPP(Problem):
    """Find V in {-1, +1}**n so that the entries of A V are a given multiset: the permuted perceptron problem.

    V is a bit string, bit 1 for +1 and bit 0 for -1. Minimise 30 times the sum over the rows i of |(AV)_i| - (AV)_i,
    plus the sum over all values k of |H_k - H'_k|, where H and H' count how often k is in the target and in A V. The
    cost is never negative, and 0 exactly where the multisets are equal.

    Parameters
    ----------
    a : array_like, shape (m, n)
        The matrix A of +1 and -1, m and n at least 1.
    targets : array_like of int, shape (m,)
        The multiset of the entries that A V is to have, in any order: whole numbers in 0 ... n, odd where n is odd and
        even where n is even.

    Raises
    ------
    InputError
        If the matrix is not as described, the targets are not, or costs could overflow int64.

    Notes
    -----
    D. Pointcheval, "A new identification scheme based on the perceptrons problem", Eurocrypt 1995; the objective of
    L. R. Knudsen and W. Meier, "Cryptanalysis of an identification scheme based on the permuted perceptron problem",
    Eurocrypt 1999, with k over all values, negative ones included; as a benchmark of neighborhoods: Luong, Melab and
    Talbi 2009, section 5.4.

    Beside each walk are kept the rows in order of (AV)_i, and for each row and bit whether flipping the bit raises
    (AV)_i. A neighbour costs O(m); the moves of Hamming that share all flips but the last are evaluated together.
    """

    a: np.ndarray = field(converter=_signs)
    targets: np.ndarray = data("int32", ndim=1)

    source: ClassVar[str] = "ppp.cuh"

    def __attrs_post_init__(self) -> None:
        """Refuse what is no instance."""
        m, n = self.a.shape
        if self.targets.shape != (m,):
            raise InputError(
                f"targets holds a value for each row of a, so {m}, but it has the shape {self.targets.shape}."
            )
        wrong = (self.targets < 0) | (self.targets > n) | ((self.targets - n) % 2 != 0)
        if wrong.any():
            raise InputError(
                f"targets holds {self.targets[wrong][0]}, but a product of {n} signs with {n} signs that is not "
                f"negative is one of {n % 2}, {n % 2 + 2}, ... {n}."
            )
        if self._bound >= 2**62:
            raise InputError(f"Costs could reach {self._bound}, which overflows int64 (2**62 = {2**62} is the limit).")

    @classmethod
    def random(cls, m: int, n: int, seed: int) -> Self:
        """A random instance that has a solution: the first of `planted`."""
        return cls.planted(m, n, seed)[0]

    @classmethod
    def planted(cls, m: int, n: int, seed: int) -> tuple[Self, Solution]:
        """A random instance and the solution that was hidden in it, as Pointcheval makes the keys of his scheme.

        A and V are uniform; then the rows with (AV)_i < 0 change their sign, and A V is the target.

        Parameters
        ----------
        m, n : int
            Rows and columns, 1 ... 20000; Pointcheval recommends n = m + 16, as 101 x 117.
        seed : int
            Seed of NumPy's PCG64, not negative; the same seed gives the same instance.

        Returns
        -------
        instance : PPP
            The instance.
        solution : numpy.ndarray, shape (n,)
            Bits, uint8, of cost 0; there may be other solutions.
        """
        for name, size in (("m", m), ("n", n)):
            if isinstance(size, bool) or not isinstance(size, int | np.integer) or not 1 <= size <= LARGEST:
                raise InputError(f"{name} is a whole number in 1 ... {LARGEST}, but it is {size!r}.")
        if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
            raise InputError(f"The seed of a random instance is a whole number from 0 on, but it is {seed!r}.")
        generator = np.random.Generator(np.random.PCG64(seed))
        bits = generator.integers(0, 2, (m, n), dtype=np.int8)
        solution = generator.integers(0, 2, n, dtype=np.uint8)
        agreement = (bits == solution).sum(axis=1)
        bits[2 * agreement < n] ^= 1
        return cls(2 * bits - 1, abs(2 * agreement - n)), solution

    @cached_property
    def representation(self) -> BitString:
        """Strings of n bits: bit 1 is +1 and bit 0 is -1."""
        return BitString(self.a.shape[1])

    @property
    def _bound(self) -> int:
        """A bound of every cost: of m values down to -n, all counted apart from the m targets."""
        m, n = self.a.shape
        return int(60 * m * n + 2 * m)

    @cached_property
    def _histogram(self) -> np.ndarray:
        """How many targets have the agreement 0 ... n: the number of positions in which a row equals V."""
        n = self.a.shape[1]
        return np.bincount((self.targets + n) // 2, minlength=n + 1)

    def cost(self, x: Solution) -> int:
        """30 times the sum of |y| - y, plus the sum of |H - H'|, for y = A V."""
        return int(self.costs(np.asarray(x)[None])[0])

    def costs(self, xs: np.ndarray) -> Any:
        """The same for each row of xs."""
        return self._costs((2 * xs.astype(np.int64) - 1) @ self.a.T.astype(np.int64))

    def _costs(self, products: np.ndarray) -> np.ndarray:
        """The costs of rows of products A V, int64, shape (moves, m)."""
        n = self.a.shape[1]
        count = len(products)
        places = (products + n) // 2 + np.arange(count)[:, None] * (n + 1)
        found = np.bincount(places.ravel(), minlength=count * (n + 1)).reshape(count, n + 1)
        below: np.ndarray = 60 * np.maximum(-products, 0).sum(axis=1)
        costs: np.ndarray = below + np.abs(found - self._histogram).sum(axis=1)
        return costs

    def delta(self, x: Solution, move: Any) -> Any:
        """The change of cost of some flips, from A V in O(m) a move."""
        if not isinstance(move, FlipMove):
            return NotImplemented
        signs = 2 * x.astype(np.int64) - 1
        products = self.a.astype(np.int64) @ signs
        flipped = np.stack([np.atleast_1d(position) for position in move.at])
        changes = np.zeros((flipped.shape[1], len(products)), np.int64)
        for position in flipped:
            changes -= 2 * self.a.T[position] * signs[position, None]
        change = self._costs(products + changes) - self._costs(products[None])
        return change if np.ndim(move.at[0]) else int(change[0])

    @cached_property
    def cost_type(self) -> str:
        """Type of a change of cost: "int32" where 60 m n + 2 m, a bound of every partial sum, fits, else "int64"."""
        return "int32" if self._bound < 2**31 else "int64"

    @property
    def constants(self) -> Mapping[str, int | bool]:
        """`m`, the number of rows."""
        return {"m": len(self.a)}

    @cached_property
    def tables(self) -> Mapping[str, np.ndarray]:
        """`plus`: whether an entry of A is +1; `target`: how many targets have each agreement, with a margin."""
        return {"plus": (self.a > 0).astype(np.uint8), "target": np.pad(self._histogram, MARGIN).astype(np.int32)}

    @property
    def state(self) -> Mapping[str, Kept]:
        """What is kept, as ppp.cuh describes it, and the rows of an evaluating team."""
        m, n = self.a.shape
        return {
            "agreement": Kept((m,), "int32"),
            "order": Kept((m,), "int32"),
            "begin": Kept((n + 2 + 2 * MARGIN,), "int32"),
            "rises": Kept((m, -(-n // CHUNK) * CHUNK), "uint8"),
            "rows": Kept((1, m), "int32", scratch=True),
            "firsts": Kept((1, n + 2 + 2 * MARGIN), "int32", scratch=True),
        }
