"""A tour under exchanges: steps do what they say, gains are differences of lengths, and all 3-opt moves are found."""

from collections.abc import Iterator
from itertools import combinations, permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaheur.neighborhood import Neighborhood
from metaheur.neighborhoods import OrOpt, Swap, ThreeOpt, TwoOpt, Union
from metaheur.problems import TSP
from metaheur.tours.edges import trades_edges
from metaheur.tours.tour import Exchange, Tour

NEIGHBORHOODS: dict[str, Neighborhood] = {
    "2-opt": TwoOpt(),
    "Or-opt": OrOpt(),
    "3-opt": ThreeOpt(),
    "union": Union(TwoOpt(), OrOpt(2)),
}


def tour_of(tsp: TSP, items: list[int], k: int) -> Tour:
    lengths = tsp.edge(*np.broadcast_arrays(np.arange(len(items))[:, None], np.arange(len(items)))).tolist()
    return Tour(list(items), tsp.nearest(k).tolist(), lambda a, b: lengths[a][b])


def exchanges(neighborhood: Neighborhood, tour: Tour, item: int) -> Iterator[Exchange]:
    assert trades_edges(neighborhood)
    return neighborhood.exchanges(tour, item)


def edges(items: list[int]) -> set[frozenset[int]]:
    return {frozenset(pair) for pair in zip(items, items[1:] + items[:1], strict=True)}


@pytest.mark.parametrize("name", NEIGHBORHOODS)
@settings(max_examples=30)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(5, 12))
def test_a_gain_is_the_difference_of_two_lengths(name: str, seed: int, n: int) -> None:
    generator = np.random.default_rng(seed)
    tsp = TSP.from_coordinates(generator.integers(0, 12, (n, 2)))  # many equal distances, cities at one place
    items, k = generator.permutation(n).tolist(), int(generator.integers(1, n))
    before, tour = tsp.cost(np.array(items)), tour_of(tsp, items, k)
    for item in range(n):
        for gain, steps in exchanges(NEIGHBORHOODS[name], tour, item):
            after = Tour(list(items), tour.candidates, tour.edge)
            after.make(steps)
            assert sorted(after.items) == list(range(n))
            assert before - tsp.cost(np.array(after.items)) == gain
            assert [after.items[p] for p in after.positions] == list(range(n))
            assert set(after.waiting) == {end for step in steps for end in step}


@pytest.mark.parametrize("n", [5, 8])
def test_a_step_removes_two_edges_and_adds_two(n: int) -> None:
    tsp = TSP.random(n, 1)
    for side, (p, q) in product((0, 1), permutations(range(n), 2)):
        tour = tour_of(tsp, list(range(n)), 1)
        a, c = p, q
        b, d = tour.beside(a, side), tour.beside(c, side)
        if len({a, b, c, d}) < 4:
            continue
        old = edges(tour.items)
        tour.make([(a, b, c, d)])
        lost, won = {frozenset((a, b)), frozenset((c, d))}, {frozenset((a, c)), frozenset((b, d))}
        assert edges(tour.items) == old - lost | won


def sequential(items: list[int]) -> Iterator[list[int]]:
    """Every tour that differs in two or three edges: by brute force, all reconnections of three cuts."""
    n = len(items)
    for i, j, k in combinations(range(n), 3):
        a, b, c = items[k + 1 :] + items[: i + 1], items[i + 1 : j + 1], items[j + 1 : k + 1]
        for first, second in ((b, c), (c, b)):
            for left, right in product((first, first[::-1]), (second, second[::-1])):
                yield a + left + right


def closed(items: list[int]) -> frozenset[frozenset[int]]:
    return frozenset(edges(items))


@settings(max_examples=30)
@given(seed=st.integers(0, 2**32 - 1))
def test_with_all_cities_as_candidates_three_opt_misses_no_improvement(seed: int) -> None:
    tsp = TSP.from_coordinates(np.random.default_rng(seed).integers(0, 100, (7, 2)))
    items = np.random.default_rng(seed + 1).permutation(7).tolist()
    length = tsp.cost(np.array(items))
    better = {closed(other) for other in sequential(items) if tsp.cost(np.array(other)) < length}
    found, tour = set(), tour_of(tsp, items, 6)
    for item in range(7):
        for gain, steps in ThreeOpt().exchanges(tour, item):
            after = Tour(list(items), tour.candidates, tour.edge)
            after.make(steps)
            found |= {closed(after.items)} if gain > 0 else set()
    assert found == better


@settings(max_examples=30)
@given(seed=st.integers(0, 2**32 - 1))
def test_two_opt_and_or_opt_of_one_city_are_two_h_opt(seed: int) -> None:
    tsp = TSP.from_coordinates(np.random.default_rng(seed).integers(0, 100, (8, 2)))
    items = np.random.default_rng(seed + 1).permutation(8).tolist()
    length = tsp.cost(np.array(items))
    turned = [items[:i] + items[i : j + 1][::-1] + items[j + 1 :] for i, j in combinations(range(8), 2)]
    rests = [(item, [other for other in items if other != item]) for item in items]
    moved = [[*rest[:j], item, *rest[j:]] for item, rest in rests for j in range(8)]
    better = {closed(other) for other in turned + moved if tsp.cost(np.array(other)) < length}
    found, tour = set(), tour_of(tsp, items, 7)
    for item in range(8):
        for gain, steps in Union(TwoOpt(), OrOpt(1)).exchanges(tour, item):
            after = Tour(list(items), tour.candidates, tour.edge)
            after.make(steps)
            found |= {closed(after.items)} if gain > 0 else set()
    assert found <= better


def test_a_reversal_around_the_end_and_its_complement_give_one_tour() -> None:
    tsp = TSP.random(9, 1)
    for i, last in product(range(9), repeat=2):
        whole, shorter = tour_of(tsp, list(range(9)), 1), tour_of(tsp, list(range(9)), 1)
        whole.reverse(i, last)
        shorter.flip(i, last)
        assert edges(whole.items) == edges(shorter.items)
        whole.reverse(i, last)
        assert whole.items == list(range(9))


def test_only_neighborhoods_that_say_how_exchange_edges() -> None:
    assert all(map(trades_edges, NEIGHBORHOODS.values()))
    assert not any(map(trades_edges, (Swap(), Union(Swap(), TwoOpt()), Union(TwoOpt(), Swap()), None)))
