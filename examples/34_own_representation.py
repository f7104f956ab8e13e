"""A representation of one's own: rosters, which have the same number of people on duty on each day."""

from typing import Any

import numpy as np
from attrs import frozen

from metaheur import Problem, Repeated, Representation, compiled, data, run, searches, solve, stop
from metaheur.neighborhoods import Interchange, OnEach
from metaheur.parallel import Islands, Multistart
from metaheur.parts import RandomMoves, UniformCopies


@frozen
class OnDuty(Representation):
    """A day: for each person a bit, so many of which are 1; any two people may trade (`exchanges`)."""

    length: int
    ones: int
    dtype, values, exchanges = np.dtype(np.uint8), 2, True

    @compiled
    def draw(self, x: Any, random: Any) -> None:
        left = self.ones
        for k in range(len(x)):
            x[k] = 1 if random.index(k, len(x) - k) < left else 0
            left -= x[k]

    def random(self, random: Any) -> Any:
        self.draw(x := np.empty(self.length, np.uint8), random)
        return x

    def violation(self, x: Any) -> str:
        return "" if set(x) <= {0, 1} and x.sum() == self.ones else f"{x.sum()} are on duty."

    def distance(self, x: Any, y: Any) -> int:
        return int((x != y).sum()) // 2


@frozen(eq=False)
class Roster(Problem):
    against: np.ndarray = data("int32", ndim=2)  # how much each person is against each day: days x people
    representation = property(lambda self: Repeated(len(self.against), OnDuty(len(self.against[0]), 3)))

    @compiled
    def cost(self, x: Any) -> Any:
        n = len(self.against[0])
        twice = sum(x[k] * x[k + n] for k in range(self.n - n))  # on duty two days running
        return 4 * twice + sum(self.against[k // n, k % n] * x[k] for k in range(self.n))


problem, trade = Roster(np.random.default_rng(1).integers(0, 10, (7, 12))), OnEach(Interchange())
bred = searches.GeneticAlgorithm(UniformCopies(7), RandomMoves(trade, 1), size=20)
for search in (searches.HillClimbing(trade), searches.SimulatedAnnealing(trade, 5.0), searches.TabuSearch(trade), bred):
    here, there = (run(search, problem, stop=stop.iterations(300), seed=1, parallel=on) for on in ("numpy", "host"))
    print(f"{type(search).__name__:20} {here.cost} on numpy, {there.cost} on host")
kicked = searches.IteratedLocalSearch(searches.HillClimbing(trade), RandomMoves(trade, 3))
islands = run(kicked, problem, stop=stop.iterations(300), seed=1, parallel=Islands(Multistart(64), every=50))
print(f"64 walks on islands  {islands.cost}; solve  {solve(problem, work=10**6, seed=1).cost}")
