"""Several GPUs, by hand: the table of walks, costs and solutions is that of the CPU, however the work is split."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaheur import (
    CandidateDescent,
    HillClimbing,
    IteratedLocalSearch,
    Problem,
    Search,
    TabuSearch,
    TourPartitioning,
    run,
    stop,
)
from metaheur.device.cuda.cuda import gpus
from metaheur.neighborhoods import Hamming, OrOpt, Sampled, Swap, ThreeOpt, TwoOpt, Union
from metaheur.parallel import (
    Complete,
    Distributed,
    EdgeAssembly,
    Islands,
    IterationLevel,
    MultiGPU,
    Multistart,
    RandomTopology,
    Truncation,
)
from metaheur.parts import Annealed, Better, DoubleBridge
from metaheur.problems import PPP, QAP, TSP
from metaheur.running.view import View
from metaheur.watch import Watcher
from tests.workers import Deadly

pytestmark = pytest.mark.cuda

QAP_12, TABU, WALKS, ITERATIONS = QAP.taillard(12), TabuSearch(Swap()), 1000, 12

TSP_60 = TSP.random(60, seed=1)
DESCENT = CandidateDescent(Union(TwoOpt(), OrOpt(), ThreeOpt()), TSP_60.quadrants(6), best=True)
KICKS = IteratedLocalSearch(DESCENT, DoubleBridge(10, 0.2), Annealed(100, rungs=2))
FIRST = CandidateDescent(ThreeOpt(), TSP_60.nearest(40))
TOURS: dict[str, Search[Any]] = {
    "first improvement": IteratedLocalSearch(FIRST, DoubleBridge(), Better()),
    "best of random moves": IteratedLocalSearch(HillClimbing(Sampled(ThreeOpt(), 50)), DoubleBridge(), Better()),
    "annealed": KICKS,
    "subtours": TourPartitioning(KICKS, 12, 20),
}


@pytest.fixture(scope="module")
def names() -> tuple[str, ...]:
    """All GPUs, of which there must be two."""
    count = gpus()
    if count < 2:
        pytest.skip(f"two GPUs are needed, and there are {count}")
    return tuple(f"cuda:{i}" for i in range(count))


class Solutions(Watcher):
    """Reads the best solution of every walk at the end."""

    def look(self, view: View) -> None:
        """Nothing before."""

    def end(self, view: View) -> None:
        self.best = [view.walks.best_solution(w).tolist() for w in range(len(view.walks))]


def table(model: Any, search: Search[Any] = TABU, problem: Problem = QAP_12) -> list[list[Any]]:
    """What a run says of each walk, and its best solution."""
    solutions = Solutions()
    walks = run(search, problem, stop=stop.iterations(ITERATIONS), seed=4, parallel=model, watch=[solutions]).walks
    columns = (walks.walks, walks.costs, walks.iterations, walks.evaluated, walks.improved_at)
    return [*(column.tolist() for column in columns), solutions.best]


@pytest.fixture(scope="module")
def expected() -> list[list[Any]]:
    """The table of the CPU."""
    return table(Multistart(WALKS, device="host"))


def test_the_walks_of_a_multistart(names: tuple[str, ...], expected: list[list[Any]]) -> None:
    for use in range(1, len(names) + 1):
        assert table(MultiGPU(Multistart(WALKS), names[:use])) == expected
    assert table(MultiGPU(Multistart(WALKS), ("host", *names), weights=(1, *range(2, 2 + len(names))))) == expected


@pytest.mark.parametrize("topology", [Truncation(), Complete()])
def test_the_walks_of_islands(topology: Any, names: tuple[str, ...]) -> None:
    alone = table(Islands(Multistart(50, device="host"), 3, topology, replaces="worse current"))
    assert table(Islands(MultiGPU(Multistart(50), names), 3, topology, replaces="worse current")) == alone


@pytest.mark.parametrize("name", TOURS)
def test_walks_of_tours(name: str, names: tuple[str, ...]) -> None:
    alone = table(Multistart(40, device="host"), TOURS[name], TSP_60)
    for per in ("thread", "warp") if name == "first improvement" else ("auto",):
        for devices in (names[:1], names):
            assert table(MultiGPU(Multistart(40, per), devices), TOURS[name], TSP_60) == alone


def test_tours_that_recombine(names: tuple[str, ...]) -> None:
    def islands(model: Any) -> Islands:
        assembly = EdgeAssembly(TSP_60.quadrants(6))
        return Islands(model, 2, RandomTopology(), replaces="worse current", after=4, recombination=assembly)

    for search in (TOURS["annealed"], TOURS["subtours"]):
        alone = table(islands(Multistart(10, device="host")), search, TSP_60)
        assert table(islands(MultiGPU(Multistart(10), names)), search, TSP_60) == alone


def test_a_walk_that_all_of_them_share(names: tuple[str, ...]) -> None:
    ppp, search = PPP.random(73, 73, 1), TabuSearch(Hamming(3))
    found = [
        run(search, ppp, stop=stop.iterations(12), seed=2, parallel=model)
        for model in (IterationLevel("host"), IterationLevel(devices=names))
    ]
    assert found[0].cost == found[1].cost
    assert np.array_equal(found[0].solution, found[1].solution)


@pytest.mark.parametrize("workers", [1, 3, 7])
def test_the_walks_of_workers_one_of_which_is_killed(
    workers: int, names: tuple[str, ...], expected: list[list[Any]], tmp_path: Path
) -> None:
    made: list[Deadly] = []

    def make() -> Deadly:
        made.append(Deadly(tmp_path / "killed", workers, len(names)))
        return made[-1]

    try:
        assert table(Distributed(Multistart(WALKS, device="cuda"), make, workers, iterations=6)) == expected
    finally:
        for deadly in made:
            deadly.pool.shutdown()
    assert len(made) == 2


def test_the_walks_of_threads_that_are_workers(names: tuple[str, ...], expected: list[list[Any]]) -> None:
    with ThreadPoolExecutor(7) as pool:
        assert table(Distributed(Multistart(WALKS, device=names[-1]), pool, 7)) == expected
