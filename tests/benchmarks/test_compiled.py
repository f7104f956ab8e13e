"""Compiled Python against the shipped C++ halves: the same work on the same data, in turn.

By hand: ``python -m tests.benchmarks.test_compiled [device]``; on a core by processor time.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from collections.abc import Callable, Iterator
from statistics import median
from time import perf_counter, process_time
from typing import Any

import numpy as np
import pytest
from attrs import frozen

from metaheur import Key, Neighborhood, Permutation, Problem, Source, TabuSearch, Until, compiled, data
from metaheur.device.names import device_of
from metaheur.evaluators.device import DeviceNeighborhoodEvaluator
from metaheur.neighborhoods import Hamming, Substitution, Swap, SwapMove, TwoOpt
from metaheur.parallel import IterationLevel
from metaheur.problems import PPP, QAP, QUBO, TSP, GraphColoring, Knapsack, MaxCut
from metaheur.testing import devices_here
from tests.benchmarks.records import arguments, report
from tests.benchmarks.rehearsal import rehearse
from tests.helpers import evaluated, solution_of, started
from tests.translator.twins import twin

Work = Callable[[], float]

ROUNDS = 9
SECONDS = 0.03
"""The least that a round takes."""


class Ordering(Problem):
    """Linear ordering, in C++ and in compiled Python."""

    weights: np.ndarray

    @property
    def representation(self) -> Permutation:
        return Permutation(len(self.weights))

    @property
    def cost_type(self) -> str:
        return "int32"  # four weights below 100 for each of n items

    def cost(self, x: np.ndarray) -> int:
        return -int(np.triu(self.weights[np.ix_(x, x)], 1).sum())


@frozen(eq=False)
class OrderingInCpp(Ordering):
    weights: np.ndarray = data("int32", ndim=2)
    source = Source("""struct OrderingInCpp : OrderingInCppData {
    MH_FN Cost delta(Team team, const Item* x, SwapMove m) const {
        return weights(x[m.i], x[m.j]) - weights(x[m.j], x[m.i]) + team.sum(m.j - m.i - 1, [&](int k) {
            int i = x[m.i], j = x[m.j], between = x[m.i + 1 + k];
            return weights(i, between) - weights(between, i) + weights(between, j) - weights(j, between);
        });
    }
};""")


@frozen(eq=False)
class OrderingInPython(Ordering):
    weights: np.ndarray = data("int32", ndim=2)

    @compiled
    def delta(self, x, m: SwapMove):
        i, j = x[m.i], x[m.j]
        total = self.weights[i, j] - self.weights[j, i]
        for b in x[m.i + 1 : m.j]:
            total += self.weights[i, b] - self.weights[b, i] + self.weights[b, j] - self.weights[j, b]
        return total


def tabu(problem: Problem, neighborhood: Neighborhood, device: str, iterations: int) -> Work:
    """Resident tabu search."""
    search = TabuSearch(neighborhood, tenure=(0.05, 0.1))
    runner = IterationLevel(device, resident=True).bind(search, problem)
    walks = runner.load([started(search, problem, key=Key(1), x=solution_of(problem))])

    def work() -> float:
        nonlocal walks
        walks = runner.advance(walks, Until(int(walks.iterations[0]) + iterations)).walks
        return float(iterations)

    return work


def whole(problem: Problem, neighborhood: Neighborhood, device: str, rounds: int) -> Work:
    """All changes of cost, left where they are."""
    evaluator = DeviceNeighborhoodEvaluator(problem, neighborhood, device_of(device), 1 if device == "host" else None)
    start = evaluated(problem, solution_of(problem))
    for _ in evaluator.chunks(start):
        pass

    def work() -> float:
        rehearse(evaluator, start, rounds)
        return float(rounds * evaluator.size)

    return work


def rounds_of(kind: Any, problem: Problem, neighborhood: Neighborhood, device: str, clock: Callable[[], float]) -> int:
    """How often the work is done in a round."""
    count = 1
    while True:
        work: Work = kind(problem, neighborhood, device, count)
        work()
        began = clock()
        work()
        spent = clock() - began
        if spent > SECONDS:
            return count
        count *= 2 if spent > SECONDS / 20 else 10


def compared(kind: Any, pair: tuple[Any, Any], neighborhood: Neighborhood, device: str) -> str:
    """The speed of the first beside that of the second, and the rate of the second."""
    clock = process_time if device == "host" else perf_counter
    count = rounds_of(kind, pair[1], neighborhood, device, clock)
    works: list[Work] = [kind(problem, neighborhood, device, count) for problem in pair]
    for work in works:
        work()
    ratios, rates = [], []
    for k in range(ROUNDS):
        spent = [0.0, 0.0]
        for side in (k % 2, 1 - k % 2):
            began = clock()
            done = works[side]()
            spent[side] = clock() - began
        ratios.append(spent[1] / spent[0])
        rates.append(done / spent[1])
    return f"{median(ratios):.2f} ({min(ratios):.2f} ... {max(ratios):.2f}) | {median(rates):,.0f}"


RANDOM = np.random.default_rng(1)
EDGES = np.argwhere(np.triu(RANDOM.random((800, 800)) < 0.06, 1))
WEIGHTS = RANDOM.integers(0, 100, (100, 100))
FLOWS = RANDOM.integers(0, 100, (60, 60))

CASES: dict[str, tuple[Callable[[], Problem], Neighborhood, Any, int]] = {
    "QAP, n = 50, tabu search": (lambda: QAP.random(50, 1), Swap(), tabu, 8_000),
    "QAP, n = 100, tabu search": (lambda: QAP.random(100, 1), Swap(), tabu, 3_000),
    "QAP, n = 100, all swaps": (lambda: QAP.random(100, 1), Swap(), whole, 400),
    "asymmetric QAP, n = 60, tabu search": (lambda: QAP(FLOWS, FLOWS[::-1]), Swap(), tabu, 12_000),
    "asymmetric QAP, n = 60, all swaps": (lambda: QAP(FLOWS, FLOWS[::-1]), Swap(), whole, 1_500),
    "QUBO, n = 1,000, tabu search": (
        lambda: QUBO(np.triu(RANDOM.integers(-100, 101, (1000, 1000)))),
        Hamming(1),
        tabu,
        30_000,
    ),
    "max-cut, n = 800, tabu search": (
        lambda: MaxCut.from_edges(800, EDGES, RANDOM.integers(1, 10, len(EDGES))),
        Hamming(1),
        tabu,
        30_000,
    ),
    "TSP, n = 1,000, all 2-opt moves": (lambda: TSP.random(1000, 1), TwoOpt(), whole, 40),
    "TSP, n = 200, tabu search": (lambda: TSP.random(200, 1), TwoOpt(), tabu, 6_000),
    "asymmetric TSP, n = 60, all 2-opt moves": (lambda: TSP.from_matrix(FLOWS + 1), TwoOpt(), whole, 3_000),
    "TSP, n = 4,000, all 2-opt moves": (lambda: TSP.random(4000, 1), TwoOpt(), whole, 3),
    "permuted perceptron, 101 x 117, tabu search": (lambda: PPP.random(101, 117, 1), Hamming(1), tabu, 1_000),
    "permuted perceptron, 101 x 117, all 2-flips": (lambda: PPP.random(101, 117, 1), Hamming(2), whole, 20),
    "knapsack, 5 x 200, tabu search": (
        lambda: Knapsack(RANDOM.integers(1, 100, 200), RANDOM.integers(1, 100, (5, 200)), [2000] * 5),  # type: ignore[arg-type]
        Hamming(1),
        tabu,
        20_000,
    ),
    "coloring, n = 250, k = 28, tabu search": (
        lambda: GraphColoring.random(250, 28, seed=1),
        Substitution(),
        tabu,
        2_000,
    ),
}


@pytest.mark.benchmark(group="compiled Python against shipped C++")
@pytest.mark.parametrize("name", CASES)
def test_a_twin_and_the_shipped_problem(name: str, side_by_side: Any) -> None:
    make, neighborhood, kind, count = CASES[name]
    shipped = make()
    for device in devices_here():
        works = {
            f"{device}, shipped C++": kind(shipped, neighborhood, device, count),
            f"{device}, compiled Python": kind(twin(shipped), neighborhood, device, count),
        }
        medians = side_by_side(f"{name}, {'iterations' if kind is tabu else 'moves'}/s", works)
        assert all(rate > 0 for rate in medians.values())


@pytest.mark.benchmark(group="compiled Python against C++ by hand")
@pytest.mark.parametrize("kind", [whole, tabu], ids=["all swaps", "tabu search"])
def test_linear_ordering(kind: Any, side_by_side: Any) -> None:
    for device in devices_here():
        works = {
            f"{device}, C++": kind(OrderingInCpp(WEIGHTS), Swap(), device, 200),
            f"{device}, compiled Python": kind(OrderingInPython(WEIGHTS), Swap(), device, 200),
        }
        side_by_side(f"linear ordering, n = 100, {'iterations' if kind is tabu else 'moves'}/s", works)


def rows(device: str) -> Iterator[str]:
    """A row for each problem and its twin."""
    for name, (make, neighborhood, kind, _) in CASES.items():
        shipped = make()
        yield f"| {name} | {compared(kind, (twin(shipped), shipped), neighborhood, device)} |"


HEAD = (
    "rate of compiled Python over that of a `.cuh`, medians of nine rounds (extremes)",
    ("", "compiled / shipped", "moves or iterations/s, shipped"),
)
"""The title and the columns of the table."""

if __name__ == "__main__":
    report("compiled", *HEAD, rows(*arguments() or ("host",)))
