"""A problem of one's own: linear ordering, first in Python alone, then with eight lines of C++ beside it."""

import numpy as np
from attrs import frozen

from metaheur import Permutation, Problem, TabuSearch, data, run, stop
from metaheur.neighborhoods import Swap
from metaheur.testing import check_problem


@frozen(eq=False)
class Ordering(Problem):
    """Order items so that the weight above the diagonal is as large as possible."""

    maximise = True
    weights: np.ndarray = data("int32", ndim=2)

    @property
    def representation(self) -> Permutation:
        return Permutation(len(self.weights))

    def cost(self, x: np.ndarray) -> int:
        return -int(np.triu(self.weights[np.ix_(x, x)], 1).sum())


@frozen(eq=False)
class LinearOrdering(Ordering):
    """The same with a C++ half: what a swap changes, in O(n)."""

    source = "linear_ordering.cuh"


weights = np.random.default_rng(1).integers(0, 100, (40, 40))

slow = run(TabuSearch(Swap()), Ordering(weights), stop=stop.iterations(100), seed=1)
print(f"Python alone  {slow.cost}  on {slow.device:6} {slow.moves_per_second:14,.0f} moves/s")

fast = run(TabuSearch(Swap()), LinearOrdering(weights), stop=stop.iterations(100), seed=1)
print(f"with the C++  {fast.cost}  on {fast.device:6} {fast.moves_per_second:14,.0f} moves/s")

check_problem(LinearOrdering(weights[:12, :12]), Swap())
print("every change of cost equals the difference of two full evaluations")
