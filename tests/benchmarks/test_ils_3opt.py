"""The tables of Delévacq, Delisle and Krajecki (2012) again: their three strategies, their figures beside, and ours.

Each row has the published number of iterations, or as many as SECONDS (of the clock, $METAHEUR_SECONDS) allow, shared
out to so many walks. Rates are kicks, that is local optima, a second of all walks; ratios are to one walk of the same
search on one core of this machine. Quality is that of the best walk: its mean excess over SEEDS. Their speed-ups are to
one core of 2011.
"""

from __future__ import annotations

import os
from pathlib import Path
from time import perf_counter
from typing import Any, Final

import numpy as np
import pytest
from attrs import frozen

from metaheur import CandidateDescent, HillClimbing, IteratedLocalSearch, Search, run, stop
from metaheur.neighborhoods import OrOpt, Sampled, ThreeOpt, TwoOpt, Union
from metaheur.parallel import Islands, Multistart, ParallelModel, Truncation
from metaheur.parts import Annealed, Better, DoubleBridge
from metaheur.problems import TSP
from metaheur.stop import Stop
from metaheur.view import View
from metaheur.watch import Watcher
from tests.conftest import CUDA

SECONDS: Final = float(os.environ.get("METAHEUR_SECONDS", "10"))
SEEDS: Final = range(3)
WALKS: Final = (1, 8, 64, 512, 2048)
ITERATIONS: Final = 1_048_576

OPTIMA: Final = {"kroA100": 21_282, "lin318": 42_029, "rat783": 8_806, "fl1577": 22_249, "pcb3038": 137_694}

FIRST: Final = {
    "kroA100": (("2.02", "7.07", "7.83"), (0.000, 0.000, 0.000, 0.000, 0.000)),
    "lin318": (("1.72", "7.77", "8.51"), (0.000, 0.000, 0.000, 0.000, 0.000)),
    "rat783": (("1.49", "6.37", "3.27"), (0.000, 0.000, 0.000, 0.020, 0.145)),
    "fl1577": (("0.79", "5.20", "1.13"), (0.182, 0.010, 0.003, 0.015, 0.074)),
    "pcb3038": (("1.27", "5.60", "none"), (0.210, 0.192, 0.306, 0.667, 1.104)),
}
"""Their Table 1: speed-ups of a thread a walk, and of a block without and with shared memory, with 2,048 walks; and the
mean excess in % with each number of walks."""

BEST_OF_K: Final = {
    "kroA100": (1_120_000, 5_500, (120, 70, 30, 5, 2), (25.06, 37.21, 45.29, 42.12, 42.32), (0.0, 0.0, 0.0, 0.0, 0.0)),
    "lin318": (
        1_120_000,
        11_000,
        (110, 60, 30, 5, 2),
        (27.55, 38.35, 45.40, 43.21, 43.58),
        (0.482, 0.483, 0.633, 0.875, 0.886),
    ),
    "rat783": (
        560_000,
        10_000,
        (80, 100, 60, 10, 5),
        (14.76, 16.74, 17.02, 16.24, 16.74),
        (1.224, 1.582, 2.740, 3.496, 3.518),
    ),
    "fl1577": (
        2_240_000,
        1_200,
        (140, 90, 60, 15, 15),
        (30.40, 29.47, 29.52, 28.02, 28.85),
        (1.034, 1.703, 1.831, 1.776, 1.741),
    ),
    "pcb3038": (
        2_240_000,
        1_000,
        (120, 100, 90, 20, 20),
        (31.23, 31.20, 31.70, 30.31, 33.59),
        (4.636, 4.940, 5.162, 5.104, 4.970),
    ),
}
"""Their Tables 2 and 3: iterations, moves a step, blocks a walk, speed-ups, and the mean excess in %."""


def first_improvement(tsp: TSP) -> Search[Any]:
    return IteratedLocalSearch(CandidateDescent(ThreeOpt(), tsp.nearest(40)), DoubleBridge(), Better())


def best_of_random(tsp: TSP, k: int) -> Search[Any]:
    return IteratedLocalSearch(HillClimbing(Sampled(ThreeOpt(), k)), DoubleBridge(), Better())


def ours(tsp: TSP, kicks: int) -> Search[Any]:
    """Local kicks, 3-opt over quadrants, annealed from the rungs of a ladder."""
    every = Union(TwoOpt(), OrOpt(), ThreeOpt())
    descent = CandidateDescent(every, tsp.quadrants(8), best=True)
    return IteratedLocalSearch(descent, DoubleBridge(50), Annealed(kicks, rungs=8))


def cooperating(walks: int, kicks: int, device: str) -> ParallelModel:
    model = Multistart(walks, device=device)
    return Islands(model, max(1, kicks // 50), Truncation(), emigrant="current", replaces="worse current")


def rounds(view: View) -> float:
    """The local optima of a walk, the mean of some."""
    walks = view.walks
    return float(np.mean([int(walks.state(w).kept["rounds"][()]) for w in range(min(16, len(walks)))]))


class Rounds(Watcher):
    """Looks at how many local optima there were when a run ends."""

    def look(self, view: View) -> None:
        """Nothing before."""

    def end(self, view: View) -> None:
        self.mean = rounds(view)


@frozen
class Row:
    """What the runs of a row came to."""

    rate: float  # kicks a second
    seconds: float
    share: float  # of the iterations, that were made
    gap: float
    optimal: int

    def __str__(self) -> str:
        share = "" if self.share > 0.99 else f", {100 * self.share:.2f} % of the iterations"
        found = f"excess {self.gap:.3f} %, optimal {self.optimal} of {len(SEEDS)}"
        return f"{self.rate:12,.0f} kicks/s, {self.seconds:6.2f} s, {found}{share}"


def measured(tsp: TSP, search: Search[Any], model: ParallelModel, kicks: int, until: Stop) -> Row:
    """Runs of all seeds, each until so many kicks a walk are made, or the time is over."""
    start, walks, seen = tsp.nearest_neighbour(), len(model.keys(0)), Rounds()
    run(search, tsp, stop=stop.iterations(2), start=start, parallel=model)  # compiled
    gaps, seconds, done = [], 0.0, 0.0
    for seed in SEEDS:
        began = perf_counter()
        found = run(
            search, tsp, stop=until | stop.seconds(SECONDS), start=start, seed=seed, parallel=model, watch=[seen]
        )
        seconds += perf_counter() - began
        done += seen.mean * walks
        gaps.append(100 * (found.cost / OPTIMA[tsp.instance.name] - 1))
    share = done / (len(SEEDS) * kicks * walks)
    return Row(done / seconds, seconds / len(SEEDS), share, float(np.mean(gaps)), sum(gap == 0 for gap in gaps))


def printed(capsys: Any, *words: Any) -> None:
    with capsys.disabled():
        print(*words, flush=True)


@pytest.mark.parametrize("device", ["host", CUDA])
@pytest.mark.parametrize("name", FIRST)
def test_first_improvement(name: str, device: str, data_folder: Path, benchmark: Any, capsys: Any) -> None:
    tsp = TSP.from_file(data_folder / "tsplib" / f"{name}.tsp")
    speedups, gaps = FIRST[name]

    def table() -> None:
        search = first_improvement(tsp)
        until = stop.iterations(ITERATIONS)
        core = measured(tsp, search, Multistart(1, device="host", threads=1), ITERATIONS, until)
        printed(capsys, f"\n{name}, ILS-FI on {device}\n  one core, one walk: {core}")
        for walks, gap in zip(WALKS, gaps, strict=True):
            kicks = ITERATIONS // walks
            for per in ("thread", "warp", "block") if device == "cuda" else ("thread",):
                model = Multistart(walks, per, block=64 if per == "block" else None, device=device)
                row = measured(tsp, search, model, kicks, stop.iterations(kicks))
                printed(capsys, f"  {walks:5} walks, a {per}: {row}, {row.rate / core.rate:.2f} x; theirs {gap:.3f} %")
            if walks > 1:
                row = measured(tsp, ours(tsp, kicks), cooperating(walks, kicks, device), kicks, stop.iterations(kicks))
                printed(capsys, f"  {walks:5} walks, ours: {row}, {row.rate / core.rate:.2f} x")
        printed(capsys, "  their speed-ups with 2,048 walks, thread, block, block with shared memory:", *speedups)

    benchmark.pedantic(table, rounds=1)


@pytest.mark.parametrize("device", ["host", CUDA])
@pytest.mark.parametrize("name", BEST_OF_K)
def test_best_of_k(name: str, device: str, data_folder: Path, benchmark: Any, capsys: Any) -> None:
    tsp = TSP.from_file(data_folder / "tsplib" / f"{name}.tsp")
    iterations, k, blocks, speedups, gaps = BEST_OF_K[name]

    def until(kicks: int) -> Stop:
        return stop.when(lambda view: rounds(view) >= kicks)

    def table() -> None:
        search = best_of_random(tsp, k)
        core = measured(tsp, search, Multistart(1, device="host", threads=1), iterations, until(iterations))
        printed(capsys, f"\n{name}, ILS-RKBI on {device}, k = {k:,}\n  one core, one walk: {core}")
        for walks, count, speedup, gap in zip(WALKS, blocks, speedups, gaps, strict=True):
            kicks = iterations // walks
            shared = Multistart(walks, "block", block=64, blocks=count, device=device)
            row = measured(
                tsp, search, shared if device == "cuda" else Multistart(walks, device=device), kicks, until(kicks)
            )
            ratio = f"{row.rate / core.rate:.2f} x"
            printed(capsys, f"  {walks:5} walks: {row}, {ratio}; theirs {speedup} x, {gap:.3f} %")

    benchmark.pedantic(table, rounds=1)
