"""A course timetable: hard before soft. Lectures get a period and a room; clashes come first, then seats and gaps."""

from typing import Any

import numpy as np
from attrs import frozen

from metaheur import Problem, SimulatedAnnealing, TabuSearch, compiled, data, run, stop
from metaheur.loops import Trial
from metaheur.neighborhoods import Substitution
from metaheur.parts import AdaptedWeights, Metropolis
from metaheur.representation import DiscreteVector
from metaheur.testing import check_problem


@frozen(eq=False)
class CourseTimetable(Problem):
    levels = ("hard", "soft")
    periods: int = data("int32")
    students: np.ndarray = data("int32", ndim=1)  # of each lecture
    seats: np.ndarray = data("int32", ndim=1)  # of each room
    together: np.ndarray = data("int32", ndim=2)  # [a, b], a < b: 1 where lectures share a teacher or a curriculum

    @property
    def representation(self) -> DiscreteVector:
        return DiscreteVector(len(self.students), self.periods * len(self.seats))  # x[lecture]: period * rooms + room

    def level_bounds(self) -> Any:
        pairs, missing = self.n * (self.n - 1) // 2, np.maximum(0, self.students - self.seats.min())
        return (0, pairs + int(self.together.sum())), (-pairs, int(missing.sum()))

    @compiled
    def cost(self, x: Any) -> Any:
        rooms, clashes, missing, near = len(self.seats), 0, 0, 0
        for a in range(self.n):
            missing += max(0, self.students[a] - self.seats[x[a] % rooms])
            for b in range(a + 1, self.n):
                clashes += x[a] == x[b]
                clashes += self.together[a, b] * (x[a] // rooms == x[b] // rooms)
                near += self.together[a, b] * (abs(x[a] // rooms - x[b] // rooms) == 1)
        return clashes, missing - near  # of a curriculum, lectures in neighboring periods are a gain


rng = np.random.default_rng(2)
drawn = np.triu(rng.random((24, 24)) < 0.25, 1).astype(np.int32)
problem = CourseTimetable(8, rng.integers(10, 60, 24), np.array([60, 40, 25, 25]), drawn)
check_problem(problem, Substitution())
searches = {
    "tabu search": TabuSearch(Substitution()),
    "a temperature each": SimulatedAnnealing(Substitution(), (0.5, 3.0)),
    "adapted weights": Trial(Substitution(), AdaptedWeights(Metropolis(3.0))),
}
for name, search in searches.items():
    result = run(search, problem, stop=stop.iterations(100 if name == "tabu search" else 20_000), seed=1)
    first = result.reached((0, None))
    moves = "never" if first is None else f"after {first[1]:,} moves"
    print(f"{name:18} hard {result.cost[0]}, soft {result.cost[1]}, feasible {moves}")
