"""A Steiner tree, decoded by Prim's algorithm in Python alone; enumeration confirms the optimum."""

from itertools import product

import numpy as np
from attrs import frozen

from metaheur import BitString, Problem, TabuSearch, compiled, data, run, stop
from metaheur.neighborhoods import Hamming
from metaheur.testing import check_problem


@frozen(eq=False)
class SteinerTree(Problem):
    """A tree of least length over the first vertices, the terminals; a bit says whether another vertex is in it."""

    paths: np.ndarray = data("int32", ndim=2)  # the lengths of shortest paths
    terminals: int = data("int32")
    representation = property(lambda self: BitString(len(self.paths) - self.terminals))

    @compiled
    def cost(self, x: np.ndarray) -> int:
        total, near = 0, [self.paths[0, v] for v in range(len(self.paths))]  # 0: in the tree
        for _ in range(self.terminals + sum(x) - 1):
            next, length = 0, 1 << 30
            for v, far in enumerate(near):
                if 0 < far < length and (v < self.terminals or x[v - self.terminals] == 1):
                    next, length = v, far
            total += length
            for v in range(len(near)):
                near[v] = min(near[v], self.paths[next, v])
        return total


random = np.random.default_rng(6)
paths = np.where(random.random((16, 16)) < 0.3, random.integers(10, 60, (16, 16)), 999)
paths = np.minimum(paths, paths.T) * (1 - np.eye(16, dtype=int))
for v in range(16):  # Floyd and Warshall
    paths = np.minimum(paths, paths[:, v, None] + paths[v])
problem = SteinerTree(paths, 7)
print(check_problem(problem, Hamming(1)))
least = min(problem.cost(np.array(bits)) for bits in product((0, 1), repeat=problem.n))
result = run(TabuSearch(Hamming(1)), problem, stop=stop.iterations(300), seed=1)
spanned = problem.cost(np.zeros(9, int))
print(
    f"{type(problem).__name__}: {result.cost} by tabu search, {least} by enumeration, {spanned} without other vertices"
)
