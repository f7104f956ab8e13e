"""Lists of unlike kinds change places while items are out, and where that costs less."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np
import pytest

from metaheur import IteratedLocalSearch, Walk, run, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.evaluators import NumpyEvaluator
from metaheur.lists import RuinAndRecreate, RuinAndRecreateKinds
from metaheur.loops import NoSearch
from metaheur.parts import Annealed, BetterOrEqual
from metaheur.problems import FleetRouting
from metaheur.random import Key, Stream
from metaheur.testing import check_search
from tests.helpers import evaluated, solution_of
from tests.problems.test_fleet_routing import drawn

SOME = drawn(8)
ALL = attrs.evolve(drawn(8, prizes=False), fleet=SOME.fleet[[0, 0, 0, 1, 2, 2]])


def removal(problem: FleetRouting, changes: float = 0.5, **fields: Any) -> RuinAndRecreateKinds:
    ruin = RuinAndRecreate(problem.nearest(6), problem.orders, kinds=problem.kinds, **fields)
    return RuinAndRecreateKinds(ruin, changes)


@pytest.mark.parametrize(("problem", "beside"), [(SOME, 0), (ALL, 2)], ids=["three vehicles", "several of a kind"])
def test_searches_walk_the_same_way(problem: FleetRouting, beside: int, compiling: Device) -> None:
    part = removal(problem, average=3, longest=3, blinks=0.1, beside=beside, tails=beside > 0)
    check_search(IteratedLocalSearch(NoSearch(), part, Annealed(60, 0.2)), problem, devices=[compiling.name])


@pytest.mark.parametrize("problem", [SOME, ALL], ids=["three vehicles", "several of a kind"])
def test_each_list_that_changed_goes_where_it_costs_least(problem: FleetRouting) -> None:
    part, changed = removal(problem, 0.0, average=2, longest=2, blinks=0.0), 0
    space, kinds = problem.representation, problem.kinds
    for seed in range(40):
        start = evaluated(problem, solution_of(problem, seed))
        walk = Walk(Key(seed), start, start, iteration=6)
        _, taken = part.ruin.taken(start.solution, space, walk.random(Stream.PERTURBATION), iter(range(1000)))
        plain, _ = part.ruin.perturb({}, walk, start, NumpyEvaluator(problem))
        after, _ = part.perturb({}, walk, start, NumpyEvaluator(problem))
        routes, before, back = (space.split(each) for each in (plain.solution, start.solution, plain.solution))
        for k in range(space.lists):
            if not routes[k] or not set(taken) & {*before[k], *back[k]}:
                continue
            options = [routes]
            for other in range(space.lists):
                if kinds[other] != kinds[k]:
                    swapped = list(routes)
                    swapped[k], swapped[other] = routes[other], routes[k]
                    options.append(swapped)
            best = min(options, key=lambda each: problem.cost(space.join(each)))
            changed += best is not routes
            routes = best
        assert space.split(after.solution) == routes
        assert after.cost == problem.cost(after.solution) <= plain.cost
    assert changed > 10


def test_a_larger_vehicle_is_found_that_no_customer_alone_is_worth() -> None:
    c, near = 4, np.abs(np.subtract.outer(np.arange(5) % 4, np.arange(5) % 4))
    near[c, :c] = near[:c, c] = 100
    windows, ones = np.tile([0, 10_000], (c + 1, 1)), np.ones(c, int)
    fleet = np.array([[2, 0, 50, 1, 10_000, 10_000]] * 3 + [[4, 0, 120, 1, 10_000, 10_000]] * 2)
    problem = FleetRouting(ones, 0 * ones, windows, 0 * ones, -ones, near, fleet)
    part = removal(problem, 1.0, average=3, longest=3)
    costs = {}
    for name, each in {"alone": part.ruin, "with kinds": part}.items():
        search = IteratedLocalSearch(NoSearch(), each, BetterOrEqual())
        start = problem.solution([[0, 1], [2, 3], [], [], []])
        costs[name] = run(search, problem, stop=stop.iterations(400), seed=1, start=start, parallel="numpy").cost
    assert costs == {"alone": 2 * (50 + 201), "with kinds": 120 + 203}


def test_kinds_are_asked_for() -> None:
    with pytest.raises(InputError, match="`ruin` must tell the kind of each list"):
        RuinAndRecreateKinds(RuinAndRecreate(SOME.nearest(3), SOME.orders))
    with pytest.raises(InputError, match="`kinds` must have a number for each of 3 lists"):
        removal(ALL).require(SOME)
