"""Tabu search in critical blocks beside one written by hand in C++, on published job shops, by processor time.

``python -m tests.benchmarks.critical_blocks --save``. The program critical_blocks.cpp estimates the makespans of N6, as
Balas and Vazacopoulos do, and forbids arcs; metaheur tells exact ones. METAHEUR_DATA names the folder of the instances.
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
from metaheur.parts import Tenure
from metaheur.problems import JobShopByMachines
from tests.benchmarks.records import report

NAMES = ("ft10", "la29", "ta01")
SECONDS = 3
"""Processor seconds of a run."""

SOURCE = Path(__file__).with_suffix(".cpp")


def by_hand(program: Path, problem: JobShopByMachines) -> list[str]:
    """Iterations and moves for each second, and the best makespan."""
    n, m = problem.times.shape
    pairs = zip(problem.order.ravel().tolist(), problem.times.ravel().tolist(), strict=True)
    text = f"{n} {m}\n" + "\n".join(f"{machine} {takes}" for machine, takes in pairs) + f"\n{SECONDS}\n"
    return subprocess.run([program], input=text, stdout=subprocess.PIPE, text=True, check=True).stdout.split()


def ours(search: Search[Any], problem: JobShopByMachines, iterations: int) -> tuple[float, int]:
    """Iterations for each second of the processor, and the best makespan of `SECONDS` of them."""
    model = IterationLevel("host", threads=1)

    def taken(count: int) -> tuple[float, int]:
        begin = process_time()
        result = run(search, problem, stop=stop.iterations(count), seed=1, start="construct", parallel=model)
        return process_time() - begin, int(result.cost)

    begins = (taken(1), taken(1))[1][0]  # the first one compiles
    rate = iterations / (taken(iterations)[0] - begins)
    return rate, taken(int(SECONDS * rate))[1]


def rows() -> Iterator[str]:
    """A row for each instance."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "critical_blocks"
        subprocess.run(["g++", "-O3", "-march=native", "-std=c++17", str(SOURCE), "-o", str(program)], check=True)
        for name in NAMES:
            problem = JobShopByMachines.from_file(Path(os.environ["METAHEUR_DATA"]) / "jobshop" / f"{name}.txt")
            tenure = Tenure(0, 0, low_plus=4, high_plus=16)
            (recommended,) = problem.recommended()
            n6 = ours(TabuSearch(OnEach(Insertion()), tenure), problem, 10_000)[0]
            n5 = ours(TabuSearch(OnEach(AdjacentSwap()), tenure), problem, 50_000)[0]
            iterated = ours(recommended.search, problem, 50_000)[1]
            rate, moves, best = map(int, by_hand(program, problem))
            yield f"| {name} | {n5:,.0f} | {n6:,.0f} | {rate:,} | {moves:,} | {iterated:,} | {best:,} |"


if __name__ == "__main__":
    report(
        "critical_blocks",
        f"tabu search in critical blocks, and the makespans after {SECONDS} s of a core: iterated tabu search, and C++",
        ("", "N5, iterations/s", "N6, iterations/s", "C++: N6, iterations/s", "C++: N6, moves/s", "iterated", "C++"),
        rows(),
    )
