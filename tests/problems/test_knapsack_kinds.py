"""The published kinds of knapsacks: each has the structure by which it is defined."""

from collections.abc import Callable

import numpy as np
import pytest

from metaheur.errors import InputError
from metaheur.problems import Knapsack
from metaheur.problems.knapsack_kinds import KINDS

Rule = Callable[[np.ndarray, np.ndarray], np.ndarray]


def multiples_of_two_items(p: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Every item is 1 ... 10 times one of two base items, so ratios have at most two values."""
    return np.array([len({(a // np.gcd(a, b), b // np.gcd(a, b)) for a, b in zip(p, w, strict=True)}) <= 2])


RULES: dict[str, Rule] = {
    "uncorrelated": lambda p, w: (p >= 1) & (p <= 1000) & (w >= 1) & (w <= 1000),
    "weakly correlated": lambda p, w: (p >= 1) & (abs(p - w) <= 100),
    "strongly correlated": lambda p, w: p == w + 100,
    "inverse strongly correlated": lambda p, w: w == p + 100,
    "almost strongly correlated": lambda p, w: abs(p - w - 100) <= 2,
    "subset sum": lambda p, w: p == w,
    "even-odd subset sum": lambda p, w: (p == w) & (w % 2 == 0),
    "even-odd": lambda p, w: (p == w + 100) & (w % 2 == 0),
    "similar weights": lambda p, w: (p <= 1000) & (w >= 100_000) & (w <= 100_100),
    "uncorrelated spanner": multiples_of_two_items,
    "weakly correlated spanner": multiples_of_two_items,
    "strongly correlated spanner": multiples_of_two_items,
    "multiple strongly correlated": lambda p, w: p - w == np.where(w % 6 == 0, 300, 200),
    "profit ceiling": lambda p, w: (p % 3 == 0) & (p >= w) & (p < w + 3),
    "circle": lambda p, w: abs(9 * p**2 - 4 * (4_000_000 - (w - 2000) ** 2)) <= 9 * (2 * p + 1),
}


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_has_its_structure(kind: str) -> None:
    knapsack = Knapsack.pisinger(kind, 200, seed=3)
    weights, capacity = knapsack.weights[0], int(knapsack.capacities[0])
    assert RULES[kind](knapsack.profits, weights).all()
    assert len(np.unique(weights)) > 5
    assert abs(capacity - 50 * int(weights.sum()) / 101) <= 2
    assert not kind.startswith("even-odd") or capacity % 2 == 1
    again, other = Knapsack.pisinger(kind, 200, seed=3), Knapsack.pisinger(kind, 200, seed=4)
    assert again.weights.tolist() == knapsack.weights.tolist() != other.weights.tolist()


def test_an_unknown_kind_is_refused_with_the_list_of_kinds() -> None:
    with pytest.raises(InputError, match=r"strongly correlated, .* but is 'strong'"):
        Knapsack.pisinger("strong", 10)
    with pytest.raises(InputError, match="`h`"):
        Knapsack.pisinger("circle", 10, h=101)


def test_boukedjar_draws_what_the_paper_describes() -> None:
    knapsack = Knapsack.boukedjar(1000, 3)
    weights = knapsack.weights[0]
    assert (weights.min(), weights.max()) == (1, 100)
    assert abs(weights.mean() - 50.5) < 5
    assert (knapsack.profits == weights + 10).all()
    assert knapsack.capacities.tolist() == [int(weights.sum()) // 2]
    again, other = Knapsack.boukedjar(1000, 3), Knapsack.boukedjar(1000, 4)
    assert again.weights[0].tolist() == weights.tolist() != other.weights[0].tolist()
    with pytest.raises(InputError, match="`n`"):
        Knapsack.boukedjar(0)
    with pytest.raises(InputError, match="`seed`"):
        Knapsack.boukedjar(10, -1)
