"""The permuted perceptron problem."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self, final

import numpy as np
from attrs import field, frozen

from metaheur.errors import InputError
from metaheur.fields import Array, data
from metaheur.lazy import expressible
from metaheur.neighborhoods.hamming import FlipMove, Hamming
from metaheur.problem import Problem
from metaheur.problems.amounts import require_bound
from metaheur.representation import BitString, Representation, Solution
from metaheur.validate import whole

if TYPE_CHECKING:
    from metaheur.searches.recommendation import Recommendation


__all__ = ["PPP"]

MARGIN = 8
"""How far agreements may be below 0 or above n in the tables of the C++ half, where it is called `margin`."""

CHUNK = 128
"""Moves that the C++ half evaluates together."""

ALIGNED = 16
"""Bytes of which the C++ half takes its first word on a GPU to be a multiple."""

LARGEST = 20_000
"""The most rows and the most columns of a random instance."""


def _signs(value: Any) -> np.ndarray:
    """A matrix of +1 and -1, read-only int8."""
    try:
        array = np.asarray(value)
    except ValueError:
        raise InputError("`a` is ragged: its rows have different lengths.") from None
    if array.ndim != 2 or not array.size:
        raise InputError(f"`a` must be a matrix, and not empty, but has the shape {array.shape}.")
    if array.dtype.kind not in "iuf":
        raise InputError(f"`a` must hold +1 and -1, but holds {array.dtype}.")
    wrong = (array != 1) & (array != -1)
    if wrong.any():
        i, j = np.argwhere(wrong)[0]
        raise InputError(
            f"`a` must hold +1 and -1, but a[{i}, {j}] is {array[i, j]}.", "use 2 * a - 1 if the entries are bits."
        )
    array = np.array(array, np.int8, order="C")
    array.flags.writeable = False
    return array


@final
@frozen(eq=False)
class PPP(Problem):
    """Find V in {-1, +1}**n so that the entries of A V are a given multiset: the permuted perceptron problem.

    V is a bit string, bit 1 for +1 and bit 0 for -1. Minimise 30 times the sum over the rows i of
    ``|(AV)_i| - (AV)_i``, plus the sum over all values k of ``|H_k - H'_k|``, where H and H' count how often k is in
    the target and in A V. The cost is never negative, and 0 exactly where the multisets are equal.

    Parameters
    ----------
    a : array_like, shape (m, n)
        The matrix A of +1 and -1, m and n at least 1.
    targets : array_like of int, shape (m,)
        The multiset of the entries that A V should have, in any order: whole numbers in 0 ... n, odd if n is odd and
        even if n is even.

    Raises
    ------
    InputError
        If `a` or `targets` is not as described, or costs could overflow int64.

    Notes
    -----
    D. Pointcheval, "A new identification scheme based on the perceptrons problem", Eurocrypt 1995; the objective of
    L. R. Knudsen and W. Meier, "Cryptanalysis of an identification scheme based on the permuted perceptron problem",
    Eurocrypt 1999, with k over all values, negative ones included; as a benchmark of neighborhoods: Luong, Melab and
    Talbi 2009, section 5.4.

    The rows in the order of (AV)_i are kept beside each walk, and for each row and bit, whether flipping the bit raises
    (AV)_i. A neighbor takes O(m); the moves of Hamming that share all flips except the last are evaluated together.
    On a CPU the pairs of flips of Hamming(2) are evaluated by operations on bits, eight rows in a byte.
    """

    a: np.ndarray = field(converter=_signs)
    targets: np.ndarray = data("int32", ndim=1)

    source: ClassVar[str] = "ppp.cuh"

    def __attrs_post_init__(self) -> None:
        m, n = self.a.shape
        if self.targets.shape != (m,):
            raise InputError(
                f"`targets` must hold a value for each of the {m} rows of `a`, but has the shape {self.targets.shape}."
            )
        wrong = (self.targets < 0) | (self.targets > n) | ((self.targets - n) % 2 != 0)
        if wrong.any():
            raise InputError(
                f"`targets` must be among {n % 2}, {n % 2 + 2}, ... {n}, like products of {n} signs with {n} signs, "
                f"but one is {self.targets[wrong][0]}."
            )
        require_bound(self._bound)

    @classmethod
    @expressible
    def random(cls, m: int, n: int, seed: int) -> Self:
        """Make a random instance that has a solution; see `planted`."""
        return cls.planted(m, n, seed)[0]

    @classmethod
    def planted(cls, m: int, n: int, seed: int) -> tuple[Self, Solution]:
        """Make a random instance with a known solution, like the keys of Pointcheval's scheme.

        A and V are uniform; then the rows with (AV)_i < 0 change their signs, and the entries of A V are the targets.

        Parameters
        ----------
        m, n : int
            Rows and columns, 1 ... 20000; Pointcheval recommends n = m + 16, such as 101 x 117.
        seed : int
            Seed of NumPy's PCG64, not negative; the same seed gives the same instance.

        Returns
        -------
        instance : PPP
            The instance.
        solution : numpy.ndarray, shape (n,)
            Bits, uint8, of cost 0; there may be other solutions.
        """
        m, n = whole(m, "m", 1, LARGEST), whole(n, "n", 1, LARGEST)
        generator = np.random.Generator(np.random.PCG64(whole(seed, "seed", 0)))
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
        """An upper bound of every cost: m values of -n, and m targets of which none is met."""
        m, n = self.a.shape
        return int(60 * m * n + 2 * m)

    @cached_property
    def _histogram(self) -> np.ndarray:
        """How many targets have the agreement 0 ... n: the number of positions in which a row equals V."""
        n = self.a.shape[1]
        return np.bincount((self.targets + n) // 2, minlength=n + 1)

    def cost(self, x: Solution) -> int:
        """30 times the sum of ``|y| - y``, plus the sum of ``|H - H'|``, for y = A V."""
        return int(self.costs(np.asarray(x)[None])[0])

    def costs(self, xs: np.ndarray) -> Any:
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
        """The change of cost of some flips: O(m) for each move, from A V."""
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

    @property
    def least_cost(self) -> int:
        """0: a solution of the puzzle."""
        return 0

    def recommended(self) -> tuple[Recommendation, ...]:
        """Tabu search over pairs of flips and over single ones."""
        from metaheur.parts import Always, Limit, RandomMoves
        from metaheur.searches import IteratedLocalSearch, TabuSearch
        from metaheur.searches.recommendation import Recommendation
        from metaheur.searches.suited import suited

        n = self.a.shape[1]
        if n < 20:
            return suited(self)
        pairs, single = TabuSearch(Hamming(2), (0.1, 0.3)), TabuSearch(Hamming(1), (0.1, 0.3))
        kicks = RandomMoves(Hamming(1), n // 5)
        return (
            Recommendation(
                "iterated tabu search, pairs of flips",
                IteratedLocalSearch(pairs, kicks, Always(), limit=Limit(stagnation=10 * n)),
            ),
            Recommendation(
                "iterated tabu search, single flips",
                IteratedLocalSearch(single, kicks, Always(), limit=Limit(stagnation=100 * n)),
            ),
        )

    @cached_property
    def cost_type(self) -> str:
        """Type of a change of cost: "int32" if 60 m n + 2 m, a bound of all partial sums, fits, otherwise "int64"."""
        return "int32" if self._bound < 2**31 else "int64"

    def constants(self, representation: Representation) -> Mapping[str, int | bool]:
        """`m` and `columns`, the numbers of rows and of columns; `capacity`, as `state` says."""
        m, columns = self.a.shape
        return {"m": m, "columns": columns, "capacity": self._capacity}

    @property
    def _capacity(self) -> int:
        """Bytes for each flip, for bits of rows and for counts: enough where the agreements are not too far apart."""
        return len(self.a) // 2 + 192

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        """The arrays that ppp.cuh reads.

        `quads`: for four columns and a row, whether the entries of A are +1, a byte each; `signs`: the same for a row
        and 32 columns, a bit each; `pluses`: how many entries of a column are +1; `target`: how many targets have each
        agreement, with a margin.
        """
        plus = self.a > 0
        bits = np.packbits(np.pad(plus, ((0, 0), (0, -plus.shape[1] % CHUNK))), axis=1, bitorder="little")
        quads = np.pad(plus.astype(np.uint8), ((0, 0), (0, -plus.shape[1] % 4))).view("<u4")
        return {
            "quads": np.ascontiguousarray(quads.T),
            "signs": bits.view("<u4"),
            "pluses": plus.sum(axis=0, dtype=np.int32),
            "target": np.pad(self._histogram, MARGIN).astype(np.int32),
        }

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """The kept arrays, as ppp.cuh describes them, and the rows of an evaluating team."""
        m, n = self.a.shape
        chunks = -(-n // CHUNK)
        return {
            "agreement": Array((m,), "int32"),
            "order": Array((m,), "int32"),
            "begin": Array((n + 2 + 2 * MARGIN,), "int32"),
            "rises": Array((m, chunks * CHUNK), "uint8"),
            "entry": Array((n + 2 + 2 * MARGIN,), "int32"),
            "octets": Array((chunks * self._capacity * CHUNK + ALIGNED,), "uint8"),
            "raised": Array((n,), "int32"),
            "weight": Array((n,), "int32"),
            "rows": Array((1, m), "int32", scratch=True),
            "firsts": Array((1, n + 2 + 2 * MARGIN), "int32", scratch=True),
        }
