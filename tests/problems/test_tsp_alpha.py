"""Alpha-nearness against all spanning trees of a few cities, and compiled code against Python."""

from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaheur import CandidateDescent, IteratedLocalSearch, run, stop
from metaheur.errors import InputError
from metaheur.neighborhoods import OrOpt, ThreeOpt, Union
from metaheur.parts import DoubleBridge
from metaheur.problems import TSP
from metaheur.problems.tsp_alpha import alphas, plain_alphas


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


TREES = trees(list(range(6)))


def lengths_of(tsp: TSP, near: np.ndarray) -> Any:
    return tsp.edge(*np.broadcast_arrays(np.arange(len(near))[:, None], near)).astype(np.float64)


def test_there_are_as_many_trees_as_cayley_says() -> None:
    assert len({frozenset(map(frozenset, tree)) for tree in TREES}) == len(TREES) == 6**4


@settings(max_examples=20)
@given(seed=st.integers(0, 2**32 - 1))
def test_an_alpha_is_what_the_cheapest_tree_with_an_edge_costs_more(seed: int) -> None:
    tsp = TSP.from_coordinates(np.random.default_rng(seed).integers(0, 9, (6, 2)))
    near = tsp.nearest(5)
    lengths = lengths_of(tsp, near)
    totals = [sum(int(tsp.edge(a, b)) for a, b in tree) for tree in TREES]
    found = plain_alphas(near, lengths, 0)
    for city, other in combinations(range(6), 2):
        forced = (t for t, tree in zip(totals, TREES, strict=True) if (city, other) in tree or (other, city) in tree)
        one, two = (found[a][near[a] == b].item() for a, b in ((city, other), (other, city)))
        assert one == two == min(forced) - min(totals)


@pytest.mark.parametrize("ascents", [0, 1, 40])
def test_compiled_code_finds_the_same_alphas(ascents: int) -> None:
    tsp = TSP.random(120, 1)
    near = tsp.quadrants(8)
    lengths = lengths_of(tsp, near)
    assert np.array_equal(alphas(near, lengths, ascents), plain_alphas(near, lengths, ascents))


def test_an_edge_between_two_trees_is_in_every_forest_that_spans_both() -> None:
    tsp = TSP.from_coordinates([[0, 0], [0, 1], [1, 0], [900, 900], [900, 901], [901, 900]])
    near, lengths = tsp.nearest(2), lengths_of(tsp, tsp.nearest(2))
    assert np.array_equal(alphas(near, lengths, 3), plain_alphas(near, lengths, 3))
    apart = np.array([[1, 3], [0, 2], [0, 1], [4, 5], [3, 5], [3, 4]], np.int32)  # 0 and 3 join the two
    found = plain_alphas(apart, lengths_of(tsp, apart), 0)
    assert found[0].tolist() == [0, 0]


def test_prices_make_candidates_of_the_edges_of_good_tours() -> None:
    tsp = TSP.random(200, 3)
    descent = CandidateDescent(Union(OrOpt(), ThreeOpt()), tsp.quadrants(10))
    start, search = tsp.greedy_edge(), IteratedLocalSearch(descent, DoubleBridge(50))
    tour = run(search, tsp, stop=stop.iterations(300), start=start, seed=1).solution
    beside = np.stack([np.roll(tour, -1), np.roll(tour, 1)], axis=1)[np.argsort(tour)]
    with_prices, without = (
        sum(
            other not in row
            for others, row in zip(beside, tsp.alpha_nearest(5, ascents), strict=True)
            for other in others
        )
        for ascents in (100, 0)
    )
    assert with_prices < without


def test_the_candidates_are_those_of_lowest_alpha_the_nearest_first() -> None:
    tsp = TSP.random(50, 2)
    near, candidates = tsp.quadrants(10), tsp.alpha_nearest(5, ascents=0)
    values, lengths = plain_alphas(near, lengths_of(tsp, near), 0), lengths_of(tsp, near)
    for city, row in enumerate(candidates.tolist()):
        chosen = sorted(range(10), key=lambda r: (values[city, r], lengths[city, r], near[city, r]))[:5]
        assert row == near[city, sorted(chosen)].tolist()


def test_alphas_are_of_symmetric_distances() -> None:
    with pytest.raises(InputError, match="other distances there and back, and no spanning trees"):
        TSP.from_matrix(np.random.default_rng(1).integers(1, 99, (9, 9))).alpha_nearest(4)
    for k in (0, 9):
        with pytest.raises(InputError, match=r"`k` must be a whole number in 1 \.\.\. 8"):
            TSP.random(9, 1).alpha_nearest(k)
