"""From how many walks several GPUs pay: iterations a second of tabu search on the QAP, on one GPU and on all.

``python -m tests.benchmarks.several_gpus [--save]`` takes a minute on two GPUs.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from statistics import median
from time import perf_counter
from typing import Final

from metaheur import TabuSearch
from metaheur.device.cuda.cuda import cupy
from metaheur.neighborhoods import Swap
from metaheur.parallel import MultiGPU, Multistart, ParallelModel
from metaheur.problems import QAP
from tests.benchmarks.records import report
from tests.benchmarks.test_walks import Walks

SIZES: Final = (50, 100, 256)
COUNTS: Final = (20, 64, 132, 264, 528, 1056, 2112, 4224)
SECONDS: Final = 0.15
"""Of a measured piece of a run."""

ROUNDS: Final = 3


def models(count: int, gpus: int) -> tuple[ParallelModel, ParallelModel]:
    """So many walks on the first GPU, and on so many."""
    return Multistart(count, device="cuda:0"), MultiGPU(Multistart(count), tuple(f"cuda:{k}" for k in range(gpus)))


def rates(n: int, count: int, gpus: int) -> tuple[float, float]:
    """Iterations a second of all walks on one GPU, and on so many: medians of rounds by turns."""
    works = [Walks(TabuSearch(Swap()), QAP.random(n, seed=1), model, 50) for model in models(count, gpus)]
    for work in works:
        work()
        began = perf_counter()
        work()
        work.iterations = max(50, int(50 * SECONDS / (perf_counter() - began)))
    made: list[list[float]] = [[], []]
    for _ in range(ROUNDS):
        for work, found in zip(works, made, strict=True):
            began = perf_counter()
            found.append(work() / (perf_counter() - began))
    one, many = map(median, made)
    return one, many


def rows(gpus: int) -> Iterator[str]:
    """For each size and each number of walks the rates, and how many times as fast all GPUs are."""
    for n, count in product(SIZES, COUNTS):
        one, many = rates(n, count, gpus)
        yield f"| n = {n}, {count:,} walks | {one / 1e3:,.0f} | {many / 1e3:,.0f} | {many / one:.2f} |"


if __name__ == "__main__":
    count = cupy().cuda.runtime.getDeviceCount()
    if count < 2:
        raise SystemExit("this compares one GPU with several, but there is only one")
    report(
        "walks_on_several_gpus",
        "tabu search, symmetric QAP, thousands of iterations/s of all walks, medians of three",
        ("", "one GPU", f"{count} GPUs", "ratio"),
        rows(count),
    )
