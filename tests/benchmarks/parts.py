"""Moves a second on a part of a composite solution, beside those of the part alone.

``python -m tests.benchmarks.parts`` runs annealing, tabu search and `solve` with one formula for swaps, on one core,
by turns, and tells processor time: the permutation alone, the only part, the first and the second of two parts.
"""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median
from time import process_time
from typing import Annotated, Any

import numpy as np
from attrs import frozen

from metaheur import (
    BitString,
    Composite,
    Permutation,
    Problem,
    Representation,
    Search,
    SimulatedAnnealing,
    TabuSearch,
    compiled,
    data,
    run,
    solve,
    stop,
)
from metaheur.neighborhoods import On, Swap, SwapMove
from metaheur.parallel import IterationLevel
from tests.benchmarks.records import report

N, ROUNDS, WORK = 200, 9, 30_000_000
"""Items; rounds that count; moves of `solve`."""

SEARCHES: dict[str, tuple[Any, int]] = {
    "annealing": (lambda moves: SimulatedAnnealing(moves, 100.0), 4_000_000),
    "tabu search": (TabuSearch, 1_500),
}


def way_cost(self: Any, x: Any) -> Any:
    return sum(self.ways[x[k], x[k + 1]] for k in range(len(x) - 1))


def way_delta(self: Any, x: Any, m: SwapMove) -> Any:
    a, b = x[m.i], x[m.j]
    total = 0
    if m.i > 0:
        total += self.ways[x[m.i - 1], b] - self.ways[x[m.i - 1], a]
    if m.j < len(x) - 1:
        total += self.ways[a, x[m.j + 1]] - self.ways[b, x[m.j + 1]]
    if m.j == m.i + 1:
        return total + self.ways[b, a] - self.ways[a, b]
    behind = self.ways[b, x[m.i + 1]] - self.ways[a, x[m.i + 1]]
    return total + behind + self.ways[x[m.j - 1], a] - self.ways[x[m.j - 1], b]


def part_cost(self: Any, x: Any) -> Any:
    return sum(self.ways[x.order[k], x.order[k + 1]] for k in range(len(x.order) - 1))


def part_delta(self: Any, x: Any, m: Annotated[SwapMove, "order"]) -> Any:
    a, b = x.order[m.i], x.order[m.j]
    total = 0
    if m.i > 0:
        total += self.ways[x.order[m.i - 1], b] - self.ways[x.order[m.i - 1], a]
    if m.j < len(x.order) - 1:
        total += self.ways[a, x.order[m.j + 1]] - self.ways[b, x.order[m.j + 1]]
    if m.j == m.i + 1:
        return total + self.ways[b, a] - self.ways[a, b]
    behind = self.ways[b, x.order[m.i + 1]] - self.ways[a, x.order[m.i + 1]]
    return total + behind + self.ways[x.order[m.j - 1], a] - self.ways[x.order[m.j - 1], b]


SPACES: dict[str, Representation] = {
    "alone": Permutation(N),
    "the only part": Composite(order=Permutation(N)),
    "the first of two": Composite(order=Permutation(N), bits=BitString(5)),
    "the second of two": Composite(bits=BitString(5), order=Permutation(N)),
}


def made(space: Representation) -> Problem:
    """The problem on a space."""
    whole = isinstance(space, Permutation)
    body = {
        "__annotations__": {"ways": np.ndarray},
        "__module__": __name__,
        "ways": data("int32", ndim=2),
        "representation": property(lambda _: space),
        "cost": compiled(way_cost if whole else part_cost),
        "delta": compiled(way_delta if whole else part_delta),
    }
    kind: Any = frozen(eq=False)(type("Ways", (Problem,), body))
    found: Problem = kind(np.random.default_rng(1).integers(0, 100, (N, N)))
    return found


def rows() -> Iterator[str]:
    """A row for each search and space, with the median of some ratios to the permutation alone."""
    problems = {name: made(space) for name, space in SPACES.items()}
    model = IterationLevel("host", threads=1)
    for search, (make, iterations) in SEARCHES.items():
        speeds: dict[str, list[float]] = {name: [] for name in SPACES}
        for _ in range(ROUNDS + 1):  # the first one compiles
            for name, problem in problems.items():
                walk: Search[Any] = make(Swap() if name == "alone" else On("order", Swap()))
                begin = process_time()
                result = run(walk, problem, stop=stop.iterations(iterations), seed=1, parallel=model)
                speeds[name].append(result.evaluated / (process_time() - begin) / 1e6)
        yield from shares(search, speeds)
    solved: dict[str, list[float]] = {name: [] for name in SPACES}
    for _ in range(ROUNDS + 1):
        for name, problem in problems.items():
            begin = process_time()
            solve(problem, work=WORK, seed=1, parallel="host", report=False)
            solved[name].append(WORK / (process_time() - begin) / 1e6)
    yield from shares("solve", solved)


def shares(search: str, speeds: dict[str, list[float]]) -> Iterator[str]:
    """A row for each space; the first round is left out."""
    for name, found in speeds.items():
        beside = [one / alone for one, alone in zip(found[1:], speeds["alone"][1:], strict=True)]
        yield f"| {search}, {name} | {median(found[1:]):.1f} | {median(beside):.2f} | {min(beside):.2f} |"


if __name__ == "__main__":
    columns = ("", "million moves/s", "share of alone", "least of the rounds")
    report("parts", f"swaps of a part beside swaps of a permutation, n = {N}, one core", columns, rows())
