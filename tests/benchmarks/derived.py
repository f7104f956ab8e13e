"""Derived changes of cost beside those by hand, and beside the cost alone: tabu search on one core, n = 100.

``python -m tests.benchmarks.derived``; ``--save`` writes its record. Times are of the processor.
"""

from collections.abc import Iterator
from statistics import median
from time import process_time
from typing import Any

from metaheur import Problem, TabuSearch, run, stop
from metaheur.neighborhood import Neighborhood
from metaheur.parallel import IterationLevel
from metaheur.translator.deriving.derived import derivation_of
from tests.benchmarks.classics import CLASSICS, N, made
from tests.benchmarks.records import report

ROUNDS = 3
AIM = 0.05
"""Seconds that a run takes at least."""


def seconds(problem: Problem, moves: Neighborhood) -> tuple[float, Any]:
    """Processor seconds of an iteration, the median of some runs less their starts, and the cost after four of them."""
    model, search, found = IterationLevel("host", threads=1), TabuSearch(moves), []

    def taken(iterations: int) -> tuple[float, Any]:
        begin = process_time()
        result = run(search, problem, stop=stop.iterations(iterations), seed=1, parallel=model)
        return process_time() - begin, result.cost

    _, cost = taken(4)  # and compiles
    iterations = 1
    while taken(1 + iterations)[0] - taken(1)[0] < AIM:
        iterations *= 4
    for _ in range(ROUNDS):
        start, _ = taken(1)
        found.append((taken(1 + iterations)[0] - start) / iterations)
    return median(found), cost


def rows() -> Iterator[str]:
    """A row a problem; the variants reach the same cost."""
    for each in CLASSICS:
        derived = made(each, "Derived", cost=each.cost, derives=True)
        (work,) = (one.work for one in derivation_of(derived, each.moves.move_types).methods if one.work)
        alone, cost = seconds(made(each, "Alone", cost=each.cost, derives=False), each.moves)
        mine, one = seconds(derived, each.moves)
        assert one == cost, each.name
        by_hand, ratio = "", ""
        if each.by_hand:
            hand, other = seconds(made(each, "ByHand", cost=each.cost, **each.by_hand), each.moves)
            assert other == cost, each.name
            by_hand, ratio = f"{hand * 1e6:,.1f}", f"{hand / mine:.2f}"
        times = f"{alone * 1e6:,.0f} | {mine * 1e6:,.1f} | {by_hand}"
        yield f"| {each.name} | {each.kind} | {work} | {times} | {alone / mine:,.0f} | {ratio} |"


if __name__ == "__main__":
    columns = (
        "",
        "the cost is a",
        "a move",
        "cost alone, µs",
        "derived, µs",
        "by hand, µs",
        "alone / derived",
        "by hand / derived",
    )
    report("derived", f"processor time of an iteration of tabu search, n = {N}, a core", columns, rows())
