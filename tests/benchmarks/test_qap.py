"""QAP: the resident walk against hand-written C++ on one core, Luong's scheme, and threads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaheur import Incumbent, Key, Random, TabuSearch, Until
from metaheur.device.evaluator import DeviceEvaluator
from metaheur.device.host import Host
from metaheur.neighborhoods import Swap
from metaheur.parallel import IterationLevel
from metaheur.problems import QAP
from metaheur.testing import devices_here

ITERATIONS = {50: 60_000, 100: 20_000, 256: 4_000}


def start_of(qap: QAP) -> Incumbent:
    x = qap.representation.random(Random(Key(1), 0, 0))
    return Incumbent(qap.representation, x, qap.cost(x))


class Baseline:
    """The hand-written program, compiled with the flags of the host device."""

    def __init__(self, qap: QAP, iterations: int) -> None:
        text = (Path(__file__).parent / "robust_tabu.cpp").read_text(encoding="utf-8")
        self.module, self.iterations, self.qap = Host().compile(text), iterations, qap
        self.x = start_of(qap).solution.copy()
        layout = np.dtype([(name, "i8") for name in ("n", "a", "b", "x", "cost", "best")])
        self.job = np.zeros(1, layout)
        self.job[0] = (len(self.x), qap.a.ctypes.data, qap.b.ctypes.data, self.x.ctypes.data, 0, 0)

    def __call__(self) -> float:
        self.module.launch("tabu", self.job, self.iterations)
        return self.iterations


class Resident:
    """The framework's walk, many iterations a launch."""

    def __init__(self, qap: QAP, iterations: int, device: str, **options: Any) -> None:
        search = TabuSearch(Swap())
        self.bound = IterationLevel(device, resident=True, **options).bind(search, qap)
        self.state, self.iterations = search.init(start_of(qap), Key(1)), iterations

    def __call__(self) -> float:
        self.state, _ = self.bound.advance(self.state, Until(self.state.walk.iteration + self.iterations))
        return self.iterations


class Stepped:
    """Luong's scheme: the device evaluates, Python decides."""

    def __init__(self, qap: QAP, iterations: int, device: str) -> None:
        self.search = TabuSearch(Swap())
        self.bound = IterationLevel(device, resident=False).bind(self.search, qap)
        self.state, self.iterations = self.search.init(start_of(qap), Key(1)), iterations

    def __call__(self) -> float:
        self.state, _ = self.bound.advance(self.state, Until(self.state.walk.iteration + self.iterations))
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
        works[f"{device}, resident"] = Resident(qap, ITERATIONS[n], device)
        if device == "cuda":
            works["cuda, resident, one block"] = Resident(qap, ITERATIONS[n], device, blocks=1)
            works["cuda, resident, eight blocks"] = Resident(qap, ITERATIONS[n], device, blocks=8)
    medians = side_by_side(f"robust tabu search, symmetric QAP, n = {n}, iterations/s", works)
    assert all(rate > 0 for rate in medians.values())
    state = works["host, resident"].state
    assert qap.cost(state.walk.current.solution) == state.walk.current.cost


@pytest.mark.benchmark(group="iterations/s with a Python step")
@pytest.mark.parametrize("n", [50, 100, 256])
def test_a_python_step(n: int, side_by_side: Any) -> None:
    qap = QAP.random(n, seed=1)
    works = {f"{device}, Python decides": Stepped(qap, 300, device) for device in devices_here()}
    side_by_side(f"Luong's scheme, symmetric QAP, n = {n}, iterations/s", works)


@pytest.mark.benchmark(group="moves/s of one neighborhood")
@pytest.mark.parametrize("n", [256, 400])
def test_threads_share_a_neighborhood(n: int, side_by_side: Any) -> None:
    qap = QAP.random(n, seed=1)
    start = start_of(qap)
    evaluators = {
        f"host, {threads} thread{'s' * (threads > 1)}": DeviceEvaluator(qap, Swap(), Host(), threads)
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
