"""Partition: subtours by cells of the plane, and tours made of them again, at a cost that is told."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaheur.problems import TSP
from metaheur.random import Key, Random
from metaheur.tours.partition import Partition, cells, near, patched


def drawn(seed: int) -> Random:
    return Random(Key(seed), 1000, 1)


def length(tsp: TSP, partition: Partition, walk: int, cell: int, order: np.ndarray) -> int:
    """Of a subtour, ties apart."""
    following = np.roll(order, -1)
    tied = partition.behind[walk, cell, order] == following
    tied |= partition.before[walk, cell, order] == following
    items = partition.items[cell]
    return int(tsp.edge(items[order], items[following])[~tied].sum())


def keeps_ties(partition: Partition, walk: int, cell: int, order: np.ndarray) -> bool:
    beside = {frozenset(pair) for pair in zip(order.tolist(), np.roll(order, 1).tolist(), strict=True)}
    behind = partition.behind[walk, cell].tolist()
    return all(frozenset((a, b)) in beside for a, b in enumerate(behind) if b < len(behind))


@given(st.integers(8, 60), st.integers(8, 20), st.integers(0, 2**32 - 1))
@settings(max_examples=30)
def test_tours_of_reordered_subtours_cost_what_is_told(n: int, size: int, seed: int) -> None:
    tsp, generator = TSP.random(n, seed=1), np.random.default_rng(seed)
    tours = np.array([generator.permutation(n) for _ in range(3)])
    partition = Partition(tours, cells(np.asarray(tsp.points), size, drawn(seed)))
    orders = partition.orders.copy()
    changes = np.zeros(3, np.int64)
    for walk, cell in np.ndindex(orders.shape[:2]):
        order = orders[walk, cell]
        before = length(tsp, partition, walk, cell, order)
        for _ in range(20):
            i, j = np.sort(generator.integers(0, len(order), 2))
            other = np.concatenate([order[:i], order[i : j + 1][::-1], order[j + 1 :]])
            order = other if keeps_ties(partition, walk, cell, other) else order
        orders[walk, cell] = order
        changes[walk] += length(tsp, partition, walk, cell, order) - before
    found, dearer = partition.joined(orders, tsp.nearest(min(5, n - 1)), tsp.edge)
    assert (np.sort(found, axis=1) == np.arange(n)).all()
    for walk, tour in enumerate(tours):
        assert tsp.cost(found[walk]) == tsp.cost(tour) + changes[walk] + dearer[walk]


def test_subtours_as_they_were_are_the_tour_as_it_was() -> None:
    tsp = TSP.random(50, seed=2)
    tour = tsp.nearest_neighbour()
    partition = Partition(tour[None], cells(np.asarray(tsp.points), 12, drawn(3)))
    found, dearer = partition.joined(partition.orders, tsp.nearest(5), tsp.edge)
    assert dearer == [0]
    edges = [{frozenset(pair) for pair in zip(each, np.roll(each, 1), strict=True)} for each in (tour, found[0])]
    assert edges[0] == edges[1]


def test_subtours_that_fall_apart_together_are_patched() -> None:
    """Each half of the plane is passed twice; where both pair the ends of passes otherwise, there are two cycles."""
    tsp = TSP.from_coordinates([[10 * x + 40 * (x > 7), y] for x in range(16) for y in (0, 3)])
    left, right = np.arange(16), np.arange(16, 32)
    tour = np.concatenate([left[:8], right[:8], left[8:], right[8:]])
    partition = Partition(tour[None], np.array([left, right]))
    other = np.array([8, 9, 10, 11, 3, 2, 1, 0, 15, 14, 13, 12, 4, 5, 6, 7])
    change = 0
    for cell in (0, 1):
        assert keeps_ties(partition, 0, cell, other)
        before = length(tsp, partition, 0, cell, partition.orders[0, cell])
        change += length(tsp, partition, 0, cell, other) - before
    found, dearer = partition.joined(np.array([[other, other]]), tsp.nearest(4), tsp.edge)
    assert sorted(found[0].tolist()) == list(range(32))
    assert dearer[0] != 0
    assert tsp.cost(found[0]) == tsp.cost(tour) + change + dearer[0]


@pytest.mark.parametrize(("n", "size", "shape"), [(100, 9, (11, 9)), (99, 20, (4, 24)), (30, 40, (1, 30))])
def test_cells_are_of_one_size_and_do_not_overlap(n: int, size: int, shape: tuple[int, int]) -> None:
    found = cells(np.asarray(TSP.random(n, seed=3).points), size, drawn(1))
    assert found.shape == shape
    assert len(np.unique(found)) == found.size


def test_candidates_are_those_in_the_cell_and_not_tied() -> None:
    tsp = TSP.random(60, seed=4)
    candidates = tsp.nearest(6)
    items = cells(np.asarray(tsp.points), 12, drawn(2))
    partition = Partition(tsp.space_filling_curve()[None], items)
    found = partition.untied(near(items, candidates))[0]
    for cell, a in np.ndindex(items.shape):
        ties = {int(ties[0, cell, a]) for ties in (partition.behind, partition.before)}
        inside = [items[cell].tolist().index(c) for c in candidates[items[cell, a]] if c in items[cell]]
        free = [c for c in inside if c not in ties]
        row = found[cell, a].tolist()
        assert row == free + free[-1:] * (6 - len(free)) if free else a not in row and not ties & set(row)


def cycles_of(generator: np.random.Generator, n: int, count: int) -> list[np.ndarray]:
    cuts = np.sort(generator.choice(np.arange(1, n // 3), count - 1, replace=False)) * 3
    return np.split(generator.permutation(n), cuts)


def cost_of_cycles(tsp: TSP, cycles: list[np.ndarray]) -> int:
    return sum(int(tsp.edge(cycle, np.roll(cycle, 1)).sum()) for cycle in cycles)


@given(st.integers(12, 40), st.integers(2, 4), st.integers(0, 2**32 - 1))
@settings(max_examples=60)
def test_one_cycle_of_several_costs_what_is_told(n: int, count: int, seed: int) -> None:
    tsp = TSP.random(n, seed=5)
    cycles = cycles_of(np.random.default_rng(seed), n, count)
    tour, dearer = patched(cycles, tsp.nearest(6), tsp.edge)
    assert sorted(tour.tolist()) == list(range(n))
    assert tsp.cost(tour) == cost_of_cycles(tsp, cycles) + dearer


@given(st.integers(12, 30), st.integers(0, 2**32 - 1))
@settings(max_examples=30)
def test_without_candidates_the_least_item_is_joined_at_the_least_cost(n: int, seed: int) -> None:
    tsp = TSP.random(n, seed=6)
    small, large = sorted(cycles_of(np.random.default_rng(seed), n, 2), key=len)
    own = np.empty((n, 1), np.int64)  # each item's only candidate lies in its own cycle
    for cycle in (small, large):
        own[cycle, 0] = np.roll(cycle, 1)
    edges = [[(cycle[k], cycle[k - 1]) for k in range(len(cycle))] for cycle in (small, large)]
    costs = [
        int(tsp.edge(a, c) + tsp.edge(b, d) - tsp.edge(a, b) - tsp.edge(c, d))
        for ends in edges[0]
        for a, b in (ends, ends[::-1])
        if a == min(small)
        for other in edges[1]
        for c, d in (other, other[::-1])
    ]
    assert patched([small, large], own, tsp.edge)[1] == min(costs)


def test_candidates_are_other_items_that_are_not_tied() -> None:
    tsp, generator = TSP.random(40, seed=4), np.random.default_rng(4)
    partition = Partition(
        np.array([generator.permutation(40) for _ in range(3)]), cells(np.asarray(tsp.points), 8, drawn(4))
    )
    size = partition.items.shape[1]
    others = [np.delete(np.arange(size), item) for item in range(size)]
    listed = np.array([[generator.permutation(each)[:2] for each in others] for _ in partition.items])
    found, rare = partition.untied(listed), 0
    for walk, cell, item in np.ndindex(*found.shape[:3]):
        tied = {int(partition.behind[walk, cell, item]), int(partition.before[walk, cell, item])}
        left = [other for other in listed[cell, item].tolist() if other not in tied]
        near = found[walk, cell, item].tolist()
        assert set(near) >= set(left)
        assert not {item, *tied} & set(near)
        rare += not left
    assert rare
