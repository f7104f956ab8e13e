"""How many moves a search evaluates in a second of the processor."""

from __future__ import annotations

from time import process_time
from typing import Any

from metaheur import Problem, Search, run, stop
from metaheur.parallel import IterationLevel

__all__ = ["rate"]

AIM = 0.6
"""Processor seconds of a measured run."""


def rate(search: Search[Any], problem: Problem) -> float:
    """Moves evaluated in a second of the processor, beyond a run of one iteration."""
    model = IterationLevel("host", threads=1)
    start = "construct" if hasattr(problem, "construct") else None

    def taken(iterations: int) -> tuple[float, int]:
        begin = process_time()
        result = run(search, problem, stop=stop.iterations(iterations), seed=1, start=start, parallel=model)
        return process_time() - begin, result.evaluated

    taken(1)  # and compiles
    begins, iterations = taken(1)[0], 100
    while taken(iterations)[0] - begins < AIM / 4:
        iterations *= 4
    seconds, evaluated = taken(2 * iterations)
    return evaluated / (seconds - begins)
