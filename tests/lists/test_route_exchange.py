"""Lists of the second parent take the place of own lists that are most like them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from metaheur import MemeticAlgorithm, run, stop
from metaheur.device.device import Device
from metaheur.lists import Lists, Relocate, RouteExchange
from metaheur.parts import Breeding, Limit
from metaheur.random import START, Key, Random
from metaheur.searches import HillClimbing
from metaheur.testing import check_recombination
from tests.problems.test_vrptw import drawn


@pytest.mark.parametrize(("most", "space"), [(8, Lists(3, 3)), (1, Lists(3, 2, optional=True))])
def test_children_are_lists_on_all_devices(most: int, space: Lists, compiling: Device) -> None:
    check_recombination(RouteExchange(space.items, most), space, devices=[compiling.name])


def child_of(one: list[list[int]], other: list[list[int]], seed: int, **fields: Any) -> list[list[int]]:
    space = Lists(6, 3)
    x, y = np.asarray(space.join(one)).copy(), np.asarray(space.join(other))
    RouteExchange(6, **fields).cross(x, y, Random(Key(seed), START, 0))
    return space.split(space.validate(x))


def test_one_list_takes_the_place_of_the_one_most_like_it() -> None:
    one, other = [[0, 1, 2], [3, 4], [5]], [[4, 5], [2, 1, 3], [0]]
    children = {str(child_of(one, other, seed, most=1)) for seed in range(20)}
    assert children == {
        "[[0, 1, 3, 2], [4, 5], []]",  # 3 has lost its place, and goes behind 1
        "[[2, 1, 3], [4], [0, 5]]",  # nobody of the list of 0 is left, and no list is empty
        "[[0], [2, 1, 3, 4], [5]]",  # 2 goes before 3, and 1 behind 2
    }


def test_a_child_of_equals_is_equal_and_all_lists_may_be_exchanged() -> None:
    space = Lists(6, 3)
    for seed in range(20):
        x, y = (space.split(space.random(Random(Key(seed + k), START, 0))) for k in (0, 1))
        assert child_of(x, x, seed) == x
        items = [each for one in child_of(x, y, seed) for each in one]
        assert sorted(items) == [*range(6)]


def test_a_memetic_search_of_routes_finds_better_ones() -> None:
    problem = drawn(9)
    search = MemeticAlgorithm(HillClimbing(Relocate()), Breeding(RouteExchange(9), size=4), Limit(20))
    found = run(search, problem, stop=stop.iterations(400), seed=1, parallel="host")
    assert problem.is_feasible(found.solution)
    assert not RouteExchange(9).supports(Lists(8, 2))
