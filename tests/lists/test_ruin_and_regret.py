"""Of the items that are out, the one comes back first that has the largest regret."""

from typing import Any

import numpy as np
import pytest

from metaheur import Walk
from metaheur.device.device import Device
from metaheur.evaluators import NumpyEvaluator
from metaheur.lists import RuinAndRecreate, RuinAndRegret
from metaheur.loops import NoSearch
from metaheur.parts import Annealed
from metaheur.problems import VehicleRouting
from metaheur.random import Key
from metaheur.searches import IteratedLocalSearch
from metaheur.testing import check_search
from tests.helpers import evaluated, solution_of
from tests.problems.test_cvrp import random_routes
from tests.problems.test_fleet_routing import drawn as fleet
from tests.problems.test_vrptw import drawn

TIMES, LOADS, SOME = drawn(9), VehicleRouting.of(random_routes()), fleet(8)


def removal(problem: Any, **fields: Any) -> RuinAndRegret:
    return RuinAndRegret(RuinAndRecreate(problem.nearest(6), problem.orders, kinds=problem.kinds, **fields))


@pytest.mark.parametrize("problem", [TIMES, LOADS, SOME], ids=lambda each: type(each).__name__)
def test_searches_walk_the_same_way(problem: Any, compiling: Device) -> None:
    part = removal(problem, average=4, longest=4, blinks=0.2)
    check_search(IteratedLocalSearch(NoSearch(), part, Annealed(50, 0.1)), problem, devices=[compiling.name])


def test_items_come_back_by_their_regrets() -> None:
    part, space, sizes = removal(TIMES, average=2, longest=1, blinks=0.0), TIMES.representation, set[int]()
    plain = RuinAndRecreate(TIMES.nearest(6), TIMES.orders, average=2, longest=1, blinks=0.0)
    for seed in range(30):
        start = evaluated(TIMES, solution_of(TIMES, seed))
        walk = Walk(Key(seed), start, start, iteration=6)
        after, evaluations = part.perturb({}, walk, start, NumpyEvaluator(TIMES))
        lists, out = _ruined(plain, walk, start)
        sizes.add(len(out))
        assert evaluations == sum(k * (space.length - k) for k in range(1, len(out) + 1))
        while out:
            options = {item: sorted(min(_with(lists, k, item)) for k in range(4)) for item in out}
            regrets = {item: costs[1] - costs[0] for item, costs in options.items()}
            item = max(out, key=lambda each: regrets[each])
            if sum(regrets[each] == regrets[item] for each in out) > 1:
                break  # the order of equals is drawn
            at = min((min(_with(lists, k, item)), k) for k in range(4))[1]
            costs = _with(lists, at, item)
            lists[at].insert(costs.index(min(costs)), item)
            out.remove(item)
        if not out:
            assert TIMES.representation.split(after.solution) == lists
        assert after.cost == TIMES.cost(after.solution)
    assert sizes == {1, 2, 3}


def _ruined(part: RuinAndRecreate, walk: Walk, start: Any) -> tuple[list[list[int]], list[int]]:
    from itertools import count

    from metaheur.random import Stream

    space: Any = TIMES.representation
    x, out = part.taken(start.solution, space, walk.random(Stream.PERTURBATION), count())
    return space.split(x), out


def _with(lists: list[list[int]], k: int, item: int) -> list[int]:
    """The costs with an item at each place of a list."""
    space, found = TIMES.representation, []
    for at in range(len(lists[k]) + 1):
        x = np.arange(space.length)
        for number, one in enumerate(lists):
            own = [*one[:at], item, *one[at:]] if number == k else one
            ring = [space.items + number, *own]
            x[ring] = np.roll(ring, -1)
        found.append(int(TIMES.costs(space.view(x[None]))[0]))
    return found
