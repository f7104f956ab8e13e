"""Four problems of sequences in which items repeat, or of one sequence for each machine.

Each class is a problem by its cost alone: metaheur derives what a move changes. `MODELS` has an instance of each, with
the moves that suit it; `python examples/models/shops.py` solves them.
"""

# mypy: disable-error-code="no-untyped-def, untyped-decorator"
import numpy as np
from attrs import field, frozen

from metaheur import Composite, DiscreteVector, Multiset, Permutation, Problem, Repeated, compiled, data, solve
from metaheur.neighborhoods import Insertion, Interchange, On, OnEach, Shift, Substitution, Union

R = np.random.default_rng(1)


@frozen(eq=False)
class JobShop(Problem):
    """An order of jobs for each machine; if they wait for each other for ever, it costs much. OnEach(Insertion())"""

    times: np.ndarray = data("int32", ndim=2)  # of each job on each machine
    route: np.ndarray = data("int32", ndim=2)  # [job, machine]: the machine that the job visits before; -1 at first
    representation = property(lambda self: Repeated(len(self.times[0]), Permutation(len(self.times))))

    @compiled
    def cost(self, x):
        jobs, machines, last, late = len(self.times), len(self.times[0]), 0, 1
        ends = [[0] * machines for _ in range(jobs)]
        for _ in range(jobs * machines):
            late = 0
            for m in range(machines):
                free = 0
                for k in range(jobs):
                    job, ahead = x[m * jobs + k], self.route[x[m * jobs + k], m]
                    free = max(free, ends[job][ahead] if ahead >= 0 else 0) + self.times[job, m]
                    late += free - ends[job][m]
                    ends[job][m] = free
                last = max(last, free)
        return last if late == 0 else 10**6


@frozen(eq=False)
class OpenShop(Problem):
    """x names jobs: each goes to the machine that is free first of those where it has not been. Shift()"""

    times: np.ndarray = data("int32", ndim=2)  # of each job on each machine
    representation = property(lambda self: Multiset((len(self.times[0]),) * len(self.times)))

    @compiled
    def cost(self, x):
        jobs, machines = len(self.times), len(self.times[0])
        been, done, free = [[0] * machines for _ in range(jobs)], [0] * jobs, [0] * machines
        for job in x:
            at = -1
            for m in range(machines):
                if been[job][m] == 0 and (at < 0 or free[m] < free[at]):
                    at = m
            done[job] = max(done[job], free[at]) + self.times[job, at]
            been[job][at], free[at] = 1, done[job]
        return max(done)


@frozen(eq=False)
class FlexibleJobShop(Problem):
    """Jobs of three operations: x.order names jobs in turn, and x.machine has a machine for each operation."""

    times: np.ndarray = data("int32", ndim=2)  # of each operation on each machine; job k has 3 k, 3 k + 1, 3 k + 2
    jobs = property(lambda self: len(self.times) // 3)
    representation = property(
        lambda self: Composite(order=Multiset((3,) * self.jobs), machine=DiscreteVector(*self.times.shape))
    )

    @compiled
    def cost(self, x):
        done, next, free = [0] * (len(self.times) // 3), [0] * (len(self.times) // 3), [0] * len(self.times[0])
        for job in x.order:
            operation = 3 * job + next[job]
            machine = x.machine[operation]
            done[job] = max(done[job], free[machine]) + self.times[operation, machine]
            free[machine] = done[job]
            next[job] += 1
        return max(done)


@frozen(eq=False)
class CarSequencing(Problem):
    """Of any five cars in a row, only so many have an option. Interchange(), Shift()"""

    counts: tuple[int, ...] = field()  # of the cars of each class
    has: np.ndarray = data("int32", ndim=2)  # [class, option]
    most: np.ndarray = data("int32", ndim=1)
    representation = property(lambda self: Multiset(self.counts))

    @compiled
    def cost(self, x):
        total = 0
        for option in range(len(self.most)):
            for k in range(self.n - 4):
                total += max(0, sum(self.has[x[k + d], option] for d in range(5)) - self.most[option])
        return total


FIRST_TO_LAST = np.tile(np.arange(-1, 2), (4, 1))  # each job visits the machines 0, 1, 2
MODELS = [
    (JobShop(R.integers(1, 9, (4, 3)), FIRST_TO_LAST), OnEach(Insertion())),
    (OpenShop(R.integers(1, 9, (4, 3))), Shift()),
    (FlexibleJobShop(R.integers(1, 9, (9, 3))), Union(On("order", Interchange()), On("machine", Substitution()))),
    (CarSequencing((3, 3, 4), R.integers(0, 2, (3, 2)), np.array([2, 3])), Interchange()),
]

if __name__ == "__main__":
    for problem, _ in MODELS:
        print(type(problem).__name__, solve(problem, work=100_000, seed=1).cost)
