"""Whole neighborhoods of costs that are folds, beside full evaluations of the same moves, on one core."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from statistics import median
from time import process_time
from typing import Any

import numpy as np
import pytest

from metaheur import Neighborhood, Problem, SimulatedAnnealing, run, stop
from metaheur.device.names import device_of
from metaheur.evaluators.device import DeviceEvaluator
from metaheur.neighborhoods import Insertion, Swap
from metaheur.problems import FlowShop
from metaheur.walk import EvaluatedSolution
from tests.benchmarks.folds import PAIRS, Shop
from tests.benchmarks.records import arguments, report
from tests.benchmarks.rehearsal import rehearse
from tests.helpers import evaluated

ROUNDS = 5
SECONDS = 0.02
NEIGHBORHOODS: tuple[Neighborhood, ...] = (Swap(), Insertion())


def descended(problem: Problem) -> np.ndarray:
    """A solution after some steps of annealing, as searches see them."""
    result = run(SimulatedAnnealing(Swap(), 1.0), problem, stop=stop.iterations(20_000), seed=1, parallel="host")
    return np.asarray(result.solution)


def rates(problems: Mapping[str, Problem], neighborhood: Neighborhood, x: np.ndarray) -> dict[str, float]:
    """Moves a second of each problem's half, medians of rounds by turns; all give the same changes of cost."""
    made: dict[str, Any] = {}
    rounds: dict[str, int] = {}
    found: dict[str, list[float]] = {}
    first = np.zeros(0)
    for name, problem in problems.items():
        whole = DeviceEvaluator(problem, device_of("host"), threads=1).of(neighborhood)
        start = evaluated(problem, x)
        deltas = whole.deltas(start)
        assert not made or (deltas == first).all()
        first = deltas
        made[name] = whole, start
        rounds[name] = _rounds(whole, start)
        found[name] = []
    for _ in range(ROUNDS):
        for name, (whole, start) in made.items():
            began = process_time()
            rehearse(whole, start, rounds[name])
            count = min(len(first), whole._kernels.chunk) * rounds[name]
            found[name].append(count / (process_time() - began))
    return {name: median(each) for name, each in found.items()}


def _rounds(whole: Any, start: EvaluatedSolution) -> int:
    rounds = 1
    while True:
        began = process_time()
        rehearse(whole, start, rounds)
        if process_time() - began > SECONDS:
            return rounds
        rounds *= 2


def table() -> list[str]:
    """A row for each problem and neighborhood."""
    rows = []
    for name, fold, full, instance, sizes in PAIRS:
        for n in sizes:
            problems = {"full": full(*instance(n)), "fold": fold(*instance(n))}
            x = descended(problems["fold"])
            for neighborhood in NEIGHBORHOODS:
                found = rates(problems, neighborhood, x)
                million = " | ".join(f"{each / 1e6:.2f}" for each in found.values())
                row = f"| {name}, n = {n:,} | {neighborhood!r} | {million} | {found['fold'] / found['full']:.1f} |"
                print(row, file=sys.stderr, flush=True)
                rows.append(row)
    return rows


def by_hand() -> list[str]:
    """The makespan of a fold beside the half of FlowShop, which is written by hand."""
    times = np.random.default_rng(100).integers(1, 100, (100, 20))
    problems = {"FlowShop": FlowShop(times), "fold": Shop(times)}
    x = descended(problems["fold"])
    rows = []
    for neighborhood in (Insertion(), Swap()):
        found = rates(problems, neighborhood, x)
        million = " | ".join(f"{each / 1e6:.2f}" for each in found.values())
        rows.append(f"| {neighborhood!r} | {million} | {found['FlowShop'] / found['fold']:.1f} |")
    return rows


PARTS = {"table": table, "by_hand": by_hand}

HEADS = {
    "table": ("M moves/s of whole neighborhoods", ("", "neighborhood", "in full", "fold", "ratio")),
    "by_hand": ("makespan of 100 jobs on 20 machines, M moves/s", ("neighborhood", "`FlowShop`", "fold", "ratio")),
}
"""The title and the columns of each part."""


@pytest.mark.benchmark(group="folds")
@pytest.mark.parametrize("part", PARTS)
def test_folds(part: str, benchmark: Any, capsys: pytest.CaptureFixture[str]) -> None:
    rows = benchmark.pedantic(PARTS[part], rounds=1, iterations=1)
    with capsys.disabled():
        print("", *rows, sep="\n")


if __name__ == "__main__":
    for each in arguments() or PARTS:
        report(f"folds_{each}", *HEADS[each], PARTS[each]())
