"""Capacitated vehicle routing: a file of CVRPLIB, and giant tours that are split at least cost."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from attrs import frozen

from metaheur import Permutation, Problem, SimulatedAnnealing, compiled, data, run, stop
from metaheur.neighborhoods import Insertion
from metaheur.problems.formats.cvrplib import CVRPInstance, read_cvrp
from metaheur.problems.formats.tsplib import distance_matrix
from metaheur.testing import check_problem


@frozen(eq=False)
class VehicleRouting(Problem):
    """Routes of a giant tour, split by Bellman's recursion (Prins 2004); the depot is the last place."""

    distances: np.ndarray = data("int32", ndim=2)
    demands: np.ndarray = data("int32", ndim=1)
    capacity: int = data("int32")
    representation = property(lambda self: Permutation(len(self.demands)))

    @compiled
    def cost(self, x: np.ndarray) -> int:
        best = [1 << 30] * (self.n + 1)
        best[0] = 0
        for first in range(self.n):
            load, length = 0, best[first] + self.distances[-1, x[first]]
            for last in range(first, self.n):
                load += self.demands[x[last]]
                if load > self.capacity:
                    break
                if last > first:
                    length += self.distances[x[last - 1], x[last]]
                best[last + 1] = min(best[last + 1], length + self.distances[x[last], -1])
        return best[self.n]


def problem_of(instance: CVRPInstance) -> VehicleRouting:
    """The customers in the order of the file, and the depot last."""
    order = instance.depot_last
    distances = distance_matrix(instance.places)[np.ix_(order, order)]
    return VehicleRouting(distances, instance.demands[order[:-1]], instance.capacity)


# P-n16-k8 of CVRPLIB (Augerat 1995); its optimum is 450.
PLACES = "30,40 37,52 49,49 52,64 31,62 52,33 42,41 52,41 57,58 62,42 42,57 27,68 43,67 58,48 58,27 37,69"
DEMANDS = "0 19 30 16 23 11 31 15 28 8 8 7 14 6 19 11"
text = "NAME : P-n16-k8\nTYPE : CVRP\nDIMENSION : 16\nCAPACITY : 35\nEDGE_WEIGHT_TYPE : EUC_2D\nNODE_COORD_SECTION\n"
text += "".join(f"{k} {place.replace(',', ' ')}\n" for k, place in enumerate(PLACES.split(), 1)) + "DEMAND_SECTION\n"
text += "".join(f"{k} {demand}\n" for k, demand in enumerate(DEMANDS.split(), 1)) + "DEPOT_SECTION\n1\n-1\nEOF\n"
with TemporaryDirectory() as folder:
    (Path(folder) / "P-n16-k8.vrp").write_text(text)
    problem = problem_of(read_cvrp(Path(folder) / "P-n16-k8.vrp"))
print(check_problem(problem, Insertion()))
result = run(SimulatedAnnealing(Insertion(), 10.0), problem, stop=stop.target(450) | stop.iterations(10**6), seed=1)
print(f"length {result.cost} of the customers in the order {result.solution}")
