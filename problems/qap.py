"""The quadratic assignment problem."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Self, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.neighborhoods.swap import SwapMove
from metaheur.problem import Kept, Problem, data
from metaheur.problems import qaplib
from metaheur.representation import Permutation, Solution

__all__ = ["QAP"]


@final
@frozen(eq=False)
class QAP(Problem):
    """Assign n facilities to n locations: minimise the sum over i, j of a[i, j] b[x[i], x[j]].

    Parameters
    ----------
    a, b : array_like, shape (n, n)
        Whole numbers, n >= 1: flows and distances, in the order of the QAPLIB file. Asymmetric matrices and diagonals
        other than zero are welcome; where both are symmetric a faster formula is used.

    Raises
    ------
    InputError
        If the matrices are not square, of different sizes, no whole numbers, or costs could overflow int64.

    Notes
    -----
    Koopmans and Beckmann 1957; changes of cost by Taillard 1991. Besides each walk is kept the permuted matrix
    b[x[i], x[j]], so that a swap's change of cost is a sum over four contiguous rows.
    """

    a: np.ndarray = data("int64", ndim=2)
    b: np.ndarray = data("int64", ndim=2)

    source: ClassVar[str] = "qap.cuh"

    def __attrs_post_init__(self) -> None:
        """Refuse what is no instance."""
        for name, matrix in (("a", self.a), ("b", self.b)):
            if matrix.shape[0] != matrix.shape[1] or not matrix.size:
                raise InputError(f"{name} is a square matrix with at least one row, but its shape is {matrix.shape}.")
        if self.a.shape != self.b.shape:
            raise InputError(f"a has the shape {self.a.shape} and b {self.b.shape}, but they must be of one size.")
        total = min(_weight(self.a) * _largest(self.b), _largest(self.a) * _weight(self.b))
        if total >= 2**62:
            raise InputError(
                f"Costs could reach {total}, which overflows int64 (2**62 = {2**62} is the limit).",
                "divide the matrices by a common factor.",
            )

    @classmethod
    def from_file(cls, path: str | Path) -> Self:
        """Read a QAPLIB `.dat` file; see `metaheur.problems.qaplib.read_dat` for what it refuses."""
        return cls(*qaplib.read_dat(path))

    @classmethod
    def taillard(cls, n: int) -> Self:
        """The published instance tai<n>a from its generator, n in {12, 15, 17, 20, ... 100}."""
        return cls(*qaplib.taillard(n))

    @classmethod
    def random(cls, n: int, seed: int) -> Self:
        """A symmetric instance with entries uniform in 0 ... 99 and zero diagonals, as Taillard's are.

        Parameters
        ----------
        n : int
            Size, 1 ... 46340.
        seed : int
            Seed of NumPy's PCG64, not negative; the same seed gives the same instance.
        """
        if isinstance(n, bool) or not isinstance(n, int | np.integer) or not 1 <= n <= 46340:
            raise InputError(f"The size of a random instance is a whole number in 1 ... 46340, but it is {n!r}.")
        if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
            raise InputError(f"The seed of a random instance is a whole number from 0 on, but it is {seed!r}.")
        generator = np.random.Generator(np.random.PCG64(seed))
        upper = [np.triu(generator.integers(0, 100, (n, n)), 1) for _ in range(2)]
        return cls(upper[0] + upper[0].T, upper[1] + upper[1].T)

    @cached_property
    def representation(self) -> Permutation:
        """Permutations: x[i] is the location of facility i."""
        return Permutation(len(self.a))

    @cached_property
    def symmetric(self) -> bool:
        """Whether both matrices are symmetric."""
        return bool((self.a == self.a.T).all() and (self.b == self.b.T).all())

    def cost(self, x: Solution) -> int:
        """The sum over i, j of a[i, j] b[x[i], x[j]]."""
        return int((self.a * self.b[np.ix_(x, x)]).sum())

    def costs(self, xs: np.ndarray) -> Any:
        """The same for each row of xs."""
        return (self.a * self.b[xs[:, :, None], xs[:, None, :]]).sum(axis=(1, 2))

    def delta(self, x: Solution, move: Any) -> Any:
        """The change of cost of a swap in O(n) (Taillard 1991, equation 2, for any matrices)."""
        if not isinstance(move, SwapMove):
            return NotImplemented
        a, permuted, i, j = self.a, self.b[np.ix_(x, x)], move.i, move.j
        total = _exchange(a, permuted, i, j)
        total = 2 * total if self.symmetric else total + _exchange(a.T, permuted.T, i, j)
        diagonal = (a[i, i] - a[j, j]) * (permuted[j, j] - permuted[i, i])
        return total + diagonal + (a[i, j] - a[j, i]) * (permuted[j, i] - permuted[i, j])

    @cached_property
    def cost_type(self) -> str:
        """Type of a change of cost: "int32" where every partial sum of it and of its update fits, else "int64".

        A delta adds 2n products of a difference of two a and a difference of two b, an update 8 such products.
        """
        bound = 4 * (len(self.a) + 8) * _spread(self.a) * _spread(self.b)
        return "int32" if bound < 2**31 - 1 else "int64"

    @property
    def constants(self) -> Mapping[str, int | bool]:
        """`symmetric`, known when the C++ half is compiled."""
        return {"symmetric": self.symmetric}

    @property
    def state(self) -> Mapping[str, Kept]:
        """The permuted matrix and the differences of two of its rows; their transposes for asymmetric instances."""
        n = len(self.a)
        mirrored = 1 if self.symmetric else n
        return {
            "permuted": Kept((n, n), "b"),
            "flow": Kept((n,)),
            "distance": Kept((n,)),
            "transposed": Kept((mirrored, mirrored), "b"),
            "flow_back": Kept((mirrored,)),
            "distance_back": Kept((mirrored,)),
        }

    @cached_property
    def tables(self) -> Mapping[str, np.ndarray]:
        """`a_transposed`, for asymmetric instances."""
        return {"a_transposed": self.a[:1, :1] if self.symmetric else np.ascontiguousarray(self.a.T)}


def _exchange(a: np.ndarray, permuted: np.ndarray, i: Any, j: Any) -> Any:
    """The sum over k other than i, j of (a[i, k] - a[j, k]) (p[j, k] - p[i, k])."""
    total = ((a[i] - a[j]) * (permuted[j] - permuted[i])).sum(axis=-1)
    total -= (a[i, i] - a[j, i]) * (permuted[j, i] - permuted[i, i])
    return total - (a[i, j] - a[j, j]) * (permuted[j, j] - permuted[i, j])


def _largest(matrix: np.ndarray) -> int:
    return max(abs(int(matrix.max())), abs(int(matrix.min())))


def _spread(matrix: np.ndarray) -> int:
    return int(matrix.max()) - int(matrix.min())


def _weight(matrix: np.ndarray) -> int:
    """The sum of the absolute values, without overflow."""
    return len(matrix) ** 2 * _largest(matrix) if _largest(matrix) >= 2**31 else int(np.abs(matrix).sum())
