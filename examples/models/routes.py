"""Six problems of lists: routes of vehicles, and jobs of machines.

Each class is a problem by its cost alone: metaheur derives what a move changes. `MODELS` has an instance of each, with
the moves that suit it; `python examples/models/routes.py` solves them.
"""

# mypy: disable-error-code="no-untyped-def, untyped-decorator"
import numpy as np
from attrs import frozen

from metaheur import Problem, compiled, data, solve
from metaheur.lists import Lists, Relocate, TwoOptStar

R = np.random.default_rng(1)


@frozen(eq=False)
class ParallelMachines(Problem):
    """Jobs on machines, with times between them; the last machine is done early. Relocate(), CrossExchange()"""

    times: np.ndarray = data("int32", ndim=2)  # of job b behind job a, its own time included
    machines: int = data("int32")
    representation = property(lambda self: Lists(len(self.times), self.machines))

    @compiled
    def cost(self, x):
        most = 0
        for m in range(self.machines):
            now, last = 0, -1
            for job in x.list(m):
                now += self.times[last, job] if last >= 0 else self.times[job, job]
                last = job
            most = max(most, now)
        return most


@frozen(eq=False)
class Routes(Problem):
    """Vehicles of equal size bring goods from the depot, the last place. Relocate(), CrossExchange(), TwoOptStar()"""

    ways: np.ndarray = data("int32", ndim=2)
    demands: np.ndarray = data("int32", ndim=1)
    vehicles: int = data("int32")
    size: int = data("int32")
    representation = property(lambda self: Lists(len(self.demands), self.vehicles))

    @compiled
    def cost(self, x):
        total = 0
        for vehicle in range(self.vehicles):
            load, at = 0, len(self.demands)
            for customer in x.list(vehicle):
                load += self.demands[customer]
                total += self.ways[at, customer]
                at = customer
            total += self.ways[at, len(self.demands)] + 1000 * max(0, load - self.size)
        return total


@frozen(eq=False)
class TimeWindows(Problem):
    """Each customer is open for some time; the depot is the last place. Relocate(), TwoOptStar()"""

    ways: np.ndarray = data("int32", ndim=2)
    windows: np.ndarray = data("int32", ndim=2)  # of each customer: opens, closes, takes so long
    vehicles: int = data("int32")
    representation = property(lambda self: Lists(len(self.windows), self.vehicles))

    @compiled
    def cost(self, x):
        total = 0
        for vehicle in range(self.vehicles):
            now, at = 0, len(self.windows)
            for customer in x.list(vehicle):
                now = max(now + self.ways[at, customer], self.windows[customer, 0])
                total += self.ways[at, customer] + 100 * max(0, now - self.windows[customer, 1])
                now += self.windows[customer, 2]
                at = customer
            total += self.ways[at, len(self.windows)]
        return total


@frozen(eq=False)
class Depots(Problem):
    """Vehicle k begins and ends at depot k; depots are the places behind the customers. Relocate(), TwoOptStar()"""

    ways: np.ndarray = data("int32", ndim=2)
    demands: np.ndarray = data("int32", ndim=1)
    size: int = data("int32")
    vehicles = property(lambda self: len(self.ways) - len(self.demands))
    representation = property(lambda self: Lists(len(self.demands), self.vehicles))

    @compiled
    def cost(self, x):
        total = 0
        for vehicle in range(len(self.ways) - len(self.demands)):
            load, at = 0, len(self.demands) + vehicle
            for customer in x.list(vehicle):
                load += self.demands[customer]
                total += self.ways[at, customer]
                at = customer
            total += self.ways[at, len(self.demands) + vehicle] + 1000 * max(0, load - self.size)
        return total


@frozen(eq=False)
class Pickups(Problem):
    """Item 2 k is brought to where item 2 k + 1 is, by the same vehicle. Relocate(), CrossExchange()"""

    ways: np.ndarray = data("int32", ndim=2)  # the last place is the depot
    vehicles: int = data("int32")
    representation = property(lambda self: Lists(len(self.ways) - 1, self.vehicles))

    @compiled
    def cost(self, x):
        total, vehicle, place = 0, [0] * (len(self.ways) - 1), [0] * (len(self.ways) - 1)
        for v in range(self.vehicles):
            at, stop = len(self.ways) - 1, 0
            for item in x.list(v):
                total += self.ways[at, item]
                vehicle[item], place[item] = v, stop
                at, stop = item, stop + 1
            total += self.ways[at, len(self.ways) - 1]
        for a in range(0, len(self.ways) - 1, 2):
            total += 1000 * (vehicle[a] != vehicle[a + 1] or place[a] > place[a + 1])
        return total


@frozen(eq=False)
class Orienteering(Problem):
    """Collect prizes on a way of limited length; what is in no list is left out. Relocate()"""

    maximise = True
    ways: np.ndarray = data("int32", ndim=2)  # the last place is the depot
    prizes: np.ndarray = data("int32", ndim=1)
    limit: int = data("int32")
    representation = property(lambda self: Lists(len(self.prizes), 1, optional=True))

    @compiled
    def cost(self, x):
        total = 0
        for vehicle in range(1):
            length, at = 0, len(self.prizes)
            for place in x.list(vehicle):
                total -= self.prizes[place]
                length += self.ways[at, place]
                at = place
            total += 100 * max(0, length + self.ways[at, len(self.prizes)] - self.limit)
        return total


WAYS = R.integers(1, 99, (9, 9))
OPENS = R.integers(0, 99, 8)
MODELS = [
    (ParallelMachines(R.integers(1, 9, (8, 8)), 3), Relocate()),
    (Routes(WAYS, R.integers(1, 9, 8), 3, 15), TwoOptStar()),
    (TimeWindows(WAYS, np.stack([OPENS, OPENS + 40, np.full(8, 5)], 1), 3), Relocate()),
    (Depots(R.integers(1, 99, (10, 10)), R.integers(1, 9, 8), 20), TwoOptStar()),
    (Pickups(WAYS, 3), Relocate()),
    (Orienteering(WAYS, R.integers(1, 9, 8), 150), Relocate()),
]

if __name__ == "__main__":
    for problem, _ in MODELS:
        print(type(problem).__name__, solve(problem, work=100_000, seed=1).cost)
