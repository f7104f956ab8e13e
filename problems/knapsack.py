"""The 0-1 knapsack problem, with one constraint or several."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self, final

import numpy as np
from attrs import frozen

from metaheur.fields import Array, data
from metaheur.lazy import expressible
from metaheur.neighborhoods.hamming import FlipMove, Hamming
from metaheur.problem import Problem, repeated
from metaheur.problems.amounts import reach
from metaheur.problems.formats.files import chosen
from metaheur.problems.formats.knapsack_instance import KnapsackInstance
from metaheur.problems.formats.kplib import read_kp
from metaheur.problems.formats.or_library import read_mkp
from metaheur.problems.formats.pisinger import read_pisinger
from metaheur.problems.formats.recognition import by_layout
from metaheur.problems.knapsack_kinds import boukedjar, pisinger
from metaheur.problems.knapsack_multipliers import SCALE, fitting, multipliers, too_large
from metaheur.random import Random
from metaheur.representation import BitString, Representation, Solution
from metaheur.validate import whole, whole_field

if TYPE_CHECKING:
    from metaheur.neighborhood import Neighborhood
    from metaheur.searches.recommendation import Recommendation


__all__ = ["Knapsack"]


STEPS_OF_ENTRIES = 50_000_000
"""Multipliers are improved by as many steps as read so many weights, a fraction of a second."""

MOST_PAIRED = 2000
"""The most items of which all pairs are recommended as a neighborhood."""

CORE = 50
"""Measured on knapsacks of 250 and 500 items: cores of 45 to 60 items are ahead of smaller and of larger ones."""


@final
@frozen(eq=False)
class Knapsack(Problem):
    """Take items: maximise their profit, subject to a capacity for each of m kinds of weight.

    The cost of a feasible solution is the negative of its profit, at most 0. The cost of an infeasible one is its
    *violation*, the sum over all constraints of the weight above the capacity, at least 1. So a feasible solution is
    always better than an infeasible one, and of two infeasible ones the one with the smaller violation. The order is
    that of cost = -profit + penalty * violation with a penalty above the sum of all profits, except among infeasible
    solutions of equal violation; and no product overflows 64 bits.

    Parameters
    ----------
    profits : array_like, shape (n,)
        Whole numbers, 0 or more, n >= 1.
    weights : array_like, shape (m, n)
        Whole numbers, 0 or more, m >= 1.
    capacities : array_like, shape (m,)
        Whole numbers, 0 or more. See `single` for one constraint.
    factor : int, default 1
        A power of ten: all these are the numbers of the file times `factor`.

    Raises
    ------
    InputError
        If the shapes do not match, a number is negative or not whole, or sums could reach 2**61.

    Notes
    -----
    H. Kellerer, U. Pferschy and D. Pisinger, Knapsack Problems, 2004. The loads, the profit and the cost are kept
    beside each walk, so that the change of cost of a flip takes O(m).

    Examples
    --------
    >>> knapsack = Knapsack.single([6, 5, 4], [3, 2, 2], 4)
    >>> knapsack.cost(np.array([0, 1, 1])), knapsack.cost(np.array([1, 1, 1]))
    (-9, 3)
    """

    profits: np.ndarray = data("int64", ndim=1)
    weights: np.ndarray = data("int64", ndim=2)
    capacities: np.ndarray = data("int64", ndim=1)
    factor: int = whole_field(1, 10**18, default=1, kw_only=True, repr=False, metadata={"python only": True})

    maximise: ClassVar[bool] = True
    source: ClassVar[str] = "knapsack.cuh"

    def __attrs_post_init__(self) -> None:
        KnapsackInstance(self.profits, self.weights, self.capacities)
        reach(profits=self.profits, weights=self.weights, capacities=self.capacities)

    @classmethod
    @expressible
    def single(cls, profits: Any, weights: Any, capacity: int) -> Self:
        """Make a problem with one constraint: profits and weights of shape (n,), and one capacity."""
        return cls(profits, [weights], [capacity])  # type: ignore[arg-type, list-item, unused-ignore]

    @classmethod
    @expressible
    def pisinger(cls, kind: str, n: int, *, largest: int = 1000, h: int = 50, seed: int = 0) -> Self:
        """Draw an instance of a published kind, with one constraint.

        Parameters
        ----------
        kind : str
            "uncorrelated", "weakly correlated", "strongly correlated", "inverse strongly correlated",
            "almost strongly correlated", "subset sum", "even-odd subset sum", "even-odd", "similar weights",
            "uncorrelated spanner", "weakly correlated spanner", "strongly correlated spanner",
            "multiple strongly correlated", "profit ceiling" or "circle".
        n : int
            The number of items, 1 ... 2**24.
        largest : int, default 1000
            The largest number that is drawn, 10 ... 2**24: R in the literature. "similar weights" weigh from 100 R.
        h : int, default 50
            The capacity is h / 101 of the weight of all items, 1 ... 100; odd for the even-odd kinds.
        seed : int, default 0
            Seed of NumPy's PCG64, not negative; the same seed gives the same instance.

        Raises
        ------
        InputError
            If the kind is unknown, or a number is out of range.

        Notes
        -----
        H. Kellerer, U. Pferschy and D. Pisinger, Knapsack Problems, 2004, section 5.5; D. Pisinger, "Where are the hard
        knapsack problems?", Computers & Operations Research 32, 2005: spanners of 2 items and multipliers to 10,
        multiple strongly correlated (3R/10, 2R/10, 6), profit ceilings of 3 and circles of 2/3.

        Examples
        --------
        >>> Knapsack.pisinger("strongly correlated", 50, seed=1).n
        50
        """
        profits, weights, capacity = pisinger(kind, n, largest=largest, h=h, seed=seed)
        return cls.single(profits, weights, capacity)

    @classmethod
    @expressible
    def boukedjar(cls, n: int, seed: int = 0) -> Self:
        """Draw an instance like those of Boukedjar, Lalami and El Baz (2012), with one constraint.

        Weights are uniform in 1 ... 100, each profit is 10 above its weight, and the capacity is half of the weight of
        all items, rounded down. The authors' own instances, ten of each size n = 100, 200, ..., 500, are no longer at
        hand.

        Parameters
        ----------
        n : int
            The number of items, 1 ... 2**24.
        seed : int, default 0
            Seed of NumPy's PCG64, not negative; the same seed gives the same instance.

        Raises
        ------
        InputError
            If a number is out of range.

        Notes
        -----
        A. Boukedjar, M. E. Lalami and D. El Baz, "Parallel branch and bound on a CPU-GPU system", PDP 2012, section 4.

        Examples
        --------
        >>> knapsack = Knapsack.boukedjar(100, seed=1)
        >>> set((knapsack.profits - knapsack.weights[0]).tolist())
        {10}
        """
        return cls.single(*boukedjar(n, seed=seed))

    @classmethod
    def from_file(cls, path: str | Path, *, layout: str | None = None, number: int = 1) -> Self:
        """Read an instance file.

        Parameters
        ----------
        path : path-like
            The file.
        layout : {"mkp", "kp", "pisinger"}, optional
            OR-Library's and SAC-94's multidimensional problems; `n capacity` and pairs of profit and weight; or
            Pisinger's csv. By default, what the file says.
        number : int, default 1
            Which instance of a file of several, counted from 1.

        Returns
        -------
        Knapsack
            Decimal numbers are multiplied by the smallest power of ten that makes them all integers.

        Raises
        ------
        InputError
            If the reader in `metaheur.problems.formats` refuses the file, or it does not hold so many instances.
        """
        readers = {"mkp": read_mkp, "kp": lambda path: (read_kp(path),), "pisinger": read_pisinger}
        return cls.from_instance(chosen(path, by_layout(path, layout, readers), number))

    @classmethod
    def from_instance(cls, instance: KnapsackInstance) -> Self:
        """Make the problem that a reader returned."""
        return cls(instance.profits, instance.weights, instance.capacities, factor=instance.factor)

    @property
    def cost_factor(self) -> int:
        return self.factor

    @cached_property
    def representation(self) -> BitString:
        """Strings of n bits: which items are taken."""
        return BitString(len(self.profits))

    def violation(self, x: Solution) -> int:
        """Return the sum of the weights above the capacities, 0 for a feasible solution."""
        return int(np.maximum(self.weights @ x.astype(np.int64) - self.capacities, 0).sum())

    def cost(self, x: Solution) -> int:
        """The violation if it is not 0, otherwise the negative of the profit."""
        return self.violation(x) or -int(self.profits @ x.astype(np.int64))

    def costs(self, xs: np.ndarray) -> Any:
        bits = xs.astype("int64")
        excess = bits @ self.weights.T - self.capacities
        violation = (excess * (excess > 0)).sum(axis=1)
        return violation - (violation == 0) * (bits @ self.profits)

    def delta(self, x: Solution, move: Any) -> Any:
        """The change of cost of some flips, from the loads and the profit after them, in O(m)."""
        if not isinstance(move, FlipMove):
            return NotImplemented
        bits = x.astype(np.int64)
        profit, load = self.profits @ bits, self.weights @ bits
        for position in move.at:
            rise = 1 - 2 * bits[position]
            profit = profit + rise * self.profits[position]
            load = load + (rise * self.weights[:, position]).T
        violation = np.maximum(load - self.capacities, 0).sum(axis=-1)
        return np.where(violation > 0, violation, -profit) - self.cost(x)

    def construct(self, random: Random) -> Solution:
        """Take items in decreasing order of profit per price of their weights, each if it still fits.

        With several constraints prices are the multipliers of a Lagrangian relaxation; otherwise, or where numbers are
        too large for these, the reciprocals of the capacities. It draws nothing; the lowest number comes first among
        equals.

        Notes
        -----
        H. Pirkul, "A heuristic solution procedure for the multiconstraint zero-one knapsack problem", Naval Research
        Logistics 34, 1987; G. Dobson, "Worst-case analysis of greedy heuristics for integer programming with
        nonnegative data", Mathematics of Operations Research 7, 1982.
        """
        share = self._prices @ self.weights
        worth = np.divide(self.profits, share, out=np.full(len(share), np.inf), where=share > 0)
        order = np.argsort(-worth, kind="stable")
        x = np.zeros(len(share), np.uint8)
        x[fitting(self, order)] = 1
        return x

    construct_many = repeated

    @expressible
    def core(self, k: int) -> np.ndarray:
        """The k items whose profits are nearest to the prices of their weights, by increasing number.

        Whether the other items are taken is nearly certain: positions for `Confined`.

        Parameters
        ----------
        k : int
            1 or more; if there are fewer items, all of them.

        Returns
        -------
        numpy.ndarray of int64, shape (min(k, n),)
        """
        share = self._prices @ self.weights
        exact = share.dtype.kind == "i"  # else there are no multipliers, and a profit is worth its mean price
        unit = 1 << SCALE if exact else share.sum() / max(1, self.profits.sum())
        return np.sort(np.argsort(np.abs(unit * self.profits - share), kind="stable")[: whole(k, "k", 1)])

    @cached_property
    def _prices(self) -> np.ndarray:
        """The price of a unit of each weight, in a unit of its own."""
        several = len(self.capacities) > 1 and not too_large(self)
        steps = max(50, min(2000, STEPS_OF_ENTRIES // max(1, self.weights.size)))
        found = multipliers(self, steps) if several else np.zeros(1, np.int64)
        prices: np.ndarray = found if found.any() else 1 / np.maximum(self.capacities, 1)
        return prices

    def recommended(self) -> tuple[Recommendation, ...]:
        """Iterated tabu search from the greedy solution.

        Over single flips and pairs, which exchange an item; or over single flips alone if there are too many items.
        Pairs alone would keep the parity of the number of items until the next kick. With several constraints and more
        items than a core has, also over the core alone: the items whose profits are nearest to the prices of their
        weights.

        Notes
        -----
        J. Puchinger, G. R. Raidl and U. Pferschy, "The multidimensional knapsack problem: structure and algorithms",
        INFORMS Journal on Computing 22, 2010.
        """
        from metaheur.neighborhoods.confined import Confined
        from metaheur.neighborhoods.union import Union
        from metaheur.parts import BetterOrEqual, Limit, RandomMoves, Tenure
        from metaheur.searches import IteratedLocalSearch, TabuSearch
        from metaheur.searches.recommendation import Recommendation
        from metaheur.searches.suited import suited

        n, single = len(self.profits), Hamming(1)
        if n < 4:
            return suited(self)
        tenure = Tenure(0, 0, low_plus=min(5, n // 4), high_plus=min(20, n // 2))

        def iterated(moves: Neighborhood, kicked: Neighborhood, items: int) -> IteratedLocalSearch:
            kicks, limit = RandomMoves(kicked, min(6, items // 2)), Limit(stagnation=4 * items)
            return IteratedLocalSearch(TabuSearch(moves, tenure), kicks, BetterOrEqual(), limit=limit)

        every = iterated(Union(single, Hamming(2)) if n <= MOST_PAIRED else single, single, n)
        found = (Recommendation("iterated tabu search", every, "construct"),)
        if len(self.capacities) == 1 or n <= CORE:
            return found
        flips, pairs = (Confined(Hamming(radius), self.core(CORE)) for radius in (1, 2))
        inside = iterated(Union(flips, pairs), flips, CORE)
        names = {f"problem.core({CORE})": flips.positions}
        return (Recommendation("iterated tabu search in the core", inside, "construct", names=names), *found)

    @cached_property
    def cost_type(self) -> str:
        """Type of a change of cost: "int32" if twice the sum of all profits, weights and capacities fits."""
        most = reach(profits=self.profits, weights=self.weights, capacities=self.capacities)
        return "int32" if 2 * most < 2**31 else "int64"

    def constants(self, representation: Representation) -> Mapping[str, int | bool]:
        """`constraints`, their number, so that the loop over them can be unrolled."""
        return {"constraints": len(self.capacities)}

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`load`, the weight taken for each constraint, and `value`: the profit and the cost."""
        return {"load": Array((len(self.capacities),)), "value": Array((2,))}
