"""Weight strategies: which weights come, in which order, and for how many objectives."""

from fractions import Fraction
from itertools import count, product

import numpy as np
import pytest

from metaheur.archives import (
    AnytimeWeights,
    DichotomicWeights,
    RandomWeights,
    RefiningWeights,
    RegularWeights,
    SweepingWeights,
    WeightStrategy,
)
from metaheur.archives.weights import balanced
from metaheur.errors import InputError


def all_weights(strategy: WeightStrategy, spans: list[int]) -> list[tuple[int, ...]]:
    ends = np.eye(len(spans), dtype=np.int64)
    found: list[tuple[int, ...]] = []
    for turn in count():
        weights = strategy.weights(turn, ends, spans)
        if weights is None:
            return found
        found.append(weights)
    raise AssertionError


@pytest.mark.parametrize("objectives", [2, 3])
def test_regular_weights_are_all_shares_but_the_corners(objectives: int) -> None:
    expected = {w for w in product(range(5), repeat=objectives) if sum(w) == 4 and max(w) < 4}
    found = all_weights(RegularWeights(4), [1] * objectives)
    assert set(found) == expected
    assert len(found) == len(expected)


def test_anytime_weights_halve_what_is_left() -> None:
    shares = [a / (a + b) for a, b in all_weights(AnytimeWeights(3), [1, 1])]
    assert shares == [1 / 2, 1 / 4, 3 / 4, 1 / 8, 3 / 8, 5 / 8, 7 / 8]


@pytest.mark.parametrize(("back", "second"), [(True, [3, 2, 1]), (False, [1, 2, 3])])
def test_sweeps_go_from_one_objective_to_the_other_and_back(back: bool, second: list[int]) -> None:
    found = all_weights(SweepingWeights(4, 3, back=back), [1, 1])
    assert found == [(k, 4 - k) for k in (1, 2, 3, *second, 1, 2, 3)]


@pytest.mark.parametrize("objectives", [2, 3])
@pytest.mark.parametrize("doubling", [False, True])
def test_finer_weights_come_later_and_none_twice(objectives: int, doubling: bool) -> None:
    found = all_weights(RefiningWeights(8, doubling=doubling), [1] * objectives)
    shares = [tuple(Fraction(w, sum(weights)) for w in weights) for weights in found]
    denominators = [max(each.denominator for each in share) for share in shares]
    allowed = {2, 4, 8} if doubling else set(range(2, 9))
    expected = {
        tuple(Fraction(w, whole) for w in each)
        for whole in allowed
        for each in product(range(whole + 1), repeat=objectives)
        if sum(each) == whole and max(each) < whole
    }
    assert set(shares) == expected
    assert len(shares) == len(expected)
    assert [sum(each) for each in found] == sorted(sum(each) for each in found)
    assert set(map(sum, found)) == allowed
    assert max(denominators) == 8


def test_random_weights_are_those_of_the_seed() -> None:
    found = all_weights(RandomWeights(20, 7), [1, 1, 1])
    assert found == all_weights(RandomWeights(20, 7), [1, 1, 1])
    assert found != all_weights(RandomWeights(20, 8), [1, 1, 1])
    assert len(set(found)) == 20
    assert all(1 <= w <= 1000 for weights in found for w in weights)


def test_dichotomic_weights_make_neighbors_equal_the_farthest_first() -> None:
    strategy, spans = DichotomicWeights(9), [10, 100]
    costs = [[0, 100], [10, 0]]
    first = strategy.weights(0, np.array(costs), spans)
    assert first == (100, 10)
    assert np.dot(costs, first).tolist() == [1000, 1000]
    costs.append([2, 30])
    assert strategy.weights(1, np.array(costs), spans) == (30, 8)  # between (2, 30) and (10, 0): 240, against 140
    costs.append([2, 30])
    assert strategy.weights(2, np.array(costs), spans) == (70, 2)
    costs.append([2, 30])
    assert strategy.weights(3, np.array(costs), spans) is None


def test_weights_balance_objectives_of_unlike_scale() -> None:
    assert balanced([1, 1, 3], [700, 70, 1000]) == (1, 14, 3)
    strategies: tuple[WeightStrategy, ...] = (
        RegularWeights(4),
        AnytimeWeights(2),
        RandomWeights(3),
        SweepingWeights(3),
        RefiningWeights(3),
    )
    for strategy in strategies:
        shares = strategy.weights(0, np.eye(2), [1, 1])
        assert shares is not None
        assert strategy.weights(0, np.eye(2), [10, 1000]) == balanced(shares, [10, 1000])


@pytest.mark.parametrize("strategy", [AnytimeWeights(2), DichotomicWeights(2), SweepingWeights(2)])
def test_strategies_for_two_objectives_refuse_three(strategy: WeightStrategy) -> None:
    with pytest.raises(InputError, match=r"knows two objectives, but there are 3\.\nMaybe use RegularWeights"):
        strategy.require(3)
