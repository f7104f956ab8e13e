"""Whole neighborhoods: changes of cost against hand-written C++ on one core, and on the GPU."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaheur import Key, Neighborhood, Problem, TabuSearch, Until
from metaheur.device.device import CompiledUnit
from metaheur.device.host.host import Host
from metaheur.device.names import device_of
from metaheur.evaluators.device import DeviceNeighborhoodEvaluator
from metaheur.neighborhoods import Hamming, Insertion, TwoOpt
from metaheur.parallel import IterationLevel
from metaheur.problems import PPP, QUBO, TSP, FlowShop
from metaheur.testing import devices_here
from tests.benchmarks.rehearsal import rehearse
from tests.device.compilers import unit_of
from tests.helpers import evaluated, solution_of, started

Work = Callable[[], float]


@pytest.fixture(scope="module")
def by_hand() -> CompiledUnit:
    return Host().compile(unit_of((Path(__file__).parent / "neighborhoods.cpp").read_text(encoding="utf-8")))


def job_of(**members: Any) -> np.ndarray:
    """A struct of int64 and pointers."""
    job = np.zeros(1, [(name, "i8") for name in members])
    job[0] = tuple(value.ctypes.data if isinstance(value, np.ndarray) else value for value in members.values())
    return job


def launched(module: CompiledUnit, entry: str, job: np.ndarray, rounds: int, moves: int) -> Work:
    def work() -> float:
        module.launch(entry, job, rounds)
        return float(rounds * moves)

    return work


def on(device: str, problem: Problem, neighborhood: Neighborhood, rounds: int, *, best: bool = False) -> Work:
    """The kernel alone: all changes of cost into the device's memory; or the best move, from Python each time."""
    threads = 1 if device == "host" else None
    evaluator = DeviceNeighborhoodEvaluator(problem, neighborhood, device_of(device), threads)
    start = evaluated(problem, solution_of(problem))
    evaluator.best(start)
    for _ in evaluator.chunks(start):
        pass

    def work() -> float:
        if best:
            for _ in range(rounds):
                evaluator.best(start)
        else:
            rehearse(evaluator, start, rounds)
        return float(rounds * evaluator.size)

    return work


@pytest.mark.benchmark(group="moves/s of 2-opt")
@pytest.mark.parametrize("n", [1000, 4461, 5000])
def test_two_opt(n: int, side_by_side: Any, by_hand: CompiledUnit) -> None:
    tsp = TSP.random(n, seed=1)
    places = np.asarray(tsp.instance.coordinates)
    order = solution_of(tsp)
    x, y = (np.append(places[order, axis], places[order[0], axis]).astype(np.float32) for axis in (0, 1))
    size = TwoOpt().size(tsp.representation)
    rough, exact = np.zeros(size, np.float32), np.zeros(size, np.int32)
    tour = job_of(n=n, x=x, y=y, rough=rough, exact=exact)
    rounds = max(1, 20_000_000 // size)
    fractions = TSP.from_coordinates(places + 0.25, matrix_up_to=0)
    works: dict[str, Work] = {
        "hand-written C++, rounded": launched(by_hand, "two_opt_exact", tour, rounds, size),
        "hand-written C++, not rounded": launched(by_hand, "two_opt_rough", tour, rounds, size),
    }
    for device in devices_here():
        times = rounds * (100 if device == "cuda" else 1)
        works[f"{device}, all changes of cost"] = on(device, tsp, TwoOpt(), times)
        works[f"{device}, best move"] = on(device, tsp, TwoOpt(), times, best=True)
        works[f"{device}, fractional coordinates"] = on(device, fractions, TwoOpt(), times)
    side_by_side(f"2-opt, exact TSPLIB rounding, n = {n}, moves/s", works)
    start = evaluated(tsp, solution_of(tsp))
    assert np.array_equal(DeviceNeighborhoodEvaluator(tsp, TwoOpt(), Host(), 1).deltas(start), exact)


@pytest.mark.benchmark(group="moves/s of insertion")
def test_insertion(side_by_side: Any, by_hand: CompiledUnit) -> None:
    shop = FlowShop.taillard(81)
    n, m = shop.times.shape
    start = evaluated(shop, solution_of(shop))
    times, order, out = shop.times.astype(np.int32), start.solution.astype(np.int32), np.zeros((n, n), np.int32)
    job = job_of(n=n, m=m, times=times, x=order, out=out)
    size = Insertion().size(shop.representation)
    works = {"hand-written C++, scalar": launched(by_hand, "insertion", job, 200, size)}
    for device in devices_here():
        works[f"{device}, all changes of cost"] = on(device, shop, Insertion(), 200)
    side_by_side(f"insertion, flow shop {n}x{m}, Taillard's acceleration, moves/s", works)
    deltas = DeviceNeighborhoodEvaluator(shop, Insertion(), Host(), 1).deltas(start)
    assert deltas.min() == out.min() - start.cost


class Tabu:
    """One-flip tabu search, resident."""

    def __init__(self, problem: QUBO, iterations: int, device: str) -> None:
        search, self.iterations = TabuSearch(Hamming(1), tenure=(0.01, 0.02)), iterations
        self.runner = IterationLevel(device, resident=True).bind(search, problem)
        self.walks = self.runner.load([started(search, problem, key=Key(1), x=solution_of(problem))])
        self.moves = problem.representation.length

    def __call__(self) -> float:
        end = Until(int(self.walks.iterations[0]) + self.iterations)
        self.walks = self.runner.advance(self.walks, end).walks
        return float(self.iterations * self.moves)


@pytest.mark.benchmark(group="moves/s of one-flip tabu search")
def test_one_flip(side_by_side: Any, by_hand: CompiledUnit) -> None:
    n = 1000
    matrix = np.random.default_rng(1).integers(-100, 101, (n, n))
    qubo = QUBO(np.triu(matrix))
    start = evaluated(qubo, solution_of(qubo))
    x, coupling = start.solution.copy(), np.ascontiguousarray(qubo.couplings, np.int32)
    job = job_of(n=n, low=10, high=20, coupling=coupling, x=x, cost=start.cost, best=start.cost)
    works: dict[str, Work] = {"hand-written C++": launched(by_hand, "one_flip", job, 50_000, n)}
    for device in devices_here():
        works[f"{device}, resident"] = Tabu(qubo, 50_000, device)
    side_by_side("one-flip tabu search, dense QUBO, n = 1000, moves/s", works)
    assert job["cost"][0] == qubo.cost(x)


@pytest.mark.benchmark(group="moves/s of the permuted perceptron problem")
@pytest.mark.parametrize(("m", "n"), [(101, 117), (1301, 1317)])
def test_permuted_perceptron(m: int, n: int, side_by_side: Any) -> None:
    ppp = PPP.random(m, n, seed=1)
    works: Mapping[str, Work] = {
        f"{device}, 2-Hamming": on(device, ppp, Hamming(2), 20 if device == "cuda" or m < 1000 else 1)
        for device in devices_here()
    }
    side_by_side(f"permuted perceptron problem {m}x{n}, moves/s", works)


@pytest.mark.benchmark(group="moves/s of the permuted perceptron problem")
def test_a_neighborhood_that_streams(side_by_side: Any) -> None:
    if "cuda" not in devices_here():
        pytest.skip("379 million moves of 1301 rows each are for a GPU")
    ppp = PPP.random(1301, 1317, seed=1)
    works = {"cuda, 3-Hamming, best move": on("cuda", ppp, Hamming(3), 1, best=True)}
    side_by_side("permuted perceptron problem 1301x1317, 379 million moves, moves/s", works)
