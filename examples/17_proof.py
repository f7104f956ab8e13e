"""From the incumbent of a tabu search to a proof: no solution is better, or the gap is bounded."""

from metaheur import TabuSearch, run, stop
from metaheur.neighborhoods import Hamming, Swap
from metaheur.problems import QAP, Knapsack
from metaheur.problems.trees.knapsack_tree import KnapsackTree, LighterAndDearer
from metaheur.problems.trees.qap_tree import QAPTree
from metaheur.tree import BranchAndBound, gap, nodes

# A quadratic assignment problem, proven in full.
qap = QAP.taillard(12)
found = run(TabuSearch(Swap()), qap, stop=stop.iterations(3000), seed=1)
proven = run(BranchAndBound(QAPTree()), qap, stop=stop.seconds(60), start=found.solution)
print(f"tabu search found {found.cost}; branch and bound: {proven.proof}")

# A knapsack whose tree is large: without and with a dominance between nodes, for the same nodes a time.
weights = [2 * (7 + 13 * i % 89) for i in range(60)]
knapsack = Knapsack.single([w + 11 for w in weights], weights, sum(weights) // 4 * 2 + 1)
start = run(TabuSearch(Hamming(1)), knapsack, stop=stop.iterations(500), seed=1).solution
for dominance in (None, LighterAndDearer()):
    search = BranchAndBound(KnapsackTree(), dominance=dominance)
    result = run(search, knapsack, stop=gap(0) | nodes(2_000_000) | stop.seconds(30), start=start)
    print(f"{'with' if dominance else 'no  '} dominance: {result.proof}")
