"""The job shop scheduling problem, a sequence of jobs for each machine: moves in critical blocks."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.fields import Array, data
from metaheur.neighborhoods.adjacent_swap import AdjacentSwap
from metaheur.neighborhoods.insertion import Insertion, InsertionMove
from metaheur.neighborhoods.on_each import OnEach
from metaheur.neighborhoods.swap import SwapMove
from metaheur.problem import Problem
from metaheur.problems.job_shop import JobShop, most_of, require_shop
from metaheur.random import Random
from metaheur.representation import Permutation, Representation, Solution
from metaheur.representations.repeated import Repeated

if TYPE_CHECKING:
    from metaheur.searches.recommendation import Recommendation

__all__ = ["JobShopByMachines"]

MOST = 4096
"""The most operations: a thread of compiled code has a time of each on its stack."""


@final
@frozen(eq=False)
class JobShopByMachines(Problem):
    """Each of n jobs passes each of m machines once, in an order of its own: minimise the makespan.

    A solution has a row for each machine: the jobs in the order in which they are on it. Every operation begins as soon
    as the operation of its job before it, and the operation of its machine before it, have ended. Where operations wait
    for each other in a circle, there is no schedule: the cost is then the sum of all times and one for each operation
    that never begins, more than any makespan.

    Moves are those of *critical blocks*: operations of a machine that follow each other on a longest path, without a
    pause. Other moves cannot shorten the schedule, and are refused as infeasible. With ``OnEach(Insertion())`` an
    operation moves to an end of its block (N6), with ``OnEach(AdjacentSwap())`` the first two or the last two
    operations of a block change places (N5). Both lead from schedules to schedules.

    Parameters
    ----------
    order : array_like of int32, shape (n, m)
        The machines of each job, 0 ... m - 1, in the order in which it visits them.
    times : array_like, shape (n, m)
        Whole numbers, 0 or more: how long each of these operations takes.

    Raises
    ------
    InputError
        As for `JobShop`; and if there are more than 4,096 operations.

    Notes
    -----
    N5: E. Nowicki and C. Smutnicki, "A fast taboo search algorithm for the job shop problem", Management Science 42,
    1996. N6: E. Balas and A. Vazacopoulos, "Guided local search with shifting bottleneck for job shop scheduling",
    Management Science 44, 1998, who estimate the change of the makespan. Here it is exact: by the operations that are,
    in an order of all operations, between the two that trade their places; this order is kept beside each walk, with
    the longest paths to and from each operation. Compiled scans look only at moves of critical blocks, and first at the
    longest path through the operations that trade their order: where it is too long, the move is not evaluated.

    Examples
    --------
    >>> shop = JobShopByMachines([[0, 1], [1, 0]], [[3, 2], [2, 4]])
    >>> shop.cost(np.array([0, 1, 1, 0])), shop.cost(np.array([1, 0, 0, 1]))
    (7, 15)
    """

    order: np.ndarray = data("int32", ndim=2)
    times: np.ndarray = data("int64", ndim=2)

    source: ClassVar[str] = "job_shop_by_machines.cuh"

    def __attrs_post_init__(self) -> None:
        require_shop(self.order, self.times)
        if self.times.size > MOST:
            raise InputError(
                f"There must be at most {MOST:,} operations, but there are {self.times.size:,}.",
                "use JobShop, which has no such limit.",
            )

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], *, number: int = 1) -> Self:
        """Read a file, as `JobShop.from_file`."""
        shop = JobShop.from_file(path, number=number)
        return cls(shop.order, shop.times)

    @cached_property
    def representation(self) -> Repeated:
        """A permutation of the jobs for each machine."""
        n, m = self.times.shape
        return Repeated(m, Permutation(n))

    @cached_property
    def step(self) -> np.ndarray:
        """Which of its operations a job has on a machine, shape (n, m)."""
        return np.argsort(self.order, axis=1).astype(np.int32)

    def schedule(self, x: Solution) -> np.ndarray:
        """When each operation ends, shape (n, m): for each job in the order of its operations; -1 if never."""
        ends = np.full(self.times.size, -1, np.int64)
        for o, end in self._begun(x):
            ends[o] = end
        return ends.reshape(self.times.shape)

    def _begun(self, x: Solution) -> Iterator[tuple[int, int]]:
        """The operations that begin, each behind those for which it waits, and when they end."""
        n, m = self.times.shape
        rows, step, times = np.asarray(x).reshape(m, n).tolist(), self.step.tolist(), self.times.tolist()
        done, job_ends, machine_ends, following = [0] * n, [0] * n, [0] * m, [0] * m
        moved = True
        while moved:
            moved = False
            for r in range(m):
                while following[r] < n and step[job := rows[r][following[r]]][r] == done[job]:
                    end = max(job_ends[job], machine_ends[r]) + times[job][done[job]]
                    yield job * m + done[job], end
                    job_ends[job] = machine_ends[r] = end
                    done[job], following[r], moved = done[job] + 1, following[r] + 1, True

    def cost(self, x: Solution) -> int:
        """The makespan: when the last operation ends; more than any makespan if some never begin."""
        ends = self.schedule(x)
        waiting = int((ends < 0).sum())
        return int(self.times.sum()) + waiting if waiting else int(ends.max())

    def feasible(self, x: Solution, move: Any) -> bool:
        """Whether a move is one of a critical block, and no operations then wait in a circle."""
        if not isinstance(move, InsertionMove | SwapMove):
            raise InputError(
                f"JobShopByMachines cannot tell whether {move!r} is feasible.",
                "use OnEach(AdjacentSwap()) or OnEach(Insertion()).",
            )
        n, low, high = len(self.times), *sorted((move.i, move.j))
        row, path = low // n, _Paths.of(self, x)
        if high // n != row or path is None:
            return False
        if isinstance(move, SwapMove):
            return high == low + 1 and path.joins(low) and not (path.joins(low - 1) and path.joins(high))
        right = move.i < move.j
        if not all(map(path.joins, range(low, high))) or path.joins(high if right else low - 1):
            return False
        moved, other = (int(path.operations[k]) for k in (move.i, move.j))
        if right:
            return path.longest_from(other) >= path.longest_from(path.job_after(moved))
        return bool(high > low + 1 and path.longest_to(other) >= path.longest_to(path.job_before(moved)))

    def construct(self, random: Random) -> Solution:
        """A random active schedule: no operation could begin earlier without delaying another one.

        Of the operations that are ready, the one that could end first names a machine; of those that could begin there
        before this end, one is drawn, and is next on the machine.

        Notes
        -----
        B. Giffler and G. L. Thompson, "Algorithms for solving production-scheduling problems", Operations Research 8,
        1960.
        """
        n, m = self.times.shape
        done, ready, free = np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(m, np.int64)
        rows: list[list[int]] = [[] for _ in range(m)]
        for draw in range(n * m):
            open_jobs = np.flatnonzero(done < m)
            on, take = (table[open_jobs, done[open_jobs]] for table in (self.order, self.times))
            begin = np.maximum(ready[open_jobs], free[on])
            first = int(np.argmin(begin + take))
            machine, end = int(on[first]), int(begin[first] + take[first])
            rivals = np.flatnonzero((on == machine) & ((begin < end) | (np.arange(len(on)) == first)))
            chosen = int(rivals[random.index(draw, len(rivals))])
            job = int(open_jobs[chosen])
            ready[job] = free[machine] = begin[chosen] + take[chosen]
            done[job] += 1
            rows[machine].append(job)
        return np.concatenate(rows).astype(np.int32)

    @cached_property
    def cost_type(self) -> str:
        """Type of a change of cost: "int32" if twice the sum of all times fits, otherwise "int64"."""
        return "int32" if 2 * (most_of(self.times) + self.times.size) < 2**31 else "int64"

    def recommended(self) -> tuple[Recommendation, ...]:
        """Iterated tabu search over the ends of critical blocks (N5), kicked by insertions in blocks (N6).

        Two operations that traded their order must not trade it back for 6 to 12 iterations. Kicks have 6 to 12
        insertions, more of them in larger shops. Phases have an iteration for every fourth pair of operations, 15,000
        at least and 60,000 at most: shorter ones end before schedules of many operations are good.
        """
        from metaheur.parts import ArcMemory, Limit, RandomMoves, Tenure
        from metaheur.searches import IteratedLocalSearch, TabuSearch
        from metaheur.searches.recommendation import Recommendation
        from metaheur.searches.suited import suited

        if len(self.times) < 3:
            return suited(self)
        memory = ArcMemory(Tenure(0, 0, low_plus=6, high_plus=12))
        tabu = TabuSearch(OnEach(AdjacentSwap()), memory=memory, random_ties=True)
        count = self.times.size
        kicks = RandomMoves(OnEach(Insertion()), max(6, min(12, count // 18)), tries=1000)
        phase = max(15_000, min(60_000, count * count // 4))
        search = IteratedLocalSearch(tabu, kicks, limit=Limit(phase))
        return (Recommendation("iterated tabu search", search, "construct"),)

    def constants(self, representation: Representation) -> Mapping[str, int | bool]:
        """`jobs` and `machines`, their numbers; `longest`, the sum of all times."""
        n, m = self.times.shape
        return {"jobs": n, "machines": m, "longest": int(self.times.sum())}

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        """The machine of an operation, `on`, and its time, `takes`; `operation`: the one of a job on a machine."""
        n, m = self.times.shape
        operation = self.step + m * np.arange(n, dtype=np.int32)[:, None]
        return {"on": self.order.ravel(), "takes": np.append(self.times, 0), "operation": operation}

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """Kept arrays, as job_shop_by_machines.cuh describes them; `span`: the cost, and how many operations begin."""
        count = self.times.size
        places = {name: Array((count + 1,), "int32") for name in ("at", "place", "entry", "before", "after")}
        times = {name: Array((count + 1,)) for name in ("head", "tail")}
        return {**places, **times, "joins": Array(((count + 31) // 32,), "int32"), "span": Array((2,))}


@final
@frozen(eq=False)
class _Paths:
    """The longest paths to and from each operation of a schedule; operation j m + k is the k-th of job j.

    `m`, `span`: the number of machines, and the makespan. `operations`, numpy.ndarray, shape (m * n,): the operation at
    each entry of the solution. `times`, `ends`, `tails`, numpy.ndarray, shape (n * m,): how long each operation takes,
    when it ends, and how long the longest path behind it is.
    """

    m: int
    span: int
    operations: np.ndarray
    times: np.ndarray
    ends: np.ndarray
    tails: np.ndarray

    @classmethod
    def of(cls, shop: JobShopByMachines, x: Solution) -> _Paths | None:
        """The paths of a solution; None if operations wait in a circle."""
        n, m = shop.times.shape
        begun = list(shop._begun(x))
        if len(begun) < n * m:
            return None
        jobs = np.asarray(x, np.int64)
        operations = jobs * m + shop.step[jobs, np.repeat(np.arange(m), n)]
        following = np.full(n * m, -1)
        following[operations[:-1]] = np.where(np.arange(1, n * m) % n == 0, -1, operations[1:])
        times, ends, tails = shop.times.ravel(), np.zeros(n * m, np.int64), np.zeros(n * m, np.int64)
        for o, end in reversed(begun):
            behind = [each for each in (o + 1 if (o + 1) % m else -1, int(following[o])) if each >= 0]
            ends[o], tails[o] = end, max((int(times[each] + tails[each]) for each in behind), default=0)
        return cls(m, int(ends.max()), operations, times, ends, tails)

    def joins(self, k: int) -> bool:
        """Whether the operations at entries k and k + 1 follow each other in a critical block."""
        n = len(self.operations) // self.m
        if not 0 <= k < len(self.operations) - 1 or (k + 1) % n == 0:
            return False
        here, there = self.operations[k], self.operations[k + 1]
        critical = (self.ends[[here, there]] + self.tails[[here, there]] == self.span).all()
        return bool(critical and self.ends[here] == self.ends[there] - self.times[there])

    def longest_from(self, o: int) -> int:
        """The longest path that begins with an operation; 0 without one."""
        return 0 if o < 0 else int(self.times[o] + self.tails[o])

    def longest_to(self, o: int) -> int:
        """When an operation ends; 0 without one."""
        return 0 if o < 0 else int(self.ends[o])

    def job_after(self, o: int) -> int:
        """The next operation of the job; -1 if there is none."""
        return o + 1 if (o + 1) % self.m else -1

    def job_before(self, o: int) -> int:
        """The operation of the job before; -1 if there is none."""
        return o - 1 if o % self.m else -1
