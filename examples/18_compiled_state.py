"""The cost alone, in compiled Python: the loads that are kept beside a solution, and their changes, follow from it."""

from typing import Any, final

import numpy as np
from attrs import frozen

from metaheur import DiscreteVector, Problem, TabuSearch, compiled, data, run, stop
from metaheur.neighborhoods import Substitution
from metaheur.testing import check_problem, devices_here


@final
@frozen(eq=False)
class Balance(Problem):
    """Give items to bins so that the sum of the squared loads is smallest."""

    weights: np.ndarray = data("int32", ndim=1)
    bins: int = data("int32")

    @property
    def representation(self) -> DiscreteVector:
        return DiscreteVector(len(self.weights), self.bins)

    @compiled
    def cost(self, x: Any) -> int:
        return sum(sum(self.weights[i] for i in range(self.n) if x[i] == b) ** 2 for b in range(self.bins))


generator = np.random.default_rng(1)
print(check_problem(Balance(generator.integers(1, 50, 9), 3), Substitution()))
problem, search = Balance(generator.integers(1, 1000, 60), 5), TabuSearch(Substitution(), tenure=(0.1, 0.3))
print(*(line for line in problem.explain(Substitution()).splitlines() if line.startswith("//")), sep="\n")
for device in ["numpy", *devices_here()]:
    result = run(search, problem, stop=stop.iterations(30), seed=1, parallel=device)
    print(f"{device:6} cost {result.cost} after {result.iterations} iterations")
