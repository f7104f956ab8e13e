"""Strings of near items are taken out of routes, and come back one by one."""

from typing import Any, final

import numpy as np
import pytest
from attrs import field, frozen

from metaheur import Permutation, Problem, Walk, run, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.evaluators import NumpyEvaluator
from metaheur.loops import NoSearch
from metaheur.parallel import IterationLevel
from metaheur.parts import Annealed, StringRemoval
from metaheur.problems import CVRP, QAP, FlowShop
from metaheur.random import Key
from metaheur.representation import Solution
from metaheur.running.view import Until
from metaheur.searches import IteratedLocalSearch
from metaheur.testing import check_search
from tests.helpers import evaluated, facts, solution_of

GENERATOR = np.random.default_rng(2)
PLACES = GENERATOR.integers(0, 100, (17, 2))
ROUTES = CVRP(GENERATOR.integers(1, 9, 16), abs(PLACES[:, None] - PLACES[None]).sum(axis=2), 22, 6)
SEEDS = range(60)


@final
@frozen(eq=False)
class Logged(Problem):
    """Routes that note of which partial permutations, and with which item, the costs are asked."""

    asked: list[tuple[list[int], int]] = field(factory=list)
    cost_type = "int64"

    @property
    def representation(self) -> Permutation:
        return ROUTES.representation

    def cost(self, x: Solution) -> int:
        return ROUTES.cost(x)

    def insertions(self, partial: Solution, item: int) -> Any:
        self.asked.append((partial.tolist(), item))
        return ROUTES.insertions(partial, item)


def removal(**fields: Any) -> StringRemoval:
    return StringRemoval(ROUTES.nearest(15), ROUTES.orders, **fields)


def perturbed(part: StringRemoval, seed: int) -> tuple[list[int], list[tuple[list[int], int]], list[int]]:
    """A random solution, what was asked, and the solution after it."""
    problem = Logged()
    x = solution_of(problem, seed)
    start = evaluated(problem, x)
    found, count = part.perturb({}, Walk(Key(seed), start, start, iteration=6), start, NumpyEvaluator(problem))
    assert found.cost == problem.cost(found.solution)
    assert sorted(found.solution.tolist()) == list(range(len(x)))
    assert count == sum(len(partial) + 1 for partial, _ in problem.asked)
    return x.tolist(), problem.asked, found.solution.tolist()


def test_items_go_out_in_strings_one_of_a_route() -> None:
    counts, stayed = set(), 0
    for seed in SEEDS:
        x, asked, _ = perturbed(removal(average=4, longest=3), seed)
        out = {item for _, item in asked}
        assert asked[0][0] == [item for item in x if item not in out]
        assert max(out) < 16  # a return to the depot stays
        counts.add(len(out))
        for route in ROUTES.routes(np.array(x)):
            places = [place for place, item in enumerate(route) if item in out]
            width = max(places) - min(places) + 1 if places else 0
            assert len(places) <= 3
            assert width - len(places) in (0, 1)
            stayed += width > len(places)
    assert counts == set(range(1, 8))
    assert 10 < stayed < 100


def test_the_strings_are_around_the_items_near_a_random_item() -> None:
    near = ROUTES.nearest(15)
    for seed in SEEDS:
        x, asked, _ = perturbed(removal(average=3, longest=2), seed)
        out = {item for _, item in asked}
        routes = [set(route) for route in ROUTES.routes(np.array(x)) if out & set(route)]
        assert any(_reached([first, *near[first]], routes, out) for first in out)


def _reached(line: list[int], routes: list[set[int]], out: set[int]) -> bool:
    """Whether the first items in line, one of each route, are those around which the strings were taken."""
    left = list(routes)
    for item in line:
        met = [route for route in left if item in route]
        if met:
            left.remove(met[0])
        elif left and not any(item in route for route in routes):
            return False  # a route that is whole came first
    return not left


def test_items_come_back_in_one_of_the_orders() -> None:
    rows = np.array([np.arange(16), -np.arange(16)])
    used = set()
    for seed in SEEDS:
        _, asked, _ = perturbed(StringRemoval(ROUTES.nearest(15), rows, average=5), seed)
        items = [item for _, item in asked]
        if len(items) > 1:
            assert items in (sorted(items), sorted(items, reverse=True))
            used.add(items[0] < items[1])
    assert used == {True, False}


def test_items_with_equal_numbers_come_back_in_random_order() -> None:
    firsts = [[item for _, item in perturbed(removal(average=5), seed)[1]] for seed in SEEDS]
    assert 0 < sum(items == sorted(items) for items in firsts) < len(SEEDS)


@pytest.mark.parametrize("seed", range(5))
def test_without_blinks_each_item_goes_to_its_best_place(seed: int) -> None:
    _, asked, found = perturbed(removal(blinks=0), seed)
    left = asked[0][0]
    for partial, item in asked:
        assert partial == left
        left = min(
            ([*left[:k], item, *left[k:]] for k in range(len(left) + 1)),
            key=lambda x: ROUTES.costs(np.array(x)[None])[0],
        )
    assert found == left


def test_where_all_places_are_overlooked_each_item_goes_to_the_last_one() -> None:
    _, asked, found = perturbed(removal(blinks=1), 3)
    assert found == [*asked[0][0], *(item for _, item in asked)]


def test_blinks_are_as_frequent_as_wished() -> None:
    overlooked = places = 0
    for seed in range(200):
        _, asked, found = perturbed(removal(blinks=0.25, average=8), seed)
        for (partial, item), after in zip(asked, [*(each for each, _ in asked[1:]), found], strict=True):
            costs = ROUTES.insertions(np.array(partial, np.int32), item)
            overlooked += after.index(item) != np.argmin(costs)
            places += 1
    assert 0.2 < overlooked / places < 0.3


@pytest.mark.parametrize("blinks", [0.0, 0.3, 1.0])
def test_walks_are_the_same_everywhere(compiling: Device, blinks: float) -> None:
    search = IteratedLocalSearch(NoSearch(), removal(average=4, blinks=blinks), Annealed(30))
    check_search(search, ROUTES, iterations=60, devices=[compiling.name])


def test_a_permutation_without_separators_loses_one_string(compiling: Device) -> None:
    shop = FlowShop(np.random.default_rng(1).integers(1, 30, (9, 4)))
    others = np.array([[k for k in range(9) if k != item] for item in range(9)])
    search = IteratedLocalSearch(NoSearch(), StringRemoval(others, np.zeros((1, 9))), Annealed(30))
    check_search(search, shop, iterations=60, devices=[compiling.name])


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"candidates": [[1], [2]]}, "candidates"),
        ({"orders": [[0, 0, 0]]}, r"a number for each of 2 items, but has the shape \(1, 3\)"),
        ({"orders": np.zeros((0, 2))}, "`orders` must have a row or more"),
        ({"average": 0}, "average"),
        ({"longest": 0}, "longest"),
        ({"blinks": 2}, "blinks"),
    ],
)
def test_what_does_not_fit_is_named(fields: dict[str, Any], reason: str) -> None:
    given = {"candidates": [[1], [0]], "orders": [[0, 0]], **fields}
    with pytest.raises(InputError, match=reason):
        StringRemoval(**given)


@pytest.mark.parametrize(
    ("problem", "reason"),
    [
        (QAP.random(16, 1), "QAP has no `insertions`"),
        (FlowShop(np.ones((9, 2), int)), "`candidates` must have one row for each of at most 9 items, but has 16 rows"),
    ],
    ids=["no insertions", "fewer items"],
)
def test_problems_that_do_not_fit_are_refused(problem: Problem, reason: str) -> None:
    search = IteratedLocalSearch(NoSearch(), removal())
    with pytest.raises(InputError, match=reason):
        run(search, problem, stop=stop.iterations(3))


def test_a_perturbation_that_takes_long_is_broken_off_between_two_items() -> None:
    """The search stays where the iteration began, so that it makes the iteration again when it goes on."""
    looks = iter(range(10**9))
    search = IteratedLocalSearch(NoSearch(), removal())
    runner = IterationLevel("numpy").bind(search, ROUTES)
    start = solution_of(ROUTES, 3)
    runner.alarm.interrupted = lambda: next(looks) > 8
    broken = runner.advance(runner.begin([Key(1)], start[None]), Until(99)).walks
    made = int(broken.iterations[0])
    assert made < 8
    runner.alarm.interrupted = bool
    expected = IterationLevel("numpy").bind(search, ROUTES)
    whole = expected.advance(expected.begin([Key(1)], start[None]), Until(20)).walks
    assert facts(runner.advance(broken, Until(20)).walks.state(0)) == facts(whole.state(0))
