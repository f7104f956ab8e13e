"""Compiled Python that keeps something beside the solution: the loads of bins, so that a move is judged in O(1)."""

from collections.abc import Mapping
from typing import Any, final

import numpy as np
from attrs import frozen

from metaheur import Array, DiscreteVector, Problem, TabuSearch, compiled, contributions, data, run, stop
from metaheur.neighborhoods import Substitution, SubstitutionMove
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

    def state(self, representation: Any) -> Mapping[str, Array]:
        return {"load": Array((self.bins,), "int64")}

    @compiled
    def cost(self, x: Any) -> int:
        return sum(sum(self.weights[i] for i in range(self.n) if x[i] == b) ** 2 for b in range(self.bins))

    @compiled
    def contribute(self, s: Any, k: int, value: int, by: int) -> None:  # item k in the bin `value`
        s.load[value] += by * self.weights[k]

    init, commit = contributions  # what fills the loads, and what follows the moves

    @compiled
    def delta(self, x: Any, s: Any, m: SubstitutionMove) -> int:
        w, before, after = self.weights[m.at], x[m.at], (x[m.at] + m.shift) % m.values
        return int(2 * w * (s.load[after] - s.load[before] + w))


generator = np.random.default_rng(1)
print(check_problem(Balance(generator.integers(1, 50, 9), 3), Substitution()))
problem, search = Balance(generator.integers(1, 1000, 60), 5), TabuSearch(Substitution(), tenure=(0.1, 0.3))
for device in ["numpy", *devices_here()]:
    result = run(search, problem, stop=stop.iterations(30), seed=1, parallel=device)
    print(f"{device:6} cost {result.cost} after {result.iterations} iterations")
