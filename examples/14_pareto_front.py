"""Find schedules that trade makespan against tardiness: Pareto local search, alone and after weighted sums."""

import sys
from importlib.util import find_spec

from metaheur import HillClimbing, ParetoLocalSearch, run, stop, weighted_front
from metaheur.archives import AnytimeWeights, Front, hypervolume
from metaheur.neighborhoods import Insertion
from metaheur.problems import FlowShop

shop = FlowShop.taillard(21, objectives=("makespan", "total tardiness"))  # 20 jobs, 20 machines
limit = stop.iterations(600)


def found(search: ParetoLocalSearch) -> Front:
    """The front of a run."""
    front: Front = run(search, shop, stop=limit, seed=1).front
    return front


ends = weighted_front(HillClimbing(Insertion()), shop, AnytimeWeights(levels=3), stop=limit, seed=1)
fronts = {
    "weighted sums": ends,
    "Pareto local search": found(ParetoLocalSearch(Insertion())),
    "both, one after the other": found(ParetoLocalSearch(Insertion(), begin=ends)),
}
every = ends.merge(*fronts.values())
reference = every.reference()
best = every.hypervolume(reference)
for name, front in fronts.items():
    share = hypervolume(front.costs, reference) / best
    print(f"{name:26} {len(front):3} solutions, {share:7.2%} of the hypervolume")

makespan, tardiness = fronts["both, one after the other"].costs[0].tolist()
print(f"the shortest schedule: makespan {makespan}, total tardiness {tardiness}")
if len(sys.argv) > 1 and find_spec("matplotlib"):
    first, *others = fronts.values()
    first.plot(*others, labels=list(fronts)).savefig(sys.argv[1])
