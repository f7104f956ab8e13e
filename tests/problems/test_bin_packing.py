"""Bin packing: levels, exact changes of cost, files, and as few bins as can be."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaheur import IteratedLocalSearch, run, solve, stop
from metaheur.command.main import main
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.lists import CrossExchange, Relocate, RuinAndRecreate
from metaheur.loops import NoSearch
from metaheur.neighborhoods import Union
from metaheur.parts import BetterOrEqual
from metaheur.problems import BinPacking, problem_from_file
from metaheur.problems.formats.bpplib import read_bins, write_bins
from metaheur.random import START, Key, Random
from metaheur.testing import check_problem, check_search
from tests.helpers import solution_of

MOVES = Union(Relocate(1), CrossExchange(1))


def drawn(n: int = 7, seed: int = 1, bins: int = 4, capacity: int = 20) -> BinPacking:
    return BinPacking(np.random.default_rng(seed).integers(2, 12, n), capacity, bins)


def levels_of(problem: BinPacking, bins: list[list[int]]) -> tuple[int, int, int]:
    """Overload, bins that are used, and gaps, bin by bin."""
    loads = [sum(int(problem.weights[each]) for each in items) for items in bins if items]
    over = sum(max(0, load - problem.capacity) for load in loads)
    unit = -(-problem.capacity // 1000)
    return over, len(loads), sum(max(0, (problem.capacity // unit) ** 2 - (load // unit) ** 2) for load in loads)


@pytest.mark.parametrize("capacity", [20, 5000])
def test_a_cost_has_the_levels_of_the_bins(capacity: int) -> None:
    problem = drawn(capacity=capacity)
    for seed in range(10):
        x = solution_of(problem, seed)
        bins = problem.representation.split(x)
        assert problem.cost(x) == levels_of(problem, bins)
        assert problem.loads(x).tolist() == [sum(int(problem.weights[each]) for each in items) for items in bins]


def test_changes_of_cost_are_exact(compiling: Device) -> None:
    assert "never used" not in str(check_problem(drawn(), MOVES, devices=[compiling.name]))


def test_searches_walk_the_same_way(compiling: Device) -> None:
    problem = drawn(9)
    removal = RuinAndRecreate(problem.nearest(5), problem.orders, average=3, longest=2)
    check_search(IteratedLocalSearch(NoSearch(), removal, BetterOrEqual()), problem, devices=[compiling.name])


def test_as_few_bins_are_found_as_there_can_be() -> None:
    weights = np.array([6, 6, 5, 5, 4, 4])  # first fit decreasing takes 4 bins of 10
    problem = BinPacking(weights, 10, 4)
    best = min(
        levels_of(problem, [[k for k in range(6) if where[k] == b] for b in range(4)])
        for where in product(range(4), repeat=6)
    )
    assert best[:2] == (0, 3)
    (search,) = [each.search for each in problem.recommended()]
    found = run(search, problem, stop=stop.iterations(200), seed=1, parallel="numpy", start="construct")
    assert found.cost == best
    start = problem.construct(Random(Key(1), START, 0))
    assert sorted(each for items in problem.representation.split(start) for each in items) == [*range(6)]
    assert BinPacking(weights, 10, 2).construct(Random(Key(1), START, 0)).lists  # type: ignore[attr-defined]


def test_files_are_written_and_read_back(tmp_path: Path) -> None:
    path = tmp_path / "N1.txt"
    write_bins(path, [7, 5, 3, 2], 10)
    assert (read_bins(path)[0].tolist(), read_bins(path)[1]) == ([7, 5, 3, 2], 10)
    problem = problem_from_file(path)
    assert isinstance(problem, BinPacking)
    assert problem.bins == 2
    path.write_text("2\n10\n7 1\n3 4\n")  # cutting stock
    assert read_bins(path)[0].tolist() == [7, 3, 3, 3, 3]
    assert problem_from_file(path, bins=9).representation.lists == 9  # type: ignore[attr-defined]
    path.write_text("3\n10\n7\n3\n")
    with pytest.raises(InputError, match="expected 3 numbers"):
        BinPacking.from_file(path)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"weights": [0]}, r"The weight of item 0 must be in 1 \.\.\. 5"),
        ({"weights": [6]}, r"The weight of item 0 must be in 1 \.\.\. 5"),
        ({"bins": 0}, "There must be an item, and `capacity` and `bins` be at least 1"),
    ],
)
def test_wrong_fields_are_refused(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        BinPacking(**{"weights": [1], "capacity": 5, "bins": 1, **fields})


def test_one_command_packs_a_file(tmp_path: Path) -> None:
    path, out = tmp_path / "u120.txt", tmp_path / "found.sol"
    weights = np.random.default_rng(3).integers(20, 101, 120)
    write_bins(path, weights.tolist(), 150)
    assert main(["solve", str(path), "--work", "1000000", "--quiet", "--out", str(out)]) == 0
    lines = out.read_text().splitlines()
    bins = [[int(each) - 1 for each in line.split(":")[1].split()] for line in lines[:-1]]
    bins = [items for items in bins if items]
    assert lines[-1] == f"Cost 0 {len(bins)} {levels_of(BinPacking(weights, 150, 99), bins)[2]}"
    assert sorted(each for items in bins for each in items) == [*range(120)]
    assert max(int(weights[items].sum()) for items in bins) <= 150
    assert len(bins) <= -(-int(weights.sum()) // 150) + 1
    assert main(["show", str(out), str(path)]) == 0
    found = solve(drawn(12, 2, 12), work=20_000, seed=1)
    assert found.feasible


def test_the_heaviest_items_go_first_each_into_the_first_bin_that_holds_it() -> None:
    random = np.random.default_rng(1)
    for n in range(1, 30):
        weights = random.integers(1, 20, n)
        bins: list[list[int]] = [[] for _ in weights]
        for item in np.argsort(-weights, kind="stable").tolist():
            next(each for each in bins if weights[[*each, item]].sum() <= 19).append(item)
        problem = BinPacking(weights, 19, n)
        made = problem.representation.split(problem.construct(Random(Key(1), START, 0)))
        assert [list(each) for each in made] == bins


@pytest.mark.parametrize(("n", "unit"), [(3000, 1), (30_000, 28)])
def test_gaps_are_coarser_where_levels_of_many_items_would_not_fit(n: int, unit: int) -> None:
    weights = np.full(n, 250)
    problem = BinPacking(weights, 1000, n // 4)
    assert problem.gap_unit == unit
    assert problem.cost(problem.representation.join(np.arange(n).reshape(-1, 4).tolist())) == (0, n // 4, 0)
