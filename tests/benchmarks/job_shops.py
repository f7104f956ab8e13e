"""Iterated tabu search in critical blocks on published job shops, on one core.

``python -m tests.benchmarks.job_shops --save`` makes runs of some seconds for each instance, as many at a time as there
are cores; with the word ``taillard``, of the smallest ones of Taillard, one at a time (behind ``python -m
tests.benchmarks.processor_clock`` by the clock of the processor). METAHEUR_DATA names the folder of the instances.
"""

from __future__ import annotations

import csv
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from metaheur import run, stop
from metaheur.machine.processors import cores
from metaheur.problems import JobShopByMachines
from tests.benchmarks.records import report

NAMES = ("ft10", "la16", "la21", "la24", "la25", "la27", "la29", "orb01", "abz7", "swv01", "ta01", "ta05")
TAILLARD = tuple(f"ta{number:02}" for number in range(1, 11))
SECONDS = (5, 60)


def row(name: str) -> str:
    """The best known makespan, and what each limit of time gives, in per cent above."""
    folder = Path(os.environ["METAHEUR_DATA"]) / "jobshop"
    with (folder / "bks.csv").open(encoding="utf-8") as file:
        best = next(int(each["upper"]) for each in csv.DictReader(file) if each["instance"] == name)
    problem = JobShopByMachines.from_file(folder / f"{name}.txt")
    (recommended,) = problem.recommended()
    cells, rate = [], 0.0
    for seconds in SECONDS:
        limit = stop.seconds(seconds) | stop.target(best)
        result = run(recommended.search, problem, stop=limit, seed=1, start=recommended.start, parallel="host")
        rate = result.iterations / result.seconds
        reached = f", after {result.seconds:.1f} s" if result.cost == best else ""
        cells.append(f"{result.cost:,} ({100 * (result.cost / best - 1):.2f} %{reached})")
    n, m = problem.times.shape
    return f"| {name}, {n} x {m} | {best:,} | {' | '.join(cells)} | {rate:,.0f} |"


def rows(names: tuple[str, ...], processes: int) -> Iterator[str]:
    """A row for each instance."""
    with ProcessPoolExecutor(processes) as pool:
        yield from pool.map(row, names)


def main() -> None:
    """Print the table."""
    columns = ("", "best known", *(f"after {seconds} s" for seconds in SECONDS), "iterations/s")
    title = "job shops, iterated tabu search in critical blocks (N5), one walk on a core"
    if "taillard" in sys.argv:
        report("job_shops_of_taillard", title, columns, rows(TAILLARD, 1))
    else:
        report("job_shops", title, columns, rows(NAMES, cores()))


if __name__ == "__main__":
    main()
