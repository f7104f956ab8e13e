"""Lists as a part of solutions: compiled methods read them in both languages, and `solve` searches them."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from attrs import frozen

from metaheur import Composite, Domains, Problem, compiled, data, solve
from metaheur.device.device import Device
from metaheur.lists import Lists, Relocate
from metaheur.neighborhoods import On, Substitution, Union
from metaheur.random import START, Key, Random
from metaheur.testing import check_problem


@frozen(eq=False)
class Speeds(Problem):
    """Routes whose vehicles drive slowly and cheaply, or fast; each pair of neighbors apart costs what it says."""

    ways: np.ndarray = data("int32", ndim=2)

    @property
    def representation(self) -> Composite:
        return Composite(speed=Domains([4] * 3), routes=Lists(len(self.ways) - 1, 3))

    @compiled
    def cost(self, x: Any) -> Any:
        total = 0
        for k in range(3):
            last = len(self.ways) - 1
            for item in x.routes.list(k):
                total += self.ways[last, item] * (x.speed[k] + 1)
                last = item
            total += 50 * (3 - x.speed[k])
        for i in range(len(self.ways) - 1):
            total += abs(i - min(x.routes.next(i), 9)) + min(x.routes.previous(i), 9)
        return total


def by_hand(problem: Speeds, x: np.ndarray) -> int:
    space: Any = problem.representation
    speed, routes = np.asarray(space.view(x).speed), space.view(x).routes
    total = 0
    for k, items in enumerate(routes.lists):
        stops = [len(problem.ways) - 1, *items]
        total += sum(int(problem.ways[a, b]) for a, b in pairwise(stops)) * (int(speed[k]) + 1)
        total += 50 * (3 - int(speed[k]))
    for i in range(len(problem.ways) - 1):
        total += abs(i - min(routes.next(i), 9)) + min(routes.previous(i), 9)
    return total


def drawn() -> Speeds:
    at = np.random.default_rng(3).integers(0, 100, (10, 2))
    return Speeds(np.abs(at[:, None] - at).sum(2))


def test_lists_are_a_part(compiling: Device) -> None:
    problem = drawn()
    for seed in range(5):
        x = problem.representation.random(Random(Key(seed), START, 0))
        assert problem.cost(x) == by_hand(problem, x)
    check_problem(problem, Union(On("routes", Relocate()), On("speed", Substitution())), devices=[compiling.name])


def test_solve_moves_lists_that_are_a_part() -> None:
    problem = drawn()
    found = solve(problem, work=3000, seed=1)
    assert found.cost == by_hand(problem, np.asarray(found.solution))
    assert found.cost < min(problem.cost(problem.representation.random(Random(Key(k), START, 0))) for k in range(50))
