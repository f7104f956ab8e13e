"""Runs of every composition, as digests: what a change of the code must leave as it is.

``python -m tests.trajectories`` writes them anew to trajectories.json, where a change of trajectories is meant.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np

from metaheur import Result, run, stop
from metaheur.loops import CandidateDescent
from metaheur.neighborhoods import OrOpt, TwoOpt, Union
from metaheur.parts import SegmentReversal
from metaheur.problem import Problem
from metaheur.problems import TSP
from metaheur.search import Search
from metaheur.searches import IteratedLocalSearch, TourPartitioning
from metaheur.tree import BranchAndBound
from tests.compositions import FRONTS, LOOPS
from tests.tree.trees import TREES

STORED = Path(__file__).with_suffix(".json")

SLOW = {"tabu, solutions by edges": 12, "tabu, edges of candidates": 12, "tabu, a probe": 20}
"""Iterations of those whose steps take long in Python."""


def compositions() -> dict[str, tuple[Problem, Search[Any], int]]:
    """Every composition by its name: a problem, a search, and how many iterations are looked at."""
    tour = TSP.random(100, 1)
    descent = CandidateDescent(Union(TwoOpt(), OrOpt()), tour.nearest(5))
    kicks = IteratedLocalSearch(descent, SegmentReversal(30))
    trees = {
        f"tree, {name}": (problem, BranchAndBound(parts.branching, parts.bound, dominance=parts.dominance), 3)
        for name, (parts, problem) in TREES.items()
    }
    fronts = {f"front, {name}": (problem, search, 9) for name, (problem, search) in FRONTS.items()}
    return {
        **{name: (problem, loop, SLOW.get(name, 120)) for name, (problem, loop) in LOOPS.items()},
        **fronts,
        **trees,
        "tours in parts": (tour, TourPartitioning(kicks, 20, 20), 4),
    }


def digest(result: Result) -> str:
    """A hash of the solutions, the counts and the way of the best cost."""
    way = [(each.iteration, each.cost, each.walk) for each in result.improvements]
    counts = (result.iterations, result.evaluated, result.cost, result.stopped_by, way)
    found = hashlib.sha256(repr(counts).encode())
    rows = [result.solution] if result.front is None else [*result.front.costs, *result.front.solutions]
    for row in rows:
        found.update(np.ascontiguousarray(row).astype("<i8").tobytes())
    if result.proof is not None:
        found.update(repr((result.proof.counts, result.proof.bound, result.proof.status)).encode())
    return found.hexdigest()[:16]


def followed(name: str, device: str = "numpy") -> str:
    """The digest of a composition's run on a device."""
    problem, search, iterations = compositions()[name]
    return digest(run(search, problem, stop=stop.iterations(iterations), seed=7, parallel=device))


def main() -> None:
    """Write all digests."""
    stored = {name: followed(name) for name in compositions()}
    STORED.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")
    print(f"{len(stored)} trajectories in {STORED}")


if __name__ == "__main__":
    main()
