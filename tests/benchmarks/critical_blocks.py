"""Tabu search in critical blocks beside one written by hand in C++, on published job shops, by processor time.

``python -m tests.benchmarks.critical_blocks --save``. The program critical_blocks.cpp estimates the makespans of N6, as
Balas and Vazacopoulos do; metaheur tells exact ones. Both forbid arcs, choose among equals at random, and make a move
all the same where all are forbidden. METAHEUR_DATA names the folder of the instances.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Any

from metaheur import Search, TabuSearch, run, stop
from metaheur.neighborhoods import AdjacentSwap, Insertion, OnEach
from metaheur.parallel import IterationLevel
from metaheur.parts import ArcMemory, Tenure
from metaheur.problems import JobShopByMachines
from metaheur.stop import Stop
from tests.benchmarks.comparison import within
from tests.benchmarks.records import report

NAMES = ("ft10", "la29", "ta01")
SECONDS = 3
"""Processor seconds of a run."""

TENURE = Tenure(0, 0, low_plus=8, high_plus=16)

SOURCE = Path(__file__).with_suffix(".cpp")


def by_hand(program: Path, problem: JobShopByMachines) -> list[str]:
    """Iterations and moves for each second, and the best makespan."""
    n, m = problem.times.shape
    pairs = zip(problem.order.ravel().tolist(), problem.times.ravel().tolist(), strict=True)
    text = f"{n} {m}\n" + "\n".join(f"{machine} {takes}" for machine, takes in pairs) + f"\n{SECONDS}\n"
    return subprocess.run([program], input=text, stdout=subprocess.PIPE, text=True, check=True).stdout.split()


def taken(search: Search[Any], problem: JobShopByMachines, limit: Stop) -> tuple[float, int]:
    """Processor seconds of a run, and the best makespan."""
    begin = process_time()
    model = IterationLevel("host", threads=1)
    result = run(search, problem, stop=limit, seed=1, start="construct", parallel=model)
    return process_time() - begin, int(result.cost)


def rate(search: Search[Any], problem: JobShopByMachines, iterations: int) -> float:
    """Iterations for each second of the processor."""
    begins = [taken(search, problem, stop.iterations(1))[0] for _ in range(2)][1]  # the first one compiles
    return iterations / (taken(search, problem, stop.iterations(iterations))[0] - begins)


def best(search: Search[Any], problem: JobShopByMachines) -> int:
    """The best makespan of `SECONDS` of the processor."""
    taken(search, problem, stop.iterations(1))
    return taken(search, problem, within(SECONDS))[1]


def rows() -> Iterator[str]:
    """A row for each instance."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "critical_blocks"
        subprocess.run(["g++", "-O3", "-march=native", "-std=c++17", str(SOURCE), "-o", str(program)], check=True)
        for name in NAMES:
            problem = JobShopByMachines.from_file(Path(os.environ["METAHEUR_DATA"]) / "jobshop" / f"{name}.txt")
            n5, n6 = (
                TabuSearch(OnEach(inner), memory=ArcMemory(TENURE), least_tabu=True, random_ties=True)
                for inner in (AdjacentSwap(), Insertion())
            )
            (recommended,) = problem.recommended()
            rates = " | ".join(f"{rate(each, problem, 200_000):,.0f}" for each in (n5, n6))
            ends = " | ".join(f"{best(each, problem):,}" for each in (n6, recommended.search))
            iterations, moves, found = map(int, by_hand(program, problem))
            yield f"| {name} | {rates} | {iterations:,} | {moves:,} | {ends} | {found:,} |"


if __name__ == "__main__":
    report(
        "critical_blocks",
        f"tabu search in critical blocks, and makespans after {SECONDS} s of a core",
        (
            "",
            "N5, iterations/s",
            "N6, iterations/s",
            "C++: N6, iterations/s",
            "C++: N6, moves/s",
            "N6, makespan",
            "iterated N5, makespan",
            "C++: N6, makespan",
        ),
        rows(),
    )
