"""Quadratic unconstrained binary optimisation."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any, ClassVar, Self, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.neighborhoods.hamming import FlipMove
from metaheur.problem import Kept, Problem, data
from metaheur.problems.qubo_files import read_biqmac, read_bqp, read_qubo
from metaheur.problems.weighted_pairs import Quadratic
from metaheur.representation import BitString, Solution

__all__ = ["QUBO"]

_LAYOUTS = {".qubo": "qubo", ".sparse": "biqmac"}
_LIMIT = 2**57


@final
@frozen(eq=False)
class QUBO(Problem):
    """Minimise x' Q x, the sum over all i, j of Q[i, j] x[i] x[j], over strings of n bits.

    A problem to be maximised is given as -Q: the cost is then the negative of its objective.

    Parameters
    ----------
    matrix : array_like, shape (n, n)
        Q: whole numbers, n >= 1; symmetric, triangular or any other: only the sums Q[i, j] + Q[j, i] count. The
        diagonal is the linear part, since x[i]**2 = x[i].

    Raises
    ------
    InputError
        If the matrix is not square, not of whole numbers, or the sum of their absolute values is 2**57 or more.

    Notes
    -----
    Beside each walk is kept the change of cost of every single flip, which each move made advances in O(n), so that the
    change of cost of a move of Hamming(r) is a sum of r of them and r (r - 1) / 2 entries of Q (G. Palubeckis,
    "Multistart tabu search strategies for the unconstrained binary quadratic optimization problem", Annals of
    Operations Research 131, 2004, section 2); the stored change of cost of another move is refreshed in O(1).
    """

    matrix: np.ndarray = data("int64", ndim=2)

    source: ClassVar[str] = "qubo.cuh"

    def __attrs_post_init__(self) -> None:
        """Refuse what is no instance."""
        if self.matrix.shape[0] != self.matrix.shape[1] or not self.matrix.size:
            raise InputError(f"matrix is square with at least one row, but its shape is {self.matrix.shape}.")
        largest = max(int(self.matrix.max()), -int(self.matrix.min()))
        weight = largest * self.matrix.size
        if weight >= _LIMIT and largest < 2**31:
            weight = int(np.abs(self.matrix).sum())
        if weight >= _LIMIT:
            raise InputError(
                f"The entries of matrix could add up to {weight}, which overflows int64 (2**57 = {_LIMIT} is the "
                "limit).",
                "divide the matrix by a common factor.",
            )

    @classmethod
    def from_file(cls, path: str | Path, *, layout: str | None = None, number: int = 1) -> Self:
        """Read an instance file.

        Parameters
        ----------
        path : path-like
            The file.
        layout : {"bqp", "biqmac", "qubo"}, optional
            OR-Library's, whose objective is maximised: the cost is its negative; Biq Mac's; or qbsolv's. By default
            the name decides: "qubo" for `.qubo`, "biqmac" for `.sparse`, "bqp" for all others.
        number : int, default 1
            Which instance of an OR-Library file of several, counted from 1.

        Returns
        -------
        QUBO
            Decimal weights are multiplied by the smallest power of ten that makes all of them whole.

        Raises
        ------
        InputError
            If the file is not as the readers of `metaheur.problems.qubo_files` want it, or has no such instance.
        """
        layout = _LAYOUTS.get(Path(path).suffix, "bqp") if layout is None else layout
        if layout not in ("bqp", "biqmac", "qubo"):
            raise InputError(f"{layout!r} is no layout of a QUBO file.", 'use "bqp", "biqmac" or "qubo".')
        instances = read_bqp(path) if layout == "bqp" else ((read_qubo if layout == "qubo" else read_biqmac)(path),)
        if not 1 <= number <= len(instances):
            raise InputError(f"{path} has {len(instances)} instances, counted from 1, but number is {number!r}.")
        return cls.from_quadratic(instances[number - 1])

    @classmethod
    def from_quadratic(cls, instance: Quadratic) -> Self:
        """The problem that a reader read; one to be maximised with all signs turned."""
        return cls(-instance.matrix() if instance.maximise else instance.matrix())

    @cached_property
    def representation(self) -> BitString:
        """Strings of n bits."""
        return BitString(len(self.matrix))

    def cost(self, x: Solution) -> int:
        """The sum of the entries of Q whose row and column are set."""
        chosen = np.flatnonzero(x)
        return int(self.matrix[np.ix_(chosen, chosen)].sum())

    def costs(self, xs: np.ndarray) -> Any:
        """The same for each row of xs."""
        bits = xs.astype("int64")
        return ((bits @ self.matrix) * bits).sum(axis=1)

    def delta(self, x: Solution, move: Any) -> Any:
        """The changes of cost of the single flips, and of each pair that flips together."""
        if not isinstance(move, FlipMove):
            return NotImplemented
        couplings, sign = self.couplings, 1 - 2 * x.astype(np.int64)
        linear = np.diagonal(couplings)
        single = sign * (linear + couplings @ x.astype(np.int64) - linear * x)
        total = sum(single[i] for i in move.at)
        return total + sum(sign[i] * sign[j] * couplings[i, j] for i, j in combinations(move.at, 2))

    @cached_property
    def couplings(self) -> np.ndarray:
        """Q[i, j] + Q[j, i] off the diagonal, and the diagonal of Q; int64, shape (n, n), symmetric."""
        total: np.ndarray = self.matrix + self.matrix.T
        np.fill_diagonal(total, np.diagonal(self.matrix))
        total.flags.writeable = False
        return total

    @cached_property
    def cost_type(self) -> str:
        """Type of a change of cost: "int32" where every partial sum of it and of its update fits, else "int64".

        A single flip's change of cost is bounded by the sum of a row of absolute couplings, and so is a coupling; a
        delta adds at most 4 single flips and 6 couplings, an update 4 times 4 couplings.
        """
        return "int32" if 32 * int(np.abs(self.couplings).sum(axis=1).max()) < 2**31 else "int64"

    @property
    def state(self) -> Mapping[str, Kept]:
        """The change of cost of every single flip, and by how much the last move changed it."""
        n = len(self.matrix)
        return {"flip": Kept((n,)), "change": Kept((n,))}

    @property
    def tables(self) -> Mapping[str, np.ndarray]:
        """`matrix`: on devices the couplings stand in for Q."""
        return {"matrix": self.couplings}
