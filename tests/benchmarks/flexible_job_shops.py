"""What `solve` finds for Brandimarte's flexible job shops on one core.

``python -m tests.benchmarks.flexible_job_shops --save``; behind ``python -m tests.benchmarks.processor_clock``, limits
are of the clock of the processor. The variable METAHEUR_DATA names the folder of the instances.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator
from pathlib import Path

from metaheur import solve
from metaheur.problems import FlexibleJobShop
from tests.benchmarks.records import report

SECONDS = (2, 20)


def rows() -> Iterator[str]:
    """A row for each instance: the best known makespan, and how far each limit of time ends above it."""
    folder = Path(os.environ["METAHEUR_DATA"]) / "flexible_jobshop"
    with (folder / "bks.csv").open(encoding="utf-8") as file:
        best = {each["instance"]: int(each["upper"]) for each in csv.DictReader(file)}
    for name in (f"mk{number:02}" for number in range(1, 11)):
        problem, cells = FlexibleJobShop.from_file(folder / f"{name}.txt"), []
        for seconds in SECONDS:
            result = solve(problem, seconds=seconds, target=best[name], seed=1, parallel="host", report=False)
            cells.append(f"{result.cost} ({100 * (int(result.cost) / best[name] - 1):.2f} %)")
        operations, machines = problem.times.shape
        yield f"| {name}, {operations} on {machines} | {best[name]} | {' | '.join(cells)} |"


if __name__ == "__main__":
    columns = ("", "best known", *(f"after {seconds} s" for seconds in SECONDS))
    report("flexible_job_shops", "flexible job shops, `solve` on a core", columns, rows())
