"""Many walks at a time: on one core, on all cores, and on a GPU by a thread, a warp or a block each."""

from __future__ import annotations

from typing import Any

import pytest

from metaheur import HillClimbing, SimulatedAnnealing, TabuSearch, Until
from metaheur.machine.processors import cores
from metaheur.neighborhoods import Swap
from metaheur.parallel import MultiGPU, Multistart, ParallelModel
from metaheur.parts import Fixed
from metaheur.problems import QAP
from metaheur.testing import devices_here


class Walks:
    """Walks that go on for so many iterations; a call counts those of all."""

    def __init__(self, search: Any, problem: Any, model: ParallelModel, iterations: int) -> None:
        self.runner, self.iterations = model.bind(search, problem), iterations
        keys = model.keys(1)
        self.walks = self.runner.begin(keys, problem.representation.starts(keys))

    def __call__(self) -> float:
        end = int(self.walks.iterations.max()) + self.iterations
        self.walks = self.runner.advance(self.walks, Until(end)).walks
        return float(self.iterations * len(self.walks))


def models(walks: dict[str, int], iterations: int) -> dict[str, tuple[ParallelModel, int]]:
    """The owners of walks that are here, each with the number of walks that suits it, and iterations of a round."""
    found: dict[str, tuple[ParallelModel, int]] = {
        "host, one core": (Multistart(1, device="host", threads=1), 16 * iterations),
        f"host, {cores()} cores": (Multistart(4 * cores(), device="host"), 8 * iterations),
    }
    if "cuda" in devices_here():
        for per, count in walks.items():
            found[f"cuda, {count:,} walks, a {per} each"] = Multistart(count, per, device="cuda"), iterations
    return found


@pytest.mark.benchmark(group="iterations/s of many walks")
@pytest.mark.parametrize("n", [30, 50, 100, 256])
def test_tabu_search(n: int, side_by_side: Any) -> None:
    qap, search, iterations = QAP.random(n, seed=1), TabuSearch(Swap()), 200_000 // n**2 * 25
    owners = {"warp": 4224, "block": 2112 if n < 256 else 264}
    works = {name: Walks(search, qap, *each) for name, each in models(owners, iterations).items()}
    side_by_side(f"robust tabu search, symmetric QAP, n = {n}, iterations/s of all walks", works)


@pytest.mark.benchmark(group="trials/s of many walks")
def test_annealing(side_by_side: Any) -> None:
    qap, search = QAP.random(50, seed=1), SimulatedAnnealing(Swap(), 1000.0, Fixed())
    owners = {"thread": 135_168, "warp": 8_448}
    works = {name: Walks(search, qap, *each) for name, each in models(owners, 2000).items()}
    side_by_side("simulated annealing, symmetric QAP, n = 50, trials/s of all walks", works)


@pytest.mark.benchmark(group="walks/s, 500 iterations each")
@pytest.mark.parametrize("n", [30, 60, 100])
def test_4096_walks_of_500_iterations(n: int, side_by_side: Any) -> None:
    """Luong, Melab and Talbi 2011: hill climbing, annealing and tabu search."""
    qap, works = QAP.taillard(n), {}
    device = devices_here()[-1]
    walks = 4096 if device == "cuda" else 16
    for search in (HillClimbing(Swap()), SimulatedAnnealing(Swap(), 1e5, Fixed()), TabuSearch(Swap())):
        model = Multistart(walks, device=device)
        runner, keys = model.bind(search, qap), model.keys(1)
        starts = qap.representation.starts(keys)

        def work(runner: Any = runner, search: Any = search, keys: Any = keys, starts: Any = starts) -> float:
            runner.advance(runner.begin(keys, starts), Until(500))
            return float(len(keys))

        works[f"{device}, {type(search).__name__}"] = work
    side_by_side(f"Taillard's QAP, n = {n}, walks/s of 500 iterations each, starts drawn and evaluated", works)


@pytest.mark.benchmark(group="iterations/s on several GPUs")
def test_several_gpus(side_by_side: Any) -> None:
    cupy = pytest.importorskip("cupy", reason="CuPy is not installed")
    count = cupy.cuda.runtime.getDeviceCount()
    if count < 2:
        pytest.skip("there is one GPU")
    qap, search, names = QAP.random(100, seed=1), TabuSearch(Swap()), [f"cuda:{i}" for i in range(count)]
    works = {
        "one GPU": Walks(search, qap, Multistart(1056 * count, device="cuda:0"), 4000),
        f"{count} GPUs": Walks(search, qap, MultiGPU(Multistart(1056 * count), tuple(names)), 4000),
    }
    side_by_side("robust tabu search, symmetric QAP, n = 100, iterations/s on several GPUs", works)
