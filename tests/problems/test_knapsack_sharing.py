"""Knapsack sharing: least profits, violations and changes of cost against loops, and optima of dynamic programming."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from metaheur import run, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.neighborhoods import Hamming
from metaheur.problems import KnapsackSharing
from metaheur.random import START, Key, Random
from metaheur.testing import check_problem


def sharing(profits: Any, weights: Any, groups: Any, capacity: Any) -> KnapsackSharing:
    return KnapsackSharing(profits, weights, groups, capacity)


def instance(n: int, groups: int, *, scale: int = 1) -> KnapsackSharing:
    random = np.random.default_rng(n)
    profits, weights = random.integers(0, 50, (2, n)) * scale
    return sharing(profits, weights, random.permutation(np.arange(n) % groups), int(weights.sum()) // 2)


def cost_by_loops(problem: KnapsackSharing, x: Any) -> int:
    taken = [item for item, bit in enumerate(x) if bit]
    excess = sum(int(problem.weights[item]) for item in taken) - problem.capacity
    profits = dict.fromkeys(problem.groups.tolist(), 0)
    for item in taken:
        profits[int(problem.groups[item])] += int(problem.profits[item])
    return excess if excess > 0 else -min(profits.values())


def optimum(problem: KnapsackSharing) -> int:
    """The greatest profit that the lightest items of all groups reach together, by dynamic programming."""
    lightest = []
    for group in range(problem.groups.max() + 1):
        least = {0: 0}  # the weight for each profit
        for item in np.flatnonzero(problem.groups == group):
            for profit, weight in list(least.items()):
                more, heavier = profit + int(problem.profits[item]), weight + int(problem.weights[item])
                least[more] = min(heavier, least.get(more, heavier))
        lightest.append(least)
    most = 0
    while all(max(least) > most for least in lightest):
        needs = [min(weight for profit, weight in least.items() if profit > most) for least in lightest]
        if sum(needs) > problem.capacity:
            break
        most += 1
    return most


def test_the_cost_is_the_violation_or_the_negative_of_the_least_profit() -> None:
    problem = instance(9, 3)
    rows = np.array(list(product((0, 1), repeat=9)), np.uint8)
    assert [problem.cost(x) for x in rows] == [cost_by_loops(problem, x) for x in rows]
    assert problem.costs(rows).tolist() == [problem.cost(x) for x in rows]
    assert {problem.violation(x) > 0 for x in rows} == {False, True}
    assert problem.costs(rows).min() == -optimum(problem)


def test_the_optimum_is_found() -> None:
    problem = instance(20, 3)
    first = problem.recommended()[0]
    result = run(first.search, problem, stop=stop.iterations(500), seed=1, start=first.start, parallel="numpy")
    assert result.cost == optimum(problem)


@pytest.mark.parametrize("groups", [1, 4])
@pytest.mark.parametrize("scale", [1, 2**45])
def test_both_halves_have_every_change_of_cost(groups: int, scale: int, compiling: Device) -> None:
    problem = instance(9, groups, scale=scale)
    assert problem.cost_type == ("int32" if scale == 1 else "int64")
    check_problem(problem, Hamming(1), Hamming(3), devices=[compiling.name])


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (([], [], [], 1), "there are 0 profits, 0 weights and 0 groups"),
        (([1, 2], [1, 2], [0], 1), "there are 2 profits, 2 weights and 1 groups"),
        (
            ([1, 2], [1, 2], [0, 2], 1),
            r"`groups` must hold each of 0, 1, \.\.\. up to the last group, but holds \[0, 2\]",
        ),
        (([1], [1], [-1], 1), r"up to the last group, but holds \[-1\]"),
        (([-1], [1], [0], 1), "`profits` must hold 0 or more, but holds -1"),
        (([1], [1], [0], -1), "`capacity` must be a whole number from 0 on, but is -1"),
        (([2**60], [2**59], [0], 2**59), f"Profits, weights and capacity add up to {2**61}, which overflows int64"),
    ],
)
def test_what_makes_no_instance_is_refused(arguments: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        sharing(*arguments)


def test_the_poorest_group_takes_its_best_item_that_fits_until_it_has_none() -> None:
    random = np.random.default_rng(2)
    for n in range(3, 30):
        profits, weights, groups = random.integers(0, 20, n), random.integers(1, 20, n), np.arange(n) % 3
        problem = KnapsackSharing(profits, weights, groups, int(weights.sum()) // 2)
        taken = set[int]()
        while True:
            poorest = min(range(3), key=lambda g: (sum(int(profits[k]) for k in taken if groups[k] == g), g))
            left = problem.capacity - sum(int(weights[k]) for k in taken)
            fits = [k for k in range(n) if groups[k] == poorest and k not in taken and weights[k] <= left]
            if not fits:
                break
            taken.add(max(fits, key=lambda k: (profits[k] / weights[k], -k)))
        assert np.flatnonzero(problem.construct(Random(Key(1), START, 0))).tolist() == sorted(taken)
