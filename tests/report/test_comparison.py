"""Tests of methods give what published examples and definitions say."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from metaheur.errors import InputError
from metaheur.report import Experiment
from metaheur.report.comparison import Comparison, Pair, compared, holm, superiority
from tests.report.test_table import run_of

PLAIN = [763, 599, 954, 628, 882, 936, 661, 583, 775, 1000, 940, 619, 972, 957]
TUNED = [768, 591, 971, 661, 888, 931, 668, 583, 838, 1000, 962, 666, 981, 978]
"""Demšar 2006, table 2: the areas under the curve of C4.5 and of C4.5+m on 14 data sets, in thousandths."""


CONFIDENT = [771, 590, 968, 654, 886, 916, 609, 563, 866, 1000, 965, 614, 975, 946]
BOTH = [798, 569, 967, 657, 898, 931, 685, 625, 875, 1000, 962, 669, 974.9, 970]
"""Demšar 2006, table 6: those of C4.5+cf and of C4.5+m+cf. Both have 0.975 in the last row but one, of which the mean
ranks tell that the latter is less."""


@pytest.fixture(scope="module")
def stats() -> Any:
    return pytest.importorskip("scipy.stats")


def test_the_signed_ranks_are_those_of_a_published_example(stats: Any) -> None:
    found = stats.wilcoxon(TUNED, PLAIN, zero_method="zsplit", method="asymptotic")
    assert found.statistic == 12  # section 3.1.3: R+ = 93, R- = 12
    costs = {str(i): {"m": [-b], "plain": [-a]} for i, (a, b) in enumerate(zip(PLAIN, TUNED, strict=True))}
    (pair,) = compared(costs).pairs
    assert pair[:5] == ("m", "plain", 10, 2, 2)
    assert pair.p == pair.adjusted
    assert 0.005 < pair.p < 0.05  # significant at 0.05, as there


def test_holm_corrects_as_published() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.6, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


def test_superiority_counts_pairs(stats: Any) -> None:
    first, second = [1, 4, 4, 6], [4, 5, 2]
    wins = [(a < b) + (a == b) / 2 for a, b in product(first, second)]
    assert superiority(stats, first, second) == sum(wins) / 12
    assert superiority(stats, first, first) == 0.5


def test_mean_ranks_and_critical_differences_are_those_of_a_published_example(stats: Any) -> None:
    areas: dict[str, list[float]] = {"plain": [*PLAIN], "m": [*TUNED], "cf": [*CONFIDENT], "both": BOTH}
    found = compared({str(i): {name: [-each[i]] for name, each in areas.items()} for i in range(len(PLAIN))})
    assert found.ranks == pytest.approx([3.143, 2.000, 2.893, 1.964], abs=5e-4)
    assert found.critical_difference(0.05) == pytest.approx(1.25, abs=0.005)  # section 3.2.2
    assert found.critical_difference(0.10) == pytest.approx(1.12, abs=0.005)
    assert found.alike(0.10) == (("both", "m", "cf"), ("cf", "plain"))  # figure 1(a)


def test_groups_of_methods_that_do_not_differ_are_the_largest_ones() -> None:
    def pair(first: str, second: str, adjusted: float) -> Pair:
        return Pair(first, second, 0, 0, 0, adjusted, adjusted)

    known = {"ab": 0.5, "ac": 0.01, "bc": 0.2, "ad": 0.001, "bd": 0.001, "cd": 0.05}
    pairs = tuple(pair(names[0], names[1], p) for names, p in known.items())
    found = Comparison(("d", "b", "c", "a"), ("x",), np.zeros((1, 4)), np.array([4.0, 2.0, 3.0, 1.0]), 0.1, pairs, {})
    assert found.alike() == (("a", "b"), ("b", "c"))
    assert found.alike(0.04) == (("a", "b"), ("b", "c"), ("c", "d"))


def test_ranks_and_friedman_follow_from_the_medians(stats: Any) -> None:
    rng = np.random.default_rng(3)
    costs = {str(i): {name: rng.integers(9, size=5).tolist() for name in "abc"} for i in range(8)}
    found = compared(costs)
    medians = np.array([[np.median(costs[str(i)][name]) for name in "abc"] for i in range(8)])
    ranks = [[1 + sum(row < each) + (sum(row == each) - 1) / 2 for each in row] for row in medians]
    assert found.ranks == pytest.approx(np.mean(ranks, axis=0))
    assert found.friedman == pytest.approx(stats.friedmanchisquare(*medians.T).pvalue)
    assert len(found.pairs) == 3
    for table in found.effects.values():
        assert table + table.T == pytest.approx(np.ones((3, 3)))


def test_an_experiment_compares_its_searches(stats: Any) -> None:
    worse = [run_of(problem, search, seed, seed + 10 * place, maximise=True)
             for problem in "pqrstu" for place, search in enumerate(["low", "high"]) for seed in (1, 2, 3)]  # fmt: skip
    found = Experiment(tuple(worse)).compare()
    assert found.ranks.tolist() == [2, 1]
    assert found.effects["p"].tolist() == [[0.5, 0.0], [1.0, 0.5]]
    assert found.pairs[0][:5] == ("low", "high", 0, 0, 6)
    assert found.pairs[0].p == 2 / 2**6
    assert str(found).startswith("Mean ranks over 6 problems: low 2.00, high 1.00.")
    assert found.table().header[-1] == "A12"


def test_equal_methods_do_not_differ(stats: Any) -> None:
    found = compared({problem: {name: [1, 2] for name in "abc"} for problem in "pq"})
    assert [each.p for each in found.pairs] == [1.0] * 3
    assert found.friedman is None


def test_what_cannot_be_compared_is_refused() -> None:
    with pytest.raises(InputError, match="A comparison needs two methods"):
        compared({"p": {"a": [1]}})
    with pytest.raises(InputError, match="b has no run on q that is done"):
        compared({"p": {"a": [1], "b": [2]}, "q": {"a": [1], "b": []}})
