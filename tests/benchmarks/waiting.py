"""How threads wait, by turns: ``python -m tests.benchmarks.waiting`` compares metaheur's way with threads that spin.

Each line is a search: the median seconds of both ways over so many turns, and the median of the ratios of the pairs.
With ``--busy 3`` so many processes compute beside it.
"""

import argparse
import os
import statistics
import subprocess
import sys
from contextlib import ExitStack

from tests.benchmarks.records import report

PROGRAM = """
from metaheur import SimulatedAnnealing, TabuSearch, run, stop
from metaheur.neighborhoods import Swap
from metaheur.parallel import Complete, IterationLevel, Islands, Multistart
from metaheur.problems import QAP, Knapsack
from metaheur.problems.trees.knapsack_tree import KnapsackTree
from metaheur.tree import BranchAndBound, BreadthFirst, Explorers

tabu, knapsack = TabuSearch(Swap()), Knapsack.boukedjar(160, 5)
walks = Multistart(8, device="host")
shared = IterationLevel("host", resident=False)
rows = [
    ("8 walks of tabu search, n = 50", tabu, QAP.taillard(50), walks, 20_000),
    ("8 walks of annealing, n = 100", SimulatedAnnealing(Swap(), 1e4), QAP.taillard(100), walks, 1_000_000),
    ("8 islands that meet every 50 iterations, n = 30", tabu, QAP.taillard(30), Islands(walks, 50, Complete()), 10_000),
    ("threads that share a neighborhood, n = 256", tabu, QAP.random(256, 1), shared, 300),
    ("threads that share a neighborhood, n = 512", tabu, QAP.random(512, 1), shared, 60),
    ("breadth first, 160 items", BranchAndBound(KnapsackTree(), order=BreadthFirst()), knapsack, "host", 10**6),
    ("explorers, 160 items", BranchAndBound(KnapsackTree(), order=Explorers()), knapsack, "host", 40),
]
for name, search, problem, model, iterations in rows:
    run(search, problem, stop=stop.iterations(2), seed=1, parallel=model)
    found = run(search, problem, stop=stop.iterations(iterations), seed=1, parallel=model)
    print(name, found.seconds, sep="|", flush=True)
"""

BUSY = "while True: pass"


def measured(**more: str) -> dict[str, float]:
    """The seconds of each row."""
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, **more})
    return {name: float(seconds) for name, seconds in (line.split("|") for line in done.stdout.splitlines())}


def main() -> None:
    """Compare by turns, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=9)
    parser.add_argument("--busy", type=int, default=0)
    parser.add_argument("--save", action="store_true", help="write the record of the table")
    chosen = parser.parse_args()
    pairs = []
    with ExitStack() as stack:
        for _ in range(chosen.busy):
            process = subprocess.Popen([sys.executable, "-c", BUSY])
            stack.callback(process.kill)
        measured()  # compiles
        for _ in range(chosen.turns):
            pairs.append((measured(), measured(OMP_WAIT_POLICY="active")))
    ratios, rows = [], []
    for name in pairs[0][0]:
        ours, spinning = ([each[side][name] for each in pairs] for side in (0, 1))
        ratios.append(statistics.median(a / b for a, b in zip(ours, spinning, strict=True)))
        seconds = " | ".join(f"{statistics.median(each):.3f} s" for each in (ours, spinning))
        rows.append(f"| {name} | {seconds} | {ratios[-1]:.2f} |")
    title = f"threads that sleep beside threads that spin, medians of {chosen.turns}"
    report("waiting", title, ("", "metaheur", "spinning", "ratio"), rows)
    print(f"geometric mean of the ratios: {statistics.geometric_mean(ratios):.3f}")


if __name__ == "__main__":
    main()
