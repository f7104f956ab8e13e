"""Problems that metaheur does not ship, by the cost alone, in words that an older tree knows, too."""

# mypy: disable-error-code="no-untyped-def, untyped-decorator"
from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from attrs import frozen

from metaheur import BitString, DiscreteVector, Permutation, Problem, compiled, data
from metaheur.neighborhood import Neighborhood
from metaheur.neighborhoods import Hamming, Insertion, Substitution

__all__ = ["costs_alone"]


@frozen(eq=False)
class LinearOrdering(Problem):
    """The weights below the diagonal."""

    weights: np.ndarray = data("int32", ndim=2)
    representation = property(lambda self: Permutation(len(self.weights)))

    @compiled
    def cost(self, x):
        return -sum(self.weights[x[k], c] for k in range(self.n) for c in x[k + 1 :])


@frozen(eq=False)
class Tardiness(Problem):
    """Jobs on a machine: the sum of weighted tardiness."""

    times: np.ndarray = data("int32", ndim=1)
    weights: np.ndarray = data("int32", ndim=1)
    due: np.ndarray = data("int32", ndim=1)
    representation = property(lambda self: Permutation(len(self.times)))

    @compiled
    def cost(self, x):
        now, total = 0, 0
        for k in range(self.n):
            now += self.times[x[k]]
            total += self.weights[x[k]] * max(0, now - self.due[x[k]])
        return total


@frozen(eq=False)
class Clustering(Problem):
    """The distances between items of one cluster of ten."""

    distances: np.ndarray = data("int32", ndim=2)
    representation = property(lambda self: DiscreteVector(len(self.distances), 10))

    @compiled
    def cost(self, x):
        return sum(self.distances[i, k] for i in range(self.n) for k in range(i) if x[i] == x[k])


@frozen(eq=False)
class Covering(Problem):
    """Prices of sets, and much for each element that none of them has; a row of `pairs` is an element and a set."""

    prices: np.ndarray = data("int32", ndim=1)
    pairs: np.ndarray = data("int32", ndim=2)
    representation = property(lambda self: BitString(len(self.prices)))

    @compiled
    def cost(self, x):
        covered = [0] * (2 * self.n)
        for q in range(len(self.pairs)):
            covered[self.pairs[q, 0]] += x[self.pairs[q, 1]]
        return sum(self.prices[k] * x[k] for k in range(self.n)) + 1000 * sum(count == 0 for count in covered)


@frozen(eq=False)
class Facilities(Problem):
    """What open facilities cost, and the way of each customer to the nearest one."""

    prices: np.ndarray = data("int32", ndim=1)
    ways: np.ndarray = data("int32", ndim=2)
    representation = property(lambda self: BitString(len(self.prices)))

    @compiled
    def cost(self, x):
        total = 0
        for v in range(len(self.ways)):
            total += min(self.ways[v, k] if x[k] else 10**4 for k in range(self.n))
        return total + sum(self.prices[k] * x[k] for k in range(self.n))


def costs_alone() -> Iterator[tuple[str, Problem, Neighborhood]]:
    """A name, a random instance, and its moves."""
    numbers = np.random.default_rng(2)
    square, pairs = numbers.integers(1, 100, (100, 100)), numbers.integers(0, (400, 200), (1600, 2))
    times, weights, due = numbers.integers(1, 100, 100), numbers.integers(1, 10, 100), numbers.integers(0, 5000, 100)
    yield "linear ordering, 100", LinearOrdering(square), Insertion()
    yield "single machine, tardiness, 100", Tardiness(times, weights, due), Insertion()
    yield "clustering, 100 in 10", Clustering(square), Substitution()
    yield "set covering, 200 sets", Covering(numbers.integers(1, 100, 200), np.unique(pairs, axis=0)), Hamming(1)
    yield "facility location, 100", Facilities(numbers.integers(100, 500, 100), square), Hamming(1)
