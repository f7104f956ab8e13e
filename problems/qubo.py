"""Quadratic unconstrained binary optimisation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property, partial
from itertools import combinations
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.fields import Array, data
from metaheur.move import Move
from metaheur.neighborhoods.hamming import FlipMove, Hamming
from metaheur.problem import Problem, repeated
from metaheur.problems.formats.biq_mac import read_biq_mac
from metaheur.problems.formats.files import chosen
from metaheur.problems.formats.or_library import read_bqp
from metaheur.problems.formats.qbsolv import read_qubo
from metaheur.problems.formats.qubo_instance import QUBOInstance
from metaheur.problems.formats.recognition import by_layout
from metaheur.random import Random
from metaheur.representation import BitString, Representation, Solution
from metaheur.validate import whole_field

if TYPE_CHECKING:
    from metaheur.searches.recommendation import Recommendation


__all__ = ["QUBO"]

_LIMIT = 2**57

SPARSE = 10
"""Annealing is ahead of tabu search where fewer than one coupling in so many is not zero."""


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
    factor : int, default 1
        A power of ten: the entries are the numbers of the file times `factor`.

    Raises
    ------
    InputError
        If the matrix is not square, holds other values than whole numbers, or their absolute values add up to 2**57 or
        more.

    Notes
    -----
    The change of cost of every single flip is kept beside each walk and updated in O(n) by each move, so that the
    change of cost of a move of Hamming(r) is a sum of r of them and r (r - 1) / 2 entries of Q (G. Palubeckis,
    "Multistart tabu search strategies for the unconstrained binary quadratic optimization problem", Annals of
    Operations Research 131, 2004, section 2). The stored change of cost of another move is updated in O(1).
    """

    matrix: np.ndarray = data("int64", ndim=2)
    factor: int = whole_field(1, 10**18, default=1, kw_only=True, repr=False, metadata={"python only": True})

    source: ClassVar[str] = "qubo.cuh"

    def __attrs_post_init__(self) -> None:
        if self.matrix.shape[0] != self.matrix.shape[1] or not self.matrix.size:
            raise InputError(f"`matrix` must be square, and not empty, but has the shape {self.matrix.shape}.")
        largest = max(int(self.matrix.max()), -int(self.matrix.min()))
        weight = largest * self.matrix.size
        if weight >= _LIMIT and largest < 2**31:
            weight = int(_absolute_rows(self.matrix).sum())
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
            OR-Library's, whose objective is maximised: the cost is its negative; Biq Mac's; or qbsolv's. By default,
            what the file says, or where that leaves a choice its name: `bqp...`, or ending in `.sparse` or `.qubo`.
        number : int, default 1
            Which instance of an OR-Library file of several, counted from 1.

        Returns
        -------
        QUBO
            Decimal weights are multiplied by the smallest power of ten that makes them all integers.

        Raises
        ------
        InputError
            If the reader in `metaheur.problems.formats` refuses the file, it does not hold so many instances, or there
            is no memory for the matrix.
        """
        readers = {
            "bqp": read_bqp,
            "biqmac": lambda path: (read_biq_mac(path),),
            "qubo": lambda path: (read_qubo(path),),
        }
        return cls.from_instance(chosen(path, by_layout(path, layout, readers), number))

    @classmethod
    def from_instance(cls, instance: QUBOInstance) -> Self:
        """Make the problem that a reader returned; if it is to be maximised, its weights change their signs."""
        return cls(-instance.matrix() if instance.maximise else instance.matrix(), factor=instance.factor)

    @property
    def cost_factor(self) -> int:
        return self.factor

    @cached_property
    def representation(self) -> BitString:
        """Strings of n bits."""
        return BitString(len(self.matrix))

    def cost(self, x: Solution) -> int:
        """The sum of the entries of Q whose row and column are set."""
        chosen, columns = np.asarray(x) > 0, np.zeros(len(x), np.int64)
        for some in _few_rows(len(x)):
            columns += self.matrix[some][chosen[some]].sum(axis=0)
        return int(columns[chosen].sum())

    def costs(self, xs: np.ndarray) -> Any:
        bits = xs.astype("int64")
        return ((bits @ self.matrix) * bits).sum(axis=1)

    def delta(self, x: Solution, move: Any) -> Any:
        """The changes of cost of the single flips, and the couplings of all pairs of them."""
        if not isinstance(move, FlipMove):
            return NotImplemented
        couplings, bits = self.couplings, x.astype(np.int64)
        total, sign = sum(self._flips(bits, i) for i in move.at), 1 - 2 * bits
        return total + sum(sign[i] * sign[j] * couplings[i, j] for i, j in combinations(move.at, 2))

    def _flips(self, bits: np.ndarray, at: Any) -> Any:
        """The changes of cost of the flips of some bits, or of one: by their rows, or of many by all of them."""
        many = np.size(at) >= len(bits)
        rows = slice(None) if many else at
        own, linear = bits[rows], np.diagonal(self.couplings)[rows]
        found = (1 - 2 * own) * (linear + self.couplings[rows] @ bits - linear * own)
        return found[at] if many else found

    def construct(self, random: Random) -> Solution:
        """Start without any bit, and flip the one that lowers the cost most, the first among equals, until none does.

        It draws nothing and takes O(n) a flip.
        """
        linear = np.diagonal(self.couplings)
        single, sign = linear.astype(np.int64), np.ones(len(linear), np.int64)
        while single[k := int(np.argmin(single))] < 0:
            own = single[k]
            (np.add if sign[k] > 0 else np.subtract)(single, sign * self.couplings[k], out=single)
            single[k], sign[k] = -own, -sign[k]
        return (sign < 0).astype(np.uint8)

    construct_many = repeated

    def recommended(self) -> tuple[Recommendation, ...]:
        """MST2, which suits dense matrices; or annealing over single flips, which suits sparse ones."""
        from metaheur.searches import MultistartTabuSearch
        from metaheur.searches.recommendation import Recommendation
        from metaheur.searches.suited import suited

        if len(self.matrix) < 20:
            return suited(self)
        annealed = self.recommended_within(10**8, 1)
        return (Recommendation("multistart tabu search", MultistartTabuSearch()) if annealed is None else annealed,)

    def recommended_within(self, steps: int, cores: int) -> Recommendation | None:
        """For sparse matrices, annealing over single flips within so many trials on each core."""
        n, pairs = len(self.matrix), self._pairs
        return self._cooled(cores, steps) if n >= 20 and 0 < pairs < n * n / SPARSE else None

    def _cooled(self, walks: int, length: int) -> Recommendation:
        """As many schedules of one length as so many trials pay for; if there is time for more, the same again.

        The temperature falls from 0.7 of about the standard deviation of the change of cost of a flip, over random
        solutions, to a 14th of it. A schedule of more than twice n sweeps gains less than another one.
        """
        from metaheur.parts import Geometric, InSweeps
        from metaheur.searches import SimulatedAnnealing
        from metaheur.searches.recommendation import Recommendation
        from metaheur.searches.suited import FLIP

        n, pairs = len(self.matrix), self._pairs
        total = int(self._rows.sum()) - int(np.abs(np.diagonal(self.couplings)).sum())
        hot = float(f"{0.35 * total / pairs * sqrt(pairs / n):.3g}")
        schedules = max(1, round(length / (2 * n * n)))
        sweeps = max(2, length // (n * schedules))
        schedule = Geometric.between(hot, hot / 14, sweeps * n, min(sweeps, 2000))
        search = SimulatedAnnealing(Hamming(1), hot, schedule, reheats=schedules + 60, order=InSweeps())
        again, length = partial(self._cooled, walks), schedules * sweeps * n
        return Recommendation("annealing", search, walks=walks, price=FLIP, length=length, of_length=again)

    @cached_property
    def _pairs(self) -> int:
        """Couplings of two variables that are not zero, counted in both directions."""
        return int(np.count_nonzero(self.couplings) - np.count_nonzero(np.diagonal(self.couplings)))

    @cached_property
    def couplings(self) -> np.ndarray:
        """Q[i, j] + Q[j, i] off the diagonal, and the diagonal of Q; int64, shape (n, n), symmetric."""
        total: np.ndarray = self.matrix + self.matrix.T
        np.fill_diagonal(total, np.diagonal(self.matrix))
        total.flags.writeable = False
        return total

    @cached_property
    def cost_type(self) -> str:
        """Type of a change of cost under any move: "int32" where twice the sum of couplings and a flip's sums fit."""
        twice = int(self._rows.sum()) + int(np.abs(np.diagonal(self.couplings)).sum())  # each pair is in two rows
        return "int32" if twice < 2**31 and self._narrow_flips else "int64"

    def change_type(self, moves: tuple[type[Move], ...]) -> str:
        """Under up to four flips: "int32" where every partial sum of it and of its update fits, else "int64".

        The sum of a row of absolute couplings bounds the change of cost of a flip, and each of the couplings. A delta
        adds at most 4 single flips and 6 couplings, an update 4 times 4 couplings.
        """
        if not moves or not set(moves) <= {FlipMove}:
            return self.cost_type
        return "int32" if self._narrow_flips else "int64"

    @cached_property
    def _narrow_flips(self) -> bool:
        return 32 * int(self._rows.max()) < 2**31

    @cached_property
    def _rows(self) -> np.ndarray:
        """The sum of the absolute couplings of each variable, its linear part included."""
        return _absolute_rows(self.couplings)

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """The change of cost of every single flip, and by how much the last move changed it."""
        n = len(self.matrix)
        return {"flip": Array((n,)), "change": Array((n,))}

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        """`matrix`: on devices the couplings stand in for Q."""
        return {"matrix": self.couplings}


def _few_rows(n: int) -> Iterator[slice]:
    """All rows of a matrix with n columns, a few at a time: a copy of all takes longer than their sums."""
    few = max(1, 2**16 // n)
    return (slice(begin, begin + few) for begin in range(0, n, few))


def _absolute_rows(matrix: np.ndarray) -> np.ndarray:
    """The sum of the absolute entries of each row."""
    return np.concatenate([np.abs(matrix[some]).sum(axis=1) for some in _few_rows(len(matrix))])
