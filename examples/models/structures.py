"""Seven problems of subsets, of classes of fixed sizes, of rows, and of solutions with parts.

Each class is a problem by its cost alone: metaheur derives what a move changes. `MODELS` has an instance of each, with
the moves that suit it; `python examples/models/structures.py` solves them.
"""

# mypy: disable-error-code="no-untyped-def, untyped-decorator"
import numpy as np
from attrs import field, frozen

from metaheur import (
    BitString,
    Composite,
    DiscreteVector,
    Domains,
    Multiset,
    Permutation,
    Problem,
    Repeated,
    Subset,
    compiled,
    data,
    solve,
)
from metaheur.neighborhoods import Hamming, Insertion, Interchange, On, OnEach, Substitution, Union

R = np.random.default_rng(1)


@frozen(eq=False)
class PMedian(Problem):
    """So many open places, x[0] ... x[p - 1]: customers go to the nearest one. Interchange()"""

    ways: np.ndarray = data("int32", ndim=2)  # [customer, place]
    p: int = data("int32")
    representation = property(lambda self: Subset(len(self.ways[0]), self.p))

    @compiled
    def cost(self, x):
        total = 0
        for c in range(len(self.ways)):
            total += min(self.ways[c, x[k]] for k in range(self.p))
        return total


@frozen(eq=False)
class Diversity(Problem):
    """So many items that are far from each other. Interchange()"""

    maximise = True
    ways: np.ndarray = data("int32", ndim=2)
    p: int = data("int32")
    representation = property(lambda self: Subset(len(self.ways), self.p))

    @compiled
    def cost(self, x):
        return -sum(self.ways[x[i], x[k]] for i in range(self.p) for k in range(i))


@frozen(eq=False)
class Partition(Problem):
    """Parts of equal size, with few edges between them. Interchange()"""

    sizes: tuple[int, ...] = field()
    edges: np.ndarray = data("int32", ndim=2)
    representation = property(lambda self: Multiset(self.sizes))

    @compiled
    def cost(self, x):
        return sum(x[self.edges[e, 0]] != x[self.edges[e, 1]] for e in range(len(self.edges)))


@frozen(eq=False)
class Roster(Problem):
    """Who works on which days: a row for each person, with so many days of work. OnEach(Interchange())"""

    need: np.ndarray = data("int32", ndim=1)  # how many are needed each day
    people: int = data("int32")
    works: int = data("int32")
    representation = property(lambda self: Repeated(self.people, Multiset((len(self.need) - self.works, self.works))))

    @compiled
    def cost(self, x):
        days, total = len(self.need), 0
        for d in range(days):
            total += (sum(x[each * days + d] for each in range(self.people)) - self.need[d]) ** 2
        return total


@frozen(eq=False)
class ModesOfActivities(Problem):
    """Activities in an order, each in a mode of its own list: so much of one resource, for so long."""

    first: np.ndarray = data("int32", ndim=1)  # where the modes of each activity begin, then the end of all
    modes: np.ndarray = data("int32", ndim=2)  # of each mode: its time, and what it needs of the resource
    limit: int = data("int32")
    representation = property(
        lambda self: Composite(order=Permutation(len(self.first) - 1), mode=Domains(np.diff(self.first)))
    )

    @compiled
    def cost(self, x):
        used, last = [0] * sum(self.modes[k, 0] for k in range(len(self.modes))), 0
        for job in x.order:
            time, need = self.modes[self.first[job] + x.mode[job], 0], self.modes[self.first[job] + x.mode[job], 1]
            begin = 0
            while any(used[begin + t] + need > self.limit for t in range(time)):
                begin += 1
            for t in range(time):
                used[begin + t] += need
            last = max(last, begin + time)
        return last


@frozen(eq=False)
class Streets(Problem):
    """Streets that are served on one way, each in one direction; street k has the ends 2 k and 2 k + 1."""

    ways: np.ndarray = data("int32", ndim=2)
    streets = property(lambda self: len(self.ways) // 2)
    representation = property(lambda self: Composite(order=Permutation(self.streets), turned=BitString(self.streets)))

    @compiled
    def cost(self, x):
        total = 0
        for k in range(len(x.order) - 1):
            a, b = x.order[k], x.order[k + 1]
            total += self.ways[2 * a + 1 - x.turned[a], 2 * b + x.turned[b]]
        return total


@frozen(eq=False)
class Portfolio(Problem):
    """So many assets, and how many shares of each: little risk, and as much return as is wanted."""

    risks: np.ndarray = data("int32", ndim=2)
    returns: np.ndarray = data("int32", ndim=1)
    wanted: int = data("int32")
    p: int = data("int32")
    representation = property(
        lambda self: Composite(chosen=Subset(len(self.returns), self.p), shares=DiscreteVector(self.p, 6))
    )

    @compiled
    def cost(self, x):
        gain = sum(x.shares[k] * self.returns[x.chosen[k]] for k in range(self.p))
        risk = 0
        for i in range(self.p):
            for k in range(self.p):
                risk += x.shares[i] * x.shares[k] * self.risks[x.chosen[i], x.chosen[k]]
        return risk + 100 * max(0, self.wanted - gain)


SQUARE, EDGES = R.integers(1, 99, (8, 8)), np.array([(k, (k + step) % 8) for k in range(8) for step in (1, 3)])
MODELS = [
    (PMedian(SQUARE, 3), Interchange()),
    (Diversity(SQUARE, 3), Interchange()),
    (Partition((4, 4), EDGES), Interchange()),
    (Roster(R.integers(1, 4, 7), 4, 3), OnEach(Interchange())),
    (
        ModesOfActivities(np.array([0, 2, 3, 6]), R.integers(1, 5, (6, 2)), 6),
        Union(On("order", Insertion()), On("mode", Substitution())),
    ),
    (Streets(R.integers(1, 99, (10, 10))), Union(On("order", Insertion()), On("turned", Hamming(1)))),
    (
        Portfolio(SQUARE, R.integers(1, 9, 8), 30, 3),
        Union(On("chosen", Interchange()), On("shares", Substitution())),
    ),
]

if __name__ == "__main__":
    for problem, _ in MODELS:
        print(type(problem).__name__, solve(problem, work=100_000, seed=1).cost)
