"""What a race of searches costs: `solve` beside each of its searches alone, at equal work, on published instances.

``python -m tests.benchmarks.test_solve_quality`` prints the table. Work decides, so a busy machine changes nothing.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from metaheur.door.race import Entrant, RacePlan, Racing
from metaheur.door.solve import solve
from metaheur.parallel import Auto
from metaheur.problems.reading import problem_from_file
from metaheur.searches.suited import recommendations
from tests.benchmarks.records import report


class Case(NamedTuple):
    """An instance below $METAHEUR_DATA, how it is read, its work and its best known cost."""

    path: str
    work: int
    best: int
    options: dict[str, Any]


CASES = (
    Case("qaplib/tai50a.dat", 1_000_000_000, 4_938_796, {}),
    Case("tsplib/pcb442.tsp", 15_000_000, 50_778, {}),
    Case("qubo/gset/G22.txt", 1_000_000_000, 13_359, {}),
    Case("qubo/bqp/bqp500.1.txt", 600_000_000, -116_586, {}),
    Case("flowshop/taillard_original/tai50_20.txt", 100_000_000, 3_846, {}),
    Case("knapsack/mkp_orlib/mknapcb4.txt", 300_000_000, 23_064, {}),
    Case("gcp/DSJC125.5.col", 300_000_000, 0, {"k": 17}),
)
SEEDS = range(1, 6)


def alone(problem: Any, number: int, work: int, seed: int) -> Any:
    """The cost of one of the searches with all the work."""
    each = recommendations(problem)[number]
    racing = Racing(problem, [Entrant(each, each.parallel or Auto(each.walks))], seed, RacePlan(work))
    racing.run()
    result = racing.entrants[0].result
    assert result is not None
    return result.cost


COLUMNS = ("instance", "work", "race, median (lowest ... highest)", "searches alone, medians")


def rows(data: Path) -> Iterator[str]:
    """A row for each instance."""
    for case in CASES:
        if not (data / case.path).exists():
            print(f"{case.path} is not there", file=sys.stderr)
            continue
        problem = problem_from_file(data / case.path, **case.options)
        raced = [solve(problem, work=case.work, seed=seed, report=False).cost for seed in SEEDS]
        singles = {
            each.name: median(alone(problem, number, case.work, seed) for seed in SEEDS)
            for number, each in enumerate(recommendations(problem))
        }
        texts = "; ".join(f"{name} {cost:,}" for name, cost in singles.items())
        span = f"{median(raced):,} ({min(raced):,} ... {max(raced):,})"
        yield f"| {Path(case.path).stem}, best known {case.best:,} | {case.work:,} | {span} | {texts} |"


if __name__ == "__main__":
    report("race", "race and searches alone, seeds 1 ... 5", COLUMNS, rows(Path(os.environ["METAHEUR_DATA"])))
