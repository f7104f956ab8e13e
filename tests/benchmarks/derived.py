"""Derived changes of cost beside a delta by hand, and beside the cost alone: tabu search on one core, n = 100.

``python -m tests.benchmarks.derived``; ``--save`` writes its record. Times are of the processor.
"""

from collections.abc import Callable, Iterator
from statistics import median
from time import process_time
from typing import Any

import numpy as np
from attrs import frozen

from metaheur import Problem, TabuSearch, data, run, stop
from metaheur.neighborhood import Neighborhood
from metaheur.neighborhoods import FlipMove, Hamming, Substitution, SubstitutionMove, Swap, SwapMove
from metaheur.parallel import IterationLevel
from metaheur.representation import BitString, DiscreteVector, Permutation, Representation
from metaheur.translator.decorator import compiled
from tests.benchmarks.records import report

N = 100
COLORS = 5
ROUNDS = 3
ORDER = Permutation(N), Swap()
BITS = BitString(N), Hamming(1)
COLORED = DiscreteVector(N, COLORS), Substitution()
LONG, SHORT = 200, 4
"""Iterations that are timed: of a formula, and of the cost alone."""


@compiled
def order_cost(self: Any, x: Any) -> Any:
    return -sum(self.a[x[k], c] for k in range(self.n) for c in x[k + 1 :])


@compiled
def order_delta(self: Any, x: Any, m: SwapMove) -> Any:
    u, v = x[m.i], x[m.j]
    between = sum(self.a[u, c] + self.a[c, v] - self.a[v, c] - self.a[c, u] for c in x[m.i + 1 : m.j])
    return self.a[u, v] - self.a[v, u] + between


@compiled
def assignment_cost(self: Any, x: Any) -> Any:
    return sum(self.a[i, k] * self.b[x[i], x[k]] for i in range(self.n) for k in range(self.n))


@compiled
def assignment_delta(self: Any, x: Any, m: SwapMove) -> Any:
    i, j = m.i, m.j
    u, v = x[i], x[j]
    total = (self.a[i, i] - self.a[j, j]) * (self.b[v, v] - self.b[u, u])
    total += (self.a[i, j] - self.a[j, i]) * (self.b[v, u] - self.b[u, v])
    for k in range(self.n):
        if k != i and k != j:  # noqa: PLR1714 - `in` is not translated
            w = x[k]
            total += (self.a[k, i] - self.a[k, j]) * (self.b[w, v] - self.b[w, u])
            total += (self.a[i, k] - self.a[j, k]) * (self.b[v, w] - self.b[u, w])
    return total


@compiled
def cut_cost(self: Any, x: Any) -> Any:
    return -sum(self.a[i, k] for i in range(self.n) for k in range(i + 1, self.n) if x[i] != x[k])


@compiled
def cut_delta(self: Any, x: Any, m: FlipMove) -> Any:
    i = m.at[0]
    total = 0
    for k in range(self.n):
        if k != i:
            total += self.a[i, k] if x[k] != x[i] else -self.a[i, k]
    return total


@compiled
def quadratic_cost(self: Any, x: Any) -> Any:
    return sum(self.a[i, k] * x[i] * x[k] for i in range(self.n) for k in range(self.n))


@compiled
def quadratic_delta(self: Any, x: Any, m: FlipMove) -> Any:
    i = m.at[0]
    total = sum((self.a[i, k] + self.a[k, i]) * x[k] for k in range(self.n) if k != i)
    return (1 - 2 * x[i]) * (total + self.a[i, i])


@compiled
def coloring_cost(self: Any, x: Any) -> Any:
    return sum(x[i] == x[k] for i in range(self.n) for k in range(i) if self.a[i, k] > 0)


@compiled
def coloring_delta(self: Any, x: Any, m: SubstitutionMove) -> Any:
    i = m.at
    u, v = x[i], (x[i] + m.shift) % m.values
    total = 0
    for k in range(self.n):
        if k != i and self.a[i, k] > 0:
            total += (x[k] == v) - (x[k] == u)
    return total


CASES: dict[str, tuple[Any, Any, tuple[Representation, Neighborhood]]] = {
    "linear ordering, swaps": (order_cost, order_delta, ORDER),
    "quadratic assignment, swaps": (assignment_cost, assignment_delta, ORDER),
    "maximum cut by a matrix, flips": (cut_cost, cut_delta, BITS),
    "quadratic sum of bits, flips": (quadratic_cost, quadratic_delta, BITS),
    "coloring by a matrix, substitutions": (coloring_cost, coloring_delta, COLORED),
}
"""A cost and a change of cost by hand, with the space and the moves."""


def made(name: str, space: Representation, **members: Any) -> Problem:
    """A problem of these members on two random matrices; the first one is symmetric where moves are not swaps."""
    body = {
        "__annotations__": {"a": np.ndarray, "b": np.ndarray},
        "__module__": __name__,
        "a": data("int32", ndim=2),
        "b": data("int32", ndim=2),
        "representation": property(lambda _: space),
        **members,
    }
    a, b = np.random.default_rng(5).integers(-9, 100, (2, N, N))
    kind: Callable[..., Problem] = frozen(eq=False)(type(name, (Problem,), body))
    return kind(a if isinstance(space, Permutation) else a + a.T - 90, b)


def seconds(problem: Problem, moves: Neighborhood, iterations: int) -> tuple[float, Any]:
    """Processor seconds of an iteration, the median of some runs less their starts, and the cost that they reach."""
    model, search, found = IterationLevel("host", threads=1), TabuSearch(moves), []
    for _ in range(ROUNDS + 1):  # the first one compiles
        begin = process_time()
        run(search, problem, stop=stop.iterations(1), seed=1, parallel=model)
        middle = process_time()
        result = run(search, problem, stop=stop.iterations(1 + iterations), seed=1, parallel=model)
        found.append((process_time() - middle - (middle - begin)) / iterations)
    return median(found[1:]), result.cost


def rows() -> Iterator[str]:
    """A row a problem; the three variants reach the same cost, as far as all of them go."""
    for name, (cost, delta, (space, moves)) in CASES.items():
        alone, _ = seconds(made("Alone", space, cost=cost, derives=False), moves, SHORT)
        derived, one = seconds(made("Derived", space, cost=cost, derives=True), moves, LONG)
        by_hand, other = seconds(made("ByHand", space, cost=cost, delta=delta), moves, LONG)
        assert one == other, name
        times = f"{alone * 1e6:,.0f} | {derived * 1e6:,.1f} | {by_hand * 1e6:,.1f}"
        yield f"| {name} | {times} | {alone / derived:,.0f} | {by_hand / derived:.2f} |"


if __name__ == "__main__":
    columns = ("", "cost alone, µs", "derived, µs", "by hand, µs", "alone / derived", "by hand / derived")
    report("derived", f"processor time of an iteration of tabu search, n = {N}, a core", columns, rows())
