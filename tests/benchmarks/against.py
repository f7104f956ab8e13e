"""One program on two checkouts, by turns: ``python -m tests.benchmarks.against OTHER --device cuda``.

Each line is a search on a problem: the medians of both checkouts in seconds, their ratio, and whether both found the
same cost. Names that both checkouts have are used alone.
"""

import argparse
import os
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parents[2]

PROGRAM = """
import sys
import numpy as np
from metaheur import IteratedLocalSearch, ParetoLocalSearch, SimulatedAnnealing, TabuSearch, CandidateDescent, run, stop
from metaheur.neighborhoods import Hamming, Insertion, OrOpt, Swap, TwoOpt, Union
from metaheur.parallel import IterationLevel, Multistart
from metaheur.parts import DoubleBridge
from metaheur.problems import QAP, QUBO, TSP, FlowShop

device = sys.argv[1]
tsp = TSP.random(1000, 1)
matrix = np.triu(np.random.default_rng(1).integers(-100, 101, (1000, 1000)))
shop = FlowShop.taillard(61, objectives=("makespan", "total flow time"))
kicks = IteratedLocalSearch(CandidateDescent(Union(TwoOpt(), OrOpt()), tsp.quadrants(8)), DoubleBridge(50))
tabu = TabuSearch(Swap(), long_term=None)  # the default of older checkouts
flips, annealing = TabuSearch(Hamming(1)), SimulatedAnnealing(Swap(), 10_000.0)
pareto = ParetoLocalSearch(Insertion())
stepped = IterationLevel("host", resident=False, threads=1)
rows = {
    "host": [
        ("robust tabu search, QAP, n = 60", tabu, QAP.taillard(60), "host", 30_000),
        ("annealing, QAP, n = 50", annealing, QAP.taillard(50), "host", 3_000_000),
        ("iterated local search, 1,000 cities", kicks, tsp, "host", 60_000),
        ("one-flip tabu search, QUBO, n = 1,000", flips, QUBO(matrix), "host", 60_000),
        ("Pareto local search, flow shop, 100 x 5", pareto, shop, "host", 60),
        ("tabu search by steps, QAP, n = 60", tabu, QAP.taillard(60), stepped, 3_000),
        ("annealing in Python, QAP, n = 50", annealing, QAP.taillard(50), "numpy", 6_000),
    ],
    "cuda": [
        ("one walk, robust tabu search, QAP, n = 100", tabu, QAP.taillard(100), "cuda", 150_000),
        ("1,024 walks, tabu search, QAP, n = 50", tabu, QAP.taillard(50), Multistart(1024, device="cuda"), 6_000),
        ("65,536 walks, annealing, QAP, n = 50", annealing, QAP.taillard(50),
         Multistart(65_536, "thread", device="cuda"), 60_000),
        ("1,024 walks, tabu search, QUBO, n = 1,000", flips, QUBO(matrix), Multistart(1024, device="cuda"), 3_000),
        ("Pareto local search, flow shop, 100 x 5", pareto, shop, "cuda", 600),
        ("2,048 walks, iterated local search, 1,000 cities", kicks, tsp, Multistart(2048, device="cuda"), 2_000),
    ],
}
for name, search, problem, model, iterations in rows[device]:
    run(search, problem, stop=stop.iterations(max(2, iterations // 50)), seed=1, parallel=model)
    results = [run(search, problem, stop=stop.iterations(iterations), seed=1, parallel=model) for _ in range(3)]
    print(name, sorted(each.seconds for each in results)[1], results[0].cost, sep="|", flush=True)
"""


def measured(checkout: Path, device: str) -> dict[str, tuple[float, str]]:
    """The median seconds and the cost of each row, by its name."""
    environment = {**os.environ, "PYTHONPATH": str(checkout)}
    command = [sys.executable, "-c", PROGRAM, device]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment, cwd=checkout)
    rows = (line.split("|") for line in done.stdout.splitlines())
    return {name: (float(seconds), cost) for name, seconds, cost in rows}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("other", type=Path, help="the checkout to compare with, such as of an earlier commit")
    parser.add_argument("--device", choices=["host", "cuda"], default="host")
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()
    rounds = [(measured(chosen.other, chosen.device), measured(HERE, chosen.device)) for _ in range(chosen.rounds)]
    for name in rounds[0][0]:
        other, here = (statistics.median(each[k][name][0] for each in rounds) for k in (0, 1))
        same = len({each[k][name][1] for each in rounds for k in (0, 1)}) == 1
        print(f"{name:52} {other:9.4f} {here:9.4f} {here / other:6.2f}x {'same cost' if same else 'OTHER COST'}")


if __name__ == "__main__":
    main()
