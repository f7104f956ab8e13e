"""An NK landscape of whole numbers, in Python alone; enumeration confirms the optimum."""

from itertools import product
from typing import Any

import numpy as np
from attrs import frozen

from metaheur import BitString, Problem, TabuSearch, compiled, data, run, stop
from metaheur.neighborhoods import Hamming
from metaheur.testing import check_problem


@frozen(eq=False)
class NKLandscape(Problem):
    """Each bit and the k bits behind it look up a number; the sum is to be large (Kauffman and Weinberger 1989)."""

    maximise = True
    table: np.ndarray = data("int32", ndim=2)  # a row of 2 ** (k + 1) numbers for each bit
    k: int = data("int32")
    representation = property(lambda self: BitString(len(self.table)))

    @compiled
    def entry(self, x: np.ndarray, i: int) -> Any:  # what bit i looks up; behind the last bit is the first
        entry = 0
        for ahead in range(self.k + 1):
            entry = 2 * entry + x[i + ahead - self.n]
        return entry

    @compiled
    def cost(self, x: np.ndarray) -> Any:
        return -sum(self.table[i, self.entry(x, i)] for i in range(self.n))


problem = NKLandscape(np.random.default_rng(1).integers(0, 100, (12, 16)), 3)
print(check_problem(problem, Hamming(1)))
least = min(problem.cost(np.array(bits)) for bits in product((0, 1), repeat=problem.n))
result = run(TabuSearch(Hamming(1)), problem, stop=stop.iterations(3_000), seed=1)
print(f"{type(problem).__name__}: {result.cost} by tabu search, {-least} by enumeration")
