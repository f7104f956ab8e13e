"""Problems that metaheur does not ship, by solutions of structure and the cost alone."""

# mypy: disable-error-code="no-untyped-def, untyped-decorator"
from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from attrs import frozen

from metaheur import BitString, Composite, Multiset, Permutation, Problem, Repeated, compiled, data
from metaheur.lists import Relocate
from metaheur.neighborhood import Neighborhood
from metaheur.neighborhoods import Hamming, Insertion, Interchange, On, OnEach, Union
from metaheur.problems import FleetRouting
from tests.benchmarks.tricks import OpenByItems

__all__ = ["structured"]


@frozen(eq=False)
class Roster(Problem):
    """Who works on which day: twenty people, each ten days."""

    need: np.ndarray = data("int32", ndim=1)
    representation = property(lambda self: Repeated(20, Multiset((len(self.need) - 10, 10))))

    @compiled
    def cost(self, x):
        days, total = len(self.need), 0
        for d in range(days):
            total += (sum(x[each * days + d] for each in range(20)) - self.need[d]) ** 2
        return total


@frozen(eq=False)
class Streets(Problem):
    """Streets that are served on one way, in an order, each in one direction; street k has the ends 2 k and 2 k + 1."""

    ways: np.ndarray = data("int32", ndim=2)
    representation = property(
        lambda self: Composite(order=Permutation(len(self.ways) // 2), turned=BitString(len(self.ways) // 2))
    )

    @compiled
    def cost(self, x):
        total = 0
        for k in range(len(x.order) - 1):
            a, b = x.order[k], x.order[k + 1]
            total += self.ways[2 * a + 1 - x.turned[a], 2 * b + x.turned[b]]
        return total


def structured() -> Iterator[tuple[str, Problem, Neighborhood]]:
    """A name, a random instance, and its moves."""
    numbers = np.random.default_rng(3)
    streets = Union(On("order", Insertion()), On("turned", Hamming(1)))
    yield "rosters, 20 of 28 days", Roster(numbers.integers(5, 10, 28)), OnEach(Interchange())
    yield "open shop, 15 x 15", OpenByItems(numbers.integers(1, 100, (15, 15)), 1), Interchange()
    yield "arc routing, 100 streets", Streets(_ways(numbers, 200)), streets
    vehicles = np.column_stack([np.full(20, 50), np.arange(20) % 4, np.zeros(20), np.ones(20), np.full((20, 2), 10**6)])
    yield "several depots, 100", _fleet(numbers, vehicles, np.full(100, -1)), Relocate()
    path = np.array([[1000, 0, 0, 0, 10**6, 3000]])
    yield "orienteering, 100", _fleet(numbers, path, numbers.integers(1, 20, 100)), Relocate()


def _ways(numbers: np.random.Generator, count: int) -> np.ndarray:
    places = numbers.integers(0, 1000, (count, 2)).astype(float)
    ways: np.ndarray = np.rint(np.hypot(*(places[:, None] - places).T)).astype(np.int32)
    return ways


def _fleet(numbers: np.random.Generator, vehicles: np.ndarray, prizes: np.ndarray) -> FleetRouting:
    """Customers without time windows, and vehicles from as many depots as these name."""
    nothing, n = np.zeros(100, np.int64), 101 + int(vehicles[:, 1].max())
    windows = np.tile([0, 10**6], (n, 1))
    return FleetRouting(numbers.integers(1, 10, 100), nothing, windows, nothing, prizes, _ways(numbers, n), vehicles)
