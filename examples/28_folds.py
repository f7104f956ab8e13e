"""Capacitated vehicle routing in twenty lines: a cost that goes through the customers one by one is a fold."""

from typing import Any

import numpy as np
from attrs import frozen

from metaheur import Permutation, Problem, TabuSearch, compiled, data, run, stop
from metaheur.neighborhoods import Insertion, Swap
from metaheur.testing import check_problem


@frozen(eq=False)
class Routing(Problem):
    """Vehicles serve the customers of a giant tour in turn, each until the next one does not fit; the depot is last."""

    cost_type = "int32"
    demand: np.ndarray = data("int32", ndim=1)
    distance: np.ndarray = data("int32", ndim=2)
    capacity: int = data("int32")
    representation = property(lambda self: Permutation(len(self.demand)))

    @compiled
    def start(self) -> dict[str, int]:
        return {"load": 0, "length": 0}

    @compiled
    def step(self, s: Any, customer: int, before: int) -> None:
        if s.load + self.demand[customer] > self.capacity:  # home, and out again
            s.length += self.distance[before, -1] + self.distance[-1, customer]
            s.load = self.demand[customer]
        else:
            s.length += self.distance[before, customer]
            s.load += self.demand[customer]

    @compiled
    def finish(self, s: Any, last: int) -> Any:
        return s.length + self.distance[last, -1]


def instance(n: int) -> Routing:
    """Customers in a square of side 1,000, and the depot."""
    random = np.random.default_rng(n)
    places = random.integers(0, 1001, (n + 1, 2))
    distance = np.rint(np.hypot(*(places[:, None] - places[None]).T)).astype(int)
    return Routing(random.integers(1, 21, n), distance, 100)


print(check_problem(instance(12), Swap(), Insertion()))
for neighborhood in (Swap(), Insertion()):
    result = run(TabuSearch(neighborhood), instance(100), stop=stop.iterations(2_000), seed=1)
    print(f"{neighborhood!r}: length {result.cost}, {result.moves_per_second / 1e6:.0f} M moves a second")
