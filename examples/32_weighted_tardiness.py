"""Weighted tardiness on one machine: a cost in three lines, and the published optimum of the first wt40."""

from typing import Any

import numpy as np
from attrs import frozen

from metaheur import Permutation, Problem, SimulatedAnnealing, compiled, data, run, stop
from metaheur.neighborhoods import Swap
from metaheur.testing import check_problem


@frozen(eq=False)
class WeightedTardiness(Problem):
    """Each job is late by the time between its due date and its end; the sum, weighted, is to be small."""

    cost_type = "int32"
    times: np.ndarray = data("int32", ndim=1)
    weights: np.ndarray = data("int32", ndim=1)
    due: np.ndarray = data("int32", ndim=1)
    representation = property(lambda self: Permutation(len(self.due)))

    @compiled
    def start(self) -> dict[str, int]:
        return {"time": 0, "late": 0}

    @compiled
    def step(self, s: Any, job: int) -> None:
        s.time += self.times[job]
        s.late += self.weights[job] * max(0, s.time - self.due[job])

    @compiled
    def finish(self, s: Any) -> Any:
        return s.late


# The first instance of wt40.txt, OR-Library (Crauwels, Potts and Van Wassenhove 1998); its optimum is 913.
TIMES = """26 24 79 46 32 35 73 74 14 67 86 46 78 40 29 94 64 27 90 55
35 52 36 69 85 95 14 78 37 86 44 28 39 12 30 68 70 9 49 50"""
WEIGHTS = "1 10 9 10 10 4 3 2 10 3 7 3 1 3 10 4 7 7 4 7 5 3 5 4 9 5 2 8 10 4 7 4 9 5 7 7 5 10 1 3"
DUE = """1588 1620 1731 1773 1694 1487 1566 1844 1727 1636 1599 1539 1855 1645 1709 1660 1582 1836 1484 1559
1772 1510 1512 1795 1522 1509 1598 1658 1826 1628 1650 1833 1627 1528 1541 1497 1481 1446 1579 1814"""
times, weights, due = (np.array(row.split(), int) for row in (TIMES, WEIGHTS, DUE))

print(check_problem(WeightedTardiness(times[:9], weights[:9], due[:9] - 1400), Swap()))
problem = WeightedTardiness(times, weights, due)
result = run(SimulatedAnnealing(Swap(), 300.0), problem, stop=stop.target(913) | stop.iterations(3_000_000), seed=1)
print(f"late by {result.cost}, {result.moves_per_second / 1e6:.0f} M moves a second")
