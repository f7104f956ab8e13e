"""Moves a second before subsets, copies, parts, lists and hard constraints were there, by an older tree of the project.

``python -m tests.benchmarks.before TREE --save``: TREE is a folder with the commit that is measured. What it does not
ship is said by the tricks of tests/benchmarks/tricks.py. Sizes are those of tests/benchmarks/rates.py. Names after TREE
make a record of these problems alone, rates_beside, of which this tree is measured, too.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from metaheur import Problem, Trial
from metaheur.neighborhood import Neighborhood
from metaheur.neighborhoods import Hamming, Insertion, Substitution, Swap, TwoOpt
from metaheur.parts import LateAcceptance
from metaheur.problems import CVRP, QAP, QUBO, TSP, FlowShop, GraphColoring, Knapsack, MaxCut
from tests.benchmarks import tricks
from tests.benchmarks.costs_alone import costs_alone
from tests.benchmarks.rate import rate

ROOT = Path(__file__).resolve().parents[2]
OLD = "import sys; sys.path.insert(0, sys.argv[1]); import metaheur; sys.path[0] = sys.argv[2]; "
PROGRAM = OLD + "from tests.benchmarks.before import lines; lines(sys.argv[3:])"
"""Takes metaheur from one folder, and this program from another one."""


def shipped() -> Iterator[tuple[str, Problem, Neighborhood]]:
    """What was there, by its own formulas."""
    numbers = np.random.default_rng(1)
    weights, worth = numbers.integers(1, 100, 200), numbers.integers(1, 100, 200)
    ways = _distances(numbers, 101)
    edges = np.unique(np.sort(numbers.integers(0, 1000, (5000, 2)), axis=1), axis=0)
    yield "quadratic assignment, 100", QAP.taillard(100), Swap()
    yield "travelling salesman, 1,000", TSP.random(1000, 1), TwoOpt()
    yield "flow shop, 50 x 20", FlowShop(numbers.integers(1, 100, (50, 20))), Insertion()
    yield "vehicle routing, 100", CVRP(numbers.integers(1, 10, 100), ways, 50, 20), Insertion()
    yield "knapsack, 200", Knapsack.single(worth.tolist(), weights.tolist(), 5000), Hamming(1)
    yield "graph coloring, 250, 28 colors", GraphColoring.random(250, 28, seed=1), Substitution()
    yield "maximum cut, 1,000", MaxCut.from_edges(1000, edges[edges[:, 0] < edges[:, 1]]), Hamming(1)
    yield "quadratic 0-1, 500", QUBO(numbers.integers(-99, 100, (500, 500))), Hamming(1)


def tricky() -> Iterator[tuple[str, Problem, Neighborhood]]:
    """What a user had to say with a trick, by the cost alone."""
    numbers = np.random.default_rng(1)
    square = numbers.integers(1, 100, (100, 100))
    even = np.triu(square, 1) + np.triu(square, 1).T
    before = np.triu(numbers.random((100, 100)) < 0.02, 1)
    order, times = np.argsort(numbers.random((15, 15)), axis=1), numbers.integers(1, 100, (15, 15))
    able = np.where(numbers.random((200, 10)) < 0.4, numbers.integers(1, 30, (200, 10)), -1)
    able[:, 0] = np.maximum(able[:, 0], 5)
    durations, demands = numbers.integers(1, 10, 60), numbers.integers(0, 6, (60, 4))
    project = np.triu(numbers.random((60, 60)) < 0.05, 1)
    graph = np.triu(numbers.random((500, 500)) < 0.1, 1)
    costs, uses = numbers.integers(1, 50, (10, 100)), numbers.integers(5, 25, (10, 100))
    kinds, needs = numbers.integers(0, 20, 200), numbers.integers(0, 2, (20, 5))
    share = numbers.integers(1, 100, (100, 5)), numbers.integers(1, 10, 100)
    cars = tricks.CarsByItems(kinds, needs, np.array([1, 2, 1, 2, 1]), np.array([2, 3, 3, 5, 5]))
    list_of = tricks.ProjectByList(durations, demands, 12, project, int(durations.sum()) + 1)
    yield "job shop by machines, 15 x 15", tricks.JobsByItems(order, times), Swap()
    yield "flexible job shop, 200 operations", tricks.FlexibleByKeys(able), Substitution()
    yield "sequential ordering, 100", tricks.OrderingByWeight(square, before), Insertion()
    yield "project scheduling, 60", list_of, Insertion()
    yield "car sequencing, 200", cars, Swap()
    yield "parallel machines, 100 on 5", tricks.MachinesBySeparators(*share), Insertion()
    yield "generalised assignment, 100 to 10", tricks.AssignmentByWeight(costs, uses, 160), Substitution()
    yield "p-median, 10 of 100", tricks.MedianByBits(square, 10), Hamming(1)
    yield "maximum diversity, 10 of 100", tricks.DiversityByBits(even, 10), Hamming(1)
    ready = numbers.integers(0, 1000, 100)
    windows = numbers.integers(1, 10, 100), ready, ready + 400, 50
    yield "bin packing, 120", tricks.BinsByDigits(numbers.integers(20, 101, 120), 150), Substitution()
    yield "rosters, 20 of 28 days", tricks.RosterByWeight(numbers.integers(5, 10, 28)), Hamming(1)
    yield "time windows, 100", tricks.WindowsByGiantTour(_distances(numbers, 101), *windows), Insertion()
    yield "balanced partition, 4 x 125", tricks.PartitionByWeight(graph + graph.T), Substitution()
    course = np.sort(np.append(np.arange(60), numbers.integers(0, 60, 91)))
    clashes = np.triu(numbers.random((60, 60)) < 0.1, 1)
    sizes = numbers.integers(10, 100, 60), numbers.integers(30, 120, 8)
    lasts, needs_of, spends = numbers.integers(1, 10, (30, 3)), *numbers.integers(1, 7, (2, 30, 3))
    first = np.triu(numbers.random((30, 30)) < 0.1, 1)
    modes = tricks.ModesByKeys(lasts, needs_of, spends, 12, 100, first, int(lasts.max(axis=1).sum()) + 1)
    yield "project scheduling, 3 modes, 30", modes, Substitution()
    lectures = tricks.TimetableByWeight(course, clashes + clashes.T, *sizes)
    yield "course timetable, 151 lectures", lectures, Substitution()
    yield "open shop, 15 x 15", tricks.OpenByItems(numbers.integers(1, 100, (15, 15)), 15), Swap()
    depots = _distances(numbers, 104), numbers.integers(1, 10, 100), 50
    yield "several depots, 100", tricks.DepotsByGiantTour(*depots), Insertion()
    yield "arc routing, 100 streets", tricks.StreetsByKeys(_distances(numbers, 200)), Substitution()
    visits = _distances(numbers, 101), numbers.integers(1, 20, 100), 3000
    yield "orienteering, 100", tricks.VisitsByCut(*visits), Insertion()


def _distances(numbers: np.random.Generator, count: int) -> np.ndarray:
    places = numbers.integers(0, 1000, (count, 2)).astype(float)
    ways: np.ndarray = np.rint(np.hypot(*(places[:, None] - places).T)).astype(np.int32)
    return ways


def lines(names: list[str]) -> None:
    """Print a row for each problem, or those of some names, by the metaheur that is loaded."""
    for instances, by in ((shipped, "shipped"), (tricky, ""), (costs_alone, "the cost alone")):
        for name, problem, moves in instances():
            if names and name not in names:
                continue
            how = by or f"a trick: {type(problem).__name__}"
            print(f"| {name} | {how} | {rate(Trial(moves, LateAcceptance(1000)), problem) / 1e6:,.3g} |", flush=True)


def rows(tree: str) -> Iterator[str]:
    """The rows by the older tree, and what tests/benchmarks/rates.py measured last."""
    from tests.benchmarks.records import MEASURED, Record

    now = Record.read(MEASURED / "rates.json")
    command = [sys.executable, "-c", PROGRAM, tree, str(ROOT)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for row in map(str.rstrip, process.stdout):
            yield f"{row} {now.cell(row.split(' | ')[0].lstrip('| '), 'random moves, M/s')} |"
    if process.returncode:
        raise SystemExit(process.returncode)


def beside(tree: str, names: list[str]) -> Iterator[str]:
    """The rows of some problems, one by the older tree and then by this one, each in a process of its own."""
    from tests.benchmarks.rates import instances

    now = {name: (problem, moves) for name, problem, moves in instances()}
    for name in names:
        command = [sys.executable, "-c", PROGRAM, tree, str(ROOT), name]
        row = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.rstrip()
        problem, moves = now[name]
        yield f"{row} {rate(Trial(moves, LateAcceptance(1000)), problem) / 1e6:,.3g} |"


if __name__ == "__main__":
    from tests.benchmarks.records import report

    title = "random moves evaluated in a second of the processor at commit 28c98de2 and now, one walk, C++ on a core"
    tree, *chosen = (each for each in sys.argv[1:] if each != "--save")
    found = beside(tree, chosen) if chosen else rows(tree)
    report("rates_beside" if chosen else "rates_before", title, ("", "then", "then, M/s", "now, M/s"), found)
