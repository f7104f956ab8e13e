"""Tours: quality of iterated local search on published instances, kicks/s, and the time of a descent.

Runs have a fixed number of kicks and fixed seeds, so that their costs are the same on every machine; the time is that
of one core (`time.process_time`), which other work on the machine disturbs less. Rivals are run where they are
installed.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any, Final

import numpy as np
import pytest

from metaheur import CandidateDescent, GuidedLocalSearch, IteratedLocalSearch, Neighborhood, Search, Until, run, stop
from metaheur.neighborhoods import OrOpt, ThreeOpt, TwoOpt, Union
from metaheur.parallel import IterationLevel
from metaheur.parts import Annealed, DoubleBridge
from metaheur.problems import TSP
from tests.helpers import started

OPTIMA: Final = {
    "kroA100": 21_282,
    "lin318": 42_029,
    "pcb442": 50_778,
    "rat783": 8_806,
    "pcb1173": 56_892,
    "pcb3038": 137_694,
}
TWO: Final = Union(TwoOpt(), OrOpt())
THREE: Final = Union(TwoOpt(), OrOpt(), ThreeOpt())
KICKS: Final = {"2-opt + Or-opt": (TWO, 1_000_000), "2-opt + Or-opt + 3-opt": (THREE, 600_000)}
"""Kicks of about ten seconds of a core."""

SEEDS: Final = range(10)


def gap(cost: int | float, name: str) -> float:
    """The excess over the optimum, in %."""
    return 100 * (cost / OPTIMA[name] - 1)


def annealed(tsp: TSP, neighborhood: Neighborhood, kicks: int) -> IteratedLocalSearch:
    """Local double bridges, local optima accepted at a temperature that falls to 0."""
    return IteratedLocalSearch(CandidateDescent(neighborhood, tsp.quadrants(8)), DoubleBridge(50), Annealed(kicks))


def quality(name: str, tsp: TSP, search: Search[Any], kicks: int, seeds: range = SEEDS) -> str:
    """A row: median and worst gap, how often the optimum was found, kicks and seconds."""
    gaps, seconds, done = [], [], 0
    for seed in seeds:
        began = process_time()
        until = stop.iterations(kicks) | stop.target(OPTIMA[name])
        found = run(search, tsp, stop=until, seed=seed, start=tsp.nearest_neighbour(), parallel="host")
        seconds.append(process_time() - began)
        done += found.iterations
        gaps.append(gap(found.cost, name))
    return (
        f"median {median(gaps):.3f} %, worst {max(gaps):.3f} %, optimal {sum(g == 0 for g in gaps)} of {len(gaps)}, "
        f"{median(seconds):.1f} s, {done / sum(seconds):,.0f} kicks/s"
    )


@pytest.mark.benchmark(group="tours, annealed")
@pytest.mark.parametrize("moves", KICKS)
@pytest.mark.parametrize("name", OPTIMA)
def test_annealed_local_optima(name: str, moves: str, data_folder: Path, benchmark: Any, capsys: Any) -> None:
    tsp = TSP.from_file(data_folder / "tsplib" / f"{name}.tsp")
    neighborhood, kicks = KICKS[moves]
    row = benchmark.pedantic(quality, (name, tsp, annealed(tsp, neighborhood, kicks), kicks), rounds=1)
    with capsys.disabled():
        print(f"\n{name}, {moves}: {row}")


@pytest.mark.benchmark(group="tours, guided")
def test_guided_local_search(data_folder: Path, benchmark: Any, capsys: Any) -> None:
    tsp = TSP.from_file(data_folder / "tsplib" / "rat783.tsp")
    search = GuidedLocalSearch(CandidateDescent(TwoOpt(), tsp.quadrants(8)), 0.2)
    row = benchmark.pedantic(quality, ("rat783", tsp, search, 1_000_000), rounds=1)
    with capsys.disabled():
        print(f"\nrat783, guided local search with 2-opt: {row}")


@pytest.mark.benchmark(group="tours, a descent")
@pytest.mark.parametrize("name", ["rat783", "pcb1173"])
def test_descent(name: str, data_folder: Path, benchmark: Any, capsys: Any) -> None:
    tsp = TSP.from_file(data_folder / "tsplib" / f"{name}.tsp")
    start, search = tsp.nearest_neighbour(), CandidateDescent(TWO, tsp.nearest(8))
    runner = IterationLevel("host", resident=True).bind(search, tsp)

    def loaded() -> tuple[tuple[Any, Until], dict[str, Any]]:
        return (runner.load([started(search, tsp, x=start)]), Until(1)), {}

    chunk = benchmark.pedantic(runner.advance, setup=loaded, rounds=51)
    with capsys.disabled():
        print(
            f"\n{name}: nearest neighbour {gap(tsp.cost(start), name):.2f} %, local optimum "
            f"{gap(chunk.walks.costs[0].item(), name):.2f} %, {1e3 * benchmark.stats.stats.min:.2f} ms (least of 51)"
        )


@pytest.mark.benchmark(group="tours, rivals")
@pytest.mark.skipif(find_spec("fast_tsp") is None, reason="fast-tsp is not installed")
@pytest.mark.parametrize("name", OPTIMA)
def test_fast_tsp(name: str, data_folder: Path, benchmark: Any, capsys: Any) -> None:
    import fast_tsp

    tsp = TSP.from_file(data_folder / "tsplib" / f"{name}.tsp")
    matrix = tsp.edge(*np.ogrid[: tsp.instance.dimension, : tsp.instance.dimension])
    tour = benchmark.pedantic(fast_tsp.find_tour, (matrix.tolist(),), {"duration_seconds": 10.0}, rounds=1)
    with capsys.disabled():
        print(f"\n{name}, fast-tsp, 10 s: {gap(tsp.cost(np.array(tour)), name):.3f} %")
