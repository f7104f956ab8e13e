"""Proofs that `solve` lets take part."""

import numpy as np

from metaheur import solve
from metaheur.problems import QAP, FlowShop, Knapsack
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
