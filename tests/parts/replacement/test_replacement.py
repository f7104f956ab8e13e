"""Replacements against the definitions: sorted lists, and the score of every member."""

from typing import Any

import attrs
import numpy as np
import pytest

from metaheur.errors import InputError
from metaheur.parts import (
    BestChildren,
    Generational,
    NoPerturbation,
    OldestMember,
    QualityAndDistance,
    SteadyState,
    Uniform,
    WorseParent,
)
from metaheur.searches import GeneticAlgorithm


def population(costs: list[int], child_costs: list[int], seed: int = 1) -> dict[str, Any]:
    """Members and children, all different."""
    generator = np.random.default_rng(seed)
    rows = np.array([generator.permutation(12) for _ in range(len(costs) + len(child_costs))], np.int32)
    solutions, children = rows[: len(costs)], rows[len(costs) :]
    return {
        "solutions": solutions,
        "costs": np.array(costs),
        "children": children,
        "child_costs": np.array(child_costs),
    }


def test_the_worst_gives_way_to_a_child_that_does_not_cost_more() -> None:
    for cost, expected in ((40, [10, 50, 30, 50]), (50, [10, 50, 30, 50]), (51, [10, 50, 30, 50])):
        kept = population([10, 50, 30, 50], [cost])
        child, before = kept["children"][0].copy(), kept["solutions"].copy()
        SteadyState().replace(kept)
        taken = cost <= 50
        assert kept["costs"].tolist() == [10, cost if taken else 50, *expected[2:]]
        assert np.array_equal(kept["solutions"][1], child if taken else before[1])


def test_duplicates_are_refused_unless_they_are_allowed() -> None:
    for duplicates in (False, True):
        kept = population([10, 50, 30], [10])
        kept["children"][0] = kept["solutions"][0]
        SteadyState(duplicates=duplicates).replace(kept)
        assert kept["costs"].tolist() == [10, 10 if duplicates else 50, 30]


@pytest.mark.parametrize("seed", range(20))
def test_of_members_and_several_children_the_best_survive(seed: int) -> None:
    drawn = np.random.default_rng(seed).integers(0, 20, 13).tolist()
    kept = population(drawn[:6], drawn[6:], seed)
    SteadyState(7).replace(kept)
    assert sorted(kept["costs"].tolist()) == sorted(drawn)[:6]


def test_a_generation_leaves_the_elite_in_its_places() -> None:
    kept = population([30, 10, 20, 10, 50], [7, 8, 9])
    Generational(2).replace(kept)
    assert kept["costs"].tolist() == [7, 10, 8, 10, 9]
    assert Generational(2).children(5) == 3


@pytest.mark.parametrize("size", [1, 5])
@pytest.mark.parametrize("quality", [5, 6])
@pytest.mark.parametrize("seed", range(20))
def test_the_worst_score_of_quality_and_distance_leaves_but_never_the_best(seed: int, quality: int, size: int) -> None:
    generator = np.random.default_rng(seed)
    drawn = generator.integers(0, 20, size + 1).tolist()
    kept = population(drawn[:size], drawn[size:], seed)
    everyone = [tuple(row) for row in (*kept["solutions"].tolist(), kept["children"][0].tolist())]

    def near(s: int) -> int:
        others = (np.array(other) for t, other in enumerate(everyone) if t != s)
        return min(int((np.array(everyone[s]) != other).sum()) for other in others)

    by_cost = sorted(range(size + 1), key=lambda s: (drawn[s], s))
    by_distance = sorted(range(size + 1), key=lambda s: (-near(s), s))
    scores = [quality * by_cost.index(s) + (10 - quality) * by_distance.index(s) for s in range(size + 1)]
    leaving = max(by_cost[1:], key=lambda s: (scores[s], s))
    expected = [size if s == leaving else s for s in range(size)]
    QualityAndDistance(quality / 10).replace(kept)
    assert kept["costs"].tolist() == [drawn[s] for s in expected]
    assert [tuple(row) for row in kept["solutions"].tolist()] == [everyone[s] for s in expected]


def test_a_child_takes_the_place_of_the_worse_parent() -> None:
    for parents, leaving in (((0, 3), 3), ((3, 0), 3), ((2, 1), 1), ((3, 1), 3), ((1, 3), 1)):
        kept = {**population([10, 50, 30, 50], [99]), "parents": np.array(parents)}
        child = kept["children"][0].copy()
        WorseParent().replace(kept)
        assert kept["costs"].tolist() == [99 if s == leaving else cost for s, cost in enumerate([10, 50, 30, 50])]
        assert np.array_equal(kept["solutions"][leaving], child)


@pytest.mark.parametrize("seed", range(20))
def test_of_many_children_the_best_survive_in_order(seed: int) -> None:
    drawn = np.random.default_rng(seed).integers(0, 20, 12).tolist()
    kept = population(drawn[:5], drawn[5:], seed)
    children = kept["children"].copy()
    best = sorted(sorted(range(7), key=lambda c: (drawn[5 + c], c))[:5])
    BestChildren(7).replace(kept)
    assert kept["costs"].tolist() == [drawn[5 + c] for c in best]
    assert np.array_equal(kept["solutions"], children[best])


def test_as_many_children_as_members_all_survive() -> None:
    kept = population([1, 2, 3], [30, 10, 20])
    BestChildren(3).replace(kept)
    assert kept["costs"].tolist() == [30, 10, 20]


def test_members_leave_in_the_order_in_which_they_joined() -> None:
    kept = {**population([1, 2, 3], [0]), "oldest": np.array(0)}
    for cost in range(10, 17):
        kept["child_costs"][0] = cost
        OldestMember().replace(kept)
    assert kept["costs"].tolist() == [16, 14, 15]
    assert kept["oldest"] == 1


def test_wrong_numbers_are_refused() -> None:
    with pytest.raises(InputError, match=r"0\.4.*\nMaybe"):
        QualityAndDistance(0.4)
    tuned = attrs.fields(QualityAndDistance).quality.metadata["tune"]
    assert [float(QualityAndDistance(end).quality) for end in (tuned.low, tuned.high)] == [0.5, 1.0]
    with pytest.raises(InputError, match=r"elite.*5 of 5.*\nMaybe"):
        Generational(5).children(5)
    with pytest.raises(InputError, match=r"1 of 1 members.\nMaybe use Generational\(0\), or a larger population"):
        GeneticAlgorithm(Uniform(), NoPerturbation(), size=1)
    with pytest.raises(InputError, match=r"BestChildren\.count` is 4, .*5 members.*\nMaybe"):
        BestChildren(4).children(5)
