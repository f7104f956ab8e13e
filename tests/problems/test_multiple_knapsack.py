"""Multiple knapsacks: profits, violations and changes of cost against loops, and an optimum that is published."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from metaheur import run, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.neighborhoods import Substitution
from metaheur.problems import MultipleKnapsack
from metaheur.testing import check_problem


def knapsacks(profits: Any, weights: Any, capacities: Any) -> MultipleKnapsack:
    return MultipleKnapsack(profits, weights, capacities)


MARTELLO_TOTH = knapsacks(
    [78, 35, 89, 36, 94, 75, 74, 79, 80, 16],
    [18, 9, 23, 20, 59, 61, 70, 75, 76, 30],
    [103, 156],
)
"""An example of S. Martello and P. Toth, Knapsack Problems, 1990, chapter 6; the optimum is 452."""


def cost_by_loops(problem: MultipleKnapsack, x: Any) -> int:
    profit = violation = 0
    for knapsack, capacity in enumerate(problem.capacities.tolist(), 1):
        inside = [item for item, place in enumerate(x) if place == knapsack]
        profit += sum(int(problem.profits[item]) for item in inside)
        violation += max(0, sum(int(problem.weights[item]) for item in inside) - capacity)
    return violation or -profit


def test_the_cost_is_the_violation_or_the_negative_of_the_profit() -> None:
    problem = knapsacks([6, 5, 4, 0, 9, 3], [3, 2, 2, 5, 0, 4], [4, 0, 6])
    rows = np.array(list(product(range(4), repeat=6)), np.int32)
    assert [problem.cost(x) for x in rows] == [cost_by_loops(problem, x) for x in rows]
    assert problem.costs(rows).tolist() == [problem.cost(x) for x in rows]
    assert {problem.violation(x) > 0 for x in rows} == {False, True}


def test_the_published_optimum_is_the_optimum_and_is_found() -> None:
    rows = np.array(list(product(range(3), repeat=10)), np.int32)
    assert MARTELLO_TOTH.costs(rows).min() == -452
    for each in MARTELLO_TOTH.recommended():
        result = run(each.search, MARTELLO_TOTH, stop=stop.iterations(300), seed=1, start=each.start, parallel="numpy")
        assert result.cost == 452


@pytest.mark.parametrize("m", [1, 4])
@pytest.mark.parametrize("scale", [1, 2**45])
def test_both_halves_have_every_change_of_cost(m: int, scale: int, compiling: Device) -> None:
    random = np.random.default_rng(m)
    weights = random.integers(0, 30, 9)
    capacities = np.full(m, weights.sum() // (2 * m))
    problem = knapsacks(random.integers(0, 50, 9) * scale, weights * scale, capacities * scale)
    assert problem.cost_type == ("int32" if scale == 1 else "int64")
    check_problem(problem, Substitution(), devices=[compiling.name])


@pytest.mark.parametrize(
    ("profits", "weights", "capacities", "reason"),
    [
        ([], [], [1], "there are 0 profits, 0 weights and 1 capacities"),
        ([1, 2], [1], [1], "there are 2 profits, 1 weights and 1 capacities"),
        ([1], [1], [], "there are 1 profits, 1 weights and 0 capacities"),
        ([1], [-1], [1], "`weights` must hold 0 or more, but holds -1"),
        ([2**60], [2**59], [2**59], f"Profits, weights and capacities add up to {2**61}, which overflows int64"),
    ],
)
def test_what_makes_no_instance_is_refused(profits: Any, weights: Any, capacities: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        knapsacks(profits, weights, capacities)
