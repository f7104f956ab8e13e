"""What searches of the tabu family, and annealing, reach in seconds of a processor: fixed seeds, `host`, one thread.

By hand, all or some: ``python -m tests.benchmarks.test_tabu_quality tai30a "G22, D2TS"``, with METAHEUR_DATA set.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any, final

import pytest
from attrs import frozen

from metaheur import (
    BreakoutLocalSearch,
    IteratedLocalSearch,
    Problem,
    Search,
    SimulatedAnnealing,
    TabuSearch,
    run,
    stop,
)
from metaheur.neighborhoods import Hamming, Substitution, Swap
from metaheur.parts import BreakoutRules, Geometric, Limit, RandomMoves, Tenure
from metaheur.parts.acceptance.acceptance import Always
from metaheur.problems import QAP, QUBO, GraphColoring, MaxCut
from metaheur.searches import DiversificationDrivenTabuSearch, MultistartTabuSearch
from metaheur.stop import Stop
from tests.benchmarks.records import arguments, report


@final
@frozen
class Case:
    """An instance, how well it is known, the time for it, and a search.

    Parameters
    ----------
    instance : str
        Its name.
    best : int
        The best known cost; for a colouring 0.
    seconds : float
        Of the process, for a run, at most: it ends where the best known cost is reached. Machines are shared, and
        seconds of the clock would say how busy they were.
    search : str
        A key of `SEARCHES`.
    seeds : int
        Seeds 1 ... so many.
    """

    instance: str
    best: int
    seconds: float
    search: str
    seeds: int


FLIPS = Tenure(0.01, 0.01, low_plus=1, high_plus=10)
LONGER = Tenure(0.03, 0.07)

SEARCHES: dict[str, Callable[[], Search[Any]]] = {
    "robust tabu": lambda: TabuSearch(Swap()),
    "robust tabu, short": lambda: TabuSearch(Swap(), (0.1, 0.3)),
    "iterated tabu": lambda: IteratedLocalSearch(
        TabuSearch(Swap(), (0.1, 0.3)), RandomMoves(Swap(), 20), Always(), limit=Limit(1000)
    ),
    "breakout": lambda: BreakoutLocalSearch(Swap()),
    "flips, longer": lambda: TabuSearch(Hamming(1), LONGER, random_ties=True),
    "MST2, longer": lambda: MultistartTabuSearch(LONGER, iterations=20_000, random_ties=True),
    "flips": lambda: TabuSearch(Hamming(1), FLIPS, random_ties=True),
    "D2TS": lambda: DiversificationDrivenTabuSearch(random_ties=True),
    "MST2": lambda: MultistartTabuSearch(random_ties=True),
    "breakout, flips": lambda: BreakoutLocalSearch(
        Hamming(1), Tenure(0, 0.1, low_plus=3, high_plus=3), rules=BreakoutRules.max_cut(), random_ties=True
    ),
    "annealing": lambda: SimulatedAnnealing(Hamming(1), 3.0, Geometric.between(3.0, 0.3, 400_000_000, 2000)),
    "colours": lambda: TabuSearch(Substitution(), Tenure(0.04, 0.12), random_ties=True),
}

QUADRATIC = {
    "tai20a": 703_482,
    "tai25a": 1_167_256,
    "tai30a": 1_818_146,
    "nug30": 6124,
    "sko42": 15_812,
}
LARGE = {"tai100a": 21_044_752, "tai50b": 458_821_517, "tai80b": 818_415_043, "tai100b": 1_185_996_137}
BINARY = {"bqp250.1": (-45_607, 5), "bqp1000.1": (-371_438, 10), "G22": (-13_359, 30), "G43": (-6660, 30)}


def cases() -> Iterator[Case]:
    """Every row of the table."""
    for instance, best in QUADRATIC.items():
        for search in ("robust tabu", "breakout"):
            yield Case(instance, best, 10, search, 10)
    for instance, best in LARGE.items():
        for search in ("robust tabu, short", "iterated tabu", "breakout"):
            yield Case(instance, best, 30, search, 3)
    yield Case("tai100a", LARGE["tai100a"], 120, "iterated tabu", 3)
    for instance, (best, seconds) in BINARY.items():
        graph = instance.startswith("G")
        more = ("flips, longer", "MST2, longer", "annealing") if graph else ("flips", "D2TS")
        for search in ("MST2", "breakout, flips", *more):
            yield Case(instance, best, seconds, search, 3 if graph else 10)
    yield Case("DSJC125.5 in 17 colours", 0, 30, "colours", 5)
    yield Case("DSJC250.5 in 29 colours", 0, 30, "colours", 5)


def problem_of(instance: str, data: Path) -> Problem:
    """The instance, read from its file."""
    name, _, colors = instance.partition(" in ")
    if colors:
        return GraphColoring.from_file(data / "gcp" / f"{name}.col", int(colors.split()[0]))
    if name.startswith("bqp"):
        return QUBO.from_file(data / "qubo/bqp" / f"{name}.txt")
    if name.startswith("G"):
        return MaxCut.from_file(data / "qubo/gset" / f"{name}.txt")
    return QAP.from_file(data / "qaplib" / f"{name}.dat")


def processor_seconds(limit: float) -> Stop:
    """Stop after so many seconds of this process from now on."""
    end = process_time() + limit
    return stop.when(lambda view: process_time() >= end)


def measured(case: Case, data: Path) -> str:
    """A row of the table: runs that reached the best known cost, gaps, iterations a second of processor time."""
    problem = problem_of(case.instance, data)
    gaps, iterations, began = [], 0, process_time()
    for seed in range(1, case.seeds + 1):
        ends = processor_seconds(case.seconds) | stop.target(abs(case.best) if problem.maximise else case.best)
        result = run(SEARCHES[case.search](), problem, stop=ends, seed=seed, parallel="host")
        cost = -result.cost if problem.maximise else result.cost
        assert problem.cost(result.solution) == cost
        gaps.append(100 * (cost - case.best) / abs(case.best) if case.best else float(cost))
        iterations += result.iterations
    seconds = process_time() - began
    hits = sum(gap <= 0 for gap in gaps)
    unit = "%" if case.best else "conflicts"
    return (
        f"| {case.instance} | {case.search} | {case.seconds} | {hits} of {case.seeds} | {median(gaps):.3f} {unit} "
        f"| {max(gaps):.3f} {unit} | {iterations / seconds:,.0f} | {seconds / case.seeds:.1f} s |"
    )


COLUMNS = ("instance", "search", "seconds", "best known", "median gap", "worst gap", "iterations/s", "processor")


def rows(names: list[str], data: Path) -> Iterator[str]:
    """The rows of cases that begin with a name, or all."""
    for each in cases():
        if not names or f"{each.instance}, {each.search}".startswith(tuple(names)):
            yield measured(each, data)


@pytest.mark.benchmark(group="quality of tabu searches")
@pytest.mark.parametrize("case", list(cases()), ids=lambda case: f"{case.instance}, {case.search}")
def test_what_is_reached(case: Case, data_folder: Path, benchmark: Any, capsys: pytest.CaptureFixture[str]) -> None:
    row = benchmark.pedantic(measured, (case, data_folder), rounds=1, iterations=1)
    with capsys.disabled():
        print(f"\n{row}")


if __name__ == "__main__":
    title = "runs that reached the best known cost within seconds of a processor"
    report("quality_of_tabu_searches", title, COLUMNS, rows(arguments(), Path(os.environ["METAHEUR_DATA"])))
