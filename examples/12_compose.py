"""Searches around searches: the same parts, composed in six ways, on one instance and with one budget."""

from metaheur import HillClimbing, IteratedLocalSearch, TabuSearch, run, stop
from metaheur.neighborhoods import AdjacentSwap, Insertion, Swap
from metaheur.parts import Always, Limit, RandomMoves, Shaking
from metaheur.problems import QAP
from metaheur.searches import (
    GRASP,
    RandomRestart,
    ReturnToBest,
    Sequence,
    VariableNeighborhoodDescent,
    VariableNeighborhoodSearch,
)

qap = QAP.taillard(30)
descent = HillClimbing(Swap())
deeper = VariableNeighborhoodDescent([AdjacentSwap(), Swap(), Insertion()])

searches = {
    "descents from random solutions": RandomRestart(descent),
    "iterated local search": IteratedLocalSearch(descent, RandomMoves(Swap(), 4)),
    "  which returns to its best": ReturnToBest(
        IteratedLocalSearch(descent, RandomMoves(Swap(), 4), Always()), Limit(stagnation=500)
    ),
    "general variable neighborhood search": VariableNeighborhoodSearch(deeper, Shaking(Swap(), 6)),
    "GRASP with path relinking": GRASP(descent, Insertion(), 0.3, relinking=Swap()),
    "tabu search, then iterated descents": Sequence(
        [TabuSearch(Swap()), IteratedLocalSearch(descent, RandomMoves(Swap(), 3))], Limit(2_000), hands_over_best=True
    ),
}
for name, search in searches.items():
    result = run(search, qap, stop=stop.iterations(4_000), seed=1)
    print(f"{name:38} {result.cost}   {result.evaluated:>9,} moves evaluated on {result.device}")
