"""A problem of one's own: linear ordering, in Python, and with eight lines of C++ beside it."""

from typing import final

import numpy as np
from attrs import frozen

from metaheur import Permutation, Problem, TabuSearch, data, run, stop
from metaheur.neighborhoods import Swap
from metaheur.testing import check_problem


@final
@frozen(eq=False)
class LinearOrdering(Problem):
    """Order items so that the weight above the diagonal is as large as possible."""

    maximise = True  # the cost is the negative of what is wanted
    source = "linear_ordering.cuh"  # what a swap changes, in O(n); without this line everything works, slowly
    weights: np.ndarray = data("int32", ndim=2)

    @property
    def representation(self) -> Permutation:
        return Permutation(len(self.weights))

    def cost(self, x: np.ndarray) -> int:
        return -int(np.triu(self.weights[np.ix_(x, x)], 1).sum())


print(check_problem(LinearOrdering(np.random.default_rng(1).integers(0, 100, (12, 12))), Swap()))

problem = LinearOrdering(np.random.default_rng(1).integers(0, 100, (40, 40)))
for device in ("numpy", "auto"):
    result = run(TabuSearch(Swap()), problem, stop=stop.iterations(100), seed=1, parallel=device)
    half = "Python alone" if device == "numpy" else "with the C++"
    print(f"{half}  {result.cost}  on {result.device:6} {result.moves_per_second:14,.0f} moves/s")
