"""The quadratic assignment problem."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.fields import Array, data
from metaheur.lazy import expressible
from metaheur.move import Move
from metaheur.neighborhoods.swap import Swap, SwapMove
from metaheur.problem import Problem, repeated
from metaheur.problems.amounts import require_bound
from metaheur.problems.formats import qaplib
from metaheur.problems.formats.recognition import explained
from metaheur.random import Random
from metaheur.representation import Permutation, Representation, Solution
from metaheur.validate import whole

if TYPE_CHECKING:
    from metaheur.parts import Tenure
    from metaheur.searches import TabuSearch
    from metaheur.searches.recommendation import Recommendation


__all__ = ["QAP"]

BLOCK = 64
"""Positions whose sums `QAP.construct` takes together, which keeps them in fast memory."""

STRUCTURED = 0.8
"""From this dominance of a matrix on, two searches race: uniformly random entries have a dominance below 0.7."""

TOGETHER = 32
"""The least walks of which a population is recommended."""

ALIKE = 10
"""Parents that differ in fewer facilities are copies, or nearly so: instead of a child, a walk begins anew."""


def _dominance(matrix: np.ndarray) -> float:
    """The standard deviation of the entries off the diagonal, divided by their mean (Vollmann and Buffa 1966)."""
    entries = matrix[~np.eye(len(matrix), dtype=bool)].astype(float)
    return float(entries.std() / max(abs(entries.mean()), 1e-9))


@final
@frozen(eq=False)
class QAP(Problem):
    """Assign n facilities to n locations: minimise the sum over i, j of a[i, j] b[x[i], x[j]].

    Parameters
    ----------
    a, b : array_like, shape (n, n)
        Whole numbers, n >= 1: flows and distances, in the order of the QAPLIB file. They may be asymmetric, with any
        diagonal; if both are symmetric, a faster formula is used.

    Raises
    ------
    InputError
        If the matrices are not square, differ in size or hold other values than whole numbers, or if costs could
        overflow int64.

    Notes
    -----
    Koopmans and Beckmann 1957; changes of cost by Taillard 1991. The permuted matrix b[x[i], x[j]] is kept beside each
    walk, so that the change of cost of a swap is a sum over four contiguous rows.
    """

    a: np.ndarray = data("int64", ndim=2)
    b: np.ndarray = data("int64", ndim=2)

    source: ClassVar[str] = "qap.cuh"
    stateless: ClassVar[tuple[type[Move], ...]] = (SwapMove,)

    def __attrs_post_init__(self) -> None:
        for name, matrix in (("a", self.a), ("b", self.b)):
            if matrix.shape[0] != matrix.shape[1] or not matrix.size:
                raise InputError(f"`{name}` must be a square matrix, and not empty, but has the shape {matrix.shape}.")
        if self.a.shape != self.b.shape:
            raise InputError(f"`a` and `b` must have the same shape, but have {self.a.shape} and {self.b.shape}.")
        require_bound(self._largest_cost, "divide the matrices by a common factor.")

    @classmethod
    def from_file(cls, path: str | Path) -> Self:
        """Read a QAPLIB `.dat` file; see `metaheur.problems.formats.qaplib.read_dat` for the errors it raises."""
        with explained(path, "qaplib"):
            return cls(*qaplib.read_dat(path))

    @classmethod
    @expressible
    def taillard(cls, n: int) -> Self:
        """Generate the published instance tai<n>a, n in {12, 15, 17, 20, ... 100}."""
        return cls(*qaplib.taillard(n))

    @classmethod
    @expressible
    def random(cls, n: int, seed: int) -> Self:
        """Make a symmetric instance with entries uniform in 0 ... 99 and zero diagonals, like Taillard's.

        Parameters
        ----------
        n : int
            Size, 1 ... 46340.
        seed : int
            Seed of NumPy's PCG64, not negative; the same seed gives the same instance.
        """
        n = whole(n, "n", 1, 46340)
        generator = np.random.Generator(np.random.PCG64(whole(seed, "seed", 0)))
        upper = [np.triu(generator.integers(0, 100, (n, n)), 1) for _ in range(2)]
        return cls(upper[0] + upper[0].T, upper[1] + upper[1].T)

    @cached_property
    def representation(self) -> Permutation:
        """Permutations: x[i] is the location of facility i."""
        return Permutation(len(self.a))

    @cached_property
    def best_known(self) -> int | None:
        """The lowest known cost where this is one of Taillard's instances tai<n>a; None for others."""
        n = len(self.a)
        if n not in qaplib.BEST_KNOWN:
            return None
        a, b = qaplib.taillard(n)
        return qaplib.BEST_KNOWN[n] if np.array_equal(a, self.a) and np.array_equal(b, self.b) else None

    @cached_property
    def symmetric(self) -> bool:
        """Whether both matrices are symmetric."""
        return bool((self.a == self.a.T).all() and (self.b == self.b.T).all())

    @property
    @expressible
    def kinds(self) -> np.ndarray:
        """The kind of each facility, int32 of shape (n,), numbered from 0 in the order of their first facilities.

        Two facilities are of one kind if an exchange of their locations never changes the cost: their rows of `a` are
        equal but for the exchange of both, and so are their columns.
        """
        return self._kinds

    @cached_property
    def _kinds(self) -> np.ndarray:
        """The kinds, found once."""
        kinds = _interchangeable(self.a)
        kinds.flags.writeable = False
        return kinds

    def cost(self, x: Solution) -> int:
        """The sum over i, j of a[i, j] b[x[i], x[j]]."""
        return int((self.a * self.b[np.ix_(x, x)]).sum())

    def costs(self, xs: np.ndarray) -> Any:
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

    def construct(self, random: Random) -> Solution:
        """Fill positions by decreasing sums of `a`, each with the item that adds least to the cost so far.

        The first position has the item of the smallest sum of `b`; the lowest number comes first among equals. It draws
        nothing and takes O(n**3).

        Notes
        -----
        The greedy function of Y. Li, P. M. Pardalos and M. G. C. Resende, "A greedy randomized adaptive search
        procedure for the quadratic assignment problem", Quadratic Assignment and Related Problems, DIMACS 16, 1994.
        """
        a, b, n = self.a, self.b, len(self.a)
        order = np.argsort(-(a.sum(axis=0) + a.sum(axis=1)), kind="stable")
        x, left, costs = np.full(n, -1, np.int32), np.ones(n, bool), b.sum(axis=0) + b.sum(axis=1)
        exact = 2 * n * int(np.abs(a).max(initial=0)) * int(np.abs(b).max(initial=0)) < 2**53
        a = a[np.ix_(order, order)].astype(np.float64 if exact else np.int64)  # products of fractions are fast
        both = [(a, b.T)] if (a == a.T).all() and (b == b.T).all() else [(a, b.T), (a.T, b)]
        chosen = [np.empty((n, n), a.dtype) for _ in both]
        for t, position in enumerate(order):
            begin = t - t % BLOCK
            if t == begin:  # what the positions filled so far add to those of the next block
                before = [flow[t : t + BLOCK, :t] @ rows[:t] for (flow, _), rows in zip(both, chosen, strict=True)]
            if t:
                sums = [
                    first[t - begin] + flow[t, begin:t] @ rows[begin:t]
                    for first, (flow, _), rows in zip(before, both, chosen, strict=True)
                ]
                costs = (2 // len(both)) * sum(sums) + a[t, t] * np.diagonal(b)
            item = np.flatnonzero(left)[int(np.argmin(costs[left]))]
            x[position], left[item] = item, False
            for (_, distances), rows in zip(both, chosen, strict=True):
                rows[t] = distances[item]
        return x

    construct_many = repeated

    def draw(self, x: Solution, ax: Any) -> None:
        """Draw flow against distance of each pair of facilities."""
        from metaheur.pictures.solutions import draw_assignment

        draw_assignment(self.a, self.b[np.ix_(x, x)], ax)

    def recommended(self) -> tuple[Recommendation, ...]:
        """Iterated tabu search over swaps; for matrices with structure, breakout local search beside it.

        If facilities are interchangeable, tabu search never exchanges two of one kind.
        """
        from metaheur.parts import Always, Limit, RandomMoves, Tenure
        from metaheur.searches import BreakoutLocalSearch, IteratedLocalSearch
        from metaheur.searches.recommendation import Recommendation
        from metaheur.searches.suited import suited

        if len(self.a) < 2:
            return suited(self)
        kicks = RandomMoves(Swap(), min(20, max(2, len(self.a) // 3)))
        iterated = IteratedLocalSearch(self._tabu_search(Tenure(0.1, 0.3)), kicks, Always(), limit=Limit(1000))
        found = (
            Recommendation("iterated tabu search", iterated, names=self._names),
            Recommendation("breakout local search", BreakoutLocalSearch(Swap())),
        )
        return found if self._structured else found[:1]

    def recommended_together(self, walks: int) -> tuple[Recommendation, ...]:
        """For many walks, one population of all walks, whose children tabu search improves.

        For matrices with structure, a population with short phases of tabu search races beside it. Phases are shorter
        where most facilities are interchangeable: there are fewer solutions that mean different things.
        """
        n = len(self.a)
        if n < 2 or walks < TOGETHER:
            return ()
        phases: tuple[int, ...] = (3 * n, 100 * n) if self._structured else (100 * n,)
        if 2 * self._count <= n:
            phases = (n, 3 * n)
        return tuple(self._population(walks, phase) for phase in phases)

    def _population(self, walks: int, phase: int) -> Recommendation:
        """A member in each walk, improved by so many iterations of tabu search, and then crossed with a near one.

        A good member needs many generations to take over all walks: more for small instances, whose generations are
        short.
        """
        from metaheur.parallel import Diverse, Islands, Multistart, RandomTopology
        from metaheur.parts import AlignedCrossover, Breeding, Limit, NoCrossover, RandomParents, Tenure, UniformLike
        from metaheur.searches import MemeticAlgorithm
        from metaheur.searches.recommendation import Recommendation

        tabu = self._tabu_search(Tenure(0, 0, low_plus=5, high_plus=20))
        pool = Breeding(NoCrossover(), size=1, selection=RandomParents())
        meetings = Islands(
            Multistart(walks),
            phase + 1,
            RandomTopology(reach=max(1, len(self.a) // 25)),
            emigrant="current",
            replaces="always",
            recombination=AlignedCrossover(UniformLike(), self.kinds) if self._interchanges else UniformLike(),
            migration=Diverse(ALIKE, anew=True, kinds=self.kinds if self._interchanges else None),
        )
        name = f"a population in {walks} walks, phases of {phase:,}"
        memetic = MemeticAlgorithm(tabu, pool, Limit(phase))
        return Recommendation(name, memetic, parallel=meetings, names=self._names)

    def _tabu_search(self, tenure: Tenure) -> TabuSearch:
        """Tabu search over swaps, but not over those of two interchangeable facilities."""
        from metaheur.parts import KindMemory
        from metaheur.searches import TabuSearch

        if not self._interchanges:
            return TabuSearch(Swap(), tenure)
        return TabuSearch(Swap(), memory=KindMemory(self.kinds, tenure))

    @property
    def _interchanges(self) -> bool:
        """Whether some facilities are interchangeable."""
        return self._count < len(self.a)

    @property
    def _count(self) -> int:
        """The number of kinds of facilities."""
        return int(self.kinds.max()) + 1

    @property
    def _names(self) -> Mapping[str, np.ndarray]:
        """How the kinds are written in a search."""
        return {"problem.kinds": self.kinds}

    @property
    def _structured(self) -> bool:
        """Whether a matrix is far from one of uniformly random entries."""
        return max(_dominance(self.a), _dominance(self.b)) > STRUCTURED

    @cached_property
    def cost_type(self) -> str:
        """Type of a change of cost under any move: "int32" where twice the largest cost and a swap's sums fit."""
        return "int32" if 2 * self._largest_cost < 2**31 - 1 and self._narrow_swaps else "int64"

    def change_type(self, moves: tuple[type[Move], ...]) -> str:
        """Under swaps: "int32" where every partial sum of a change of cost and of its update fits, else "int64".

        A delta adds 2n products of a difference of two a and a difference of two b, an update 8 such products.
        """
        if not moves or not set(moves) <= {SwapMove}:
            return self.cost_type
        return "int32" if self._narrow_swaps else "int64"

    @cached_property
    def _narrow_swaps(self) -> bool:
        return 4 * (len(self.a) + 8) * _spread(self.a) * _spread(self.b) < 2**31 - 1

    @cached_property
    def _largest_cost(self) -> int:
        """A bound of the absolute costs."""
        return min(_weight(self.a) * _largest(self.b), _largest(self.a) * _weight(self.b))

    def constants(self, representation: Representation) -> Mapping[str, int | bool]:
        """Whether both matrices are symmetric, and whether, besides, each diagonal is of one number (`plain`)."""
        level = all((matrix.diagonal() == matrix[0, 0]).all() for matrix in (self.a, self.b))
        return {"symmetric": self.symmetric, "plain": self.symmetric and level}

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """The permuted matrix and the differences of two of its rows; their transposes for asymmetric instances."""
        n = len(self.a)
        mirrored = 1 if self.symmetric else n
        return {
            "permuted": Array((n, n), "b"),
            "flow": Array((n,)),
            "distance": Array((n,)),
            "transposed": Array((mirrored, mirrored), "b"),
            "flow_back": Array((mirrored,)),
            "distance_back": Array((mirrored,)),
        }

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        """`a_transposed`, for asymmetric instances."""
        return {"a_transposed": self.a[:1, :1] if self.symmetric else np.ascontiguousarray(self.a.T)}


def _interchangeable(a: np.ndarray) -> np.ndarray:
    """The kinds of the indices of a square matrix, two of which are of one kind if their exchange changes nothing.

    The sums of a row with random weights, modulo 2**64, differ by a known number for two indices of one kind; so nearly
    all other pairs are ruled out without a look at their rows. It takes O(n**2).
    """
    n, diagonal, wide = len(a), np.diagonal(a), a.astype(np.uint64)
    weights = np.random.Generator(np.random.PCG64(1)).integers(0, 2**64, n, np.uint64)
    rows, columns, kinds, count = wide @ weights, weights @ wide, np.full(n, -1, np.int32), 0
    for i in range(n):
        if kinds[i] >= 0:
            continue
        change = (weights[i] - weights) * (wide[i, i] - wide[i])
        alike = (kinds < 0) & (diagonal == a[i, i]) & (a[i] == a[:, i])
        alike &= (rows[i] - rows == change) & (columns[i] - columns == change)
        others = np.flatnonzero(alike)
        equal = (a[others] == a[i]) & (a.T[others] == a.T[i])
        equal[np.arange(len(others)), others] = equal[:, i] = True
        kinds[others[equal.all(axis=1)]] = count
        count += 1
    return kinds


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
