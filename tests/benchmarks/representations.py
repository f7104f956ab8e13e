"""Solutions that say what they are, beside the usual tricks: moves and costs of late acceptance on one core.

``python -m tests.benchmarks.representations``; ``--save`` writes its record. Times are of the processor.
"""

# mypy: disable-error-code="no-untyped-def, untyped-decorator"
from __future__ import annotations

from collections.abc import Iterator
from time import process_time
from typing import Any

import numpy as np
from attrs import frozen

from metaheur import Problem, Trial, compiled, data, run, stop
from metaheur.neighborhood import Neighborhood
from metaheur.neighborhoods import Hamming, Insertion, Interchange, OnEach, Substitution
from metaheur.parallel import IterationLevel
from metaheur.parts import LateAcceptance
from metaheur.problems import JobShop, JobShopByMachines, MaximumDiversity, PMedian, SequentialOrdering
from metaheur.representations import Multiset
from tests.benchmarks.records import report
from tests.benchmarks.tricks import DiversityByBits, MedianByBits, OrderingByWeight, PartitionByWeight

N, PART, AIM = 100, 10, 2.0
"""Items, members of a subset, and processor seconds of a run."""


@frozen(eq=False)
class Partition(Problem):
    """Vertices in four groups of equal sizes."""

    weights: np.ndarray = data("int32", ndim=2)
    representation = property(lambda self: Multiset((N // 4,) * 4))

    @compiled
    def cost(self, x):
        return sum(self.weights[i, j] for i in range(self.n) for j in range(i) if x[i] != x[j])


def pairs() -> Iterator[tuple[str, Problem, Neighborhood, Problem, Neighborhood]]:
    """For each problem the trick and its moves, the natural form and its moves."""
    numbers = np.random.default_rng(1)
    square = numbers.integers(1, 100, (N, N))
    even = np.triu(square, 1) + np.triu(square, 1).T
    yield "p-median, 10 of 100", MedianByBits(square, PART), Hamming(1), PMedian(square, PART), Interchange()
    yield (
        "maximum diversity, 10 of 100",
        DiversityByBits(even, PART),
        Hamming(1),
        MaximumDiversity(even, PART),
        Interchange(),
    )
    edges = np.where(even < 10, 1, 0) * (1 - np.eye(N, dtype=int))
    yield "balanced partition, 4 x 25", PartitionByWeight(edges), Substitution(), Partition(edges), Interchange()
    before = np.triu(numbers.random((N, N)) < 0.02, 1)
    ordering = SequentialOrdering(square, np.argwhere(before))
    yield "sequential ordering, 100", OrderingByWeight(square, before), Insertion(), ordering, Insertion()
    order, times = np.argsort(numbers.random((10, 10)), axis=1), numbers.integers(1, 100, (10, 10))
    by_machines = JobShopByMachines(order, times)
    yield "job shop, 10 x 10", JobShop(order, times), Interchange(), by_machines, OnEach(Insertion())


def measured(problem: Problem, moves: Neighborhood) -> tuple[float, Any]:
    """Trials for each second of the processor, and the cost after `AIM` of them."""
    model, search = IterationLevel("host", threads=1), Trial(moves, LateAcceptance(1000))
    start = "construct" if hasattr(problem, "construct") else None

    def taken(iterations: int) -> tuple[float, Any]:
        begin = process_time()
        cost = run(search, problem, stop=stop.iterations(iterations), seed=1, start=start, parallel=model).cost
        return process_time() - begin, cost

    taken(1)  # and compiles
    iterations = 1000
    while (seconds := taken(iterations)[0]) < AIM / 8:
        iterations *= 4
    seconds -= taken(1)[0]
    rate = iterations / seconds
    return rate, taken(int(AIM * rate))[1]


def rows() -> Iterator[str]:
    """A row for each problem."""
    for name, trick, moves, natural, natural_moves in pairs():
        (before, one), (after, other) = measured(trick, moves), measured(natural, natural_moves)
        yield f"| {name} | {before / 1e6:.2f} | {after / 1e6:.2f} | {abs(one):,} | {abs(other):,} |"


def main() -> None:
    """Print the table."""
    title = f"late acceptance, trials for a second of the processor, and the value after {AIM:g} of them, one walk"
    columns = ("", "trick, M trials/s", "natural, M trials/s", "trick, value", "natural, value")
    report("representations", title, columns, rows())


if __name__ == "__main__":
    main()
