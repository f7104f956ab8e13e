"""QAP: the resident walk against hand-written C++ on one core, Luong's scheme, and threads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaheur import Key, Search, SimulatedAnnealing, TabuSearch, Until
from metaheur.device.host.host import Host
from metaheur.evaluators.device import DeviceEvaluator
from metaheur.neighborhoods import Swap
from metaheur.parallel import IterationLevel
from metaheur.parts import Geometric
from metaheur.problems import QAP
from metaheur.testing import devices_here
from tests.device.compilers import unit_of
from tests.helpers import evaluated, solution_of, started

ITERATIONS = {50: 60_000, 100: 20_000, 256: 4_000}


class Baseline:
    """The hand-written program, compiled with the flags of the host device."""

    def __init__(self, qap: QAP, iterations: int) -> None:
        text = (Path(__file__).parent / "robust_tabu.cpp").read_text(encoding="utf-8")
        self.module, self.iterations, self.qap = Host().compile(unit_of(text)), iterations, qap
        self.x = solution_of(qap).astype(np.int32)
        layout = np.dtype([(name, "i8") for name in ("n", "a", "b", "x", "cost", "best")])
        self.job = np.zeros(1, layout)
        self.job[0] = (len(self.x), qap.a.ctypes.data, qap.b.ctypes.data, self.x.ctypes.data, 0, 0)

    def __call__(self) -> float:
        self.module.launch("tabu", self.job, self.iterations)
        return self.iterations


class Walk:
    """The framework's walk: resident, or in Luong's scheme, where the device evaluates and Python decides."""

    def __init__(
        self, qap: QAP, iterations: int, device: str, search: Search[Any] = TabuSearch(Swap()), **options: Any
    ) -> None:
        self.iterations = iterations
        self.runner = IterationLevel(device, **options).bind(search, qap)
        self.qap = qap
        self.walks = self.runner.load([started(search, qap, key=Key(1), x=solution_of(qap))])

    def __call__(self) -> float:
        end = Until(int(self.walks.iterations[0]) + self.iterations)
        self.walks = self.runner.advance(self.walks, end).walks
        return self.iterations


@pytest.mark.parametrize("n", ITERATIONS)
def test_the_baseline_is_right(n: int) -> None:
    qap = QAP.random(n, seed=1)
    baseline = Baseline(qap, 500)
    baseline()
    assert baseline.job["cost"][0] == qap.cost(baseline.x)


@pytest.mark.benchmark(group="iterations/s of robust tabu search")
@pytest.mark.parametrize("n", ITERATIONS)
def test_a_resident_walk_and_hand_written_code(n: int, side_by_side: Any) -> None:
    qap = QAP.random(n, seed=1)
    works: dict[str, Any] = {"hand-written C++, one core": Baseline(qap, ITERATIONS[n])}
    for device in devices_here():
        works[f"{device}, resident"] = Walk(qap, ITERATIONS[n], device)
        if device == "cuda":
            works["cuda, resident, one block"] = Walk(qap, ITERATIONS[n], device, blocks=1)
            works["cuda, resident, eight blocks"] = Walk(qap, ITERATIONS[n], device, blocks=8)
    medians = side_by_side(f"robust tabu search, symmetric QAP, n = {n}, iterations/s", works)
    assert all(rate > 0 for rate in medians.values())
    state = works["host, resident"].walks.state(0)
    assert qap.cost(state.walk.current.solution) == state.walk.current.cost


@pytest.mark.benchmark(group="iterations/s with a Python step")
@pytest.mark.parametrize("n", [50, 100, 256])
def test_a_python_step(n: int, side_by_side: Any) -> None:
    qap = QAP.random(n, seed=1)
    works = {f"{device}, Python decides": Walk(qap, 300, device, resident=False) for device in devices_here()}
    side_by_side(f"Luong's scheme, symmetric QAP, n = {n}, iterations/s", works)


def accepted(walk: Walk, temperature: float) -> float:
    """The share of moves that Metropolis' criterion accepts where the walk stands."""
    evaluator = DeviceEvaluator(walk.qap, Host(), Swap(), 1)
    deltas = evaluator.deltas(walk.walks.state(0).walk.current).astype(np.float64)
    return float(np.minimum(1, np.exp(-deltas / temperature)).mean())


def annealed(qap: QAP, share: float) -> tuple[Walk, float]:
    """A walk at the temperature at which about this share of its trials is accepted, and what the share is."""
    low, high = 1.0, 1e7
    for _ in range(20):
        temperature = (low * high) ** 0.5
        walk = Walk(qap, 1_000_000, "host", SimulatedAnnealing(Swap(), temperature, Geometric(0.5, 2**60)))
        walk()
        found = accepted(walk, temperature)
        low, high = (temperature, high) if found < share else (low, temperature)
    return walk, found


@pytest.mark.benchmark(group="trials/s of annealing")
def test_trials_of_annealing(side_by_side: Any) -> None:
    walks = [annealed(QAP.random(100, seed=1), share) for share in (0.01, 0.1, 0.5)]
    works = {f"host, {100 * found:.1f} % accepted": walk for walk, found in walks}
    side_by_side("simulated annealing, symmetric QAP, n = 100, trials/s", works)


@pytest.mark.benchmark(group="moves/s of one neighborhood")
@pytest.mark.parametrize("n", [256, 400])
def test_threads_share_a_neighborhood(n: int, side_by_side: Any) -> None:
    qap = QAP.random(n, seed=1)
    start = evaluated(qap, solution_of(qap))
    evaluators = {
        f"host, {threads} thread{'s' * (threads > 1)}": DeviceEvaluator(qap, Host(), Swap(), threads)
        for threads in (1, 2)
    }

    def work(evaluator: DeviceEvaluator) -> Any:
        def evaluate() -> float:
            for _ in range(5):
                evaluator.deltas(start)
            return 5.0 * evaluator.size

        return evaluate

    medians = side_by_side(
        f"all changes of cost, symmetric QAP, n = {n}, moves/s", {k: work(e) for k, e in evaluators.items()}
    )
    assert all(rate > 0 for rate in medians.values())
