"""What a race of searches costs: `solve` beside single searches, at equal work, on instances of many formats.

``python -m tests.benchmarks.test_solve_quality`` prints the table; ``--new`` the rows of instances that nobody looked
at while searches and shares were chosen; ``--rows`` only some rows, by number. Work decides, so a busy machine changes
nothing.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import io
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from metaheur.door.entrant import Entrant
from metaheur.door.expression import read
from metaheur.door.race import Racing
from metaheur.door.race_plan import RacePlan
from metaheur.door.solve import solve
from metaheur.parallel import Auto
from metaheur.problem import Problem
from metaheur.problems import FlowShop, Knapsack
from metaheur.problems.reading import problem_from_file
from metaheur.searches import Recommendation
from metaheur.searches.suited import recommendations
from tests.benchmarks.records import arguments, report


class Case(NamedTuple):
    """An instance below $METAHEUR_DATA, how it is read, and its work; or a function of this module that makes it."""

    path: str
    work: int
    best: int | None
    options: dict[str, Any] = {}  # noqa: RUF012 - never written to


CASES = (
    Case("qaplib/tai50a.dat", 1_000_000_000, 4_938_796),
    Case("tsplib/pcb442.tsp", 15_000_000, 50_778),
    Case("qubo/gset/G22.txt", 1_000_000_000, 13_359),
    Case("qubo/bqp/bqp500.1.txt", 600_000_000, -116_586),
    Case("flowshop/taillard_original/tai50_20.txt", 100_000_000, 3_846),
    Case("knapsack/mkp_orlib/mknapcb4.txt", 300_000_000, 23_064),
    Case("gcp/DSJC125.5.col", 300_000_000, 0, {"k": 17}),
    Case("weighted_tardiness", 3_000_000, None),
    Case("vehicle_routing", 300_000, None),
    Case("nk_landscape", 3_000_000, None),
    Case("weighted_tardiness", 30_000_000, None),
    Case("vehicle_routing", 3_000_000, None),
    Case("nk_landscape", 30_000_000, None),
)
NEW = (
    Case("qaplib/tai80a.dat", 1_000_000_000, 13_499_184),
    Case("qaplib/ste36a.dat", 300_000_000, 9_526),
    Case("tsplib/lin318.tsp", 15_000_000, 42_029),
    Case("qubo/gset/G2.txt", 300_000_000, 11_620),
    Case("qubo/bqp/gka1f.txt", 300_000_000, None, {"layout": "bqp"}),
    Case("flowshop/taillard_original/tai50_20.txt", 100_000_000, 3_640, {"number": 3}),
    Case("flowshop/taillard_original/tai200_10.txt", 100_000_000, 10_862),
    Case("knapsack/mkp_orlib/mknapcb5.txt", 30_000_000, None),
    Case("gcp/queen8_8.col", 100_000_000, 0, {"k": 9}),
)
TENURES = "TabuSearch({}, Tenure(0, 0, low_plus={}, high_plus={}), random_ties=True)"
FLIPS = "TabuSearch({}, Tenure(0, 0, low_plus=5, high_plus=20))"
DESCENT = "CandidateDescent(Union(TwoOpt(), OrOpt()), problem.quadrants(8))"
OTHERS = {
    "QAP": {
        "breakout local search": "BreakoutLocalSearch(Swap())",
        "robust tabu search": "TabuSearch(Swap(), (0.1, 0.3))",
    },
    "TSP": {"kicks": f"IteratedLocalSearch({DESCENT}, DoubleBridge(50))"},
    "MaxCut": {"tabu search": TENURES.format("Hamming(1)", 30, 70)},
    "QUBO": {
        "diversification-driven tabu search": "DiversificationDrivenTabuSearch()",
        "breakout local search": "BreakoutLocalSearch(Hamming(1))",
    },
    "FlowShop": {"tabu search": "TabuSearch(Insertion())"},
    "Knapsack": {
        "single flips": f"IteratedLocalSearch({FLIPS.format('Hamming(1)')}, RandomMoves(Hamming(1), 6), Always(), "
        "limit=Limit(stagnation=1000))"
    },
    "GraphColoring": {
        "tabu search, short tenures": TENURES.format("Substitution()", 5, 15),
        "tabu search, middle tenures": TENURES.format("Substitution()", 10, 30),
    },
    "WeightedTardiness": {"annealing of the example": "SimulatedAnnealing(Swap(), 300.0)"},
    "VehicleRouting": {"annealing of the example": "SimulatedAnnealing(Insertion(), 10.0)"},
    "NKLandscape": {"tabu search of the example": "TabuSearch(Hamming(1))"},
}
"""Searches of docs and examples that are not recommended, as expressions; with four walks, as most that are."""


def example(name: str) -> Any:
    """An example, as a module."""
    path = next((Path(__file__).parents[2] / "examples").glob(f"*_{name}.py"))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[path.stem] = importlib.util.module_from_spec(spec)
    with contextlib.redirect_stdout(io.StringIO()):
        spec.loader.exec_module(module)
    return module


def weighted_tardiness() -> Problem:
    """A hundred jobs on one machine, drawn as those of OR-Library."""
    draw = np.random.default_rng(1)
    times = draw.integers(1, 101, 100)
    weights, due = draw.integers(1, 11, 100), draw.integers(times.sum() // 5, 4 * times.sum() // 5, 100)
    made: Problem = example("weighted_tardiness").WeightedTardiness(times, weights, due)
    return made


def vehicle_routing() -> Problem:
    """Sixty customers in a square; the depot comes last."""
    draw = np.random.default_rng(1)
    places = draw.integers(0, 1000, (61, 2))
    distances = np.rint(np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1))).astype(int)
    made: Problem = example("vehicle_routing").VehicleRouting(distances, draw.integers(1, 30, 60), 120)
    return made


def nk_landscape() -> Problem:
    """Two hundred bits, each with four behind it."""
    made: Problem = example("nk_landscape").NKLandscape(np.random.default_rng(1).integers(0, 1000, (200, 32)), 4)
    return made


def problem_of(case: Case) -> Problem:
    """The problem of a case."""
    made = globals().get(case.path)
    path = Path(os.environ["METAHEUR_DATA"]) / case.path
    found: Problem = made() if made else problem_from_file(path, **case.options)
    return found


def singles(problem: Problem) -> Iterator[Recommendation]:
    """The recommended searches, and others of docs and examples."""
    yield from recommendations(problem)
    start = "construct" if isinstance(problem, FlowShop | Knapsack) else None
    for name, text in OTHERS[type(problem).__name__].items():
        yield Recommendation(name, read(text, problem), start)


def alone(problem: Problem, each: Recommendation, work: int, seed: int) -> Any:
    """The cost of a search with all the work."""
    racing = Racing(problem, [Entrant(each, each.parallel or Auto(each.walks))], seed, RacePlan(work))
    racing.run()
    result = racing.entrants[0].result
    assert result is not None
    return result.cost


COLUMNS = ("instance", "work", "race, median (lowest ... highest)", "searches alone, medians")


def shown(value: float) -> str:
    """A median, without a fraction where it is whole."""
    return f"{int(value) if value == int(value) else value:,}"


def rows(cases: Sequence[Case], seeds: range) -> Iterator[str]:
    """A row for each case."""
    for case in cases:
        problem = problem_of(case)
        raced = [solve(problem, work=case.work, seed=seed, report=False).cost for seed in seeds]
        medians = {
            each.name: median(alone(problem, each, case.work, seed) for seed in seeds) for each in singles(problem)
        }
        texts = "; ".join(f"{name} {shown(cost)}" for name, cost in medians.items())
        span = f"{shown(median(raced))} ({min(raced):,} ... {max(raced):,})"
        best = "" if case.best is None else f", best known {case.best:,}"
        yield f"| {Path(case.path).stem}{best} | {case.work:,} | {span} | {texts} |"


def main() -> None:
    """Print a row for each case."""
    given = argparse.ArgumentParser()
    given.add_argument("--new", action="store_true", help="instances that nobody looked at before")
    given.add_argument("--rows", type=int, nargs="*", help="numbers of rows, from 0 on")
    given.add_argument("--seeds", type=int, default=12, help="how many seeds, from 1 on")
    chosen = given.parse_args(arguments())
    cases = NEW if chosen.new else CASES
    title = f"race and searches alone, seeds 1 ... {chosen.seeds}"
    picked = [case for number, case in enumerate(cases) if not chosen.rows or number in chosen.rows]
    report("race_new" if chosen.new else "race", title, COLUMNS, rows(picked, range(1, chosen.seeds + 1)))


if __name__ == "__main__":
    main()
