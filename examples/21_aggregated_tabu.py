"""Tabu search on a weighted sum of three objectives archives all visited solutions, beside Pareto local search.

The search is the first of Luong, Melab and Talbi (2011), who give neither weights, tenure nor aspiration. Here the
weights make the ranges of a random sample count alike, the tenure is drawn from 0.9 n ... 1.1 n anew for each move (the
robust tabu search of Taillard, 1991), and a tabu move is allowed if it leads to the best sum so far.
"""

import numpy as np

from metaheur import ParetoLocalSearch, TabuSearch, run, stop
from metaheur.archives import Front, hypervolume
from metaheur.neighborhoods import Insertion
from metaheur.problems import FlowShop, Scalarised
from metaheur.watch import ArchiveVisited

shop = FlowShop.taillard(21, objectives=("makespan", "total tardiness", "tardy jobs"))  # 20 jobs, 20 machines
limit = stop.iterations(500)

generator = np.random.default_rng(1)
sample = shop.costs(np.array([generator.permutation(20) for _ in range(200)]))
problem = Scalarised.balanced(shop, np.ptp(sample, axis=0).tolist())
print("ranges of a sample", np.ptp(sample, axis=0).tolist(), "weights", list(problem.weights))

visited = ArchiveVisited(shop)
tabu = run(TabuSearch(Insertion(), tenure=(0.9, 1.1)), problem, stop=limit, seed=1, watch=[visited])
pareto = run(ParetoLocalSearch(Insertion()), shop, stop=limit, seed=1).front
assert pareto is not None

fronts: dict[str, Front] = {"aggregated tabu search": visited.front, "Pareto local search": pareto}
reference = visited.front.merge(pareto).reference()
for name, front in fronts.items():
    print(f"{name:22} {len(front):3} solutions, hypervolume {hypervolume(front.costs, reference):.4g}")
print("the best sum", tabu.cost, "is that of", shop.cost(tabu.solution))
