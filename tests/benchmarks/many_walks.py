"""Subsets and job shops: many walks on a GPU beside one walk on a core of the same machine.

``python -m tests.benchmarks.many_walks --save``: moves, or iterations of tabu search in critical blocks, in a second.
Without a GPU the walks share the cores.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter
from typing import Any

import numpy as np

from metaheur import Key, Problem, Search, TabuSearch, Trial, Until
from metaheur.neighborhoods import AdjacentSwap, Insertion, Interchange, OnEach
from metaheur.parallel import Multistart
from metaheur.parts import LateAcceptance, Tenure
from metaheur.problem import judges
from metaheur.problems import JobShopByMachines, MaximumDiversity, PMedian
from metaheur.searches.repair import feasible_start
from metaheur.testing import devices_here
from tests.benchmarks.records import report

SECONDS = 3.0
"""A measured run takes so long at least."""

WALKS = ((4224, "warp"), (33_792, "thread"), (135_168, "thread"))
"""How many walks, and who has one each."""


def cases() -> Iterator[tuple[str, Problem, Search[Any]]]:
    """A name, a drawn instance, and a search."""
    numbers = np.random.default_rng(1)
    square = np.triu(numbers.integers(1, 100, (500, 500)), 1)
    order, times = np.argsort(numbers.random((15, 15)), axis=1), numbers.integers(1, 100, (15, 15))
    shop, tenure = JobShopByMachines(order, times), Tenure(0, 0, low_plus=4, high_plus=16)
    late = Trial(Interchange(), LateAcceptance(1000))
    yield "maximum diversity, 50 of 500, trials", MaximumDiversity(square + square.T, 50), late
    yield "p-median, 10 of 100, trials", PMedian(numbers.integers(1, 100, (100, 100)), 10), late
    yield "job shop, 15 x 15, N5, iterations", shop, TabuSearch(OnEach(AdjacentSwap()), tenure, least_tabu=True)
    yield "job shop, 15 x 15, N6, iterations", shop, TabuSearch(OnEach(Insertion()), tenure, least_tabu=True)


def rate(search: Search[Any], problem: Problem, model: Multistart) -> float:
    """Iterations of all walks in a second; the walks begin at a few starts."""
    keys, runner = model.keys(1), model.bind(search, problem)
    few = [_start(problem, w) for w in range(min(16, len(keys)))]
    walks = runner.begin(keys, np.stack([few[w % len(few)] for w in range(len(keys))]))
    end, seconds, iterations = 1, 0.0, 64
    while True:
        begin = perf_counter()
        walks = runner.advance(walks, Until(end)).walks
        seconds = perf_counter() - begin
        if seconds > SECONDS:
            return len(keys) * iterations / seconds
        iterations *= 4 if seconds < SECONDS / 8 else 2
        end = int(walks.iterations.max()) + iterations


def _start(problem: Problem, w: int) -> np.ndarray:
    return feasible_start(problem, Key(w)) if judges(problem) else problem.representation.starts([Key(1, w)])[0]


def rows() -> Iterator[str]:
    """A row for each search: a core, many walks, and how many times as many."""
    many = "cuda" if "cuda" in devices_here() else "host"
    for name, problem, search in cases():
        core = rate(search, problem, Multistart(1, device="host", threads=1))
        owners = [Multistart(walks, per, device=many) if many == "cuda" else Multistart(walks) for walks, per in WALKS]
        found = [rate(search, problem, each) for each in owners]
        texts = " | ".join(f"{each / 1e6:,.3g}" for each in found)
        yield f"| {name} | {core / 1e6:,.3g} | {texts} | {max(found) / core:.1f} |"


if __name__ == "__main__":
    columns = (
        "",
        "one walk on a core, M/s",
        *(f"{walks:,}, a {per} each, M/s" for walks, per in WALKS),
        "times a core",
    )
    report("many_walks", "subsets and job shops: one walk on a core, and many walks on a GPU", columns, rows())
