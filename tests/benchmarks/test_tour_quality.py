"""Quality of tours against time: one core, all cores, one GPU, and fast-tsp where it is installed.

A run anneals over as many kicks as the time allows, by a rate that is measured before: one walk alone, many walks that
recombine, and tours in cells that do. $METAHEUR_SEEDS is the number of runs of a row, 10 by default.
docs/pictures/draw_tours.py draws the picture of the README from such rows.
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
from metaheur.parallel import EdgeAssembly, Islands, Multistart, ParallelModel, RandomTopology
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
SECONDS: Final = (1.0, 3.0, 10.0)
SEEDS: Final = int(os.environ.get("METAHEUR_SEEDS", "10"))
WALKS: Final = 528
"""On a GPU: four on each processor of an H100."""

Make = Callable[[int], tuple[Search[Any], ParallelModel]]
"""From the iterations of a run to its search and model."""


def rows(name: str, tsp: TSP, make: Make, start: Any) -> list[str]:
    """For each time the gaps of all seeds."""
    search, model = make(10**6)
    run(search, tsp, stop=stop.iterations(1), start=start, parallel=model)  # compiled
    probe = run(search, tsp, stop=stop.seconds(1), start=start, parallel=model)
    out = []
    for seconds in SECONDS:
        search, model = make(max(20, int(0.9 * seconds * probe.iterations / probe.seconds)))
        until = stop.seconds(seconds) | stop.target(OPTIMA[name])
        found = [run(search, tsp, stop=until, start=start, seed=s, parallel=model).cost for s in range(SEEDS)]
        out.append(row(seconds, [100 * (cost / OPTIMA[name] - 1) for cost in found]))
    return out


def row(seconds: float, gaps: list[float]) -> str:
    return f"{seconds:g} s: median {median(gaps):.3f} %, worst {max(gaps):.3f} % of {len(gaps)}"


def printed(capsys: Any, name: str, who: str, found: list[str]) -> None:
    with capsys.disabled():
        print(f"\n{name}, {who}: {'; '.join(found)}", flush=True)


def kicked(tsp: TSP, kicks: int, start: float, *, best: bool = False) -> IteratedLocalSearch:
    """2-opt, Or-opt and 3-opt, annealed."""
    descent = CandidateDescent(Union(TwoOpt(), OrOpt(), ThreeOpt()), tsp.quadrants(8), best=best)
    return IteratedLocalSearch(descent, DoubleBridge(50), Annealed(kicks, start))


def meeting(tsp: TSP, model: Multistart, iterations: int, after: float) -> Islands:
    """Walks that recombine twenty times, and first when this share of all iterations is over."""
    assembly, every = EdgeAssembly(tsp.quadrants(8)), max(1, iterations // 20)
    first = int(after * iterations)
    return Islands(model, every, RandomTopology(), replaces="worse current", after=first, recombination=assembly)


@pytest.mark.parametrize("name", OPTIMA)
def test_one_walk(name: str, data_folder: Path, benchmark: Any, capsys: Any) -> None:
    tsp = TSP.from_file(data_folder / "tsplib" / f"{name}.tsp")
    model = Multistart(1, device="host", threads=1)
    made = (name, tsp, lambda kicks: (kicked(tsp, kicks, 1.0), model), tsp.greedy_edge())
    printed(capsys, name, "one walk on one core", benchmark.pedantic(rows, made, rounds=1))


@pytest.mark.parametrize("device", ["host, one core", "host", CUDA])
@pytest.mark.parametrize("name", OPTIMA)
def test_walks_that_recombine(name: str, device: str, data_folder: Path, benchmark: Any, capsys: Any) -> None:
    tsp, cuda = TSP.from_file(data_folder / "tsplib" / f"{name}.tsp"), device == "cuda"
    model = Multistart(WALKS if cuda else 60, device=device[:4], threads=1 if "one" in device else None)

    def make(kicks: int) -> tuple[Search[Any], ParallelModel]:
        return kicked(tsp, kicks, 0.5, best=cuda), meeting(tsp, model, kicks, 0.1)

    who = f"{model.walks} walks on {device}"
    printed(capsys, name, who, benchmark.pedantic(rows, (name, tsp, make, None), rounds=1))


@pytest.mark.parametrize("device", ["host", CUDA])
@pytest.mark.parametrize("name", OPTIMA)
def test_cells(name: str, device: str, data_folder: Path, benchmark: Any, capsys: Any) -> None:
    tsp, cuda = TSP.from_file(data_folder / "tsplib" / f"{name}.tsp"), device == "cuda"
    n, model = tsp.instance.dimension, Multistart(64 if cuda else 16, device=device)
    cells = max(1, n // 430)
    kicks = 3 * (n // cells)
    descent = kicked(tsp, 1, 0.7).search
    start = run(descent, tsp, stop=stop.iterations(1), start=tsp.greedy_edge(), parallel="host").solution

    def make(rounds: int) -> tuple[Search[Any], ParallelModel]:
        search = kicked(tsp, rounds * kicks, 0.7, best=cuda)
        return TourPartitioning(search, n // cells, kicks), meeting(tsp, model, rounds, 0.5)

    who = f"{model.walks} tours in {cells} cells on {device}"
    printed(capsys, name, who, benchmark.pedantic(rows, (name, tsp, make, start), rounds=1))


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
