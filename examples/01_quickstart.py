"""Solve a published instance: robust tabu search on the quadratic assignment problem tai20a."""

from metaheur import HillClimbing, TabuSearch, run, stop
from metaheur.neighborhoods import Swap
from metaheur.problems import QAP

BEST_KNOWN = 703_482  # of tai20a, proven optimal

qap = QAP.taillard(20)  # or QAP.from_file("tai20a.dat")

descent = run(HillClimbing(Swap()), qap, stop=stop.iterations(1_000), seed=1)
print(f"hill climbing   {descent.cost}  ({100 * (descent.cost / BEST_KNOWN - 1):.2f} % above the optimum)")

tabu = run(TabuSearch(Swap()), qap, stop=stop.target(BEST_KNOWN) | stop.iterations(200_000), seed=1)
print(f"tabu search     {tabu.cost}  ({100 * (tabu.cost / BEST_KNOWN - 1):.2f} % above the optimum)")
print()
print(tabu)

again = run(TabuSearch(Swap()), qap, stop=stop.iterations(300), seed=1, parallel="numpy")
there = run(TabuSearch(Swap()), qap, stop=stop.iterations(300), seed=1)
print()
print(f"the same 300 iterations on numpy and on {there.device}: {again.cost} and {there.cost}")
