"""The efficiency of workers of one machine, beside threads that make the same walks.

By hand: ``python -m tests.benchmarks.test_distributed 1 2``. For each number of workers a row has the medians, over
repeats by turns, of the seconds of a run by so many threads and by so many workers, and their ratio.
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from statistics import median
from time import perf_counter

import pytest

from metaheur import TabuSearch, run, stop
from metaheur.neighborhoods import Swap
from metaheur.parallel import Distributed, Multistart, ParallelModel
from metaheur.problems import QAP
from tests.benchmarks.records import arguments, report, row_text

WALKS, ITERATIONS, REPEATS = 16, 20_000, 7


def seconds(model: ParallelModel, problem: QAP, iterations: int) -> tuple[float, float]:
    """The seconds of a run, and the cost that it finds."""
    began = perf_counter()
    cost = run(TabuSearch(Swap()), problem, stop=stop.iterations(iterations), seed=1, parallel=model).cost
    return perf_counter() - began, float(cost)


def rows(workers: int, problem: QAP, iterations: int = ITERATIONS, repeats: int = REPEATS) -> dict[str, float]:
    """The medians for so many workers and threads."""
    here = Multistart(WALKS, device="host", threads=workers)
    each = Multistart(WALKS, device="host", threads=1)
    threads, processes = [], []
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        there = Distributed(each, pool, workers)
        for _ in range(repeats + 1):  # the first one compiles
            threads.append(seconds(here, problem, iterations))
            processes.append(seconds(there, problem, iterations))
    assert {cost for _, cost in threads} == {cost for _, cost in processes}
    alone, spread = (median(second for second, _ in each[1:]) for each in (threads, processes))
    return {"threads": alone, "workers": spread, "efficiency": alone / spread}


@pytest.mark.thorough
def test_workers_make_the_walks_of_threads() -> None:
    assert rows(2, QAP.random(12, seed=1), iterations=500, repeats=1)["workers"] > 0


if __name__ == "__main__":
    columns = ("", "threads", "workers", "efficiency")
    lines = (row_text(count, rows(int(count), QAP.random(50, seed=1)).values()) for count in arguments())
    report("distributed", "seconds of 16 walks, medians of seven by turns", columns, lines)
