"""Quality of tours against time: one core, all cores, one GPU, and fast-tsp where it is installed.

A run anneals over as many kicks as the time allows, by a rate that is measured before. $METAHEUR_SEEDS is the number of
runs of a row, 10 by default. docs/pictures/draw_tours.py draws the picture of the README from such rows.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any, Final

import numpy as np
import pytest

from metaheur import CandidateDescent, IteratedLocalSearch, Search, TourPartitioning, run, stop
from metaheur.neighborhoods import OrOpt, ThreeOpt, TwoOpt, Union
from metaheur.parallel import Islands, Multistart, ParallelModel, Truncation
from metaheur.parts import Annealed, DoubleBridge
from metaheur.problems import TSP
from tests.conftest import CUDA

OPTIMA: Final = {
    "lin318": 42_029,
    "rat783": 8_806,
    "pcb1173": 56_892,
    "fl1577": 22_249,
    "pr2392": 378_032,
    "pcb3038": 137_694,
    "fnl4461": 182_566,
    "usa13509": 19_982_859,
}
TWO: Final = Union(TwoOpt(), OrOpt())
THREE: Final = Union(TwoOpt(), OrOpt(), ThreeOpt())
SECONDS: Final = (1.0, 3.0, 10.0)
SEEDS: Final = int(os.environ.get("METAHEUR_SEEDS", "10"))
ROUND: Final = 500
WARPS: Final = 264
"""Of a GPU: two on each processor of an H100."""

Make = Callable[[int], Search[Any]]
"""From the rounds, or kicks, of a run to its search."""


def rows(name: str, tsp: TSP, make: Make, model: ParallelModel) -> list[str]:
    """For each time the gaps of all seeds."""
    descent, core = CandidateDescent(THREE, tsp.quadrants(8)), Multistart(1, device="host", threads=1)
    start = run(descent, tsp, stop=stop.iterations(1), start=tsp.greedy_edge(), parallel=core).solution
    run(make(10**6), tsp, stop=stop.iterations(1), start=start, parallel=model)  # compiled
    probe = run(make(10**6), tsp, stop=stop.seconds(1), start=start, parallel=model)
    out = []
    for seconds in SECONDS:
        units = max(2, int(0.95 * seconds * probe.iterations / probe.seconds))
        until = stop.iterations(units) | stop.seconds(seconds) | stop.target(OPTIMA[name])
        found = [run(make(units), tsp, stop=until, start=start, seed=s, parallel=model).cost for s in range(SEEDS)]
        out.append(row(seconds, [100 * (cost / OPTIMA[name] - 1) for cost in found]))
    return out


def row(seconds: float, gaps: list[float]) -> str:
    return f"{seconds:g} s: median {median(gaps):.3f} %, worst {max(gaps):.3f} % of {len(gaps)}"


def printed(capsys: Any, name: str, who: str, found: list[str]) -> None:
    with capsys.disabled():
        print(f"\n{name}, {who}: {'; '.join(found)}", flush=True)


def kicked(tsp: TSP, kicks: int, *, best: bool = False, rungs: int = 1) -> IteratedLocalSearch:
    """2-opt, Or-opt and, where a thread looks for the first improvement, 3-opt; annealed."""
    descent = CandidateDescent(TWO if best else THREE, tsp.quadrants(8), best=best)
    return IteratedLocalSearch(descent, DoubleBridge(50), Annealed(kicks, rungs=rungs))


@pytest.mark.parametrize("name", OPTIMA)
def test_one_core(name: str, data_folder: Path, benchmark: Any, capsys: Any) -> None:
    tsp = TSP.from_file(data_folder / "tsplib" / f"{name}.tsp")
    model = Multistart(1, device="host", threads=1)
    found = benchmark.pedantic(rows, (name, tsp, lambda kicks: kicked(tsp, kicks), model), rounds=1)
    printed(capsys, name, "one core", found)


@pytest.mark.parametrize("device", ["host", CUDA])
@pytest.mark.parametrize("name", OPTIMA)
def test_subtours(name: str, device: str, data_folder: Path, benchmark: Any, capsys: Any) -> None:
    tsp = TSP.from_file(data_folder / "tsplib" / f"{name}.tsp")
    n, cuda = tsp.instance.dimension, device == "cuda"
    size = 250 if cuda else max(100, n // 8)
    walks = max(1, WARPS // max(1, n // size)) if cuda else 1

    def make(rounds: int) -> Search[Any]:
        search = kicked(tsp, rounds * ROUND, best=cuda, rungs=4 if cuda else 1)
        return TourPartitioning(search, size, ROUND)

    model: ParallelModel = Multistart(walks, device=device)
    if walks > 1:
        model = Islands(model, 2, Truncation(), emigrant="current", replaces="worse current")
    printed(
        capsys,
        name,
        f"{walks} tours in cells of {size} on {device}",
        benchmark.pedantic(rows, (name, tsp, make, model), rounds=1),
    )


@pytest.mark.skipif(find_spec("fast_tsp") is None, reason="fast-tsp is not installed")
@pytest.mark.parametrize("threads", [1, None], ids=["one core", "all cores but one"])
@pytest.mark.parametrize("name", [name for name in OPTIMA if name != "usa13509"])  # its distances exceed 65,535
def test_fast_tsp(name: str, threads: int | None, data_folder: Path, benchmark: Any, capsys: Any) -> None:
    import fast_tsp

    tsp = TSP.from_file(data_folder / "tsplib" / f"{name}.tsp")
    matrix = tsp.edge(*np.ogrid[: tsp.instance.dimension, : tsp.instance.dimension]).tolist()

    def table() -> list[str]:
        out = []
        for seconds in SECONDS:
            tours = (fast_tsp.find_tour(matrix, seconds, max_threads=threads) for _ in range(SEEDS))
            out.append(row(seconds, [100 * (tsp.cost(np.array(tour)) / OPTIMA[name] - 1) for tour in tours]))
        return out

    printed(capsys, name, f"fast-tsp, {threads or 'all but one'} threads", benchmark.pedantic(table, rounds=1))
