"""A problem of your own in Python alone, compiled: linear ordering on every device, checked and compared."""

from typing import final

import numpy as np
from attrs import frozen

from metaheur import Permutation, Problem, TabuSearch, compiled, data, run, stop
from metaheur.neighborhoods import Swap
from metaheur.testing import check_problem


@final
@frozen(eq=False)
class LinearOrdering(Problem):
    """Order items so that the weight above the diagonal is as large as possible."""

    maximise = True  # the cost is the negative of what is wanted
    weights: np.ndarray = data("int32", ndim=2)

    @property
    def representation(self) -> Permutation:
        return Permutation(len(self.weights))

    @compiled
    def cost(self, x: np.ndarray) -> int:
        return -int(sum(self.weights[x[k], b] for k in range(self.n) for b in x[k + 1 :]))


print(check_problem(LinearOrdering(np.random.default_rng(1).integers(0, 100, (12, 12))), Swap()))

problem = LinearOrdering(np.random.default_rng(1).integers(0, 100, (40, 40)))
for device in ("numpy", "auto"):
    result = run(TabuSearch(Swap()), problem, stop=stop.iterations(20), seed=1, parallel=device)
    half = "Python alone" if device == "numpy" else "with the C++"
    print(f"{half}  {result.cost}  on {result.device:6} {result.moves_per_second:14,.0f} moves/s")
print(problem.explain())
