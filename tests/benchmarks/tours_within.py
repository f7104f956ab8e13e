"""Tours within some seconds: `solve` beside fast-tsp on drawn cities that nobody tuned to, on one core.

``python -m tests.benchmarks.tours_within`` runs both in turn on the processor clock of one core. ``--cities``,
``--seconds`` and ``--seeds`` choose the grid; ``--save`` renews the record. Above 30,000 cities, whose matrix takes
gigabytes, `solve` runs alone; a million cities have limits of a minute or more, smaller numbers lower ones. ``--gpu``
runs `solve` alone on a GPU and all cores, by the wall's clock, and renews a record of its own.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator

from metaheur import solve
from metaheur.problems import TSP
from tests.benchmarks.choice_kinds import SEED, toured_by_fast_tsp
from tests.benchmarks.processor_clock import DATE, on_one_core
from tests.benchmarks.records import arguments, report

COLUMNS = ("cities, limit", "solve, %", "fast-tsp, %", "solve ahead by, %", "seeds ahead", "seeds")

MATRIX, MILLION, MINUTE = 30_000, 1_000_000, 60
"""The most cities whose matrix is made for the rival; from so many on, limits are of so many seconds."""


def solved(n: int, seed: int, seconds: float, parallel: str = "host") -> float:
    """The length of a new problem's tour, whose candidates nobody has."""
    return float(solve(TSP.random(n, seed), seconds=seconds, seed=1, parallel=parallel, report=False).cost)


def lines(cities: list[int], limits: list[float], seeds: int, parallel: str) -> Iterator[str]:
    """A row for each number of cities and limit: means over 0.7124 times the root of the cities and their area."""
    for n in cities:
        solved(n, SEED - 1, 0.3, parallel)  # compiles
        expected = 0.7124 * (n * 1e8) ** 0.5
        for seconds in (each for each in limits if (each < MINUTE) == (n < MILLION)):
            if n > MATRIX or parallel != "host":
                alone = sum(solved(n, SEED + k, seconds, parallel) for k in range(seeds)) / seeds / expected
                yield f"| {n:,}, {seconds:g} s | {100 * (alone - 1):.2f} |  |  |  | {seeds} |"
                continue
            both = [
                (solved(n, SEED + k, seconds), toured_by_fast_tsp(TSP.random(n, SEED + k), seconds))
                for k in range(seeds)
            ]
            ours, theirs = (sum(lengths) / seeds / expected for lengths in zip(*both, strict=True))
            ahead = sum(one <= other for one, other in both)
            cells = f"{100 * (ours - 1):.2f} | {100 * (theirs - 1):.2f} | {100 * (theirs / ours - 1):+.3f}"
            yield f"| {n:,}, {seconds:g} s | {cells} | {ahead} | {seeds} |"


def main() -> int:
    """Print a row for each cell of the grid."""
    gpu = "--gpu" in sys.argv
    if DATE not in os.environ and not gpu:
        return on_one_core("tests.benchmarks.tours_within", *sys.argv[1:])
    given = argparse.ArgumentParser()
    given.add_argument("--cities", type=int, nargs="*", default=[200, 1000, 5000, 20_000])
    given.add_argument("--seconds", type=float, nargs="*", default=[1.0, 5.0, 20.0])
    given.add_argument("--seeds", type=int, default=5, help="how many")
    given.add_argument("--gpu", action="store_true", help="a GPU and all cores, without the rival")
    chosen = given.parse_args(arguments())
    name, where = "tours_within", "after equal processor time of one core"
    if gpu:
        name, where = "tours_within_on_a_gpu", "on a GPU and cores"
    rows = lines(chosen.cities, chosen.seconds, chosen.seeds, "auto" if gpu else "host")
    report(name, f"tours of random cities {where}, over 0.7124 √(nA)", COLUMNS, rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
