"""The job shop scheduling problem, a sequence of jobs in which each occurs once for each of its operations."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING, ClassVar, Self, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.fields import data
from metaheur.neighborhoods.shift import Shift
from metaheur.problem import Problem
from metaheur.problems.formats.files import chosen
from metaheur.problems.formats.job_shops import read_job_shop
from metaheur.problems.formats.recognition import explained
from metaheur.representation import Representation, Solution
from metaheur.representations.multiset import Multiset

if TYPE_CHECKING:
    from metaheur.searches.recommendation import Recommendation

__all__ = ["JobShop"]

MOST = 1000
"""The most jobs, and machines: compiled code has a time of each on its stack."""


@final
@frozen(eq=False)
class JobShop(Problem):
    """Each of n jobs passes each of m machines once, in an order of its own: minimise the makespan.

    A solution lists the jobs, each m times. Entry k is the next operation of its job: it begins when the operation of
    this job before it, and the operation of this machine before it in the list, have ended (operation-based
    representation; every semi-active schedule is that of a solution).

    Parameters
    ----------
    order : array_like of int32, shape (n, m)
        The machines of each job, 0 ... m - 1, in the order in which it visits them.
    times : array_like, shape (n, m)
        Whole numbers, 0 or more: how long each of these operations takes.

    Raises
    ------
    InputError
        If the shapes differ, a row of `order` is not a permutation, a time is negative, there are more than 1,000 jobs
        or machines, or the times add up to 2**57 or more.

    Notes
    -----
    C. Bierwirth, "A generalized permutation approach to job shop scheduling with genetic algorithms", OR Spektrum 17,
    1995.

    Examples
    --------
    >>> shop = JobShop([[0, 1], [1, 0]], [[3, 2], [2, 4]])
    >>> shop.cost(np.array([0, 1, 0, 1])), shop.cost(np.array([0, 0, 1, 1]))
    (7, 11)
    """

    order: np.ndarray = data("int32", ndim=2)
    times: np.ndarray = data("int64", ndim=2)

    source: ClassVar[str] = "job_shop.cuh"

    def __attrs_post_init__(self) -> None:
        require_shop(self.order, self.times)

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], *, number: int = 1) -> Self:
        """Read a file of OR-Library or Taillard's; see `read_job_shop` for the errors it raises.

        Parameters
        ----------
        path : path-like
            The file.
        number : int, default 1
            Which instance of the file, counted from 1.
        """
        with explained(path, "job shop"):
            return cls(*chosen(path, read_job_shop(path), number))

    @cached_property
    def representation(self) -> Multiset:
        """Sequences in which each of the n jobs occurs m times."""
        n, m = self.times.shape
        return Multiset((m,) * n)

    def schedule(self, x: Solution) -> np.ndarray:
        """When each operation ends: shape (n, m), for each job in the order of its operations."""
        n, m = self.times.shape
        ends, done, machine = np.zeros((n, m), np.int64), [0] * n, [0] * m
        for job in np.asarray(x).tolist():
            step = done[job]
            before = int(ends[job, step - 1]) if step else 0
            at = int(self.order[job, step])
            ends[job, step] = machine[at] = max(before, machine[at]) + int(self.times[job, step])
            done[job] += 1
        return ends

    def cost(self, x: Solution) -> int:
        """The makespan: when the last operation ends."""
        return int(self.schedule(x)[:, -1].max())

    @cached_property
    def cost_type(self) -> str:
        """Type of a change of cost: "int32" if twice the sum of all times fits, otherwise "int64"."""
        return "int32" if 2 * most_of(self.times) < 2**31 else "int64"

    def recommended(self) -> tuple[Recommendation, ...]:
        """Annealing over shifts, within about a second of a core; searches that suit any sequence in a tiny shop."""
        from metaheur.searches.suited import suited

        found = self.recommended_within(1_000_000, 1)
        return tuple(reversed(suited(self)))[:2] if found is None else (found,)

    def recommended_within(self, steps: int, cores: int) -> Recommendation | None:
        """The same within so many trials on each core; None for one job, or if no operation takes time."""
        return self._cooled(cores, steps) if len(self.times) > 1 and self.times.any() else None

    def _cooled(self, walks: int, length: int) -> Recommendation:
        """Annealing that falls once within so many trials.

        The temperature is low from the start. Measured on 15 and 20 jobs and machines, after 1 and 5 seconds: a race of
        annealing over interchanges with iterated descents ends 0.6 % later.
        """
        from metaheur.parts import Geometric
        from metaheur.searches import SimulatedAnnealing
        from metaheur.searches.recommendation import Recommendation

        hot, length = float(f"{0.15 * self.times.mean():.3g}"), max(1000, length)
        search = SimulatedAnnealing(Shift(), hot, Geometric.between(hot, hot / 15, length, 1000), reheats=60)
        again = partial(self._cooled, walks)
        return Recommendation("annealing", search, walks=walks, length=length, of_length=again)

    def constants(self, representation: Representation) -> Mapping[str, int | bool]:
        """`jobs` and `machines`, their numbers."""
        n, m = self.times.shape
        return {"jobs": n, "machines": m}


def require_shop(order: np.ndarray, times: np.ndarray) -> None:
    """Refuse tables that are no job shop, and times whose sums could overflow."""
    n, m = times.shape
    if order.shape != (n, m) or not times.size:
        raise InputError(f"`order` and `times` must have one shape, not empty, but have {order.shape} and {(n, m)}.")
    wrong = np.flatnonzero((np.sort(order, axis=1) != np.arange(m)).any(axis=1))
    if len(wrong):
        raise InputError(
            f"Each job must visit the machines 0 ... {m - 1} once, but job {wrong[0]} visits "
            f"{order[wrong[0]].tolist()[:20]}.",
            "count machines from 0; give a job that leaves one out the time 0 there.",
        )
    if times.min() < 0:
        raise InputError(f"`times` must be 0 or more, but one is {times.min()}.")
    if max(n, m) > MOST:
        raise InputError(f"There must be at most {MOST} jobs, and as many machines, but there are {n} and {m}.")
    if (most := most_of(times)) >= 2**57:
        raise InputError(f"The times add up to {most}, which overflows int64 (2**57 is the limit).")


def most_of(times: np.ndarray) -> int:
    """More than any makespan: the sum of the times, and 1."""
    return int(times.sum(dtype=np.float64)) + 1
