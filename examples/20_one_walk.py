"""One walk by each parallel model that can run it: by the planner, with shared neighborhoods, with spread solutions."""

from metaheur import HillClimbing, run, stop
from metaheur.neighborhoods import Insertion
from metaheur.parallel import Auto, IterationLevel, ParallelModel, SolutionLevel
from metaheur.problems import FlowShop
from metaheur.testing import devices_here

shop, search = FlowShop.taillard(31), HillClimbing(Insertion())
device = devices_here()[-1]  # the GPU where there is one

models: tuple[ParallelModel, ...] = (
    Auto(),  # the same as parallel="auto"
    IterationLevel(device, resident=False),  # a device evaluates the neighborhood, Python decides
    IterationLevel(devices=("host", device)),  # two of them share it
    SolutionLevel(device),  # every neighbor is evaluated in full, by many threads
)
for model in models:
    result = run(search, shop, stop=stop.iterations(30), seed=1, parallel=model)
    spent = result.performance
    print(f"makespan {result.cost}, {spent.moves_per_second:,.0f} moves/s, {spent}\n  {result.plan}")
