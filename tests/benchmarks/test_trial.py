"""Problems in compiled Python alone, as the examples have them, beside C++ halves that were written by hand.

By hand: ``python -m tests.benchmarks.test_trial [device [words of names ...]]``. A row has the lines of the problem
and, for all moves and for a tabu search, the speed of compiled Python as a multiple of that of C++ (the least and the
greatest in brackets) and the moves or iterations a second by C++: medians of rounds side by side, on one core by
processor time.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pytest
from attrs import fields, frozen

from metaheur import Neighborhood, Problem, data
from metaheur.device.names import device_of
from metaheur.evaluators.device import DeviceNeighborhoodEvaluator
from metaheur.neighborhoods import Hamming, Insertion, Substitution, Swap
from tests.benchmarks.records import arguments, report
from tests.benchmarks.test_compiled import compared, tabu, whole
from tests.helpers import evaluated, solution_of

EXAMPLES = Path(__file__).parents[2] / "examples"
BY_HAND = Path(__file__).parent / "by_hand"


class Case(NamedTuple):
    """A problem of an example, its C++ by hand, and an instance in a neighborhood."""

    example: str
    kind: str
    half: str
    instance: Callable[[np.random.Generator], tuple[Any, ...]]
    neighborhood: Neighborhood


def _paths(random: np.random.Generator, n: int) -> np.ndarray:
    """The lengths of shortest paths of a random graph."""
    paths: np.ndarray = np.where(random.random((n, n)) < 0.1, random.integers(10, 60, (n, n)), 9999)
    paths = np.minimum(paths, paths.T) * (1 - np.eye(n, dtype=int))
    for v in range(n):  # Floyd and Warshall
        paths = np.minimum(paths, paths[:, v, None] + paths[v])
    return paths


def _customers(random: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray, int]:
    """Distances of places in a square, the depot last; demands, and a capacity."""
    places = random.integers(0, 1001, (n + 1, 2))
    distances = np.rint(np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1)))
    return distances, random.integers(1, 21, n), 100


def _jobs(random: np.random.Generator, n: int, machines: int) -> tuple[np.ndarray, np.ndarray]:
    order = random.permuted(np.tile(np.arange(machines), (n, 1)), axis=1)
    return order, random.integers(1, 100, (n, machines))


def _clauses(random: np.random.Generator, variables: int, clauses: int) -> tuple[int, np.ndarray, np.ndarray]:
    """Literals of clauses of three, in the order of the variables."""
    rows = [(v, c, random.integers(2)) for c in range(clauses) for v in random.permutation(variables)[:3]]
    found = np.array(sorted(rows))
    return clauses, np.searchsorted(found[:, 0], range(variables + 1)), found


def _due(random: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    times = random.integers(1, 101, n)
    return times, random.integers(1, 11, n), random.integers(0, times.sum(), n)


CASES = {
    "Steiner tree, 100 vertices": Case(
        "30_steiner_tree", "SteinerTree", "steiner_tree", lambda random: (_paths(random, 100), 20), Hamming(1)
    ),
    "vehicle routing, 100 customers": Case(
        "33_vehicle_routing", "VehicleRouting", "vehicle_routing", lambda random: _customers(random, 100), Swap()
    ),
    "strip packing, 60 rectangles": Case(
        "25_decoders", "Strip", "strip", lambda random: (40, random.integers(2, 13, (60, 2))), Insertion()
    ),
    "job shop, 15 x 15": Case("25_decoders", "JobShop", "job_shop", lambda random: _jobs(random, 15, 15), Insertion()),
    "social golfer, 7 weeks, 8 groups of 4": Case(
        "29_social_golfer", "SocialGolfer", "social_golfer", lambda random: (7, 8, 32), Substitution()
    ),
    "feedback arcs, 100 vertices": Case(
        "27_small_problems",
        "FeedbackArcs",
        "feedback_arcs",
        lambda random: (random.integers(0, 9, (100, 100)),),
        Insertion(),
    ),
    "bin packing, 120 items": Case(
        "27_small_problems", "BinPacking", "bin_packing", lambda random: (random.integers(20, 101, 120), 150), Swap()
    ),
    "max-SAT, 200 variables, 860 clauses": Case(
        "26_max_sat", "MaxSat", "max_sat", lambda random: _clauses(random, 200, 860), Hamming(1)
    ),
    "NK landscape, n = 200, k = 4": Case(
        "31_nk_landscape",
        "NKLandscape",
        "nk_landscape",
        lambda random: (random.integers(0, 100, (200, 32)), 4),
        Hamming(1),
    ),
    "weighted tardiness, 100 jobs": Case(
        "32_weighted_tardiness", "WeightedTardiness", "weighted_tardiness", lambda random: _due(random, 100), Swap()
    ),
}


def problem_of(case: Case) -> tuple[Any, int]:
    """The instance of an example's class, and the lines of the class that are not empty; nothing else of it is run."""
    path = EXAMPLES / f"{case.example}.py"
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    tree.body = [each for each in tree.body if isinstance(each, ast.Import | ast.ImportFrom | ast.ClassDef)]
    module = sys.modules[f"example_{case.example}"] = ModuleType(f"example_{case.example}")
    exec(compile(tree, str(path), "exec"), vars(module))
    made = next(each for each in tree.body if isinstance(each, ast.ClassDef) and each.name == case.kind)
    first = made.decorator_list[0].lineno - 1
    lines = [line for line in text.splitlines()[first : made.end_lineno] if line.strip()]
    return vars(module)[case.kind](*case.instance(np.random.default_rng(1))), len(lines)


def by_hand(problem: Any, half: str) -> Any:
    """The same instance, with a C++ half of a file."""
    kind = type(problem)
    members = {
        "source": BY_HAND / f"{half}.cuh",
        "maximise": kind.maximise,
        "cost_type": problem.cost_type,
        "representation": property(lambda self: problem.representation),
        "state": lambda self, representation: problem.state(representation),
        "cost": lambda self, x: problem.cost(x),
    }
    made = {each.name: data(each.metadata["data"][0], ndim=each.metadata["data"][1]) for each in fields(kind)}
    copied = frozen(type(kind.__name__, (Problem,), members), these=made, eq=False)
    return copied(*(getattr(problem, name) for name in made))


HEAD = (
    "rate of compiled Python over that of C++ by hand, medians of nine rounds (extremes)",
    ("", "lines", "all moves", "moves/s by hand", "tabu search", "iterations/s by hand"),
)
"""The title and the columns of the table."""


def rows(device: str, *words: str) -> Iterator[str]:
    """A row for each problem, or for those with one of some words; both halves give the same changes of cost."""
    for name, case in CASES.items():
        if words and not any(word in name for word in words):
            continue
        problem, lines = problem_of(case)
        pair = problem, by_hand(problem, case.half)
        start = evaluated(problem, solution_of(problem))
        found = [
            DeviceNeighborhoodEvaluator(each, case.neighborhood, device_of(device), 1).deltas(start).copy()
            for each in pair
        ]
        assert np.array_equal(found[0], found[1])
        cells = " | ".join(compared(kind, pair, case.neighborhood, device) for kind in (whole, tabu))
        yield f"| {name} | {lines} | {cells} |"


@pytest.mark.benchmark(group="problems in Python alone")
def test_compiled_python_beside_cpp_by_hand(benchmark: Any, capsys: pytest.CaptureFixture[str]) -> None:
    found = benchmark.pedantic(lambda: list(rows("host")), rounds=1, iterations=1)
    with capsys.disabled():
        print("", *found, sep="\n")


if __name__ == "__main__":
    report("trial", *HEAD, rows(*arguments() or ("host",)))
