"""Proofs that `solve` lets take part."""

import numpy as np

from metaheur import solve
from metaheur.problems import QAP, FlowShop, Knapsack, KnapsackSharing, MultipleKnapsack
from tests.door.test_solve import race_of


def test_a_knapsack_is_proved() -> None:
    knapsack = Knapsack.single([6, 5, 4, 7, 3], [3, 2, 2, 4, 1], 7)
    result = solve(knapsack, work=10**6, parallel="numpy", report=False)
    assert (result.cost, result.stopped_by, str(result.proof)[:7]) == (15, "proof", "optimal")
    assert [each.name for each in race_of(result).tried] == ["dynamic programming"]


def test_a_small_tree_is_proved_beside_the_other_searches() -> None:
    shop = FlowShop(np.random.default_rng(1).integers(1, 20, (6, 3)))
    result = solve(shop, work=10**7, parallel="numpy", report=False)
    assert result.stopped_by == "proof"
    assert len(race_of(result).tried) == 2
    assert "87, proven to be optimal" in str(result)


def test_several_knapsacks_are_proved() -> None:
    draw = np.random.default_rng(1)
    knapsacks = MultipleKnapsack(draw.integers(1, 90, 6), draw.integers(1, 90, 6), np.array([90, 60]))
    result = solve(knapsacks, work=10**6, parallel="numpy", report=False)
    every = np.stack(np.unravel_index(np.arange(3**6), (3,) * 6), axis=1)
    assert (result.stopped_by, -result.cost) == ("proof", knapsacks.costs(every).min())
    assert race_of(result).tried[-1].name == "branch and bound"


def test_a_shared_knapsack_is_proved_first() -> None:
    draw = np.random.default_rng(1)
    sharing = KnapsackSharing(draw.integers(1, 90, 12), draw.integers(1, 90, 12), np.arange(12) % 3, 250)
    result = solve(sharing, work=10**6, parallel="numpy", report=False)
    every = np.stack(np.unravel_index(np.arange(2**12), (2,) * 12), axis=1)
    assert (result.stopped_by, -result.cost) == ("proof", sharing.costs(every).min())
    assert [each.name for each in race_of(result).tried] == ["branch and bound"]


def test_a_tree_that_proves_nothing_bounds_the_cost() -> None:
    draw = np.random.default_rng(1)
    knapsacks = MultipleKnapsack(draw.integers(1, 900, 60), draw.integers(1, 900, 60), np.array([4000, 5000, 6000]))
    result = solve(knapsacks, work=10**6, parallel="host", report=False)
    assert result.stopped_by == "work"
    bound = race_of(result).bound
    assert bound is not None
    assert result.cost < bound < 1.05 * result.cost
    assert f"bound {bound:,}" in str(result)


def test_a_tree_that_leads_early_gets_no_more_than_its_part() -> None:
    race = race_of(solve(QAP.random(9, 1), work=10**6, parallel="host", report=False))
    tree = race.tried[-1]
    assert tree.name == "branch and bound"
    assert 0 < tree.work < race.work / 4


def test_a_tree_whose_batches_grow_uses_its_part_of_the_work_and_no_more() -> None:
    draw = np.random.default_rng(1)
    knapsack = Knapsack(draw.integers(1, 1000, 60), draw.integers(1, 1000, (5, 60)), np.full(5, 15_000))
    race = race_of(solve(knapsack, work=300_000, parallel="host", report=False))
    assert [each.name for each in race.tried] == [
        "branch and bound",
        "iterated tabu search in the core",
        "iterated tabu search",
    ]
    assert race.tried[0].work < 300_000 / 8
    assert 294_000 <= race.work <= 306_000
