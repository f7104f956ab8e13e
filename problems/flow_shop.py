"""The permutation flow shop problem."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar, Self, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.fields import Array, data
from metaheur.problem import Problem
from metaheur.problems.formats import taillard_flow_shop
from metaheur.problems.formats.files import chosen
from metaheur.problems.formats.flow_shop import read_flow_shop
from metaheur.problems.formats.flow_shop_instance import nonnegative
from metaheur.representation import Permutation, Representation, Solution

__all__ = ["FlowShop"]

MOST_MACHINES = 1000
"""The most machines of an instance: one GPU thread keeps a time for each of them."""


STRIP = 16
"""The most positions that a CPU evaluates at once. So many beyond the last one are read, and the results discarded."""


@final
@frozen(eq=False)
class FlowShop(Problem):
    """Process n jobs on m machines: minimise the makespan, the time when the last job leaves the last machine.

    Every job visits the machines 0 ... m-1 in turn. A machine processes one job at a time, and all jobs in the order x.

    Parameters
    ----------
    times : array_like, shape (n, m)
        Processing times, whole numbers from 0 on: a row for each job, a column for each of at most 1000 machines.
    due_dates, weights : array_like, shape (n,), keyword-only, optional
        For `objectives`: when each job should be finished, and how much its tardiness counts (1 without weights); whole
        numbers in 0 ... 2**53.

    Raises
    ------
    InputError
        If there is no job or no machine or more than 1000, a time is negative or not a whole number, makespans or total
        tardiness could overflow int64, due dates or weights are not as described, or weights are without due dates.

    Notes
    -----
    The heads and tails of the sequence are kept beside each walk, so that a move takes O(m) for each position between
    the two that it changes, and all positions of one job take O(n m) together (É. Taillard, "Some efficient heuristic
    methods for the flow shop sequencing problem", European Journal of Operational Research 47, 1990, section 3).
    """

    times: np.ndarray = data("int64", ndim=2)
    due_dates: np.ndarray | None = nonnegative(default=None, kw_only=True)
    weights: np.ndarray | None = nonnegative(default=None, kw_only=True)

    source: ClassVar[str] = "flow_shop.cuh"

    def __attrs_post_init__(self) -> None:
        n, m = self.times.shape
        if not n or not 0 < m <= MOST_MACHINES:
            raise InputError(
                f"`times` must have a row for each job and a column for each of 1 ... {MOST_MACHINES} machines, but "
                f"has the shape ({n}, {m}).",
                "exchange rows and columns: times[job, machine].",
            )
        if self.times.min() < 0:
            raise InputError(f"`times` must hold 0 or more, but holds {self.times.min()}.")
        if self.longest >= 2**60:
            raise InputError(
                f"Makespans could reach {self.longest}, which overflows int64 (2**60 = {2**60} is the limit).",
                "divide the times by a common factor.",
            )
        for name, vector in (("due_dates", self.due_dates), ("weights", self.weights)):
            if vector is not None and len(vector) != n:
                raise InputError(f"`{name}` must hold a value for each of {n} jobs, but holds {len(vector)}.")
        if self.weights is not None and self.due_dates is None:
            raise InputError("`weights` of tardiness need `due_dates`, but there are none.", "leave the weights out.")
        counted = n if self.weights is None else sum(self.weights.tolist())
        if self.due_dates is not None and counted * self.longest >= 2**63:
            raise InputError(
                f"The total tardiness could reach {counted * self.longest}, which overflows int64.",
                "divide the weights, or times and due dates, by a common factor.",
            )

    @classmethod
    def taillard(cls, index: int) -> Self:
        """Generate the published instance ta<index>, index in 1 ... 120."""
        return cls(taillard_flow_shop.taillard(index))

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], number: int = 1) -> Self:
        """Read a file of Taillard's, Liefooghe's or Minella's, or a matrix of times without headings.

        See `metaheur.problems.formats.flow_shop.read_flow_shop` for how they are distinguished.

        Parameters
        ----------
        path : path-like
            The file.
        number : int, default 1
            Which instance of the file, counted from 1; only Taillard's files hold several.

        Raises
        ------
        InputError
            If `read_flow_shop` refuses the file, or it does not hold so many instances.
        """
        instance = chosen(path, read_flow_shop(path), number)
        return cls(instance.times, due_dates=instance.due_dates, weights=instance.weights)

    @cached_property
    def representation(self) -> Permutation:
        """Permutations: x[p] is the job at position p of the sequence."""
        return Permutation(len(self.times))

    @cached_property
    def longest(self) -> int:
        """An upper bound of the makespan of any sequence.

        A path through the jobs and machines of a sequence has n + m - 1 operations: one of each job, and m - 1 more.
        """
        each = self.times.max(axis=1)
        return int(sum(each.tolist()) + (self.times.shape[1] - 1) * int(each.max()))

    def cost(self, x: Solution) -> int:
        """The makespan of a sequence."""
        front = [0] * self.times.shape[1]  # when each machine is done
        for job in x.tolist():
            done = 0
            for k, time in enumerate(self._rows[job]):
                front[k] = done = max(done, front[k]) + time
        return front[-1]

    @cached_property
    def _rows(self) -> list[list[int]]:
        rows: list[list[int]] = self.times.tolist()
        return rows

    def costs(self, xs: np.ndarray) -> Any:
        return self._completions(xs)[-1]

    def objectives(self, xs: np.ndarray) -> np.ndarray:
        """Compute makespan, total tardiness and number of late jobs of many sequences.

        Parameters
        ----------
        xs : numpy.ndarray, shape (r, n)
            One sequence in each row.

        Returns
        -------
        numpy.ndarray of int64, shape (r, 3)
            The makespan; the sum over all jobs of weight × max(0, completion - due date), with weights of 1 by default;
            the number of jobs completed after their due dates.

        Raises
        ------
        InputError
            If the instance has no due dates.
        """
        if self.due_dates is None:
            raise InputError(
                "Tardiness needs due dates, but `due_dates` is None.", "use costs(xs), or give it due dates."
            )
        completions = np.stack(self._completions(xs), axis=1)
        late = np.maximum(completions - self.due_dates[xs], 0)
        tardiness = (late if self.weights is None else late * self.weights[xs]).sum(axis=1)
        return np.stack([completions[:, -1], tardiness, np.count_nonzero(late, axis=1)], axis=1)

    def _completions(self, xs: np.ndarray) -> list[Any]:
        """When the job at each position leaves the last machine, for all rows of xs at once."""
        front: list[Any] = [0] * self.times.shape[1]
        completions = []
        for p in range(xs.shape[1]):
            own, done = self.times[xs[:, p]], 0
            for k in range(len(front)):
                front[k] = done = np.maximum(front[k], done) + own[:, k]
            completions.append(done)
        return completions

    @cached_property
    def cost_type(self) -> str:
        """Type of a change of cost: "int32" if four times the longest makespan fits, otherwise "int64".

        All sums are lengths of paths, except those for positions beyond the last: a head, all times of a job and a
        tail, at most three makespans.
        """
        return "int32" if self.longest < 2**29 else "int64"

    def constants(self, representation: Representation) -> Mapping[str, int | bool]:
        """`machines`, known when the C++ half is compiled."""
        return {"machines": self.times.shape[1]}

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """Heads and tails by machine and position; both of the sequence without a job, as scratch."""
        n, m = self.times.shape
        stored = "int16" if self.longest < 2**15 else "cost"
        return {
            "heads": Array((m, n + 1 + STRIP), stored),
            "tails": Array((m, n + 1 + STRIP), stored),
            "without": Array((m, n + 1 + STRIP), stored, scratch=True),
        }
