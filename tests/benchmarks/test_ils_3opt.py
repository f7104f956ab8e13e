"""The tables of Delévacq, Delisle and Krajecki (2012) again: their three strategies, their figures beside, and ours.

Each row has the published number of iterations, or as many as SECONDS (of the clock, $METAHEUR_SECONDS) allow, shared
out to so many walks ($METAHEUR_WALKS, as "1,8,64,512,2048"). Rates are kicks, that is local optima, a second of all
walks; ratios are to one walk of the same search on one core of this machine, and to as many walks as it has cores.
Quality is that of the best walk: its mean excess over SEEDS ($METAHEUR_SEEDS). Their speed-ups are to one core of 2011.

By hand, where pytest is not at hand: ``python -m tests.benchmarks.test_ils_3opt cuda rat783 fl1577``.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import partial
from math import inf
from pathlib import Path
from time import perf_counter
from typing import Any, Final

import numpy as np
import pytest
from attrs import frozen

from metaheur import CandidateDescent, HillClimbing, IteratedLocalSearch, Search, run, stop
from metaheur.loops import Kicks
from metaheur.loops.loop import unwrapped
from metaheur.neighborhoods import OrOpt, Sampled, ThreeOpt, TwoOpt, Union
from metaheur.parallel import EdgeAssembly, Islands, Multistart, ParallelModel, RandomTopology
from metaheur.parts import Annealed, Better, DoubleBridge
from metaheur.problems import TSP
from metaheur.report.papers.delevacq2012 import BEST_OF_K, BLOCKS, FIRST, KICKS, OPTIMA, SAMPLES, WALKS
from metaheur.running.view import View
from metaheur.stop import Stop
from metaheur.watch import Watcher
from tests.conftest import CUDA

SECONDS: Final = float(os.environ.get("METAHEUR_SECONDS", "10"))
SEEDS: Final = range(int(os.environ.get("METAHEUR_SEEDS", "3")))
CHOSEN: Final = tuple(map(int, os.environ.get("METAHEUR_WALKS", "1,8,64,512,2048").split(",")))


def first_improvement(tsp: TSP) -> Search[Any]:
    return IteratedLocalSearch(CandidateDescent(ThreeOpt(), tsp.nearest(40)), DoubleBridge(), Better())


def best_of_random(tsp: TSP, k: int) -> Search[Any]:
    return IteratedLocalSearch(HillClimbing(Sampled(ThreeOpt(), k)), DoubleBridge(), Better())


def ours(tsp: TSP, kicks: int) -> Search[Any]:
    """Local kicks, 3-opt over quadrants, annealed."""
    every = Union(TwoOpt(), OrOpt(), ThreeOpt())
    descent = CandidateDescent(every, tsp.quadrants(8), best=True)
    return IteratedLocalSearch(descent, DoubleBridge(50), Annealed(kicks, 0.5))


def recombining(tsp: TSP, walks: int, kicks: int, device: str) -> ParallelModel:
    """Walks that recombine some ten times."""
    return Islands(
        Multistart(walks, device=device),
        max(1, kicks // 10),
        RandomTopology(),
        replaces="worse current",
        recombination=EdgeAssembly(tsp.quadrants(8)),
    )


def rounds(view: View) -> float:
    """The local optima of a walk, the mean of some: its kicks, or those that a nest has come to."""
    walks = view.walks
    if isinstance(unwrapped(view.search), Kicks):
        return float(np.mean(walks.iterations))
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


Print = Callable[[str], None]
"""Takes a line."""


def shown(capsys: Any) -> Print:
    def show(line: str) -> None:
        with capsys.disabled():
            print(line, flush=True)

    return show


class Cores:
    """The same search on the cores of this machine, to which rates are compared."""

    def __init__(self, tsp: TSP, search: Search[Any], kicks: int, until: Stop) -> None:
        count = os.cpu_count() or 1
        self.one = measured(tsp, search, Multistart(1, device="host", threads=1), kicks, until)
        self.all = measured(tsp, search, Multistart(count, device="host"), kicks, until)
        self.count = count

    def __str__(self) -> str:
        return f"  one core, one walk: {self.one}\n  {self.count} cores, a walk each: {self.all}"

    def ratios(self, row: Row) -> str:
        """Of a row to one core, and to all."""
        one, all_of_them = (row.rate / cores.rate if cores.rate else inf for cores in (self.one, self.all))
        return f"{one:.2f} x a core, {all_of_them:.2f} x all"


def first_improvement_table(name: str, device: str, data_folder: Path, show: Print) -> None:
    """Their Table 1 for an instance, and ours beside."""
    tsp = TSP.from_file(data_folder / "tsplib" / f"{name}.tsp")
    gaps = [row[-1] for row in FIRST[name]]
    speedups = " ".join("none" if each is None else f"{each:.2f}" for each in FIRST[name][-1][:3])
    search, until = first_improvement(tsp), stop.iterations(KICKS)
    cores = Cores(tsp, search, KICKS, until)
    show(f"\n{name}, ILS-FI on {device}\n{cores}")
    for walks, gap in zip(WALKS, gaps, strict=True):
        if walks not in CHOSEN:
            continue
        kicks = KICKS // walks
        for per in ("thread", "warp", "block") if device == "cuda" else ("thread",):
            model = Multistart(walks, per, block=64 if per == "block" else None, device=device)
            row = measured(tsp, search, model, kicks, stop.iterations(kicks))
            show(f"  {walks:5} walks, a {per}: {row}, {cores.ratios(row)}; theirs {gap:.3f} %")
        if walks > 1:
            row = measured(tsp, ours(tsp, kicks), recombining(tsp, walks, kicks, device), kicks, stop.iterations(kicks))
            show(f"  {walks:5} walks, ours: {row}, {cores.ratios(row)}")
    show(f"  their speed-ups with 2,048 walks, thread, block, block with shared memory: {speedups}")


def best_of_k_table(name: str, device: str, data_folder: Path, show: Print) -> None:
    """Their Table 3 for an instance."""
    tsp = TSP.from_file(data_folder / "tsplib" / f"{name}.tsp")
    (iterations, k), blocks = SAMPLES[name], BLOCKS[name]

    def until(kicks: int) -> Stop:
        return stop.when(lambda view: rounds(view) >= kicks)

    search = best_of_random(tsp, k)
    cores = Cores(tsp, search, iterations, until(iterations))
    show(f"\n{name}, ILS-RKBI on {device}, k = {k:,}\n{cores}")
    for walks, count, (speedup, _, gap) in zip(WALKS, blocks, BEST_OF_K[name], strict=True):
        if walks not in CHOSEN:
            continue
        kicks = iterations // walks
        shared = Multistart(walks, "block", block=64, blocks=count, device=device)
        model = shared if device == "cuda" else Multistart(walks, device=device)
        row = measured(tsp, search, model, kicks, until(kicks))
        show(f"  {walks:5} walks: {row}, {cores.ratios(row)}; theirs {speedup} x, {gap:.3f} %")


@pytest.mark.parametrize("device", ["host", CUDA])
@pytest.mark.parametrize("name", FIRST)
def test_first_improvement(name: str, device: str, data_folder: Path, benchmark: Any, capsys: Any) -> None:
    benchmark.pedantic(first_improvement_table, (name, device, data_folder, shown(capsys)), rounds=1)


@pytest.mark.parametrize("device", ["host", CUDA])
@pytest.mark.parametrize("name", BEST_OF_K)
def test_best_of_k(name: str, device: str, data_folder: Path, benchmark: Any, capsys: Any) -> None:
    benchmark.pedantic(best_of_k_table, (name, device, data_folder, shown(capsys)), rounds=1)


if __name__ == "__main__":
    for each in sys.argv[2:]:
        for table in (first_improvement_table, best_of_k_table):
            table(each, sys.argv[1], Path(os.environ["METAHEUR_DATA"]), partial(print, flush=True))
