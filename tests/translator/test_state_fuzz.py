"""Random costs that are folds, and random kept arrays that are sums of what positions contribute.

Every change of cost of a fold is the difference of two whole folds in Python. What follows the moves of a walk is what
`init` makes of the new solution.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaheur import Neighborhood
from metaheur.device.device import Device
from metaheur.device.host.openmp import has_openmp
from metaheur.device.names import device_of
from metaheur.neighborhoods import AdjacentSwap, Hamming, Insertion, Substitution, Swap, TwoOpt
from metaheur.translator import fold_half
from metaheur.translator.exact import KeptArrays, exact_component
from metaheur.translator.facts import facts_of
from metaheur.translator.half import made_half
from metaheur.translator.joins import joins
from metaheur.translator.lanes import Unlike
from tests.translator import folds, longest, sums
from tests.translator.compared import difference, unit_of
from tests.translator.test_fuzz import loaded
from tests.translator.threads import Threads

MOVES: tuple[tuple[str, Neighborhood], ...] = (
    ("permutation", Swap()),
    ("permutation", Insertion()),
    ("permutation", TwoOpt()),
    ("permutation", AdjacentSwap()),
    ("digits", Substitution()),
    ("bits", Hamming(1)),
    ("bits", Hamming(2)),
)
FOLLOWED = tuple(case for case in MOVES if not isinstance(case[1], Insertion | TwoOpt))
"""The neighborhoods whose moves `contributions` follows."""


# ---- folds


def by_whole_folds(problem: Any, neighborhood: Neighborhood, x: np.ndarray) -> list[Any]:
    """The changes of cost of all moves."""
    cost = problem.cost(x)
    return [problem.cost(move.apply(x)) - cost for move in neighborhood.moves(problem.representation)]


def fold_differences(folder: Path, seed: int, count: int, device: Any, *, extremes: bool = False) -> list[str]:
    """Compare the programs of a class, whose kind the seed chooses; one unit is compiled for all."""
    space, neighborhood = MOVES[seed % len(MOVES)]
    cost, together = ("int64", "int32", "float64")[seed // len(MOVES) % 3], seed // 2 % 2 == 0
    writer = folds.Folds(seed, space=space, cost=cost, together=together, extremes=extremes)
    text = writer.module(seed, count)
    make = getattr(loaded(folder, text, f"folds_{seed}"), f"Folds{seed}")
    programs = [make(*folds.arrays(seed, cost), which) for which in range(count)]
    unit, looks = unit_of(programs[0], neighborhood, device), (("fold_facts", 0), ("fold_facts", 1))  # for kept states
    found = [difference(problem, unit, seed, by_whole_folds, looks) for problem in programs]
    return [each for each in found if each]


@pytest.mark.parametrize("seed", [4, *(pytest.param(seed, marks=pytest.mark.thorough) for seed in (8, 12, 19))])
def test_random_folds_change_as_whole_folds_say(seed: int, compiling: Device, tmp_path: Path) -> None:
    assert not fold_differences(tmp_path, seed, 4, compiling)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", [200, 207, 221])
def test_random_folds_that_start_at_extremes_change_as_whole_folds_say(seed: int, tmp_path: Path) -> None:
    assert not fold_differences(tmp_path, seed, 10, device_of("host"), extremes=True)


# ---- folds of sums and maxima


def longest_differences(folder: Path, seed: int, count: int, device: Any) -> list[str]:
    """Compare the programs of a class, whose kind the seed chooses; all of them join states and tails."""
    space, neighborhood = MOVES[seed % len(MOVES)]
    cost = ("int64", "int32")[seed // len(MOVES) % 2]
    text = longest.Longest(seed, space=space, cost=cost).module(seed, count)
    make = getattr(loaded(folder, text, f"longest_{seed}"), f"Folds{seed}")
    programs = [make(*longest.arrays(seed, cost), which) for which in range(count)]
    assert joins(facts_of(programs[0], programs[0].representation, cost_type=cost))
    unit, looks = unit_of(programs[0], neighborhood, device), (("fold_facts", 0), ("fold_facts", 1))
    found = [difference(problem, unit, seed, by_whole_folds, looks) for problem in programs]
    return [each for each in found if each]


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.thorough) for seed in (7, 4, 6, 10))])
def test_random_sums_and_maxima_change_as_whole_folds_say(seed: int, compiling: Device, tmp_path: Path) -> None:
    assert not longest_differences(tmp_path, seed, 4, compiling)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", [0, 1])
def test_moves_that_are_evaluated_one_by_one_change_as_much(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def alone(*_: Any) -> Any:
        raise Unlike("this test says so")

    monkeypatch.setattr(fold_half, "lane_functions", alone)
    made_half.cache_clear()
    try:
        assert not longest_differences(tmp_path, seed, 4, device_of("host"))
    finally:
        made_half.cache_clear()


# ---- sums


def by_what_is_kept(problem: Any, neighborhood: Neighborhood, x: np.ndarray) -> list[Any]:
    """What the problem says of all moves, with kept arrays that `init` fills anew."""
    own = exact_component(problem)
    shapes = {"f": (len(x),), "g": (4, 3), "c": (len(x),)}
    kept = KeptArrays({name: np.zeros(shape, np.int32 if name == "c" else np.int64) for name, shape in shapes.items()})
    own.init(x.tolist(), kept)
    return [own.delta(x.tolist(), kept, move) for move in neighborhood.moves(problem.representation)]


def sum_differences(folder: Path, seed: int, count: int, device: Any) -> list[str]:
    """Compare the programs of a class, whose kind the seed chooses; one unit is compiled for all."""
    space, neighborhood = FOLLOWED[seed % len(FOLLOWED)]
    cost = ("int64", "int32")[seed // len(FOLLOWED) % 2]
    text = sums.Sums(seed, space=space, cost=cost).module(seed, count)
    make = getattr(loaded(folder, text, f"sums_{seed}"), f"Sums{seed}")
    programs = [make(*sums.arrays(seed), which) for which in range(count)]
    unit = unit_of(programs[0], neighborhood, device)
    found = [difference(problem, unit, seed, by_what_is_kept) for problem in programs]
    return [each for each in found if each]


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.thorough) for seed in (2, 4))])
def test_random_sums_follow_the_moves(seed: int, compiling: Device, tmp_path: Path) -> None:
    assert not sum_differences(tmp_path, seed, 10, compiling)


@pytest.mark.thorough
@pytest.mark.skipif(not has_openmp(), reason="the compiler has no OpenMP")
@pytest.mark.parametrize("seed", [5, 7])
def test_random_sums_follow_the_moves_in_a_team_of_threads(seed: int, tmp_path: Path) -> None:
    assert not sum_differences(tmp_path, seed, 10, Threads())
