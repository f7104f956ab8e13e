"""Problems as they had to be said by bits, digits and permutations alone: with separators, keys, copies and weights."""

# mypy: disable-error-code="no-untyped-def, untyped-decorator"
from __future__ import annotations

import numpy as np
from attrs import frozen

from metaheur import BitString, DiscreteVector, Permutation, Problem, compiled, data

__all__ = [
    "AssignmentByWeight",
    "BinsByDigits",
    "CarsByItems",
    "DiversityByBits",
    "FlexibleByKeys",
    "JobsByItems",
    "MachinesBySeparators",
    "MedianByBits",
    "OrderingByWeight",
    "PartitionByWeight",
    "ProjectByList",
    "RosterByWeight",
    "WindowsByGiantTour",
]


@frozen(eq=False)
class MedianByBits(Problem):
    """A p-median whose bits say which places are open; another number of them costs more than any distance."""

    distances: np.ndarray = data("int32", ndim=2)
    p: int = data("int32")
    representation = property(lambda self: BitString(len(self.distances)))

    @compiled
    def cost(self, x):
        total = 10**6 * abs(sum(x[k] for k in range(self.n)) - self.p)
        for v in range(self.n):
            total += min(self.distances[v, k] if x[k] else 10**4 for k in range(self.n))
        return total


@frozen(eq=False)
class DiversityByBits(Problem):
    """Items that are far from each other, by bits; another number of them costs more than all distances."""

    distances: np.ndarray = data("int32", ndim=2)
    p: int = data("int32")
    representation = property(lambda self: BitString(len(self.distances)))

    @compiled
    def cost(self, x):
        wrong = abs(sum(x[k] for k in range(self.n)) - self.p)
        return 10**6 * wrong - sum(self.distances[i, j] * x[i] * x[j] for i in range(self.n) for j in range(i))


@frozen(eq=False)
class OrderingByWeight(Problem):
    """A path in which each pair in the wrong order costs more than any way."""

    ways: np.ndarray = data("int32", ndim=2)
    before: np.ndarray = data("int32", ndim=2)
    representation = property(lambda self: Permutation(len(self.ways)))

    @compiled
    def cost(self, x):
        wrong = sum(self.before[b, x[k]] for k in range(self.n) for b in x[k + 1 :])
        return 10**4 * wrong + sum(self.ways[x[k], x[k + 1]] for k in range(self.n - 1))


@frozen(eq=False)
class PartitionByWeight(Problem):
    """Vertices in four groups; a group of another size than a fourth costs more than edges."""

    weights: np.ndarray = data("int32", ndim=2)
    representation = property(lambda self: DiscreteVector(len(self.weights), 4))

    @compiled
    def cost(self, x):
        cut = sum(self.weights[i, j] for i in range(self.n) for j in range(i) if x[i] != x[j])
        loads = [0] * 4
        for k in range(self.n):
            loads[x[k]] += 1
        return cut + sum(1000 * (load - self.n // 4) ** 2 for load in loads)


@frozen(eq=False)
class JobsByItems(Problem):
    """A job shop by a permutation of the operations, of which only the job counts: many are the same schedule."""

    order: np.ndarray = data("int32", ndim=2)
    times: np.ndarray = data("int32", ndim=2)
    representation = property(lambda self: Permutation(self.times.size))

    @compiled
    def cost(self, x):
        jobs, m = len(self.times), len(self.times[0])
        done, ready, free = [0] * jobs, [0] * jobs, [0] * m
        for k in range(self.n):
            j = x[k] // m
            r = self.order[j, done[j]]
            ready[j] = max(ready[j], free[r]) + self.times[j, done[j]]
            free[r] = ready[j]
            done[j] += 1
        return max(ready)


@frozen(eq=False)
class FlexibleByKeys(Problem):
    """A flexible job shop of jobs of ten operations: a key and a machine for each; the least key begins first."""

    times: np.ndarray = data("int32", ndim=2)
    representation = property(lambda self: DiscreteVector(2 * len(self.times), 1000))

    @compiled
    def cost(self, x):
        count, m = len(self.times), len(self.times[0])
        done, ready, free = [0] * (count // 10), [0] * (count // 10), [0] * m
        for _ in range(count):
            j = 0
            least = 1000
            for each in range(count // 10):
                if done[each] < 10 and x[each * 10 + done[each]] < least:
                    j, least = each, x[each * 10 + done[each]]
            o = j * 10 + done[j]
            r = x[count + o] % m
            for other in range(m):
                if self.times[o, (r + other) % m] >= 0:
                    r = (r + other) % m
                    break
            ready[j] = max(ready[j], free[r]) + self.times[o, r]
            free[r] = ready[j]
            done[j] += 1
        return max(ready)


@frozen(eq=False)
class ProjectByList(Problem):
    """A project by a list of activities; each pair in the wrong order costs more than any makespan."""

    durations: np.ndarray = data("int32", ndim=1)
    demands: np.ndarray = data("int32", ndim=2)
    capacity: int = data("int32")
    before: np.ndarray = data("int32", ndim=2)
    horizon: int = data("int32")
    representation = property(lambda self: Permutation(len(self.durations)))

    @compiled
    def cost(self, x):
        kinds = len(self.demands[0])
        used = [[0] * kinds for _ in range(self.horizon)]
        ends = [0] * self.n
        wrong, last = 0, 0
        for k in range(self.n):
            a = x[k]
            start = 0
            for b in range(self.n):
                if self.before[b, a]:
                    start = max(start, ends[b])
                    wrong += ends[b] == 0
            time = start
            while time < start + self.durations[a]:
                if any(used[time][r] + self.demands[a, r] > self.capacity for r in range(kinds)):
                    start = time + 1
                time += 1
            for spent in range(start, time):
                for r in range(kinds):
                    used[spent][r] += self.demands[a, r]
            ends[a] = time
            last = max(last, time)
        return 10**4 * wrong + last


@frozen(eq=False)
class CarsByItems(Problem):
    """A line of cars by a permutation of the cars, of which only the class counts."""

    kind: np.ndarray = data("int32", ndim=1)
    needs: np.ndarray = data("int32", ndim=2)
    limits: np.ndarray = data("int32", ndim=1)
    blocks: np.ndarray = data("int32", ndim=1)
    representation = property(lambda self: Permutation(len(self.kind)))

    @compiled
    def cost(self, x):
        total = 0
        for o in range(len(self.limits)):
            for w in range(self.n - self.blocks[o] + 1):
                needed = sum(self.needs[self.kind[x[w + k]], o] for k in range(self.blocks[o]))
                total += max(0, needed - self.limits[o])
        return total


@frozen(eq=False)
class MachinesBySeparators(Problem):
    """Jobs on parallel machines, each after a separator: the sum of weighted completion times."""

    times: np.ndarray = data("int32", ndim=2)
    weights: np.ndarray = data("int32", ndim=1)
    representation = property(lambda self: Permutation(len(self.weights) + len(self.times[0]) - 1))

    @compiled
    def cost(self, x):
        total, now, machine = 0, 0, 0
        for k in range(self.n):
            if x[k] >= len(self.weights):
                now = 0
                machine += 1
            else:
                now += self.times[x[k], machine]
                total += self.weights[x[k]] * now
        return total


@frozen(eq=False)
class AssignmentByWeight(Problem):
    """A generalised assignment; what an agent does above its capacity costs more than any task."""

    prices: np.ndarray = data("int32", ndim=2)
    uses: np.ndarray = data("int32", ndim=2)
    capacity: int = data("int32")
    representation = property(lambda self: DiscreteVector(len(self.prices[0]), len(self.prices)))

    @compiled
    def cost(self, x):
        loads = [0] * len(self.prices)
        for k in range(self.n):
            loads[x[k]] += self.uses[x[k], k]
        above = sum(max(0, load - self.capacity) for load in loads)
        return 1000 * above + sum(self.prices[x[k], k] for k in range(self.n))


@frozen(eq=False)
class BinsByDigits(Problem):
    """Items in bins of one capacity; what lies above it costs more than all bins, and full bins less than others."""

    weights: np.ndarray = data("int32", ndim=1)
    capacity: int = data("int32")
    representation = property(lambda self: DiscreteVector(len(self.weights), 60))

    @compiled
    def cost(self, x):
        loads = [0] * 60
        for k in range(self.n):
            loads[x[k]] += self.weights[k]
        above = sum(max(0, load - self.capacity) for load in loads)
        return 10**6 * above + sum(self.capacity**2 - load**2 for load in loads if load > 0)


@frozen(eq=False)
class RosterByWeight(Problem):
    """Who works on which day, by bits; another number of days of a person than ten costs more than a day's demand."""

    need: np.ndarray = data("int32", ndim=1)
    representation = property(lambda self: BitString(20 * len(self.need)))

    @compiled
    def cost(self, x):
        days, total = len(self.need), 0
        for each in range(20):
            total += 1000 * (sum(x[each * days + d] for d in range(days)) - 10) ** 2
        for d in range(days):
            total += (sum(x[each * days + d] for each in range(20)) - self.need[d]) ** 2
        return total


@frozen(eq=False)
class WindowsByGiantTour(Problem):
    """Routes with time windows, in one tour with depots between routes; lateness and overload have weights."""

    ways: np.ndarray = data("int32", ndim=2)
    demands: np.ndarray = data("int32", ndim=1)
    ready: np.ndarray = data("int32", ndim=1)
    due: np.ndarray = data("int32", ndim=1)
    capacity: int = data("int32")
    representation = property(lambda self: Permutation(len(self.demands) + 19))

    @compiled
    def cost(self, x):
        total, now, load, last = 0, 0, 0, 0
        for k in range(self.n):
            place = x[k] + 1 if x[k] < len(self.demands) else 0
            total += self.ways[last, place]
            now += self.ways[last, place]
            if place == 0:
                now, load = 0, 0
            else:
                load += self.demands[x[k]]
                now = max(now, self.ready[x[k]])
                total += 100 * max(0, now - self.due[x[k]]) + 1000 * max(0, load - self.capacity)
            last = place
        return total + self.ways[last, 0]
