"""The flexible job shop scheduling problem: each operation on one of several machines."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.fields import Array, data
from metaheur.neighborhoods.insertion import Insertion, InsertionMove
from metaheur.problem import Problem
from metaheur.problems.formats.flexible_job_shop import read_flexible_job_shop
from metaheur.problems.formats.recognition import explained
from metaheur.random import Random
from metaheur.representation import Permutation, Representation, Solution

if TYPE_CHECKING:
    from metaheur.searches.recommendation import Recommendation

__all__ = ["FlexibleJobShop"]

MOST = 2000
"""The most operations, and machines: a thread of compiled code has a time of each on its stack."""

SCAN = 1500
"""A scan of all moves takes as long as so many trials: most moves are not looked at."""


@final
@frozen(eq=False)
class FlexibleJobShop(Problem):
    """The operations of each job follow each other, each on one of the machines that can do it: least makespan.

    A solution is a permutation of the operations, from 0 on, and of a separator less than there are machines: the
    operations of machine 0 in their order, a separator, those of machine 1, and so on. Every operation begins as soon
    as the operation of its job before it, and the operation of its machine before it, have ended. Where operations wait
    for each other in a circle, the cost is more than any makespan.

    Moves are those of `Insertion`: an operation of a longest path goes to another place on its machine or on another
    one. Other moves cannot shorten the schedule, and are refused as infeasible, as are places before an operation that
    ends before this one can begin, or behind one that begins after the next one of the job could: so moves lead from
    schedules to schedules.

    Parameters
    ----------
    jobs : sequence of int
        The number of operations of each job, 1 or more.
    times : array_like, shape (operations, machines)
        Whole numbers: how long each operation takes on each machine, those of job 0 first; -1 on machines that cannot
        do it.

    Raises
    ------
    InputError
        If the shapes do not fit, an operation has no machine, there are more than 2,000 operations or machines, or
        costs could reach 2**57.

    Notes
    -----
    P. Brandimarte, "Routing and scheduling in a flexible job shop by tabu search", Annals of Operations Research 41,
    1993. M. Mastrolilli and L. M. Gambardella, "Effective neighbourhood functions for the flexible job shop problem",
    Journal of Scheduling 3, 2000, who estimate the change of the makespan. Here it is exact: the operations behind the
    first one that may change are scheduled again, in an order of all operations that is kept beside each walk, with the
    longest paths to and from each operation.

    Examples
    --------
    >>> shop = FlexibleJobShop([2, 1], [[3, 5], [-1, 2], [4, 4]])
    >>> shop.cost(np.array([0, 3, 2, 1])), shop.cost(np.array([2, 0, 3, 1]))
    (6, 9)
    """

    jobs: np.ndarray = data("int32", ndim=1)
    times: np.ndarray = data("int64", ndim=2)

    source: ClassVar[str] = "flexible_job_shop.cuh"

    def __attrs_post_init__(self) -> None:
        count, m = self.times.shape
        if not self.times.size or not len(self.jobs) or self.jobs.min() < 1 or self.jobs.sum(dtype=np.int64) != count:
            raise InputError(
                f"`jobs` must hold how many of the {count} rows of `times` are of each job, but is "
                f"{self.jobs.tolist()[:20]}."
            )
        if self.times.min() < -1:
            raise InputError(f"`times` must be -1 or more, but one is {self.times.min()}.")
        if (without := np.flatnonzero(self.times.max(axis=1) < 0)).size:
            raise InputError(f"No machine can do operation {without[0]}: its row of `times` is -1 only.")
        if max(count, m) > MOST:
            raise InputError(
                f"There must be at most {MOST:,} operations, and as many machines, but there are {count:,} and {m:,}."
            )
        if float(self.times.max()) * count * count >= 2**56:
            raise InputError(
                f"{count} operations of {self.times.max()} could take longer than 2**57, the limit of int64 here."
            )

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Self:
        """Read a file of Brandimarte's form; see `read_flexible_job_shop` for the errors it raises."""
        with explained(path, "flexible job shop"):
            return cls(*read_flexible_job_shop(path))

    @cached_property
    def representation(self) -> Permutation:
        """Orders of all operations and of the separators."""
        count, m = self.times.shape
        return Permutation(count + m - 1)

    @cached_property
    def _never(self) -> int:
        """More than any makespan: how long an operation takes on a machine that cannot do it."""
        return int(self.times.max(axis=1).sum()) + 1

    @cached_property
    def _takes(self) -> np.ndarray:
        return np.where(self.times < 0, self._never, self.times)

    @cached_property
    def _job(self) -> np.ndarray:
        """The job of each operation."""
        return np.repeat(np.arange(len(self.jobs)), self.jobs)

    def rows(self, x: Solution) -> list[list[int]]:
        """The operations of each machine, in their order."""
        rows: list[list[int]] = [[]]
        for item in np.asarray(x).tolist():
            if item < len(self.times):
                rows[-1].append(item)
            else:
                rows.append([])
        return rows

    def schedule(self, x: Solution) -> np.ndarray:
        """When each operation begins, shape (operations,); -1 if never."""
        starts = np.full(len(self.times), -1, np.int64)
        for o, start in _begun(self.rows(x), self._takes, self._job.tolist()):
            starts[o] = start
        return starts

    def cost(self, x: Solution) -> int:
        """The makespan: when the last operation ends; more than any makespan if some never begin."""
        rows, last, waiting = self.rows(x), 0, len(self.times)
        on = {o: r for r, row in enumerate(rows) for o in row}
        for o, start in _begun(rows, self._takes, self._job.tolist()):
            last, waiting = max(last, start + int(self._takes[o, on[o]])), waiting - 1
        return self._never + waiting if waiting else last

    def feasible(self, x: Solution, move: Any) -> bool:
        """Whether a critical operation goes where it can be done, and no operations then wait in a circle."""
        if not isinstance(move, InsertionMove):
            raise InputError(f"FlexibleJobShop cannot tell whether {move!r} is feasible.", "use Insertion().")
        count, rows, o = len(self.times), self.rows(x), int(x[move.i])
        heads = dict(_begun(rows, self._takes, self._job.tolist()))
        if o >= count or len(heads) < count:
            return False
        ends = {each: heads[each] + int(self._takes[each, r]) for r, row in enumerate(rows) for each in row}
        mirrored = [[count - 1 - each for each in reversed(row)] for row in rows]
        backwards = _begun(mirrored, self._takes[::-1], (self._job[-1] - self._job[::-1]).tolist())
        tails = {count - 1 - each: tail for each, tail in backwards}
        if ends[o] + tails[o] != max(ends.values()):
            return False
        then = self.rows(move.apply(x))
        (machine,) = (r for r, row in enumerate(then) if o in row)
        place = then[machine].index(o)
        before, behind = then[machine][:place][-1:], then[machine][place + 1 :][:1]
        if self.times[o, machine] < 0:
            return False
        job = self._job
        pairs = [(each, o - 1) for each in behind if o and job[o - 1] == job[o]]
        pairs += [(o + 1, each) for each in before if o + 1 < count and job[o + 1] == job[o]]
        return not any(a == b or heads[b] >= ends[a] for a, b in pairs)

    def construct(self, random: Random) -> Solution:
        """Operation by operation: the next one of a job that is drawn, on the machine where it ends first."""
        count, m = self.times.shape
        first = (np.cumsum(self.jobs) - self.jobs).tolist()
        done, ready, free = [0] * len(self.jobs), [0] * len(self.jobs), np.zeros(m, np.int64)
        rows: list[list[int]] = [[] for _ in range(m)]
        for draw in range(count):
            waiting = [j for j, each in enumerate(done) if each < self.jobs[j]]
            j = waiting[random.index(draw, len(waiting))]
            o = first[j] + done[j]
            ends = np.maximum(free, ready[j]) + self._takes[o]
            machine = int(np.argmin(np.where(self.times[o] < 0, np.iinfo(np.int64).max, ends)))
            rows[machine].append(o)
            free[machine] = ready[j] = int(ends[machine])
            done[j] += 1
        parts = [[count + r - 1, *row] if r else row for r, row in enumerate(rows)]
        return np.array([item for part in parts for item in part], np.int32)

    @cached_property
    def cost_type(self) -> str:
        """Type of a change of cost: "int32" if twice the cost of any solution fits, otherwise "int64"."""
        return "int32" if 2 * (self._never + 1) * (len(self.times) + 1) < 2**31 else "int64"

    def recommended(self) -> tuple[Recommendation, ...]:
        """Tabu search over the places of critical operations, and annealing, which is better where jobs are many.

        In tabu search a move is forbidden if it makes two operations neighbors again that were lately parted. In
        annealing temperatures fall from a fifth of the mean time of an operation to a twentieth of that. A scan of all
        moves, few of which are feasible, takes as long as some 1,500 trials.
        """
        from metaheur.parts import EdgeMemory, Geometric, Tenure
        from metaheur.searches import SimulatedAnnealing, TabuSearch
        from metaheur.searches.recommendation import Recommendation

        memory = EdgeMemory(Tenure(0, 0, low_plus=8, high_plus=24), strict=True)
        tabu = TabuSearch(Insertion(), memory=memory, random_ties=True)
        n, usual = len(self.times), float(np.where(self.times < 0, 0, self.times).max(axis=1).mean())
        first = float(f"{max(0.2 * usual, 0.1):.3g}")
        annealing = SimulatedAnnealing(Insertion(), first, Geometric(0.95, n * n, 0.05 * first), reheats=60, stretch=2)
        price = max(1, self.representation.length**2 // SCAN)
        return (
            Recommendation("tabu search", tabu, "construct"),
            Recommendation("annealing", annealing, "construct", price=price),
        )

    def constants(self, representation: Representation) -> Mapping[str, int | bool]:
        """`operations`, `machines`, their numbers; `never`, more than any makespan."""
        count, m = self.times.shape
        return {"operations": count, "machines": m, "job_count": len(self.jobs), "never": self._never}

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        """`takes`: the time of each operation on each machine; `job` of each operation; `first_of` each job."""
        first = np.concatenate([[0], np.cumsum(self.jobs)]).astype(np.int32)
        return {"takes": self._takes, "job": self._job.astype(np.int32), "first_of": first}

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """Kept arrays, as flexible_job_shop.cuh describes them."""
        count = len(self.times)
        places = {name: Array((count,), "int32") for name in ("at", "place", "entry", "on")}
        return {**places, "head": Array((count,)), "tail": Array((count,)), "span": Array((2,))}


def _begun(rows: Sequence[Sequence[int]], takes: np.ndarray, job: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The operations that begin, each behind those for which it waits, and when they begin."""
    due = {j: o for o, j in reversed([*enumerate(job)])}
    job_ends, machine_ends, following = dict.fromkeys(due, 0), [0] * len(rows), [0] * len(rows)
    moved = True
    while moved:
        moved = False
        for r, row in enumerate(rows):
            while following[r] < len(row) and (o := row[following[r]]) == due[job[o]]:
                start = max(job_ends[job[o]], machine_ends[r])
                yield o, start
                job_ends[job[o]] = machine_ends[r] = start + int(takes[o, r])
                due[job[o]], following[r], moved = o + 1, following[r] + 1, True
