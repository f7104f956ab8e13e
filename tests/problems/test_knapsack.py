"""Knapsack: profits, violations and changes of cost against loops, with one constraint and with several."""

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaheur import TabuSearch, run, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.neighborhoods.hamming import Hamming
from metaheur.problems.formats.or_library import read_mkp
from metaheur.problems.formats.pisinger import read_pisinger
from metaheur.problems.knapsack import Knapsack
from metaheur.problems.knapsack_multipliers import SCALE, fitting, multipliers
from metaheur.random import START, Key, Random
from metaheur.representation import BitString
from metaheur.testing import check_problem

LIMIT = 2**61
constraints = pytest.mark.parametrize("m", [1, 2, 7])


def knapsack_of(profits: Any, weights: Any, capacities: Any) -> Knapsack:
    return Knapsack(profits, weights, capacities)


def instance(n: int, m: int, scale: int = 1) -> Knapsack:
    random = np.random.default_rng(10 * n + m)
    weights = random.integers(0, 50, (m, n)) * scale
    return Knapsack(random.integers(0, 90, n) * scale, weights, weights.sum(axis=1) // 2)


def cost_by_loops(problem: Knapsack, x: Any) -> int:
    violation: int = 0
    for row, capacity in zip(problem.weights.tolist(), problem.capacities.tolist(), strict=True):
        violation += max(0, sum(w for w, bit in zip(row, x, strict=True) if bit) - capacity)
    if violation:
        return violation
    return -sum(int(p) for p, bit in zip(problem.profits.tolist(), x, strict=True) if bit)


def all_strings(n: int) -> np.ndarray:
    return np.array(list(product((0, 1), repeat=n)), np.uint8)


@constraints
def test_the_cost_is_the_violation_or_the_negative_of_the_profit(m: int) -> None:
    problem, rows = instance(7, m), all_strings(7)
    assert [problem.cost(x) for x in rows] == [cost_by_loops(problem, x) for x in rows]
    assert problem.costs(rows).tolist() == [problem.cost(x) for x in rows]
    assert type(problem.cost(rows[0])) is type(problem.cost(rows[-1])) is int


whole = st.integers(0, 30)


@given(st.lists(st.tuples(whole, whole, whole), min_size=1, max_size=6), whole, whole)
def test_no_infeasible_solution_beats_a_feasible_one(items: list[tuple[int, ...]], first: int, second: int) -> None:
    profits, *weights = zip(*items, strict=True)
    problem = knapsack_of(profits, weights, [first, second])
    rows = all_strings(len(items))
    feasible = (rows @ np.array(weights).T <= [first, second]).all(axis=1)
    costs = problem.costs(rows)
    assert costs[feasible].max() <= 0
    assert (costs[~feasible] > 0).all()
    assert [problem.violation(x) > 0 for x in rows] == (~feasible).tolist()


@constraints
@pytest.mark.parametrize("n", [1, 2, 9])
def test_every_change_of_cost_is_right(m: int, n: int) -> None:
    radii = (1, 2, 3, 4) if n == 9 else (1, 2)
    for seed in range(5):
        check_problem(instance(n, m), *map(Hamming, radii), seed=seed, devices=[])


@constraints
@pytest.mark.parametrize("radius", [1, 4])
def test_the_cpp_half_says_the_same(m: int, radius: int, compiling: Device) -> None:
    for n in (1, 2, 9):
        check_problem(instance(n, m), Hamming(radius), devices=[compiling.name])


def test_one_constraint_is_a_special_case() -> None:
    one, same = Knapsack.single([6, 5, 4], [3, 2, 2], 4), knapsack_of([6, 5, 4], [[3, 2, 2]], [4])
    assert one.weights.tolist() == same.weights.tolist() == [[3, 2, 2]]
    assert one.capacities.tolist() == same.capacities.tolist() == [4]
    assert one.representation == BitString(3)
    assert one.displayed(one.cost(np.array([0, 1, 1]))) == 9


def test_int32_is_chosen_where_all_sums_fit() -> None:
    assert Knapsack.single([2**29], [2**28], 2**28 - 1).cost_type == "int32"
    assert Knapsack.single([2**29], [2**28], 2**28).cost_type == "int64"


@pytest.mark.parametrize(
    ("profits", "weights", "capacities", "reason"),
    [
        ([], [[]], [3], "and not be empty"),
        (
            [1, 2],
            [[1]],
            [3],
            r"`weights` must have a row for each capacity and a column for each profit, shape \(1, 2\)",
        ),
        ([1], [[1], [2]], [3], r"shape \(1, 1\), and not be empty, but has the shape \(2, 1\)"),
        ([-1], [[1]], [3], "`profits` must hold 0 or more, but holds -1"),
        ([1], [[-1]], [3], "`weights` must hold 0 or more, but holds -1"),
        ([1], [[1]], [-3], "`capacities` must hold 0 or more, but holds -3"),
        ([0.5], [[1]], [3], r"`profits` must hold whole numbers \(int64\), but holds 0\.5"),
        ([LIMIT - 4], [[1]], [3], f"add up to {LIMIT}, which overflows int64"),
    ],
)
def test_what_makes_no_instance_is_refused(profits: Any, weights: Any, capacities: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        knapsack_of(profits, weights, capacities)


def test_each_layout_is_read(tmp_path: Path) -> None:
    files = {
        "a.txt": "3 1 0\n6 5 4\n3 2 2\n4\n",
        "a.kp": "3\n4\n\n6 3\n5 2\n4 2\n",
        "a.csv": "a\nn 3\nc 4\nz 9\ntime 0.00\n1,6,3,0\n2,5,2,1\n3,4,2,1\n-----\n\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
        problem = Knapsack.from_file(tmp_path / name)
        assert problem.profits.tolist() == [6, 5, 4]
        assert problem.weights.tolist() == [[3, 2, 2]]
        assert problem.capacities.tolist() == [4]


def test_the_second_instance_of_a_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "two").write_text("2\n1 1 0 5 6 7\n1 1 0 8 9 10\n")
    assert Knapsack.from_file(tmp_path / "two", number=2).profits.tolist() == [8]
    with pytest.raises(InputError, match=r"`number` must be a whole number in 1 \.\.\. 2, but is 3"):
        Knapsack.from_file(tmp_path / "two", number=3)


def test_a_named_layout_wins_over_the_files_name_and_an_unknown_one_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("1 4\n6 3\n")
    assert Knapsack.from_file(tmp_path / "a.csv", layout="kp").capacities.tolist() == [4]
    with pytest.raises(InputError, match="`layout` must be 'mkp', 'kp' or 'pisinger', but is 'lp'"):
        Knapsack.from_file(tmp_path / "a.csv", layout="lp")


def test_published_solutions_have_their_published_profits(data_folder: Path) -> None:
    seen = 0
    for path in sorted((data_folder / "knapsack" / "pisinger_csv").glob("*.csv")):
        for published in read_pisinger(path):
            problem = Knapsack.from_instance(published)
            assert problem.displayed(problem.cost(published.solution)) == published.optimum, published.name
            seen += 1
    assert seen


def test_the_best_of_all_solutions_has_the_published_optimum(data_folder: Path) -> None:
    for published in read_mkp(data_folder / "knapsack" / "mkp_orlib" / "mknap1.txt")[:3]:
        problem = Knapsack.from_instance(published)
        best = problem.displayed(problem.costs(all_strings(len(problem.profits))).min())
        assert best * published.factor == published.optimum


def test_a_tabu_search_finds_the_published_optimum(data_folder: Path) -> None:
    path = data_folder / "knapsack" / "kplib" / "05SubsetSum_n00100_R01000_s000.kp"
    problem = Knapsack.from_file(path)
    result = run(TabuSearch(Hamming(2), tenure=(0.1, 0.3)), problem, stop=stop.iterations(500), seed=1, parallel="host")
    assert result.cost == problem.capacities[0]


def test_a_file_is_read_in_the_layout_that_it_has_and_a_broken_one_is_told_the_layouts(tmp_path: Path) -> None:
    path = tmp_path / "three.txt"
    path.write_text("3 10\n5 4\n6 5\n7 6\n", encoding="utf-8")
    assert Knapsack.from_file(path).capacities.tolist() == [10]
    assert Knapsack.from_file(path, layout="kp").capacities.tolist() == [10]
    path.write_text("3 10\n5 4\n6 5\n7 six\n", encoding="utf-8")
    with pytest.raises(
        InputError, match=r"read in the layout 'mkp', as no other was named.*\n.*layout=\"kp\" or layout="
    ):
        Knapsack.from_file(path)
    with pytest.raises(InputError, match="is truncated") as caught:
        Knapsack.from_file(path, layout="mkp")
    assert "layout=" not in str(caught.value)
    with pytest.raises(InputError, match="none") as caught:
        Knapsack.from_file(tmp_path / "none")
    assert "layout=" not in str(caught.value)


def test_a_core_has_the_items_whose_profits_are_nearest_to_their_prices() -> None:
    problem = instance(60, 3)
    prices = multipliers(problem)
    apart = [abs(int(problem.profits[k]) * 2**SCALE - int(prices @ problem.weights[:, k])) for k in range(60)]
    nearest = sorted(range(60), key=lambda k: (apart[k], k))
    assert prices.any()
    assert problem.core(20).tolist() == sorted(nearest[:20])
    assert problem.core(99).tolist() == [*range(60)]


def test_a_core_needs_no_multipliers() -> None:
    problem = instance(8, 1, scale=2**40)
    assert len(problem.core(3)) == 3


def test_cores_are_searched_where_they_leave_items_out() -> None:
    names = {n: [each.name for each in instance(n, 3).recommended()] for n in (50, 51)}
    assert names == {50: ["iterated tabu search"], 51: ["iterated tabu search in the core", "iterated tabu search"]}
    assert len(instance(60, 1).recommended()) == 1


def test_a_search_in_the_core_is_the_same_on_every_device(compiling: Device) -> None:
    problem = instance(60, 3)
    search = problem.recommended()[0].search
    results = [
        run(search, problem, stop=stop.iterations(20), start="construct", parallel=each)
        for each in ("numpy", compiling.name)
    ]
    assert np.array_equal(results[0].solution, results[1].solution)
    assert results[0].evaluated == results[1].evaluated
    others = np.setdiff1d(np.arange(60), problem.core(50))
    assert np.array_equal(results[0].solution[others], problem.construct(Random(Key(0), START, 0))[others])


def test_items_that_fit_in_an_order_are_those_that_fit_one_by_one() -> None:
    generator = np.random.default_rng(0)
    for _ in range(100):
        n, m = (int(generator.integers(1, most)) for most in (30, 4))
        weights, capacities = generator.integers(0, 9, (m, n)), generator.integers(0, 40, m)
        order, left, taken = generator.permutation(n), capacities.copy(), []
        for item in order.tolist():
            if (weights[:, item] <= left).all():
                taken.append(item)
                left = left - weights[:, item]
        assert fitting(Knapsack(np.ones(n, int), weights, capacities), order).tolist() == taken
