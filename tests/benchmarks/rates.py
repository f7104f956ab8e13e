"""Moves that shipped problems evaluate in a second of the processor, by the moves that suit their solutions.

``python -m tests.benchmarks.rates``; ``--save`` writes its record. Instances are random, one walk on a core.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from metaheur import Problem, Trial
from metaheur.lists import Relocate
from metaheur.loops import Scan
from metaheur.neighborhood import Neighborhood
from metaheur.neighborhoods import Hamming, Insertion, Interchange, On, OnEach, Substitution, Swap, TwoOpt, Union
from metaheur.parts import Always, LateAcceptance
from metaheur.problems import (
    QAP,
    QUBO,
    RCPSP,
    TSP,
    VRPTW,
    BinPacking,
    CarSequencing,
    CourseTimetabling,
    FlexibleJobShop,
    FlowShop,
    GeneralizedAssignment,
    GraphColoring,
    GraphPartition,
    JobShop,
    JobShopByMachines,
    Knapsack,
    MaxCut,
    MaximumDiversity,
    MultiModeRCPSP,
    MultipleKnapsack,
    ParallelMachines,
    PMedian,
    SequentialOrdering,
    VehicleRouting,
)
from tests.benchmarks.costs_alone import costs_alone
from tests.benchmarks.rate import rate
from tests.benchmarks.records import report
from tests.benchmarks.structured import structured


def instances() -> Iterator[tuple[str, Problem, Neighborhood]]:
    """A name, a random instance, and its moves."""
    numbers = np.random.default_rng(1)
    square = numbers.integers(1, 100, (100, 100))
    even = np.triu(square, 1) + np.triu(square, 1).T
    before = np.argwhere(np.triu(numbers.random((100, 100)) < 0.02, 1))
    order, times = np.argsort(numbers.random((15, 15)), axis=1), numbers.integers(1, 100, (15, 15))
    able = np.where(numbers.random((200, 10)) < 0.4, numbers.integers(1, 30, (200, 10)), -1)
    able[:, 0] = np.maximum(able[:, 0], 5)
    durations, demands = numbers.integers(1, 10, 60), numbers.integers(0, 6, (60, 4))
    project = np.argwhere(np.triu(numbers.random((60, 60)) < 0.05, 1))
    weights, worth = numbers.integers(1, 100, 200), numbers.integers(1, 100, 200)
    costs, uses = numbers.integers(1, 50, (10, 100)), numbers.integers(5, 25, (10, 100))
    places = numbers.integers(0, 1000, (101, 2)).astype(float)
    ways = np.rint(np.hypot(*(places[:, None] - places).T)).astype(np.int32)
    modes = Union(On("order", Insertion()), On("mode", Substitution()))
    yield "quadratic assignment, 100", QAP.taillard(100), Swap()
    yield "travelling salesman, 1,000", TSP.random(1000, 1), TwoOpt()
    yield "flow shop, 50 x 20", FlowShop(numbers.integers(1, 100, (50, 20))), Insertion()
    yield "job shop by operations, 15 x 15", JobShop(order, times), Interchange()
    yield "job shop by machines, 15 x 15", JobShopByMachines(order, times), OnEach(Insertion())
    yield "flexible job shop, 200 operations", FlexibleJobShop(np.full(20, 10), able), Insertion()
    yield "sequential ordering, 100", SequentialOrdering(square, before), Insertion()
    yield "project scheduling, 60", RCPSP(durations, demands, np.full(4, 12), project), Insertion()
    yield "project scheduling, 3 modes, 30", MultiModeRCPSP.random(30, seed=1), modes
    yield "car sequencing, 200", CarSequencing.random(200, seed=1), Interchange()
    yield "vehicle routing, 100", VehicleRouting(numbers.integers(1, 10, 100), ways, 50, 20), Relocate()
    yield "parallel machines, 100 on 5", ParallelMachines.random(100, 5, seed=1), Relocate()
    ready = np.append(numbers.integers(0, 1000, 100), 0)
    windows = np.column_stack([ready, ready + 400 + 5000 * (np.arange(101) == 100)])
    demands_of = numbers.integers(1, 10, 100)
    yield "time windows, 100", VRPTW(demands_of, windows, np.zeros(100, int), ways, 50, 20), Relocate()
    yield "bin packing, 120", BinPacking(numbers.integers(20, 101, 120), 150, 60), Relocate()
    yield "knapsack, 200", Knapsack.single(worth.tolist(), weights.tolist(), 5000), Hamming(1)
    yield "multiple knapsacks, 200 in 5", MultipleKnapsack(worth, weights, np.full(5, 1000)), Substitution()
    yield "generalised assignment, 100 to 10", GeneralizedAssignment(costs, uses, np.full(10, 160)), Substitution()
    yield "graph coloring, 250, 28 colors", GraphColoring.random(250, 28, seed=1), Substitution()
    yield "maximum cut, 1,000", MaxCut.from_edges(1000, sorted({*_edges(numbers, 1000, 5000)})), Hamming(1)
    yield "quadratic 0-1, 500", QUBO(numbers.integers(-99, 100, (500, 500))), Hamming(1)
    yield "p-median, 10 of 100", PMedian(square, 10), Interchange()
    yield "maximum diversity, 50 of 500", MaximumDiversity(_even(numbers, 500), 50), Interchange()
    yield "balanced partition, 4 x 125", GraphPartition.random(500, 4, seed=1), Interchange()
    yield "course timetable, 151 lectures", CourseTimetabling.random(60, rooms=8, seed=1), Substitution()
    yield from costs_alone()
    yield from structured()
    yield "maximum diversity, 10 of 100", MaximumDiversity(even, 10), Interchange()


def _edges(numbers: np.random.Generator, n: int, count: int) -> Iterator[tuple[int, int]]:
    for a, b in np.sort(numbers.integers(0, n, (count, 2)), axis=1).tolist():
        if a < b:
            yield a, b


def _even(numbers: np.random.Generator, n: int) -> np.ndarray:
    square = np.triu(numbers.integers(1, 100, (n, n)), 1)
    return square + square.T


def rows() -> Iterator[str]:
    """A row for each problem."""
    for name, problem, moves in instances():
        trials = rate(Trial(moves, LateAcceptance(1000)), problem)
        scans = rate(Scan(moves, acceptance=Always()), problem)
        yield f"| {name} | `{moves}` | {trials / 1e6:,.2f} | {scans / 1e6:,.2f} |"


def main() -> None:
    """Print the table."""
    title = "moves evaluated in a second of the processor, one walk, C++ on a core"
    report("rates", title, ("", "moves", "random moves, M/s", "whole neighborhoods, M/s"), rows())


if __name__ == "__main__":
    main()
