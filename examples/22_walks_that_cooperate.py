"""Walks that cooperate: the worst walks copy the best, each anneals from its rung of a ladder, or all recombine."""

import numpy as np

from metaheur import CandidateDescent, IteratedLocalSearch, run, stop
from metaheur.neighborhoods import OrOpt, TwoOpt, Union
from metaheur.parallel import EdgeAssembly, Islands, Multistart, ParallelModel, RandomTopology, Truncation
from metaheur.parts import Annealed, DoubleBridge
from metaheur.problems import TSP
from metaheur.testing import devices_here

KICKS, WALKS, EVERY = 2_000, 16, 100

tsp, device = TSP.random(500, seed=1), devices_here()[-1]  # the GPU where there is one: a warp a walk
descent = CandidateDescent(Union(TwoOpt(), OrOpt()), tsp.quadrants(8), best=True)
walks, assembly = Multistart(WALKS, device=device), EdgeAssembly(tsp.quadrants(8))
copying = Islands(walks, EVERY, Truncation(), emigrant="current", replaces="worse current")
models: dict[str, tuple[int, ParallelModel]] = {
    "alone": (1, walks),
    "together": (1, copying),
    "on a ladder": (4, copying),
    "recombined": (
        1,
        Islands(walks, EVERY, RandomTopology(), replaces="worse current", after=KICKS // 2, recombination=assembly),
    ),
}
for name, (rungs, model) in models.items():
    search = IteratedLocalSearch(descent, DoubleBridge(50), Annealed(KICKS, rungs=rungs))
    result = run(search, tsp, stop=stop.iterations(KICKS), start=tsp.greedy_edge(), seed=1, parallel=model)
    costs = result.walks.costs
    print(f"{name:12} best {result.cost}  median {np.median(costs):.0f}  worst {costs.max()}")
