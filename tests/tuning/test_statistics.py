import numpy as np
import pytest

from metaheur.tuning.statistics import chi_squared_quantile, ranks, surviving, t_quantile


def test_equal_costs_share_their_mean_rank() -> None:
    assert ranks(np.array([[3.0, 1.0, 3.0, 2.0]])).tolist() == [[3.5, 1.0, 3.5, 2.0]]


def test_quantiles_are_those_of_scipy() -> None:
    stats = pytest.importorskip("scipy.stats", reason="scipy is not installed")
    for freedom in (4, 5, 8, 20, 300):
        assert t_quantile(0.975, freedom) == pytest.approx(stats.t.ppf(0.975, freedom), rel=0.01)
    for freedom in (1, 2, 3, 10, 100):
        assert chi_squared_quantile(0.95, freedom) == pytest.approx(stats.chi2.ppf(0.95, freedom), rel=0.03)


def test_a_configuration_that_is_always_worse_is_eliminated() -> None:
    costs = np.random.default_rng(1).normal(size=(8, 4))
    costs[:, 2] += 10
    assert surviving(costs).tolist() == [True, True, False, True]


def test_configurations_that_do_not_differ_all_survive() -> None:
    assert surviving(np.ones((6, 3))).all()
    kept = [surviving(np.random.default_rng(seed).normal(size=(7, 5))).all() for seed in range(200)]
    assert 180 <= sum(kept) <= 199  # at the level of 5 %


def test_two_configurations_are_told_apart() -> None:
    assert surviving(np.array([[1.0, 2.0]] * 6)).tolist() == [True, False]
    assert surviving(np.array([[1.0, 2.0], [2.0, 1.0]] * 3)).all()
