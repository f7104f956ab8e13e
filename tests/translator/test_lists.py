"""Lists of compiled methods: decoders and small dynamic programs return the same in Python and in C++."""

# mypy: disable-error-code="no-untyped-def, untyped-decorator, arg-type"
from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from attrs import frozen

from metaheur import Permutation, Problem, TabuSearch, compiled, data, run, stop
from metaheur.device.device import Device
from metaheur.errors import CompileError
from metaheur.neighborhoods import Insertion, Swap
from metaheur.problems import FlowShop
from metaheur.testing import check_problem


@frozen(eq=False)
class Shop(Problem):
    """The makespan of a flow shop: a machine's times are a list."""

    derives = False  # or it would be a fold, without a list
    times: np.ndarray = data("int32", ndim=2)

    @property
    def representation(self) -> Permutation:
        return Permutation(len(self.times))

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
class Routes(Problem):
    """Routes of a giant tour, split at least cost by Bellman's recursion; customers begin at 1, and 0 is the depot."""

    distances: np.ndarray = data("int32", ndim=2)
    demands: np.ndarray = data("int32", ndim=1)
    capacity: int = data("int32")

    @property
    def representation(self) -> Permutation:
        return Permutation(len(self.demands))

    @compiled
    def cost(self, x):
        best = [1 << 40] * (self.n + 1)
        best[0] = 0
        for i in range(self.n):
            load = 0
            way = self.distances[0, x[i] + 1]
            for j in range(i, self.n):
                load += self.demands[x[j]]
                if load > self.capacity:
                    break
                if j > i:
                    way += self.distances[x[j - 1] + 1, x[j] + 1]
                best[j + 1] = min(best[j + 1], best[i] + way + self.distances[x[j] + 1, 0])
        return best[self.n]


@frozen(eq=False)
class Knots(Problem):
    """All uses of a list, in a cost without a meaning."""

    weights: np.ndarray = data("int32", ndim=2)

    @property
    def representation(self) -> Permutation:
        return Permutation(len(self.weights))

    @compiled
    def spread(self, values, k):
        return max(values) - values[k]

    @compiled
    def cost(self, x):
        table = [[0] * 3 for _ in range(self.n)]
        shown, doubled = 0, 0
        ones, twos = [1] * 2, [2, 3]
        before = [1, 2, 3]
        after = [2 * k for k in range(3)]
        items = list(x)
        for k, item in enumerate(items):
            table[k][item % 3] += self.weights[item, k]
            if item > k:
                before, after = after, before
            before[k % 3] += item
        for one, other in zip(x, items, strict=True):
            table[one][-1] -= other
        items.sort()
        order = sorted(self.weights[x[0]])
        flags = [False] * self.n
        flags[x[1]] = True
        for k in range(self.n):
            row = table[k]
            row[1] += k
            shown += 2 * row[1] + sum(self.weights[k, 1:3]) + sum(row)
            doubled += 1 if flags[k] else 2
        found = sum(before) * 3 + max(after) - min(after) + items[-1] - order[0] + self.spread(before, 1)
        return found + ones[0] * twos[1] + shown * doubled + (1 if any(flags) else 0)


RANDOM = np.random.default_rng(1)
SHOP = Shop(RANDOM.integers(1, 100, (8, 5)))
ROUTES = Routes(RANDOM.integers(1, 100, (8, 8)), RANDOM.integers(1, 10, 7), 15)
KNOTS = Knots(RANDOM.integers(-100, 100, (6, 6)))


@pytest.mark.parametrize("problem", [SHOP, ROUTES, KNOTS], ids=lambda each: type(each).__name__)
def test_methods_with_lists_say_the_same_in_both_languages(problem: Problem, compiling: Device) -> None:
    check_problem(problem, Swap(), devices=[compiling.name])


def test_a_flow_shop_written_with_a_list_equals_the_shipped_flow_shop(device: str) -> None:
    shipped = FlowShop(SHOP.times)
    for x in RANDOM.permuted(np.tile(np.arange(8, dtype=np.int32), (20, 1)), axis=1):
        assert SHOP.cost(x) == shipped.cost(x)
    search, limit = TabuSearch(Insertion()), stop.iterations(30)
    own, theirs = (run(search, each, stop=limit, seed=1, parallel=device) for each in (SHOP, shipped))
    assert own.cost == theirs.cost
    assert np.array_equal(own.solution, theirs.solution)


def test_routes_are_split_at_least_cost() -> None:
    x = np.arange(7)

    def least(first: int) -> int:
        """The least cost of the customers from a given customer on, over all first routes."""
        costs = [0] if first == 7 else []
        for end in range(first + 1, 8):
            stops = [0, *(int(c) + 1 for c in x[first:end]), 0]
            if sum(ROUTES.demands[x[first:end]]) <= ROUTES.capacity:
                way = sum(int(ROUTES.distances[a, b]) for a, b in pairwise(stops))
                costs.append(way + least(end))
        return min(costs)

    assert ROUTES.cost(x) == least(0)


def made(body: Callable[..., Any]) -> Problem:
    """A problem whose cost is a compiled method."""
    kind = type("Made", (Shop,), {"cost": compiled(body)})
    return frozen(eq=False)(kind)(SHOP.times)  # type: ignore[no-any-return]


def empty(self, x):
    found: list[int] = []
    return len(found)


def twice(self, x):
    found = [0] * self.n
    found = [1] * self.n
    return found[0]


def another(self, x):
    found = [0] * self.n
    also = found
    return also[0]


def unknown(self, x):
    found = [0] * int(x[0] / 2)
    return found[0]


def long(self, x):
    found = [0] * (self.n * 10_000)
    return found[0]


def made_in_a_loop(self, x):
    before = [0] * self.n
    for k in range(self.n):
        after = [k] * self.n
        before, after = after, before
    return before[0]


def over_what_is_swapped(self, x):
    before = [0] * self.n
    after = [1] * self.n
    total = 0
    for each in before:
        total += each
        before, after = after, before
    return total


def after_each_other(self, x):
    one = 1
    one, two = 2, [one] * self.n
    return one + two[0]


def of_a_branch(self, x):
    if x[0] > 1:
        found = [0] * self.n
        found[0] = 1
    else:
        found = [1] * self.n
    return found[0]


def of_floats(self, x):
    found = [0.5] * self.n
    found.sort()
    return int(found[0])


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (empty, "found is an empty list, but lists keep their length."),
        (twice, "found is a list, but is assigned twice."),
        (another, "also would be another name of a list."),
        (unknown, "the length of found has no bound that is known"),
        (long, "the lists of long may take 1,310,720 bytes|the lists of long may take 640,000 bytes"),
        (made_in_a_loop, "after is swapped, but made in a loop."),
        (over_what_is_swapped, "before is swapped in a loop over its entries."),
        (after_each_other, "one, two = .* is not translated"),
        (of_a_branch, "found may have no value here."),
        (of_floats, "a list of floats cannot be sorted here."),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_code_that_cannot_be_a_list_is_refused_with_its_line(body: Any, message: str) -> None:
    with pytest.raises(CompileError, match=message) as caught:
        made(body).explain()
    assert "Maybe" in str(caught.value)
    assert "test_lists.py:" in str(caught.value)
