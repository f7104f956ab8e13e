"""The memory of a tour of many cities: bytes a city that each step needs at most, and keeps.

By hand: ``python -m tests.benchmarks.test_tour_memory 1000000``. What the process has before is left out: the
interpreter, and the units that a small tour has compiled.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from metaheur import IteratedLocalSearch, LinKernighan, run, stop
from metaheur.parts import Annealed, DoubleBridge
from metaheur.problems import TSP
from tests.benchmarks.records import arguments, report, row_text

PAGE = 4096
"""Bytes of a page of memory, which Linux counts."""


def resident() -> int:
    """Bytes of this process in memory."""
    return PAGE * int(Path("/proc/self/statm").read_text().split()[1])


@contextmanager
def watched() -> Iterator[list[int]]:
    """A list with the most bytes that were seen every five milliseconds."""
    most, over = [resident()], threading.Event()

    def watch() -> None:
        while not over.wait(0.005):
            most[0] = max(most[0], resident())

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield most
    finally:
        over.set()
        thread.join()


def rows(n: int, ascents: int = 10) -> dict[str, tuple[float, float]]:
    """Bytes a city by steps: at most, and after the step, of all that was made so far."""
    found: dict[str, tuple[float, float]] = {}
    toured(1000, ascents, lambda _, work: work())
    before = resident()

    def step(name: str, work: Callable[[], Any]) -> Any:
        with watched() as most:
            made = work()
        found[name] = (most[0] - before) / n, (resident() - before) / n
        return made

    toured(n, ascents, step)
    return found


def toured(n: int, ascents: int, step: Callable[[str, Callable[[], Any]], Any]) -> None:
    """A tour of random cities, step by step."""
    tsp = step("cities", lambda: TSP.random(n, 1))
    candidates = step("five candidates by alpha", lambda: tsp.alpha_nearest(5, ascents))
    start = step("greedy tour", tsp.greedy_edge)
    search = IteratedLocalSearch(LinKernighan(candidates), DoubleBridge(50), Annealed(kicks=n))
    limit = stop.evaluations(20 * n)
    step("annealed kicks", lambda: run(search, tsp, stop=limit, start=start, seed=1, parallel="host"))


@pytest.mark.thorough
def test_a_tour_has_rows() -> None:
    found = rows(50_000, 1)
    assert len(found) == 4
    assert 0 < found["annealed kicks"][0] < 10_000


if __name__ == "__main__":
    cities = int(arguments()[0])
    lines = (row_text(name, values) for name, values in rows(cities).items())
    report("tour_memory", f"bytes a city, {cities:,} random cities", ("", "at most", "kept"), lines)
