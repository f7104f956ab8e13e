"""Compare the speed of two commits, by turns, on one core, on the processor's clock.

``python .ci/speed.py OLD [NEW] [--rounds 5] [--cases QAP TSP] [--save FILE]`` exports both commits into build/speed
(NEW is by default the checkout as it is), and runs each case by turns in processes of their own: the same search with
the same seed for the same number of iterations. It prints the rates of both, the ratio of their medians, and whether
the costs are the same, and exits with 1 where a ratio is below 0.95.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "build" / "speed"

IMPORTS = """
import json, sys, time
import numpy as np
from metaheur import *
from metaheur.neighborhoods import *
from metaheur.parts import *
from metaheur.problems import *
from metaheur.problems.trees.knapsack_tree import KnapsackTree
import metaheur.searches as searches
from metaheur.searches import *
from metaheur.tree.branch_and_bound import BranchAndBound

generator = np.random.default_rng(1)
"""
RUN = """
def once(iterations):
    begin = time.process_time()
    result = run(search, problem, stop=stop.iterations(iterations), seed=1, parallel=DEVICE)
    cost = result.front.costs.tolist() if problem.objectives else result.cost
    return time.process_time() - begin, cost, result.iterations

once(2)
short, _, few = once(FEW)
long, cost, many = once(MANY)
print(json.dumps([(many - few) / (long - short), str(cost)]))
"""
CASES = {
    "robust tabu, QAP": ("problem = QAP.random(60, 1)", "search = TabuSearch(Swap())", 600_000, 300),
    "annealing, TSP": (
        "problem = TSP.random(500, 1)",
        "search = SimulatedAnnealing(TwoOpt(), 2_000_000)",
        15_000_000,
        6_000,
    ),
    "iterated local search, TSP": (
        "problem = TSP.random(500, 1)",
        "descent = CandidateDescent(Union(TwoOpt(), OrOpt()), problem.quadrants(8))\n"
        "search = IteratedLocalSearch(descent, DoubleBridge(50))",
        300_000,
        600,
    ),
    "tabu coloring": (
        "problem = GraphColoring.random(250, 28, seed=1)",
        "search = TabuSearch(Substitution(), in_conflict=True)",
        400_000,
        1_000,
    ),
    "iterated greedy, flow shop": (
        "problem = FlowShop.taillard(31)",
        "search = IteratedLocalSearch(GroupDescent(Insertion()), Rebuild(3), Metropolis(20.0))",
        3_000_000,
        3_000,
    ),
    "hill climbing, QUBO": (
        "problem = QUBO(generator.integers(-100, 101, (500, 500)))",
        "search = IteratedLocalSearch(HillClimbing(Hamming(1)), RandomMoves(Hamming(1), 30))",
        3_000_000,
        300,
    ),
    "branch and bound, knapsack": (
        "weights = generator.integers(10_000, 100_000, 200)\n"
        "profits, capacity = weights + generator.integers(9_900, 10_101, 200), int(weights.sum()) // 2\n"
        "try:\n    problem = Knapsack(profits, weights[None], [capacity])\n"
        "except InputError:  # of older versions\n    problem = Knapsack(profits, weights, capacity)",
        "search = BranchAndBound(KnapsackTree())",
        2_000,
        20,
    ),
    "NSGA-II, flow shop": (
        'problem = FlowShop.taillard(31, objectives=("makespan", "total tardiness"))',
        "search = NSGA2(OrderCrossover(), RandomMoves(Insertion(), 1), size=100)",
        60_000,
        10_000,
    ),
}
"""What is compared: the problem, the search, and how many iterations take about a second on the host and on NumPy."""


def exported(commit: str) -> Path:
    """The folder with the sources of a commit."""
    folder = FOLDER / commit
    if not folder.exists():
        folder.mkdir(parents=True)
        archive = subprocess.run(["git", "archive", commit], cwd=ROOT, check=True, capture_output=True).stdout
        subprocess.run(["tar", "-x", "-C", str(folder)], input=archive, check=True)
    return folder


def measured(folder: Path, name: str, device: str) -> tuple[float, str]:
    """The iterations a second of a case, and the cost that it found."""
    problem, search, host, numpy = CASES[name]
    many = host if device == "host" else numpy
    code = "\n".join([IMPORTS, problem, search, RUN.replace("DEVICE", repr(device))])
    code = code.replace("MANY", str(many)).replace("FEW", str(max(1, many // 20)))
    # One core, whatever the machine has; the compiled units in a cache of each commit.
    environment = {**os.environ, "PYTHONPATH": str(folder), "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    environment |= {"METAHEUR_CACHE": str(FOLDER / "cache"), "METAHEUR_CXXFLAGS": ""}
    core = max(os.sched_getaffinity(0))
    done = subprocess.run(
        ["taskset", "-c", str(core), sys.executable, "-c", code],
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"{name} on {device} in {folder}:\n{done.stderr[-2000:]}")
    rate, cost = json.loads(done.stdout.splitlines()[-1])
    return rate, cost


def main() -> int:
    """Print the table; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new", nargs="?")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--cases", nargs="*", default=[""], help="those whose names hold one of these words")
    parser.add_argument("--devices", nargs="*", default=["host", "numpy"])
    parser.add_argument("--save", type=Path)
    options = parser.parse_args()
    folders = exported(options.old), exported(options.new) if options.new else ROOT
    rows = []
    print(
        f"| search | on | {options.old[:8]}, iterations/s | now | ratio | same cost |\n"
        "| --- | --- | ---: | ---: | ---: | --- |"
    )
    for name in (name for name in CASES if any(word in name for word in options.cases)):
        for device in options.devices:
            rates: tuple[list[float], list[float]] = [], []
            costs: tuple[set[str], set[str]] = set(), set()
            for turn in range(options.rounds):
                for which in (0, 1) if turn % 2 else (1, 0):
                    rate, cost = measured(folders[which], name, device)
                    rates[which].append(rate)
                    costs[which].add(cost)
            old, new = map(statistics.median, rates)
            same = "yes" if costs[0] == costs[1] else "no"
            rows.append({"search": name, "on": device, "old": old, "now": new, "ratio": new / old, "same": same})
            print(f"| {name} | {device} | {old:,.0f} | {new:,.0f} | {new / old:.2f} | {same} |", flush=True)
    if options.save:
        options.save.write_text(json.dumps(rows, indent=1), encoding="utf-8")
    return int(any(row["ratio"] < 0.95 for row in rows))


if __name__ == "__main__":
    sys.exit(main())
