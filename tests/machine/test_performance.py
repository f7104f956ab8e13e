"""Where the time of a run went: what every runner counts."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Barrier
from time import perf_counter
from typing import Any

import numpy as np
import pytest

from metaheur import Checkpoint, ParetoLocalSearch, Problem, Search, TabuSearch, Until, resume, run, stop
from metaheur.device.cuda.cuda import Ranged
from metaheur.device.generator.compose import compose
from metaheur.device.host.host import Host
from metaheur.device.session import Session
from metaheur.evaluators.device import DeviceEvaluator
from metaheur.evaluators.partitioned import PartitionedEvaluator
from metaheur.evaluators.shells import solutions
from metaheur.machine.performance import Meter, Performance, Spent
from metaheur.neighborhoods import Insertion, Swap
from metaheur.parallel import Distributed, Islands, IterationLevel, MultiGPU, Multistart, ParallelModel
from metaheur.problems import QAP, FlowShop, Knapsack
from metaheur.problems.trees.knapsack_tree import KnapsackTree
from metaheur.runners.stepped import Stepped
from metaheur.running.runner import Facts
from metaheur.tree import BranchAndBound, Explorers
from tests.helpers import started

QAP_9, TABU = QAP.random(9, seed=3), TabuSearch(Swap())
SHOP = FlowShop(np.random.default_rng(8).integers(1, 99, (8, 3)), objectives=("makespan", "total flow time"))
KNAPSACK = Knapsack.single([9, 7, 8, 3], [5, 4, 6, 2], 10)
HOST = Multistart(4, device="host", threads=1)

RUNS: dict[str, tuple[Search[Any], Problem, ParallelModel]] = {
    "resident": (TABU, QAP_9, IterationLevel("host")),
    "stepped": (TABU, QAP_9, IterationLevel("host", resident=False)),
    "a neighborhood shared by two": (TABU, QAP_9, IterationLevel(devices=("host", "host"))),
    "walks shared by two": (TABU, QAP_9, MultiGPU(HOST, ("host", "host"))),
    "islands": (TABU, QAP_9, Islands(HOST, every=10)),
    "slices": (TABU, QAP_9, Distributed(HOST, ThreadPoolExecutor(1), slices=2)),
    "an archive": (ParetoLocalSearch(Insertion()), SHOP, IterationLevel("host")),
    "open nodes": (BranchAndBound(KnapsackTree()), KNAPSACK, IterationLevel("host")),
    "explorers": (BranchAndBound(KnapsackTree(), order=Explorers(5, 7)), KNAPSACK, IterationLevel("host")),
}


@pytest.mark.parametrize("name", RUNS)
def test_every_runner_counts_its_launches_and_their_seconds(name: str) -> None:
    search, problem, model = RUNS[name]
    result = run(search, problem, stop=stop.iterations(40), parallel=model)
    spent = result.performance
    assert spent.launches > 0
    assert 0 < spent.native_seconds <= spent.seconds
    assert (spent.moves, spent.seconds) == (result.evaluated, result.seconds)
    assert spent.nbytes == 0  # on the host nothing is copied to a device
    assert 0 <= spent.python_share < 1


def test_of_what_is_side_by_side_the_longest_and_the_fullest_count() -> None:
    one, other = Spent(1, 2.0, 3, 0.5), Spent(10, 1.0, 30, 0.25)
    assert one.beside(other) == Spent(11, 2.0, 33, 0.5)
    assert one + other == Spent(11, 3.0, 33, 0.5)
    assert "25 % of a GPU's threads" in str(Performance(launches=1, occupancy=0.25))


def test_seconds_in_kernels_are_added_up_and_said() -> None:
    one, other = Spent(kernel_seconds=0.5), Spent(kernel_seconds=2.0)
    assert (one + other).kernel_seconds == 2.5
    assert one.beside(other).kernel_seconds == 2.0
    assert str(Performance(launches=3, kernel_seconds=2.0)).startswith("3 launches, 2.000 s in kernels;")


@pytest.mark.cuda
@pytest.mark.parametrize("resident", [True, False])
def test_a_gpu_tells_how_long_kernels_took(gpu: Any, resident: bool) -> None:
    model = IterationLevel(gpu.name, resident=resident)
    spent = run(TABU, QAP_9, stop=stop.iterations(200), parallel=model).performance
    assert 0 < spent.kernel_seconds < spent.seconds
    assert run(TABU, QAP_9, stop=stop.iterations(9), parallel="host").performance.kernel_seconds == 0


@pytest.mark.cuda
def test_a_gpu_is_filled_by_many_walks(gpu: Any) -> None:
    few, many = (
        run(TABU, QAP_9, stop=stop.iterations(9), parallel=Multistart(walks, "block", device="cuda", block=64))
        for walks in (1, 10_000)
    )
    assert 0 < few.performance.occupancy < 0.001
    assert 0.1 < many.performance.occupancy <= 1


def test_python_alone_launches_nothing() -> None:
    spent = run(TABU, QAP_9, stop=stop.iterations(9), parallel="numpy").performance
    assert (spent.launches, spent.native_seconds, spent.python_share) == (0, 0.0, 1.0)


def test_a_chunk_of_a_resident_walk_is_one_launch() -> None:
    runner = IterationLevel("host").bind(TABU, QAP_9)
    walks = runner.load([started(TABU, QAP_9)])
    for chunk in range(1, 4):
        runner.count_anew()
        walks = runner.advance(walks, Until(10 * chunk)).walks
        assert runner.spent().launches == 1


@pytest.mark.cuda
def test_a_gpu_counts_what_is_copied(gpu: Any) -> None:
    gpu.meter.reset()
    gpu.download(gpu.upload(np.zeros(1000)))
    assert gpu.meter.read().nbytes == 16_000


def test_a_run_that_was_resumed_counts_from_there(tmp_path: Path) -> None:
    first = run(TABU, QAP_9, stop=stop.iterations(50), parallel="host", watch=[Checkpoint(tmp_path / "at")])
    again = resume(tmp_path / "at", TABU, QAP_9, stop=stop.iterations(80), parallel="host")
    assert again.performance.moves == again.evaluated - first.evaluated > 0
    assert again.performance.seconds == again.seconds - first.seconds


def test_shares_add_up_and_the_longest_of_many_counts() -> None:
    early, late = Spent(3, 0.5, 10), Spent(5, 2.0, 30)
    assert early + late == Spent(8, 2.5, 40)
    assert early.beside(late) == Spent(8, 2.0, 40)


def test_a_slow_beginning_of_one_device_is_not_taken_from_what_another_one_does() -> None:
    """As where the first launch of one was interrupted by other work, and all moves are the other's from then on."""
    evaluator = PartitionedEvaluator(QAP_9, [DeviceEvaluator(QAP_9, Host(), Swap()) for _ in range(2)])
    runner = Stepped(TABU, evaluator, Facts("host+host", "", ""))
    one, other = runner.native_devices
    one.meter.seconds += 100.0
    runner.count_anew()
    with other.meter:
        pass
    assert 0 < runner.spent().seconds < 100


def test_seconds_of_calls_at_the_same_time_count_once() -> None:
    """A thousand calls of eight threads each: none is lost, and they cannot take longer than the clock shows."""
    meter, together = Meter(), Barrier(8)

    def work(_: int) -> None:
        together.wait()
        for _ in range(1000):
            with meter:
                meter.count(launches=1, nbytes=3)

    began = perf_counter()
    with ThreadPoolExecutor(8) as pool, meter:
        list(pool.map(work, range(8)))
        inside = meter.read()
    spent = meter.read()
    assert (spent.launches, spent.nbytes) == (8_000, 24_000)
    assert 0 < inside.seconds < spent.seconds < perf_counter() - began
    meter.reset()
    assert meter.read() == Spent()


def test_it_says_how_long_python_stood_in_between() -> None:
    spent = Performance(moves=1_000, seconds=2.0, native_seconds=1.5, launches=4)
    assert (spent.moves_per_second, spent.python_seconds, spent.python_share) == (500.0, 0.5, 0.25)
    assert str(spent) == "4 launches; 25.0 % of the time in Python"
    assert Performance().python_share == Performance().moves_per_second == 0.0


def test_launches_are_ranges_where_a_profiler_wants_them() -> None:
    ranges: list[str] = []

    @contextmanager
    def time_range(name: str) -> Iterator[None]:
        ranges.append(f"begin {name}")
        yield
        ranges.append(f"end {name}")

    host = Host()
    unit = host.compile(compose(QAP_9, solutions(), host))
    ranged = Ranged(unit, time_range)
    session = Session(ranged, host)
    answer = session.near("answer")
    session.launch("capabilities")
    assert ranges == ["begin metaheur.capabilities", "end metaheur.capabilities"]
    assert answer[0] > 0
    assert ranged.unit is unit.unit
