"""Problems as they had to be said by bits, digits and permutations alone: with separators, keys, copies and weights."""

# mypy: disable-error-code="no-untyped-def, untyped-decorator"
from __future__ import annotations

import numpy as np
from attrs import frozen

from metaheur import BitString, DiscreteVector, Permutation, Problem, Representation, compiled, data

__all__ = [
    "AssignmentByWeight",
    "BinsByDigits",
    "CarsByItems",
    "DepotsByGiantTour",
    "DiversityByBits",
    "FlexibleByKeys",
    "JobsByItems",
    "MachinesBySeparators",
    "MedianByBits",
    "ModesByKeys",
    "OpenByItems",
    "OrderingByWeight",
    "PartitionByWeight",
    "ProjectByList",
    "RosterByWeight",
    "StreetsByKeys",
    "TimetableByWeight",
    "VisitsByCut",
    "WindowsByGiantTour",
]


@frozen(eq=False)
class ChosenByBits(Problem):
    """Items of which `p` are chosen, by bits; another number of them costs more than any distance."""

    distances: np.ndarray = data("int32", ndim=2)
    p: int = data("int32")
    representation = property(lambda self: BitString(len(self.distances)))


@frozen(eq=False)
class MedianByBits(ChosenByBits):
    """The ways from all items to the nearest chosen one."""

    @compiled
    def cost(self, x):
        total = 10**6 * abs(sum(x[k] for k in range(self.n)) - self.p)
        for v in range(self.n):
            total += min(self.distances[v, k] if x[k] else 10**4 for k in range(self.n))
        return total


@frozen(eq=False)
class DiversityByBits(ChosenByBits):
    """Chosen items that are far from each other."""

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


@frozen(eq=False)
class ModesByKeys(Problem):
    """A project in three modes: a key and a mode for each activity; of those that may begin, the least key does."""

    durations: np.ndarray = data("int32", ndim=2)
    demands: np.ndarray = data("int32", ndim=2)
    spends: np.ndarray = data("int32", ndim=2)
    capacity: int = data("int32")
    store: int = data("int32")
    before: np.ndarray = data("int32", ndim=2)
    horizon: int = data("int32")
    representation = property(lambda self: DiscreteVector(2 * len(self.durations), 999))

    @compiled
    def cost(self, x):
        count = len(self.durations)
        used = [0] * self.horizon
        ends = [0] * count
        last, spent = 0, 0
        for _ in range(count):
            a, least = 0, 999
            for each in range(count):
                ready = all(ends[b] > 0 for b in range(count) if self.before[b, each])
                if ends[each] == 0 and x[each] < least and ready:
                    a, least = each, x[each]
            mode = x[count + a] % 3
            start = max(ends[b] * self.before[b, a] for b in range(count))
            time = start
            while time < start + self.durations[a, mode]:
                if used[time] + self.demands[a, mode] > self.capacity:
                    start = time + 1
                time += 1
            for now in range(start, time):
                used[now] += self.demands[a, mode]
            spent += self.spends[a, mode]
            ends[a] = time
            last = max(last, time)
        return 10**4 * max(0, spent - self.store) + last


@frozen(eq=False)
class OpenByItems(Problem):
    """An open shop: items stand for operations, `alike` of each job, which take the machine that is free first.

    Items are a permutation of all operations, or, where `alike` is 1, jobs as often as they have operations.
    """

    times: np.ndarray = data("int32", ndim=2)
    alike: int = data("int32")
    representation = property(lambda self: Permutation(self.times.size) if self.alike > 1 else _jobs(*self.times.shape))

    @compiled
    def cost(self, x):
        jobs, m = len(self.times), len(self.times[0])
        ready, free = [0] * jobs, [0] * m
        done = [[0] * m for _ in range(jobs)]
        for k in range(self.n):
            j = x[k] // self.alike
            r, begin = 0, 10**6
            for machine in range(m):
                if done[j][machine] == 0 and max(ready[j], free[machine]) < begin:
                    r, begin = machine, max(ready[j], free[machine])
            done[j][r] = 1
            ready[j] = begin + self.times[j, r]
            free[r] = ready[j]
        return max(ready)


@frozen(eq=False)
class TimetableByWeight(Problem):
    """Lectures in rooms and periods, by digits: what may not be has a large weight beside what is not wished."""

    course: np.ndarray = data("int32", ndim=1)
    clashes: np.ndarray = data("int32", ndim=2)
    students: np.ndarray = data("int32", ndim=1)
    seats: np.ndarray = data("int32", ndim=1)
    representation = property(lambda self: DiscreteVector(len(self.course), 25 * len(self.seats)))

    @compiled
    def cost(self, x):
        rooms = len(self.seats)
        days = [[0] * 5 for _ in range(len(self.students))]
        in_rooms = [[0] * rooms for _ in range(len(self.students))]
        wrong, unwished = 0, 0
        for k in range(self.n):
            c = self.course[k]
            days[c][x[k] // rooms // 5] = 1
            in_rooms[c][x[k] % rooms] = 1
            unwished += max(0, self.students[c] - self.seats[x[k] % rooms])
            for other in range(k):
                if x[other] == x[k]:
                    wrong += 1
                if x[other] // rooms == x[k] // rooms:
                    wrong += self.clashes[c, self.course[other]]
        for c in range(len(self.students)):
            unwished += 5 * max(0, 2 - sum(days[c])) + max(0, sum(in_rooms[c]) - 1)
        return 10**6 * wrong + unwished


@frozen(eq=False)
class DepotsByGiantTour(Problem):
    """Vehicles of four depots, in one tour with a separator before each but the first; overload has a weight."""

    ways: np.ndarray = data("int32", ndim=2)
    demands: np.ndarray = data("int32", ndim=1)
    capacity: int = data("int32")
    representation = property(lambda self: Permutation(len(self.demands) + 19))

    @compiled
    def cost(self, x):
        count = len(self.demands)
        total, load, depot, last = 0, 0, count, count
        for k in range(self.n):
            if x[k] < count:
                total += self.ways[last, x[k]]
                load += self.demands[x[k]]
                last = x[k]
            else:
                total += self.ways[last, depot] + 1000 * max(0, load - self.capacity)
                depot = count + (x[k] - count + 1) % 4
                load, last = 0, depot
        return total + self.ways[last, depot] + 1000 * max(0, load - self.capacity)


@frozen(eq=False)
class StreetsByKeys(Problem):
    """Streets that are served on one way, by the least key first; the lowest bit of a second digit is the direction."""

    ways: np.ndarray = data("int32", ndim=2)
    representation = property(lambda self: DiscreteVector(len(self.ways), 999))

    @compiled
    def cost(self, x):
        count = self.n // 2
        places = [0] * count
        for k in range(count):
            places[sum(x[b] < x[k] or (x[b] == x[k] and b < k) for b in range(count))] = k
        total, last = 0, 2 * places[0] + x[count + places[0]] % 2
        for k in range(1, count):
            end = 2 * places[k] + x[count + places[k]] % 2
            total += self.ways[last ^ 1, end]
            last = end
        return total


@frozen(eq=False)
class VisitsByCut(Problem):
    """A tour of which only the beginning counts that the longest way allows: the prizes that it leaves behind."""

    ways: np.ndarray = data("int32", ndim=2)
    prizes: np.ndarray = data("int32", ndim=1)
    longest: int = data("int32")
    representation = property(lambda self: Permutation(len(self.prizes)))

    @compiled
    def cost(self, x):
        depot, left, way, last = self.n, 0, 0, self.n
        for k in range(self.n):
            way += self.ways[last, x[k]]
            last = x[k]
            if way + self.ways[last, depot] > self.longest:
                left += self.prizes[x[k]]
        return left


def _jobs(count: int, operations: int) -> Representation:
    from metaheur import Multiset  # which an older tree does not have

    return Multiset((operations,) * count)
