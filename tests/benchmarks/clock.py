"""Seconds that a run uses beyond its limit: a problem of each format at three sizes, on numpy and on the host.

`solve` has a column of its own: what it recommends, samples and measures takes time, too.

``python -m tests.benchmarks.clock`` takes a limit of a second and constructed starts. Everything is told by this
process's processor clock, the run's own clock included, so that other programs on the machine do not matter; compiling
does not count. ``--wall`` uses the wall clock, ``--only TEXT`` makes the rows that hold a text. ``--gpu`` measures runs
on a GPU, and `solve` on all that is here, by the wall clock; ``--minutes 5`` begins no row later.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from metaheur import CandidateDescent, IteratedLocalSearch, Search, SimulatedAnnealing, TabuSearch, run, solve, stop
from metaheur.door.solve import warm
from metaheur.loops import NoSearch
from metaheur.machine import pace
from metaheur.machine.pace import TimeBudget
from metaheur.neighborhoods import Hamming, Insertion, OrOpt, Substitution, Swap, TwoOpt, Union
from metaheur.parallel import IterationLevel
from metaheur.parts import DoubleBridge, Rebuild, StringRemoval
from metaheur.problem import Constructs, Problem
from metaheur.problems import CVRP, QAP, QUBO, TSP, FlowShop, GraphColoring, Knapsack, MaxCut, MultipleKnapsack
from tests.benchmarks.records import arguments, report

LIMIT = 1.0
"""Seconds of a run."""

Make = Callable[[int], tuple[Problem, Search[Any]]]


def _tour(n: int) -> tuple[Problem, Search[Any]]:
    problem = TSP.random(n, 1)
    descent = CandidateDescent(Union(TwoOpt(), OrOpt()), problem.nearest(8))
    return problem, IteratedLocalSearch(descent, DoubleBridge(50))


def _routes(c: int) -> tuple[Problem, Search[Any]]:
    places = np.random.default_rng(1).integers(0, 1000, (c + 1, 2))
    apart = np.hypot(*(places[:, None] - places).transpose(2, 0, 1)).round().astype(np.int32)
    problem = CVRP(np.random.default_rng(2).integers(1, 100, c), apart, 500, c // 6)
    return problem, IteratedLocalSearch(NoSearch(), StringRemoval(problem.nearest(min(40, c - 1)), problem.orders))


def _sparse(n: int) -> MaxCut:
    i, j = np.random.default_rng(1).integers(0, n, (2, 3 * n))
    pairs = np.unique(np.sort(np.stack((i, j), 1)[i != j], axis=1), axis=0)
    return MaxCut.from_edges(n, pairs, np.ones(len(pairs), np.int64))


def _items(n: int) -> dict[str, np.ndarray]:
    generator = np.random.default_rng(1)
    return {"profits": generator.integers(1, 1000, n), "weights": generator.integers(1, 1000, (5, n))}


def _knapsack(n: int) -> Problem:
    items = _items(n)
    return Knapsack(items["profits"], items["weights"], items["weights"].sum(axis=1) // 3)


def _knapsacks(n: int) -> Problem:
    items = _items(n)
    loads = items["weights"][0]
    return MultipleKnapsack(items["profits"], loads, np.full(5, int(loads.sum()) // 10))


def _matrix(n: int) -> np.ndarray:
    half = np.triu(np.random.default_rng(1).integers(-100, 101, (n, n)))
    return half + np.triu(half, 1).T


FORMATS: dict[str, tuple[tuple[int, int, int], Make]] = {
    "TSPLIB, kicks": ((1_000, 10_000, 100_000), _tour),
    "TSPLIB, tabu search": ((200, 2_000, 10_000), lambda n: (TSP.random(n, 1), TabuSearch(TwoOpt()))),
    "CVRPLIB, string removal": ((100, 1_000, 5_000), _routes),
    "QAPLIB, tabu search": ((50, 200, 1_000), lambda n: (QAP.random(n, 1), TabuSearch(Swap()))),
    "QAPLIB, annealing": ((50, 200, 1_000), lambda n: (QAP.random(n, 1), SimulatedAnnealing(Swap(), 10**6))),
    "Taillard's flow shops, iterated greedy": (
        (20, 100, 500),
        lambda n: (_shop(n), IteratedLocalSearch(NoSearch(), Rebuild(4))),
    ),
    "Taillard's flow shops, tabu search": ((20, 100, 500), lambda n: (_shop(n), TabuSearch(Insertion()))),
    "DIMACS colorings, tabu search": (
        (200, 1_000, 5_000),
        lambda n: (GraphColoring.random(n, 20, density=min(0.5, 100 / n), seed=1), TabuSearch(Substitution())),
    ),
    "Gset, tabu search": ((1_000, 10_000, 100_000), lambda n: (_sparse(n), TabuSearch(Hamming(1)))),
    "OR-Library QUBO, tabu search": ((500, 2_500, 8_000), lambda n: (QUBO(_matrix(n)), TabuSearch(Hamming(1)))),
    "knapsacks, tabu search": ((1_000, 10_000, 100_000), lambda n: (_knapsack(n), TabuSearch(Hamming(1)))),
    "multiple knapsacks, tabu search": (
        (1_000, 10_000, 100_000),
        lambda n: (_knapsacks(n), TabuSearch(Substitution())),
    ),
}


def _shop(n: int) -> Problem:
    return FlowShop(np.random.default_rng(1).integers(1, 100, (n, 20)))


def beyond(problem: Problem, search: Search[Any], device: str, clock: Callable[[], float]) -> tuple[float, int]:
    """Seconds that a run uses beyond its limit, and its iterations."""
    model = IterationLevel(device, threads=1) if device == "host" else IterationLevel(device)
    start = "construct" if isinstance(problem, Constructs) else None
    run(search, problem, stop=stop.iterations(1) | stop.seconds(0.05), start=start, parallel=model)  # compiles
    budget, began = TimeBudget(), clock()
    result = run(search, problem, stop=stop.seconds(LIMIT), seed=1, start=start, parallel=model)
    return clock() - began - budget.compile_seconds - LIMIT, result.iterations


def beyond_by_solve(problem: Problem, fresh: Problem, clock: Callable[[], float], parallel: str) -> float:
    """Seconds that `solve` uses beyond its limit, for a problem like one whose searches are compiled before."""
    for _ in warm(problem, parallel):
        pass
    budget, began = TimeBudget(), clock()
    solve(fresh, seconds=LIMIT, seed=1, parallel=parallel, report=False)
    return clock() - began - budget.compile_seconds - LIMIT


def lines(
    only: str, clock: Callable[[], float], sizes: int = 3, *, gpu: bool = False, minutes: float = math.inf
) -> Iterator[str]:
    """A row for each format and size; none begins after so many minutes."""
    devices, ends = ("cuda",) if gpu else ("numpy", "host"), time.monotonic() + 60 * minutes
    for name, (counts, make) in FORMATS.items():
        for n in counts[:sizes]:
            if only in f"{name}, {n}" and time.monotonic() < ends:
                problem, search = make(n)
                found = [beyond(problem, search, device, clock) for device in devices]
                cells = " | ".join(f"{seconds:+.2f} | {made:,}" for seconds, made in found)
                solved = beyond_by_solve(problem, make(n)[0], clock, "auto" if gpu else "host")
                yield f"| {name} | {n:,} | {cells} | {solved:+.2f} |"


@pytest.mark.thorough
def test_a_row_tells_seconds_and_iterations() -> None:
    row = next(lines("Gset", time.process_time, sizes=1))
    assert row.startswith("| Gset, tabu search | 1,000 | ")


def main() -> None:
    """Measure the rows that are asked for."""
    words = arguments()
    gpu = "--gpu" in words
    clock = time.perf_counter if gpu or "--wall" in words else time.process_time
    pace.perf_counter = clock  # type: ignore[attr-defined, assignment, unused-ignore]
    assert abs(pace.now() - clock()) < 1  # runs read it, too
    only = words[words.index("--only") + 1] if "--only" in words else ""
    minutes = float(words[words.index("--minutes") + 1]) if "--minutes" in words else math.inf
    measured = ("GPU s", "iterations") if gpu else ("numpy s", "iterations", "host s", "iterations ")
    columns, name = ("format, search", "items", *measured, "solve s"), "clock_on_a_gpu" if gpu else "clock"
    report(name, f"seconds beyond a limit of {LIMIT:g} s", columns, lines(only, clock, gpu=gpu, minutes=minutes))


if __name__ == "__main__":
    main()
