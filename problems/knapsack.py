"""The 0-1 knapsack problem, with one constraint or several."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Self, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.neighborhoods.hamming import FlipMove
from metaheur.problem import Kept, Problem, data
from metaheur.problems.knapsack_files import KnapsackInstance, read_kp, read_mkp, read_pisinger
from metaheur.representation import BitString, Solution

__all__ = ["Knapsack"]

_LAYOUTS = {".csv": "pisinger", ".kp": "kp"}
_LIMIT = 2**61


@final
@frozen(eq=False)
class Knapsack(Problem):
    """Take items: maximise their profit, subject to a capacity for each of m kinds of weight.

    A solution that keeps all capacities costs the negative of its profit, which is at most 0. One that exceeds some
    costs its *violation*, the sum over the constraints of the weight above the capacity, which is at least 1 whatever
    its profit is. So no infeasible solution beats a feasible one, and of two infeasible ones the one closer to the
    capacities is the better. This is the order of cost = -profit + penalty * violation with a penalty above the sum of
    all profits, but for infeasible solutions of equal violation, and without products that overflow 64 bits.

    Parameters
    ----------
    profits : array_like, shape (n,)
        Whole numbers, none negative, n >= 1.
    weights : array_like, shape (m, n)
        Whole numbers, none negative, m >= 1.
    capacities : array_like, shape (m,)
        Whole numbers, none negative. See `single` for one constraint.

    Raises
    ------
    InputError
        If shapes do not fit, a number is negative or not whole, or sums could reach 2**61.

    Notes
    -----
    H. Kellerer, U. Pferschy and D. Pisinger, Knapsack Problems, 2004. Beside each walk are kept the loads, the profit
    and the cost, so that a flip's change of cost takes O(m).

    Examples
    --------
    >>> knapsack = Knapsack.single([6, 5, 4], [3, 2, 2], 4)
    >>> knapsack.cost(np.array([0, 1, 1])), knapsack.cost(np.array([1, 1, 1]))
    (-9, 3)
    """

    profits: np.ndarray = data("int64", ndim=1)
    weights: np.ndarray = data("int64", ndim=2)
    capacities: np.ndarray = data("int64", ndim=1)

    maximise: ClassVar[bool] = True
    source: ClassVar[str] = "knapsack.cuh"

    def __attrs_post_init__(self) -> None:
        """Refuse what is no instance."""
        KnapsackInstance(self.profits, self.weights, self.capacities)
        reach = sum(self.profits.tolist()) + sum(self.capacities.tolist()) + sum(self.weights.ravel().tolist())
        if reach >= _LIMIT:
            raise InputError(
                f"Profits, weights and capacities add up to {reach}, which overflows int64 (2**61 = {_LIMIT} is the "
                "limit).",
                "divide profits, or a row of weights and its capacity, by a common factor.",
            )

    @classmethod
    def single(cls, profits: Any, weights: Any, capacity: int) -> Self:
        """The problem with one constraint: profits and weights of shape (n,), and a number."""
        return cls(profits, [weights], [capacity])  # type: ignore[arg-type, list-item, unused-ignore]

    @classmethod
    def from_file(cls, path: str | Path, *, layout: str | None = None, number: int = 1) -> Self:
        """Read an instance file.

        Parameters
        ----------
        path : path-like
            The file.
        layout : {"mkp", "kp", "pisinger"}, optional
            OR-Library's and SAC-94's multidimensional problems; `n capacity` and pairs of profit and weight; or
            Pisinger's csv. By default the name decides: "pisinger" for `.csv`, "kp" for `.kp`, "mkp" for all others.
        number : int, default 1
            Which instance of a file of several, counted from 1.

        Returns
        -------
        Knapsack
            Decimal numbers are multiplied by the smallest power of ten that makes all of them whole.

        Raises
        ------
        InputError
            If the file is not as the readers of `metaheur.problems.knapsack_files` want it, or has no such instance.
        """
        layout = _LAYOUTS.get(Path(path).suffix, "mkp") if layout is None else layout
        if layout not in ("mkp", "kp", "pisinger"):
            raise InputError(f"{layout!r} is no layout of a knapsack file.", 'use "mkp", "kp" or "pisinger".')
        instances = (read_kp(path),) if layout == "kp" else (read_mkp if layout == "mkp" else read_pisinger)(path)
        if not 1 <= number <= len(instances):
            raise InputError(f"{path} has {len(instances)} instances, counted from 1, but number is {number!r}.")
        return cls.from_instance(instances[number - 1])

    @classmethod
    def from_instance(cls, instance: KnapsackInstance) -> Self:
        """The problem that a reader read."""
        return cls(instance.profits, instance.weights, instance.capacities)

    @cached_property
    def representation(self) -> BitString:
        """Strings of n bits: which items are taken."""
        return BitString(len(self.profits))

    def violation(self, x: Solution) -> int:
        """The sum of the weights above the capacities, 0 for a feasible solution."""
        return int(np.maximum(self.weights @ x.astype(np.int64) - self.capacities, 0).sum())

    def cost(self, x: Solution) -> int:
        """The violation if there is one, else the negative of the profit."""
        return self.violation(x) or -int(self.profits @ x.astype(np.int64))

    def costs(self, xs: np.ndarray) -> Any:
        """The same for each row of xs."""
        bits = xs.astype("int64")
        excess = bits @ self.weights.T - self.capacities
        violation = (excess * (excess > 0)).sum(axis=1)
        return violation - (violation == 0) * (bits @ self.profits)

    def delta(self, x: Solution, move: Any) -> Any:
        """The cost with the loads and the profit moved, less the cost, in O(m)."""
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

    @cached_property
    def cost_type(self) -> str:
        """Type of a change of cost: "int32" where the sum of all profits, weights and capacities fits twice."""
        reach = int(self.profits.sum() + self.weights.sum() + self.capacities.sum())
        return "int32" if 2 * reach < 2**31 else "int64"

    @property
    def constants(self) -> Mapping[str, int | bool]:
        """`constraints`, their number, so that the loop over them can be unrolled."""
        return {"constraints": len(self.capacities)}

    @property
    def state(self) -> Mapping[str, Kept]:
        """`load`, the weight taken for each constraint, and `value`: the profit and the cost."""
        return {"load": Kept((len(self.capacities),)), "value": Kept((2,))}
