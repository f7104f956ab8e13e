"""How evenly two threads share the sums of one evaluation of a large solution.

By hand: ``python -m tests.benchmarks.test_shared_sums``. A row has the medians of the milliseconds of an evaluation by
one thread, and by two, on the clock, and the processor milliseconds by one thread, and by two: of the leading thread,
and of both. Only idle cores show on the clock what sharing wins.
"""

from __future__ import annotations

from statistics import median
from time import perf_counter, process_time, thread_time
from typing import Any

import numpy as np
import pytest

from metaheur import Key, Problem
from metaheur.device.names import device_of
from metaheur.evaluators.device import TRIALS, DeviceEvaluator
from metaheur.problems import QAP, QUBO
from tests.benchmarks.records import report, row_text
from tests.toys import linear_ordering

REPEATS = 25

COLUMNS = ("", "one thread", "two threads", "times as fast", "processor: one", "two, leading", "two, both")


def row(problem: Problem, repeats: int = REPEATS) -> dict[str, float]:
    """Milliseconds of an evaluation, which must find the same cost both ways."""
    solutions = DeviceEvaluator(problem, device_of("host"), threads=2)._whole()
    x = problem.representation.starts([Key(0, 0)])
    found, costs = [], []
    for shared in (0.5, 2.0):  # of the time alone, as if trials had found it
        solutions._seconds = {1: [1.0] * TRIALS, 2: [shared] * TRIALS}
        spent = []
        for _ in range(repeats):
            began = perf_counter(), thread_time(), process_time()
            costs.append(solutions.costs(x)[0].item())
            ended = perf_counter(), thread_time(), process_time()
            spent.append([1000 * (end - begin) for begin, end in zip(began, ended, strict=True)])
        found.append([median(column) for column in zip(*spent, strict=True)])
    assert len(set(costs)) == 1
    (clock, leading, both), (clock_alone, alone, _) = found
    on_clock = {"clock alone": clock_alone, "clock shared": clock, "times as fast": clock_alone / clock}
    return {**on_clock, "alone": alone, "leading": leading, "both": both}


def problems(n: int) -> dict[str, Problem]:
    """Large instances."""
    random = np.random.default_rng(1)
    half = np.triu(random.integers(-9, 10, (2 * n, 2 * n)))
    ordering: Any = type(linear_ordering("cost", "float64"))
    return {
        f"QUBO, n = {2 * n:,}": QUBO(half + np.triu(half, 1).T),
        f"QAP, n = {n // 3:,}": QAP.random(n // 3, seed=1),
        f"linear ordering, fractions, n = {n:,}": ordering(random.random((n, n))),
    }


@pytest.mark.thorough
@pytest.mark.parametrize("number", range(3))
def test_one_thread_and_two_find_the_same_cost(number: int) -> None:
    assert row(list(problems(300).values())[number], repeats=2)["alone"] > 0


if __name__ == "__main__":
    lines = (row_text(name, row(problem).values()) for name, problem in problems(3000).items())
    report("shared_sums", "milliseconds of one full evaluation, medians of 25", COLUMNS, lines)
