"""Alpha-nearness against all 1-trees of a few cities."""

from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaheur.errors import InputError
from metaheur.problems import TSP
from metaheur.problems.tsp_alpha import alphas, prices


def trees(cities: list[int]) -> list[list[tuple[int, int]]]:
    """All trees of some cities, one for each Prüfer sequence."""
    found = []
    for sequence in product(cities, repeat=len(cities) - 2):
        left, edges = list(sequence), []
        degree = {city: 1 + left.count(city) for city in cities}
        for city in left:
            leaf = min(other for other in cities if degree[other] == 1)
            edges.append((leaf, city))
            degree[leaf], degree[city] = 0, degree[city] - 1
        edges.append(tuple(city for city in cities if degree[city] == 1))  # type: ignore[arg-type]
        found.append(edges)
    return found


TREES = trees(list(range(1, 6)))
ONE_TREES = [[*tree, (0, a), (0, b)] for tree in TREES for a, b in combinations(range(1, 6), 2)]


def lengths_of(tsp: TSP) -> Any:
    n = tsp.representation.length
    return tsp.edge(*np.broadcast_arrays(np.arange(n)[:, None], np.arange(n))).astype(np.float64)


def test_there_are_as_many_trees_as_cayley_says() -> None:
    assert len({frozenset(map(frozenset, tree)) for tree in TREES}) == len(TREES) == 5**3


@settings(max_examples=20)
@given(seed=st.integers(0, 2**32 - 1))
def test_an_alpha_is_what_the_cheapest_one_tree_with_an_edge_costs_more(seed: int) -> None:
    generator = np.random.default_rng(seed)
    lengths, price = lengths_of(TSP.from_coordinates(generator.integers(0, 9, (6, 2)))), generator.integers(-3, 4, 6)
    costs = lengths + price[:, None] + price
    totals = [sum(costs[a, b] for a, b in tree) for tree in ONE_TREES]
    found = alphas(lengths, price.astype(np.float64))
    for i, j in combinations(range(6), 2):
        forced = (total for total, tree in zip(totals, ONE_TREES, strict=True) if (i, j) in tree or (j, i) in tree)
        assert found[i, j] == found[j, i] == min(forced) - min(totals)


def test_prices_raise_the_bound_and_never_above_a_tour() -> None:
    tsp = TSP.random(60, 1)
    lengths = lengths_of(tsp)

    def bound(price: np.ndarray) -> float:
        costs = lengths + price[:, None] + price
        rest = costs[1:, 1:]
        reached, near, total = [0], rest[0].copy(), 0.0
        while len(reached) < len(rest):
            near[reached] = np.inf
            city = int(near.argmin())
            total += near[city]
            near = np.minimum(near, rest[city])
            reached.append(city)
        return total + float(np.sort(costs[0, 1:])[:2].sum()) - 2 * float(price.sum())

    plain, raised = bound(np.zeros(60)), bound(prices(lengths, 100))
    assert 1.03 * plain < raised <= tsp.cost(tsp.greedy_edge())


def test_the_candidates_are_those_of_lowest_alpha_the_nearest_first() -> None:
    tsp = TSP.random(50, 2)
    lengths, candidates = lengths_of(tsp), tsp.alpha_nearest(5, ascents=0)
    values = alphas(lengths, np.zeros(50))
    for city, row in enumerate(candidates.tolist()):
        others = [other for other in range(50) if other != city]
        best = sorted(others, key=lambda other: (values[city, other], lengths[city, other], other))[:5]
        assert row == sorted(best, key=lambda other: (lengths[city, other], other))


def test_alphas_are_of_symmetric_distances() -> None:
    with pytest.raises(InputError, match="other distances there and back, and no 1-trees"):
        TSP.from_matrix(np.random.default_rng(1).integers(1, 99, (9, 9))).alpha_nearest(4)
    for k in (0, 9):
        with pytest.raises(InputError, match=r"`k` must be a whole number in 1 \.\.\. 8"):
            TSP.random(9, 1).alpha_nearest(k)
