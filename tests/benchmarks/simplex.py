"""Bounds by the simplex method beside those that the trees keep, at the root: how far apart, and how long.

``python -m tests.benchmarks.simplex [--save]``, with METAHEUR_DATA, takes some seconds on a core.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, Final

import numpy as np
from scipy.optimize import linprog

from metaheur import run, stop
from metaheur.parallel import IterationLevel
from metaheur.problems import Knapsack
from metaheur.problems.trees import MultiKnapsackTree
from metaheur.tree import BranchAndBound, DepthFirst
from tests.benchmarks.records import report

FILES: Final = {"5.100": 1, "5.250": 2, "10.100": 4, "10.250": 5, "30.100": 7}
"""The file of each size, constraints before items."""

INSTANCES: Final = (1, 11, 21)
"""Of a file, those of three capacities."""

SECONDS: Final = 1.0


def by_simplex(knapsack: Any) -> tuple[float, float]:
    """The optimum with divided items, by the dual simplex method, and its seconds."""
    began = perf_counter()
    found = linprog(
        -knapsack.profits, A_ub=knapsack.weights, b_ub=knapsack.capacities, bounds=(0, 1), method="highs-ds"
    )
    return -float(found.fun), perf_counter() - began


def by_tree(knapsack: Any) -> tuple[int, float]:
    """The bound of the root of the tree, and the seconds of a node on a core."""
    search, model = BranchAndBound(MultiKnapsackTree(), order=DepthFirst(1 << 12)), IterationLevel("host", threads=1)
    run(search, knapsack, stop=stop.iterations(1), parallel=model)  # compiles
    result = run(search, knapsack, stop=stop.seconds(SECONDS), parallel=model)
    return int(MultiKnapsackTree().root(knapsack)["most"]), result.seconds / result.evaluated


def rows() -> Iterator[str]:
    """For each size both bounds, and the times of both."""
    folder = Path(os.environ["METAHEUR_DATA"]) / "knapsack"
    for name, file in FILES.items():
        above, times = [], []
        for number in INSTANCES:
            knapsack = Knapsack.from_file(folder / f"mkp_orlib/mknapcb{file}.txt", number=number)
            (divided, one), (most, node) = by_simplex(knapsack), by_tree(knapsack)
            assert most >= np.floor(divided + 1e-6), "a Lagrangian bound is never below the one of divided items"
            above.append(100 * (most / np.floor(divided + 1e-6) - 1))
            times.append((1e6 * one, 1e6 * node))
        simplex, nodes = (median(each) for each in zip(*times, strict=True))
        yield f"| {name} | {max(above):.4f} | {simplex:,.0f} | {nodes:.3f} | {simplex / nodes:,.0f} |"


if __name__ == "__main__":
    report(
        "simplex_bounds",
        "bounds of knapsacks with several constraints, three instances of a size, medians on a core",
        ("", "ours above the simplex's, % at most", "simplex, µs", "a node of the tree, µs", "ratio"),
        rows(),
    )
