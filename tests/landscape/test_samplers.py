"""Samplers of landscapes: against closed forms and enumeration, and equal on all devices."""

from itertools import pairwise, permutations, product
from typing import Any, ClassVar, final

import attrs
import numpy as np
import pytest
from attrs import frozen

from metaheur.errors import InputError
from metaheur.fields import data
from metaheur.landscape import ElementaryComponents, Landscape
from metaheur.landscape.descents import richness
from metaheur.landscape.ruggedness import _information
from metaheur.neighborhoods import Hamming, Swap
from metaheur.problem import Problem
from metaheur.problems import QAP, OneMax
from metaheur.representation import BitString, Solution
from metaheur.searches import FirstImprovement


def qap(n: int, seed: int = 1) -> QAP:
    """An asymmetric instance with any diagonals."""
    rng = np.random.default_rng(seed)
    return QAP(rng.integers(0, 30, (n, n)), rng.integers(-9, 30, (n, n)))


@final
@frozen(eq=False)
class NK(Problem):
    """Bit i contributes a number that depends on it and its two right neighbors, in a circle."""

    values: np.ndarray = data("int64", ndim=2)

    source: ClassVar[None] = None

    @property
    def representation(self) -> BitString:
        """Strings of bits."""
        return BitString(len(self.values))

    def cost(self, x: Solution) -> int:
        place = 4 * x.astype(int) + 2 * np.roll(x, -1) + np.roll(x, -2)
        return int(self.values[np.arange(len(x)), place].sum())


def nk(n: int = 8) -> NK:
    return NK(np.random.default_rng(2).integers(0, 100, (n, 8)))


def walsh_autocorrelation(costs: np.ndarray, bits: int) -> float:
    """The exact autocorrelation at lag 1 of flips: interactions of k bits decay by 1 - 2 k / n."""
    transformed, orders = costs.astype(float), np.zeros(1, int)
    for _ in range(bits):
        transformed = transformed.reshape(-1, 2)
        transformed = np.concatenate([transformed.sum(axis=1), transformed[:, 0] - transformed[:, 1]])
        orders = np.concatenate([orders, orders + 1])
    energy = transformed**2
    energy[orders == 0] = 0
    return float((energy * (1 - 2 * orders / bits)).sum() / energy.sum())


def plain(thing: Any) -> Any:
    """A result as nested tuples that can be compared."""
    if attrs.has(type(thing)):
        return {each.name: plain(getattr(thing, each.name)) for each in attrs.fields(type(thing))}
    if isinstance(thing, dict):
        return {name: plain(value) for name, value in thing.items()}
    return np.asarray(thing).tolist()


@pytest.mark.parametrize("n", [4, 5, 6])
def test_elementary_components_have_the_autocorrelation_of_all_permutations(n: int) -> None:
    problem = qap(n)
    solutions = [np.array(x) for x in permutations(range(n))]
    costs = {tuple(x): problem.cost(x) for x in solutions}
    values = np.array([costs[tuple(x)] for x in solutions], float)
    moves = list(Swap().moves(problem.representation))
    place = {x: k for k, x in enumerate(costs)}
    beside = np.array([[place[tuple(move.apply(x))] for move in moves] for x in solutions])
    found = ElementaryComponents.of(problem)
    assert found.mean == pytest.approx(values.mean())
    assert found.variance == pytest.approx(values.var())
    apart = after = values - values.mean()
    for lag in range(5):
        assert found.autocorrelation(lag) == pytest.approx((apart * after).mean() / values.var(), abs=1e-9)
        after = after[beside].mean(axis=1)


def test_walks_on_a_qap_have_the_autocorrelation_of_the_closed_form() -> None:
    problem = qap(9)
    exact = ElementaryComponents.of(problem)
    found = Landscape(problem, Swap(), device="numpy", seed=3).autocorrelation(80, steps=120, lags=3)
    assert found.at(0).value == 1
    for lag in (1, 2, 3):
        assert found.low[lag] - 0.02 < exact.autocorrelation(lag) < found.high[lag] + 0.02
        assert found.high[lag] - found.low[lag] < 0.25
    assert exact.coefficient == pytest.approx(1 / (1 - exact.autocorrelation(1)))


def test_walks_on_nk_have_the_autocorrelation_of_its_walsh_coefficients() -> None:
    problem = nk()
    costs = np.array([problem.cost(np.array(x)) for x in product((0, 1), repeat=8)])
    exact = walsh_autocorrelation(costs, 8)
    found = Landscape(problem, Hamming(1), seed=1).autocorrelation(60, steps=200, lags=1).at(1)
    assert found.low - 0.02 < exact < found.high + 0.02


def test_onemax_is_as_smooth_as_the_closed_form_says() -> None:
    flips = Landscape(OneMax(20), Hamming(1), device="numpy", seed=5)
    first = flips.autocorrelation(40, steps=200, lags=2)
    assert first.low[1] - 0.02 < 1 - 2 / 20 < first.high[1] + 0.02
    length = flips.correlation_length(40, steps=200)
    assert length.low < -1 / np.log(1 - 2 / 20) + 2
    assert length.value == pytest.approx(-1 / np.log(first.values[1]))
    assert flips.distance_correlation(30, reference=np.ones(20)).value == pytest.approx(-1)
    assert flips.distance_correlation(30).value == pytest.approx(-1)  # all descents find the optimum


def test_adaptive_walks_of_onemax_set_every_zero_and_come_back_after_any_move() -> None:
    problem = OneMax(12)
    flips = Landscape(problem, Hamming(1), device="numpy", seed=2)
    zeros = 12 - flips.density_of_states(15).costs
    found = flips.adaptive_walks(15)
    assert found.lengths.tolist() == zeros.tolist()
    assert found.costs.tolist() == [12] * 15
    assert found.optima.tolist() == [[1] * 12]
    assert found.number.value == 1
    assert flips.escape_rates(5, farthest=2).escaped.values.tolist() == [0, 0]
    assert flips.adaptive_walks(15, pivoting=FirstImprovement()).lengths.tolist() == zeros.tolist()


def test_a_descent_ends_where_no_neighbor_is_better_and_may_escape() -> None:
    problem = nk()
    landscape = Landscape(problem, Hamming(1), seed=4)
    found = landscape.adaptive_walks(30)
    for x, cost in zip(found.optima, {tuple(x): problem.cost(x) for x in found.optima}.values(), strict=True):
        assert min(problem.cost(move.apply(x)) for move in Hamming(1).moves(problem.representation)) >= cost
    assert found.counts.sum() == 30
    rates = landscape.escape_rates(30, farthest=3)
    assert (rates.improved.values <= rates.escaped.values).all()
    assert 0 < rates.escaped.values[2] <= 1


def test_neighborhoods_are_described_as_by_their_costs() -> None:
    problem = nk()
    landscape = Landscape(problem, Hamming(1), seed=6)
    found = landscape.neighborhood_statistics(6)
    starts = landscape._ground.starts(6)
    changes = np.array(
        [[problem.cost(m.apply(x)) - problem.cost(x) for m in Hamming(1).moves(problem.representation)] for x in starts]
    )
    assert found["lowest"].value == changes.min(axis=1).mean()
    assert found["median"].value == np.median(changes, axis=1).mean()
    assert found["mean"].value == pytest.approx(changes.mean())
    assert found["improving"].value == pytest.approx((changes < 0).mean())
    cloud = landscape.fitness_cloud(6, neighbor="best")
    assert cloud.neighbors.tolist() == [problem.cost(x) + c.min() for x, c in zip(starts, changes, strict=True)]
    cloud = landscape.fitness_cloud(6)
    assert all(b - a in row for a, b, row in zip(cloud.costs, cloud.neighbors, changes, strict=True))
    cooler = landscape.fitness_cloud(6, temperature=1.0, steps=60)
    assert cooler.costs.mean() < cloud.costs.mean()


@final
@frozen
class Flat(Problem):
    """Bits that cost one if the first is set."""

    n: int

    source: ClassVar[None] = None

    @property
    def representation(self) -> BitString:
        """Strings of bits."""
        return BitString(self.n)

    def cost(self, x: Solution) -> int:
        return int(x[0])


def test_neutral_walks_go_far_where_a_landscape_is_flat() -> None:
    found = Landscape(Flat(8), Hamming(1), seed=1).neutrality(12, steps=60)
    assert found.degree.value == pytest.approx(7 / 8)
    assert found.flat.value == 1
    assert found.distance.value > 3
    assert found.percolation.value == 2  # the plateau itself, and the other one
    assert 0.7 < found.moved.value < 1
    assert 0 < found.evolvability.value < 1  # on one plateau always, on the other never
    rough = Landscape(nk(), Hamming(1), seed=1).neutrality(8, steps=20)
    assert rough.degree.value < 0.05
    assert rough.distance.value < 1


def test_information_content_counts_pairs_of_unlike_signs() -> None:
    changes = np.array([[1, 0, -2, 2, 2, 0, -1, 1]]).T
    signs = [1, 0, -1, 1, 1, 0, -1, 1]
    pairs = list(pairwise(signs))
    shares = [pairs.count(pair) / 7 for pair in set(pairs) if pair[0] != pair[1]]
    content, partial = _information(changes, 0.0)
    assert content[0] == pytest.approx(-sum(p * np.log(p) / np.log(6) for p in shares))
    assert partial[0] == 5 / 8  # + - + - +
    assert [each[0] for each in _information(changes, 2.0)] == [0, 0]


def test_ruggedness_ends_where_every_change_is_neutral() -> None:
    found = Landscape(nk(), Hamming(1), seed=1).ruggedness(5, steps=50, levels=6)
    assert found.content.values[-1] == found.partial.values[-1] == 0
    assert found.stability.value <= found.content.x[-1]
    assert 0 < found.highest.value <= 1


def test_the_number_of_unseen_kinds_follows_from_those_seen_once_and_twice() -> None:
    assert richness(np.array([3, 4])).value == 2
    found = richness(np.array([1, 1, 1, 2, 5]))
    assert found.value == 5 + 3 * 2 / (2 * 2)
    assert 5 < found.low < found.value < found.high


def test_all_samplers_are_equal_on_all_devices(compiling: Any) -> None:
    problem = QAP(*(np.asarray(each) for each in (qap(7).a, qap(7, 2).b)))
    reference, other = (Landscape(problem, Swap(), device=name, seed=9) for name in ("numpy", compiling.name))
    assert plain(other.report(6)) == plain(reference.report(6))
    cooler, expected = (each.fitness_cloud(6, temperature=400.0, steps=12) for each in (other, reference))
    assert plain(cooler) == plain(expected)


def test_a_report_has_a_row_for_each_statistic_and_six_pictures() -> None:
    pytest.importorskip("matplotlib").use("Agg")
    report = Landscape(OneMax(8), Hamming(1), device="numpy").report(6)
    assert str(report).splitlines()[2].startswith("autocorrelation at lag 1")
    assert len(report.plot().axes) == 6


def test_what_has_no_landscape_is_refused() -> None:
    with pytest.raises(InputError, match="does not act on"):
        Landscape(OneMax(5), Swap())
    with pytest.raises(InputError, match="has no C\\+\\+ half"):
        Landscape(nk(), Hamming(1), device="host").density_of_states(5)
    with pytest.raises(InputError, match='must be "random" or "best"'):
        Landscape(OneMax(5), Hamming(1)).fitness_cloud(5, neighbor="worst")
    with pytest.raises(InputError, match="All costs along the walks are equal"):
        Landscape(QAP(np.zeros((4, 4)), np.zeros((4, 4))), Swap(), device="numpy").autocorrelation(2, steps=3, lags=1)
