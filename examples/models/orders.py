"""Seven problems whose solutions are orders.

Each class is a problem by its cost alone: metaheur derives what a move changes. `MODELS` has an instance of each, with
the moves that suit it; `python examples/models/orders.py` solves them.
"""

# mypy: disable-error-code="no-untyped-def, untyped-decorator"
import numpy as np
from attrs import frozen

from metaheur import Permutation, Problem, compiled, data, solve
from metaheur.neighborhoods import Insertion, InsertionMove, Swap, TwoOpt

R = np.random.default_rng(1)


@frozen(eq=False)
class QuadraticAssignment(Problem):
    """Give each item a place of its own, so that what flows much goes a short way. Swap()"""

    flows: np.ndarray = data("int32", ndim=2)
    ways: np.ndarray = data("int32", ndim=2)
    representation = property(lambda self: Permutation(len(self.flows)))

    @compiled
    def cost(self, x):
        return sum(self.flows[i, k] * self.ways[x[i], x[k]] for i in range(self.n) for k in range(self.n))


@frozen(eq=False)
class Tour(Problem):
    """Visit all cities and come back. TwoOpt(), OrOpt()"""

    ways: np.ndarray = data("int32", ndim=2)
    representation = property(lambda self: Permutation(len(self.ways), cyclic=True))

    @compiled
    def cost(self, x):
        return sum(self.ways[x[k - 1], x[k]] for k in range(self.n))


@frozen(eq=False)
class LinearOrdering(Problem):
    """Order items so that the weights from earlier to later ones are large. Insertion()"""

    maximise = True
    weights: np.ndarray = data("int32", ndim=2)
    representation = property(lambda self: Permutation(len(self.weights)))

    @compiled
    def cost(self, x):
        return -sum(self.weights[x[k], b] for k in range(self.n) for b in x[k + 1 :])


@frozen(eq=False)
class Tardiness(Problem):
    """Jobs on one machine, late at a price. Insertion(), Swap()"""

    jobs: np.ndarray = data("int32", ndim=2)  # of each: its time, its price for a unit late, when it is due
    representation = property(lambda self: Permutation(len(self.jobs)))

    @compiled
    def cost(self, x):
        now, total = 0, 0
        for job in x:
            now += self.jobs[job, 0]
            total += self.jobs[job, 1] * max(0, now - self.jobs[job, 2])
        return total


@frozen(eq=False)
class FlowShop(Problem):
    """All jobs pass all machines in one order; the last one ends early. Insertion()"""

    times: np.ndarray = data("int32", ndim=2)
    representation = property(lambda self: Permutation(len(self.times)))

    @compiled
    def cost(self, x):
        ends = [0] * len(self.times[0])
        for job in x:
            before = 0
            for machine, end in enumerate(ends):
                before = max(before, end) + self.times[job, machine]
                ends[machine] = before
        return ends[-1]


@frozen(eq=False)
class Ordered(Problem):
    """What orders have in common in which some items come before others: no move breaks one."""

    before: np.ndarray = data("int32", ndim=2)  # [a, b] is 1 where a comes before b; with all that follows from it

    @compiled
    def violations(self, x):
        return sum(self.before[b, x[k]] for k in range(self.n) for b in x[k + 1 :])

    @compiled
    def feasible(self, x, m: InsertionMove):
        behind = any(self.before[x[m.i], x[k]] for k in range(m.i + 1, m.j + 1))
        return not behind and not any(self.before[x[k], x[m.i]] for k in range(m.j, m.i))


@frozen(eq=False)
class SequentialOrdering(Ordered):
    """A path through all items, some of which come before others. Insertion()"""

    ways: np.ndarray = data("int32", ndim=2)
    representation = property(lambda self: Permutation(len(self.ways)))

    @compiled
    def cost(self, x):
        return sum(self.ways[x[k], x[k + 1]] for k in range(self.n - 1))


@frozen(eq=False)
class Project(Ordered):
    """Activities begin in turn, each as early as what comes before it and a resource allow. Insertion()"""

    jobs: np.ndarray = data("int32", ndim=2)  # of each: its time, and how much of the resource it needs
    limit: int = data("int32")
    representation = property(lambda self: Permutation(len(self.jobs)))

    @compiled
    def cost(self, x):
        used, ends = [0] * sum(self.jobs[k, 0] for k in range(self.n)), [0] * self.n
        for job in x:
            time, need = self.jobs[job, 0], self.jobs[job, 1]
            begin = max(ends[k] * self.before[k, job] for k in range(self.n))
            while any(used[begin + t] + need > self.limit for t in range(time)):
                begin += 1
            for t in range(time):
                used[begin + t] += need
            ends[job] = begin + time
        return max(ends)


CHAIN = np.triu(np.ones((8, 8), int), 5)  # an item comes before those that are five places behind it, and more
MODELS = [
    (QuadraticAssignment(*R.integers(0, 9, (2, 8, 8))), Swap()),
    (Tour(R.integers(1, 99, (8, 8))), TwoOpt()),
    (LinearOrdering(R.integers(0, 9, (8, 8))), Insertion()),
    (Tardiness(np.stack([R.integers(1, 9, 8), R.integers(1, 5, 8), R.integers(1, 40, 8)], 1)), Insertion()),
    (FlowShop(R.integers(1, 9, (8, 3))), Insertion()),
    (SequentialOrdering(CHAIN, R.integers(1, 99, (8, 8))), Insertion()),
    (Project(CHAIN, R.integers(1, 5, (8, 2)), 6), Insertion()),
]

if __name__ == "__main__":
    for problem, _ in MODELS:
        print(type(problem).__name__, solve(problem, work=100_000, seed=1).cost)
