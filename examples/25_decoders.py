"""A job shop and a strip of rectangles: loops over lists decode a permutation, in Python alone, on every device."""

import numpy as np
from attrs import frozen

from metaheur import Permutation, Problem, SimulatedAnnealing, compiled, data, run, stop
from metaheur.neighborhoods import Insertion


@frozen(eq=False)
class JobShop(Problem):
    """The makespan, if the next operation of job item // operations begins as early as it can."""

    machines: np.ndarray = data("int32", ndim=2)  # the machine of each operation of each job
    times: np.ndarray = data("int32", ndim=2)
    representation = property(lambda self: Permutation(self.times.size))

    @compiled
    def cost(self, x: np.ndarray) -> int:
        done, ready = [0] * len(self.times), [0] * len(self.times)
        free = [0] * len(self.times[0])
        for item in x:
            job = item // len(free)
            machine = self.machines[job, done[job]]
            end = max(ready[job], free[machine]) + self.times[job, done[job]]
            ready[job], free[machine] = end, end
            done[job] += 1
        return max(ready)


@frozen(eq=False)
class Strip(Problem):
    """The height of a strip, if each rectangle falls where its bottom is lowest, as far to the left as possible."""

    width: int = data("int32")
    sizes: np.ndarray = data("int32", ndim=2)  # width and height of each rectangle
    representation = property(lambda self: Permutation(len(self.sizes)))

    @compiled
    def cost(self, x: np.ndarray) -> int:
        skyline = [0] * self.width
        for item in x:
            wide, bottom, place = self.sizes[item, 0], 1 << 30, 0
            for left in range(self.width - wide + 1):
                top = max(skyline[k] for k in range(left, left + wide))
                if top < bottom:
                    bottom, place = top, left
            for k in range(place, place + wide):
                skyline[k] = bottom + self.sizes[item, 1]
        return max(skyline)


ORDER = ["201354", "124503", "235014", "102345", "214503", "135042"]  # ft06, Fisher and Thompson 1963
TIMES = ["136736", "85:::4", "548917", "555389", "935431", "339:41"]  # ":" is ten
shop = JobShop(*(np.array([[ord(k) - ord("0") for k in row] for row in rows]) for rows in (ORDER, TIMES)))
strip = Strip(20, np.random.default_rng(1).integers(2, 9, (25, 2)))
for problem, degrees in ((shop, 5.0), (strip, 2.0)):
    result = run(SimulatedAnnealing(Insertion(), degrees), problem, stop=stop.iterations(100_000), seed=1)
    print(f"{type(problem).__name__}: {result.cost}, {result.moves_per_second:,.0f} schedules or packings a second")
