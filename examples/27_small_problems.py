"""Bin packing and feedback arcs in Python alone; each ends at an optimum that is known."""

import numpy as np
from attrs import frozen

from metaheur import Permutation, Problem, SimulatedAnnealing, TabuSearch, compiled, data, run, stop
from metaheur.neighborhoods import Insertion, Swap
from metaheur.testing import check_problem


@frozen(eq=False)
class BinPacking(Problem):
    """The bins that items need, each put into the first bin with room; and the less, the fuller the first bins are."""

    sizes: np.ndarray = data("int32", ndim=1)
    capacity: int = data("int32")
    representation = property(lambda self: Permutation(len(self.sizes)))

    @compiled
    def cost(self, x: np.ndarray) -> int:
        room, bins = [self.capacity] * self.n, 0
        for item in x:
            k = 0
            while room[k] < self.sizes[item]:
                k += 1
            room[k] -= self.sizes[item]
            bins = max(bins, k + 1)
        return bins * self.capacity * self.n + sum(room[k] * (bins - k) for k in range(bins))


@frozen(eq=False)
class FeedbackArcs(Problem):
    """Order vertices so that the arcs that lead back weigh least."""

    arcs: np.ndarray = data("int32", ndim=2)
    representation = property(lambda self: Permutation(len(self.arcs)))

    @compiled
    def cost(self, x: np.ndarray) -> int:
        return sum(self.arcs[x[k], b] for k in range(self.n) for b in x[:k])


generator = np.random.default_rng(1)
large = generator.integers(380, 491, 6)  # triplets that fill bins of 1,000, as Falkenauer (1996) makes them
middle = generator.integers(250, (1000 - large) // 2 + 1)
packing = BinPacking(np.concatenate([large, middle, 1000 - large - middle]), 1000)
paley = FeedbackArcs(np.isin(np.subtract.outer(range(7), range(7)) % 7, [3, 5, 6]) * 1)  # at least 7 lead back
print(check_problem(packing, Swap()), check_problem(paley, Insertion()), sep="\n")
ends = stop.target(6 * 18_000) | stop.iterations(2_000_000)
result = run(SimulatedAnnealing(Swap(), 500.0), packing, stop=ends, seed=1)
print(f"BinPacking: {result.cost // 18_000} bins, {result.cost % 18_000} wasted, after {result.iterations:,} trials")
result = run(TabuSearch(Insertion()), paley, stop=stop.iterations(100), seed=1)
print(f"FeedbackArcs: {result.cost} of 21 arcs lead back")
