"""Improve a tour by 2-opt and or-opt, over all moves and over the moves that join a city to a near city."""

from metaheur import HillClimbing, run, stop
from metaheur.neighborhoods import OrOpt, Restricted, TwoOpt, Union
from metaheur.problems import TSP

tsp = TSP.random(200, seed=1)  # or TSP.from_file("fnl4461.tsp")
near = tsp.nearest(8)

neighborhoods = {
    "all moves": Union(TwoOpt(), OrOpt()),
    "candidates": Union(Restricted(TwoOpt(), near), Restricted(OrOpt(), near)),
}
for name, neighborhood in neighborhoods.items():
    result = run(HillClimbing(neighborhood), tsp, stop=stop.iterations(10_000), seed=1)
    size = neighborhood.size(tsp.representation)
    print(f"{name:12} {size:8} moves a step   length {result.cost}   {result.iterations} steps, {result.stopped_by}")
