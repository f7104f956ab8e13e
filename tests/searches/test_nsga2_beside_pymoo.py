"""NSGA-II finds as much as pymoo's, by hypervolumes of thirty runs each; those of pymoo 0.6.2 are recorded."""

import json
from typing import Any

import numpy as np
import pytest

from metaheur import Search, stop
from tests.benchmarks.test_fronts import CHILDREN, CORNER, RECORDED, RECORDED_SEEDS, TOYS, ours, toy

OPTIMIZED = True  # many iterations
RUNS = len(RECORDED_SEEDS)
DEVIATION = np.sqrt(RUNS * RUNS * (2 * RUNS + 1) / 12)
"""Of the number of pairs in which ours is larger, if both had the same distribution (Mann and Whitney 1947)."""


def pairs_won(search: Search[Any], kind: str, children: int) -> float:
    """In how many of all pairs of runs our hypervolume is the larger one; half a pair where both are equal."""
    recorded = np.array(json.loads(RECORDED.read_text(encoding="utf-8"))[kind])
    fronts = (ours(search, toy(), seed, stop.iterations(children - 1)) for seed in RECORDED_SEEDS)
    found = np.array([front.hypervolume(CORNER) for front in fronts])
    assert len(recorded) == RUNS
    larger, equal = found[:, None] > recorded, found[:, None] == recorded
    return float(larger.sum() + equal.sum() / 2)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("NSGA-II", "comp_by_rank_and_crowding"),
        pytest.param("NSGA-II, parents by dominance", "comp_by_dom_and_crowding", marks=pytest.mark.thorough),
    ],
)
def test_nsga2_finds_as_much_as_that_of_pymoo(name: str, kind: str) -> None:
    assert abs(pairs_won(TOYS[name], kind, CHILDREN) - RUNS**2 / 2) < 3 * DEVIATION
    assert pairs_won(TOYS[name], kind, CHILDREN // 5) < RUNS**2 / 2 - 3 * DEVIATION  # so a loss would be seen
