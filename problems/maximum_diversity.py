"""The maximum diversity problem: choose items that are far from each other."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.fields import Array, data
from metaheur.neighborhoods.swap import SwapMove
from metaheur.problem import Problem
from metaheur.problems.formats.mdplib import read_mdp
from metaheur.problems.formats.recognition import explained
from metaheur.representation import Representation, Solution
from metaheur.representations.subset import Subset
from metaheur.validate import whole_field

if TYPE_CHECKING:
    from metaheur.searches.recommendation import Recommendation

__all__ = ["MaximumDiversity"]


@final
@frozen(eq=False)
class MaximumDiversity(Problem):
    """Choose p of n items: maximise the sum of the distances between any two of them.

    Parameters
    ----------
    distances : array_like, shape (n, n)
        Whole numbers, symmetric, with zeros on the diagonal.
    p : int
        How many items are chosen, 1 ... n.
    factor : int, default 1
        A power of ten: the distances are those of the file times `factor`.

    Raises
    ------
    InputError
        If the matrix is not square and symmetric, p is out of range, or costs could reach 2**57.

    Notes
    -----
    F. Glover, C.-C. Kuo and K. S. Dhir, "Heuristic algorithms for the maximum diversity problem", Journal of
    Information and Optimization Sciences 19, 1998. The distances of each item to the chosen ones are kept beside each
    walk, so that the change of cost of an exchange takes O(1).
    """

    distances: np.ndarray = data("int64", ndim=2)
    p: int = whole_field(1)
    factor: int = whole_field(1, 10**18, default=1, kw_only=True, repr=False, metadata={"python only": True})

    maximise: ClassVar[bool] = True
    source: ClassVar[str] = "maximum_diversity.cuh"

    def __attrs_post_init__(self) -> None:
        n = len(self.distances)
        if self.distances.shape != (n, n) or not n or (self.distances != self.distances.T).any():
            raise InputError(f"`distances` must be a symmetric matrix, but has the shape {self.distances.shape}.")
        if np.diag(self.distances).any():
            raise InputError("`distances` must be 0 on the diagonal.", "call np.fill_diagonal(distances, 0).")
        if self.p > n:
            raise InputError(f"`p` must be in 1 ... {n}, the number of items, but is {self.p}.")
        if self._most >= 2**57:
            raise InputError(f"The distances add up to {self._most}, which overflows int64 (2**57 is the limit).")

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Self:
        """Read a file of MDPLIB; see `read_mdp` for the errors it raises."""
        with explained(path, "mdp"):
            distances, p, factor = read_mdp(path)
        return cls(distances, p, factor=factor)

    @property
    def cost_factor(self) -> int:
        return self.factor

    @cached_property
    def representation(self) -> Subset:
        """Subsets of p items."""
        return Subset(len(self.distances), self.p)

    @cached_property
    def _most(self) -> int:
        return int(np.abs(self.distances).sum(dtype=np.float64)) + 1

    def cost(self, x: Solution) -> int:
        """The negative of the sum of the distances between chosen items."""
        chosen = x[: self.p]
        return -int(np.triu(self.distances[np.ix_(chosen, chosen)], 1).sum())

    def delta(self, x: Solution, move: Any) -> Any:
        """The change of cost of an exchange, in O(n)."""
        if not isinstance(move, SwapMove):
            return NotImplemented
        gain = self.distances[:, x[: self.p]].sum(axis=1)
        out, into = x[move.i], x[move.j]
        change = gain[out] - gain[into] + self.distances[out, into]
        return np.where((np.asarray(move.i) < self.p) & (np.asarray(move.j) >= self.p), change, 0)

    @cached_property
    def cost_type(self) -> str:
        """Type of a change of cost: "int32" if four times the sum of all distances fits, otherwise "int64"."""
        return "int32" if 4 * self._most < 2**31 else "int64"

    def recommended(self) -> tuple[Recommendation, ...]:
        """Tabu search over exchanges, started again from perturbed best solutions."""
        from metaheur.searches.suited import suited

        return suited(self)

    def constants(self, representation: Representation) -> Mapping[str, int | bool]:
        """`chosen`, the number of chosen items."""
        return {"chosen": self.p}

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`gain`: the sum of the distances between each item and the chosen ones."""
        return {"gain": Array((len(self.distances),))}
