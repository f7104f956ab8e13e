"""The permutation flow shop problem."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar, Self, final

import numpy as np
from attrs import Attribute, Converter, field, frozen

from metaheur.errors import InputError
from metaheur.problem import Kept, Problem, data
from metaheur.problems import flowshop_files, flowshop_taillard
from metaheur.problems.files import read_text
from metaheur.problems.flowshop_files import Instance
from metaheur.representation import Permutation, Solution

__all__ = ["FlowShop"]

MOST_MACHINES = 1000
"""Machines of an instance: the times of all of them lie in the memory of one GPU thread."""


STRIP = 16
"""Positions that a CPU evaluates at once, at most: so many behind the last are read, and what is found there unused."""


def _whole(value: Any, attribute: Attribute[Any]) -> Any:
    """A read-only int64 vector of values that are not negative, or None."""
    if value is None:
        return None
    array = np.asarray(value)
    if array.dtype.kind not in "iu" or array.ndim != 1 or (array.size and not 0 <= array.min() <= array.max() < 2**53):
        raise InputError(f"{attribute.name} is a vector of whole numbers in 0 ... 2**53 - 1, but it is {value!r}.")
    array = np.array(array, dtype=np.int64)
    array.flags.writeable = False
    return array


def _vector() -> Any:
    return field(default=None, converter=Converter(_whole, takes_field=True), kw_only=True)  # type: ignore[misc, unused-ignore]


@final
@frozen(eq=False)
class FlowShop(Problem):
    """Process n jobs on m machines, all in one order: minimise the makespan, when the last job leaves the last machine.

    Every job visits the machines 0 ... m-1 in turn; a machine processes a job at a time and all jobs in the order x.

    Parameters
    ----------
    times : array_like, shape (n, m)
        Processing times, whole numbers from 0 on: a row for each job, a column for each of at most 1000 machines.
    due_dates, weights : array_like, shape (n,), keyword-only, optional
        When each job should be finished, and how much its tardiness counts (1 without weights): for `objectives`.

    Raises
    ------
    InputError
        If there is no job or no machine or more than 1000, a time is negative or no whole number, makespans could
        overflow int64, or due dates or weights are not as described or without due dates.

    Notes
    -----
    Beside each walk are kept the heads and tails of the sequence, so that a move costs O(m) for each position between
    the two that it changes, and all positions of one job cost O(n m) together (É. Taillard, "Some efficient heuristic
    methods for the flow shop sequencing problem", European Journal of Operational Research 47, 1990, section 3).
    """

    times: np.ndarray = data("int64", ndim=2)
    due_dates: np.ndarray | None = _vector()
    weights: np.ndarray | None = _vector()

    source: ClassVar[str] = "flow_shop.cuh"

    def __attrs_post_init__(self) -> None:
        """Refuse what is no instance."""
        n, m = self.times.shape
        if not n or not 0 < m <= MOST_MACHINES:
            raise InputError(
                f"times has the shape ({n}, {m}): {n} jobs and {m} machines, "
                f"but there is at least one of each and at most {MOST_MACHINES} machines.",
                "rows and columns are exchanged: times[job, machine].",
            )
        if self.times.min() < 0:
            raise InputError(f"times holds {self.times.min()}, but processing times are not negative.")
        if self.longest >= 2**60:
            raise InputError(
                f"Makespans could reach {self.longest}, which overflows int64 (2**60 = {2**60} is the limit).",
                "divide the times by a common factor.",
            )
        for name, vector in (("due_dates", self.due_dates), ("weights", self.weights)):
            if vector is not None and len(vector) != n:
                raise InputError(f"{name} holds {len(vector)} values, but times {n} jobs.")
        if self.weights is not None and self.due_dates is None:
            raise InputError("There are weights of tardiness, but no due_dates.", "leave the weights out.")

    @classmethod
    def taillard(cls, index: int) -> Self:
        """The published instance ta<index> from its generator, index in 1 ... 120."""
        return cls(flowshop_taillard.taillard(index))

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], number: int = 1) -> Self:
        """Read an instance file in Taillard's format, or one of the two formats with due dates.

        Parameters
        ----------
        path : path-like
            The file. Taillard's format is told from the others by its headings.
        number : int, default 1
            Which instance of the file, counted from 1; files with due dates hold one.

        Raises
        ------
        InputError
            If the file holds no such instance, or is refused by the readers of `metaheur.problems.flowshop_files`.
        """
        headings = re.findall(r"^\s*([A-Za-z]+)", read_text(path), re.MULTILINE)
        found: list[Instance]
        if any(word.lower() != "reldue" for word in headings):
            found = flowshop_files.read_taillard(path)
        else:
            found = [flowshop_files.read_due_dates(path)]
        if isinstance(number, bool) or not isinstance(number, int | np.integer) or not 1 <= number <= len(found):
            raise InputError(f"{path} holds the instances 1 ... {len(found)}, but the number is {number!r}.")
        instance = found[number - 1]
        return cls(instance.times, due_dates=instance.due_dates, weights=instance.weights)

    @cached_property
    def representation(self) -> Permutation:
        """Permutations: x[p] is the job that is processed as number p."""
        return Permutation(len(self.times))

    @cached_property
    def longest(self) -> int:
        """A bound of the makespan of any sequence.

        A path through the jobs and machines of a sequence has n + m - 1 operations: for each job one, and m - 1 more.
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
        """The makespan of each row of xs."""
        return self._completions(xs)[-1]

    def objectives(self, xs: np.ndarray) -> np.ndarray:
        """Makespan, total tardiness and number of late jobs of many sequences.

        Parameters
        ----------
        xs : numpy.ndarray, shape (r, n)
            A sequence a row.

        Returns
        -------
        numpy.ndarray of int64, shape (r, 3)
            The makespan; the sum over the jobs of weight × max(0, completion - due date), weights being 1 where there
            are none; the number of jobs completed after their due dates.

        Raises
        ------
        InputError
            If the instance has no due dates.
        """
        if self.due_dates is None:
            raise InputError(
                "This FlowShop has no due_dates, so no job is late.", "use costs(xs), or read a file with due dates."
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
        """Type of a change of cost: "int32" where four times the longest makespan fits, else "int64".

        All sums are lengths of paths, but those that a strip makes of positions behind the last: a head, all times of a
        job and a tail, three makespans at most.
        """
        return "int32" if self.longest < 2**29 else "int64"

    @property
    def constants(self) -> Mapping[str, int | bool]:
        """`machines`, known when the C++ half is compiled."""
        return {"machines": self.times.shape[1]}

    @property
    def state(self) -> Mapping[str, Kept]:
        """Heads and tails by machine and position; both of the sequence without a job, as scratch."""
        n, m = self.times.shape
        stored = "int16" if self.longest < 2**15 else "cost"
        return {
            "heads": Kept((m, n + 1 + STRIP), stored),
            "tails": Kept((m, n + 1 + STRIP), stored),
            "without": Kept((m, n + 1 + STRIP), stored, scratch=True),
        }
