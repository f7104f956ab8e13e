"""Nine problems whose solutions give each item a value or a bit.

Each class is a problem by its cost alone: metaheur derives what a move changes. `MODELS` has an instance of each, with
the moves that suit it; `python examples/models/values.py` solves them.
"""

# mypy: disable-error-code="no-untyped-def, untyped-decorator"
import numpy as np
from attrs import frozen

from metaheur import BitString, DiscreteVector, Problem, compiled, data, solve
from metaheur.neighborhoods import Hamming, Substitution

R = np.random.default_rng(1)


@frozen(eq=False)
class BinPacking(Problem):
    """Items in bins: what does not fit counts most, then the bins that are used. Substitution(), Interchange()"""

    sizes: np.ndarray = data("int32", ndim=1)
    bins: int = data("int32")
    room: int = data("int32")
    representation = property(lambda self: DiscreteVector(len(self.sizes), self.bins))

    @compiled
    def cost(self, x):
        load = [0] * self.bins
        for item, bin in enumerate(x):
            load[bin] += self.sizes[item]
        return sum(min(1, each) + 100 * max(0, each - self.room) for each in load)


@frozen(eq=False)
class GeneralizedAssignment(Problem):
    """Jobs for agents, who have so much time. Substitution(), Interchange()"""

    prices: np.ndarray = data("int32", ndim=2)  # [agent, job]
    times: np.ndarray = data("int32", ndim=2)
    limits: np.ndarray = data("int32", ndim=1)
    representation = property(lambda self: DiscreteVector(len(self.times[0]), len(self.times)))

    @compiled
    def cost(self, x):
        busy = [0] * len(self.limits)
        for job, agent in enumerate(x):
            busy[agent] += self.times[agent, job]
        over = sum(max(0, busy[agent] - self.limits[agent]) for agent in range(len(self.limits)))
        return sum(self.prices[x[job], job] for job in range(self.n)) + 100 * over


@frozen(eq=False)
class Coloring(Problem):
    """Colors for vertices: few edges whose ends have the same one. Substitution()"""

    edges: np.ndarray = data("int32", ndim=2)
    vertices: int = data("int32")
    colors: int = data("int32")
    representation = property(lambda self: DiscreteVector(self.vertices, self.colors))

    @compiled
    def cost(self, x):
        return sum(x[self.edges[e, 0]] == x[self.edges[e, 1]] for e in range(len(self.edges)))


@frozen(eq=False)
class Clustering(Problem):
    """Groups of items that are near to each other. Substitution()"""

    ways: np.ndarray = data("int32", ndim=2)
    groups: int = data("int32")
    representation = property(lambda self: DiscreteVector(len(self.ways), self.groups))

    @compiled
    def cost(self, x):
        return sum(self.ways[i, k] for i in range(self.n) for k in range(i) if x[i] == x[k])


@frozen(eq=False)
class Timetable(Problem):
    """A time for each lecture: first no clashes, then what teachers wish. Substitution(), Interchange()"""

    levels = ("clashes", "wishes")
    clashes: np.ndarray = data("int32", ndim=2)  # [a, b]: 1 where two lectures have students in common
    wishes: np.ndarray = data("int32", ndim=2)  # [lecture, time]: how much it is against it
    representation = property(lambda self: DiscreteVector(*self.wishes.shape))

    def level_bounds(self):
        return (0, int(self.clashes.sum())), (0, int(self.wishes.max(axis=1).sum()))

    @compiled
    def cost(self, x):
        hard = sum(self.clashes[a, b] * (x[a] == x[b]) for a in range(self.n) for b in range(a))
        return hard, sum(self.wishes[a, x[a]] for a in range(self.n))


@frozen(eq=False)
class Knapsack(Problem):
    """A subset of any size, of limited weight, that is worth most. Hamming(1), Hamming(2)"""

    maximise = True
    worth: np.ndarray = data("int32", ndim=1)
    weights: np.ndarray = data("int32", ndim=1)
    limit: int = data("int32")
    representation = property(lambda self: BitString(len(self.worth)))

    @compiled
    def cost(self, x):
        over = max(0, sum(self.weights[k] * x[k] for k in range(self.n)) - self.limit)
        return 100 * over - sum(self.worth[k] * x[k] for k in range(self.n))


@frozen(eq=False)
class MaxCut(Problem):
    """Two sides of a graph with much between them; a quadratic program if x[i] * x[k] counts. Hamming(1)"""

    maximise = True
    weights: np.ndarray = data("int32", ndim=2)
    representation = property(lambda self: BitString(len(self.weights)))

    @compiled
    def cost(self, x):
        return -sum(self.weights[i, k] for i in range(self.n) for k in range(i) if x[i] != x[k])


@frozen(eq=False)
class SetCover(Problem):
    """Cheap subsets that have every item; an item that is missing costs much. Hamming(1), Hamming(2)"""

    prices: np.ndarray = data("int32", ndim=1)
    pairs: np.ndarray = data("int32", ndim=2)  # of an item and a subset that has it
    items: int = data("int32")
    representation = property(lambda self: BitString(len(self.prices)))

    @compiled
    def cost(self, x):
        found = [0] * self.items
        for q in range(len(self.pairs)):
            found[self.pairs[q, 0]] += x[self.pairs[q, 1]]
        return sum(self.prices[k] * x[k] for k in range(self.n)) + 100 * sum(count == 0 for count in found)


@frozen(eq=False)
class Facilities(Problem):
    """Open some places: each has a price, and customers go to the nearest one. Hamming(1), Interchange()"""

    prices: np.ndarray = data("int32", ndim=1)
    ways: np.ndarray = data("int32", ndim=2)  # [customer, place]
    representation = property(lambda self: BitString(len(self.prices)))

    @compiled
    def cost(self, x):
        total = sum(self.prices[k] * x[k] for k in range(self.n))
        for c in range(len(self.ways)):
            total += min(self.ways[c, k] if x[k] else 1000 for k in range(self.n))
        return total


SQUARE, EDGES = R.integers(1, 99, (8, 8)), np.array([(k, (k + step) % 8) for k in range(8) for step in (1, 3)])
MODELS = [
    (BinPacking(R.integers(1, 9, 8), 4, 14), Substitution()),
    (GeneralizedAssignment(R.integers(1, 9, (3, 8)), R.integers(1, 9, (3, 8)), np.full(3, 15)), Substitution()),
    (Coloring(EDGES, 8, 3), Substitution()),
    (Clustering(SQUARE, 3), Substitution()),
    (Timetable(np.tril(R.integers(0, 2, (8, 8)), -1), R.integers(0, 9, (8, 4))), Substitution()),
    (Knapsack(R.integers(1, 99, 8), R.integers(1, 99, 8), 200), Hamming(1)),
    (MaxCut(SQUARE), Hamming(1)),
    (
        SetCover(R.integers(1, 9, 8), np.array([(k % 5, k) for k in range(8)] + [(k % 4, k) for k in range(8)]), 5),
        Hamming(1),
    ),
    (Facilities(R.integers(1, 99, 8), SQUARE), Hamming(1)),
]

if __name__ == "__main__":
    for problem, _ in MODELS:
        print(type(problem).__name__, solve(problem, work=100_000, seed=1).cost)
