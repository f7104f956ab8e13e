"""Costs that are folds, each beside the same cost in full: `cost` alone, so that a move folds the whole solution."""

# mypy: disable-error-code="no-untyped-def, untyped-decorator, misc"
from __future__ import annotations

import numpy as np
from attrs import frozen

from metaheur import Permutation, Problem, compiled, data

__all__ = ["PAIRS"]

WINDOW = 16
FAR = 1 << 28


@frozen(eq=False)
class NextFitRouting(Problem):
    """Vehicles in turn serve the customers of a giant tour, each until the next one does not fit; the depot is last."""

    demand: np.ndarray = data("int32", ndim=1)
    distance: np.ndarray = data("int32", ndim=2)
    capacity: int = data("int32")
    cost_type = "int32"
    representation = property(lambda self: Permutation(len(self.demand)))

    @compiled
    def start(self):
        return {"load": 0, "length": 0}

    @compiled
    def step(self, s, customer, before):
        if s.load + self.demand[customer] > self.capacity:
            s.length += self.distance[before, -1] + self.distance[-1, customer]
            s.load = self.demand[customer]
        else:
            s.length += self.distance[before, customer]
            s.load += self.demand[customer]

    @compiled
    def finish(self, s, last):
        return s.length + self.distance[last, -1]


@frozen(eq=False)
class NextFitRoutingInFull(Problem):
    """The same."""

    demand: np.ndarray = data("int32", ndim=1)
    distance: np.ndarray = data("int32", ndim=2)
    capacity: int = data("int32")
    cost_type = "int32"
    representation = property(lambda self: Permutation(len(self.demand)))

    @compiled
    def cost(self, x):
        load, length, before = 0, 0, -1
        for customer in x:
            if load + self.demand[customer] > self.capacity:
                length += self.distance[before, -1] + self.distance[-1, customer]
                load = self.demand[customer]
            else:
                length += self.distance[before, customer]
                load += self.demand[customer]
            before = customer
        return length + self.distance[before, -1]


@frozen(eq=False)
class SplitRouting(Problem):
    """A giant tour split at least cost (Bellman): for each of the last customers, the cost of a route from it on.

    `cost[k]` is the least cost up to the current customer whose last route has k + 1 customers, less the least cost so
    far; a route that is too heavy costs FAR.
    """

    demand: np.ndarray = data("int32", ndim=1)
    distance: np.ndarray = data("int32", ndim=2)
    capacity: int = data("int32")
    cost_type = "int32"
    representation = property(lambda self: Permutation(len(self.demand)))

    @compiled
    def start(self):
        return {"cost": [FAR] * WINDOW, "load": [self.capacity + 1] * WINDOW, "total": 0}

    @compiled
    def step(self, s, customer, before):
        weight, home = self.demand[customer], self.distance[-1, customer]
        edge = self.distance[before, customer]
        for at in range(WINDOW - 1):
            k = WINDOW - 1 - at
            heavy = s.load[k - 1] + weight > self.capacity
            s.cost[k] = FAR if heavy else s.cost[k - 1] + edge
            s.load[k] = self.capacity + 1 if heavy else s.load[k - 1] + weight
        s.cost[0] = home
        s.load[0] = weight
        least = home
        for each in s.cost:
            least = min(least, each)
        least += home
        s.total += least
        for k in range(WINDOW):
            s.cost[k] = FAR if s.cost[k] >= FAR // 2 else s.cost[k] - least

    @compiled
    def finish(self, s):
        return s.total


@frozen(eq=False)
class SplitRoutingInFull(Problem):
    """The same."""

    demand: np.ndarray = data("int32", ndim=1)
    distance: np.ndarray = data("int32", ndim=2)
    capacity: int = data("int32")
    cost_type = "int32"
    representation = property(lambda self: Permutation(len(self.demand)))

    @compiled
    def cost(self, x):
        cost, load = [FAR] * WINDOW, [self.capacity + 1] * WINDOW
        total, before = 0, -1
        for customer in x:
            weight, home = self.demand[customer], self.distance[-1, customer]
            edge = self.distance[before, customer]
            for at in range(WINDOW - 1):
                k = WINDOW - 1 - at
                heavy = load[k - 1] + weight > self.capacity
                cost[k] = FAR if heavy else cost[k - 1] + edge
                load[k] = self.capacity + 1 if heavy else load[k - 1] + weight
            cost[0], load[0] = home, weight
            least = home
            for each in cost:
                least = min(least, each)
            least += home
            total += least
            for k in range(WINDOW):
                cost[k] = FAR if cost[k] >= FAR // 2 else cost[k] - least
            before = customer
        return total


@frozen(eq=False)
class NextFitPacking(Problem):
    """The number of bins: an item that does not fit into the last bin opens the next one."""

    sizes: np.ndarray = data("int32", ndim=1)
    capacity: int = data("int32")
    cost_type = "int32"
    representation = property(lambda self: Permutation(len(self.sizes)))

    @compiled
    def start(self):
        return {"level": 0, "bins": 1}

    @compiled
    def step(self, s, item):
        full = s.level + self.sizes[item] > self.capacity
        s.bins += 1 if full else 0
        s.level = self.sizes[item] if full else s.level + self.sizes[item]

    @compiled
    def finish(self, s):
        return s.bins


@frozen(eq=False)
class NextFitPackingInFull(Problem):
    """The same."""

    sizes: np.ndarray = data("int32", ndim=1)
    capacity: int = data("int32")
    cost_type = "int32"
    representation = property(lambda self: Permutation(len(self.sizes)))

    @compiled
    def cost(self, x):
        level, bins = 0, 1
        for item in x:
            full = level + self.sizes[item] > self.capacity
            bins += 1 if full else 0
            level = self.sizes[item] if full else level + self.sizes[item]
        return bins


@frozen(eq=False)
class Machines(Problem):
    """The makespan of five machines: a job begins on the machine that is free first; the times are sorted."""

    times: np.ndarray = data("int32", ndim=1)
    cost_type = "int32"
    representation = property(lambda self: Permutation(len(self.times)))

    @compiled
    def start(self):
        return {"ends": [0] * 5}

    @compiled
    def step(self, s, job):
        end = s.ends[0] + self.times[job]
        for k in range(4):
            other = s.ends[k + 1]
            s.ends[k] = min(end, other)
            end = max(end, other)
        s.ends[4] = end

    @compiled
    def finish(self, s):
        return s.ends[4]


@frozen(eq=False)
class MachinesInFull(Problem):
    """The same."""

    times: np.ndarray = data("int32", ndim=1)
    cost_type = "int32"
    representation = property(lambda self: Permutation(len(self.times)))

    @compiled
    def cost(self, x):
        ends = [0] * 5
        for job in x:
            end = ends[0] + self.times[job]
            for k in range(4):
                other = ends[k + 1]
                ends[k] = min(end, other)
                end = max(end, other)
            ends[4] = end
        return ends[4]


@frozen(eq=False)
class Shop(Problem):
    """The makespan of a permutation flow shop."""

    times: np.ndarray = data("int32", ndim=2)
    cost_type = "int32"
    representation = property(lambda self: Permutation(len(self.times)))

    @compiled
    def start(self):
        return {"ends": [0] * len(self.times[0])}

    @compiled
    def step(self, s, job):
        done = 0
        for machine, end in enumerate(s.ends):
            done = max(done, end) + self.times[job, machine]
            s.ends[machine] = done

    @compiled
    def finish(self, s):
        return s.ends[-1]


@frozen(eq=False)
class ShopInFull(Problem):
    """The same."""

    times: np.ndarray = data("int32", ndim=2)
    cost_type = "int32"
    representation = property(lambda self: Permutation(len(self.times)))

    @compiled
    def cost(self, x):
        ends = [0] * len(self.times[0])
        for job in x:
            done = 0
            for machine, end in enumerate(ends):
                done = max(done, end) + self.times[job, machine]
                ends[machine] = done
        return ends[-1]


def _customers(n: int) -> tuple[np.ndarray, np.ndarray, int]:
    """Demands of 1 ... 20, distances of points in a square, the depot last, and a capacity of 100."""
    random = np.random.default_rng(n)
    points = random.integers(0, 1001, (n + 1, 2))
    distance = np.rint(np.hypot(*(points[:, None] - points[None]).transpose(2, 0, 1))).astype(np.int32)
    return random.integers(1, 21, n), distance, 100


def _sizes(n: int) -> tuple[np.ndarray, int]:
    return np.random.default_rng(n).integers(50, 601, n), 1000


def _times(n: int) -> tuple[np.ndarray]:
    return (np.random.default_rng(n).integers(1, 100, n),)


def _shop(n: int) -> tuple[np.ndarray]:
    return (np.random.default_rng(n).integers(1, 100, (n, 20)),)


PAIRS = (
    ("next-fit routing", NextFitRouting, NextFitRoutingInFull, _customers, (100, 500, 1000)),
    ("Bellman split", SplitRouting, SplitRoutingInFull, _customers, (100, 500)),
    ("next-fit packing", NextFitPacking, NextFitPackingInFull, _sizes, (100, 500)),
    ("list scheduling, 5 machines", Machines, MachinesInFull, _times, (100,)),
    ("flow shop, 20 machines", Shop, ShopInFull, _shop, (100,)),
)
"""What is measured: the fold, the same in full, the data of an instance with n items, and the sizes."""
