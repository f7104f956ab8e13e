"""Walks that cooperate: the worst become copies of the best, and each anneals from a rung of a ladder."""

import numpy as np

from metaheur import CandidateDescent, IteratedLocalSearch, run, stop
from metaheur.neighborhoods import OrOpt, TwoOpt, Union
from metaheur.parallel import Islands, Multistart, ParallelModel, Truncation
from metaheur.parts import Annealed, DoubleBridge
from metaheur.problems import TSP
from metaheur.testing import devices_here

KICKS, WALKS, EVERY = 2_000, 16, 100

tsp, device = TSP.random(500, seed=1), devices_here()[-1]  # the GPU where there is one: a warp a walk
descent = CandidateDescent(Union(TwoOpt(), OrOpt()), tsp.quadrants(8), best=True)
walks = Multistart(WALKS, device=device)
models: dict[str, tuple[int, ParallelModel]] = {
    "alone": (1, walks),
    "together": (1, Islands(walks, EVERY, Truncation(), emigrant="current", replaces="worse current")),
    "on a ladder": (4, Islands(walks, EVERY, Truncation(), emigrant="current", replaces="worse current")),
}
for name, (rungs, model) in models.items():
    search = IteratedLocalSearch(descent, DoubleBridge(50), Annealed(KICKS, rungs=rungs))
    result = run(search, tsp, stop=stop.iterations(KICKS), start=tsp.greedy_edge(), seed=1, parallel=model)
    costs = result.walks.costs
    print(f"{name:12} best {result.cost}  median {np.median(costs):.0f}  worst {costs.max()}")
