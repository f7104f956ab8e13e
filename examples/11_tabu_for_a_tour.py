"""Tabu search for a tour: which edges, moves or solutions are tabu, and what a descent alone reaches."""

from metaheur import HillClimbing, TabuSearch, run, stop
from metaheur.neighborhoods import OrOpt, Restricted, TwoOpt, Union
from metaheur.parts import ReactiveTenure, SolutionMemory, Tenure
from metaheur.problems import TSP

tsp = TSP.random(150, seed=1)
near = tsp.nearest(8)
moves = Union(Restricted(TwoOpt(), near), Restricted(OrOpt(), near))

searches = {
    "a descent": HillClimbing(moves),
    "edges that fit the moves": TabuSearch(moves, (0.2, 0.5)),
    "a reactive tenure": TabuSearch(moves, ReactiveTenure()),
    "visited tours": TabuSearch(moves, memory=SolutionMemory(Tenure(5, 5))),
}
for name, search in searches.items():
    result = run(search, tsp, stop=stop.iterations(800), seed=1)
    print(f"{name:26} length {result.cost}   {result.iterations} steps, {result.evaluated:,} moves evaluated")
