"""Strings of near items are taken out of lists, and come back one by one to where they cost least."""

from itertools import combinations, count, product
from typing import Any

import numpy as np
import pytest

from metaheur import Permutation, Walk
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.evaluators import NumpyEvaluator
from metaheur.lists import Lists, RuinAndRecreate, RuinAndRecreatePairs, RuinAndRegret
from metaheur.loops import NoSearch
from metaheur.parts import Annealed
from metaheur.problems import QAP, VehicleRouting
from metaheur.random import Key, Random, Stream
from metaheur.searches import IteratedLocalSearch
from metaheur.testing import check_search
from tests.helpers import evaluated, solution_of
from tests.problems.test_cvrp import random_routes
from tests.problems.test_pickup_and_delivery import drawn as drawn_requests
from tests.problems.test_vrptw import drawn

TIMES, LOADS, REQUESTS = drawn(9), VehicleRouting.of(random_routes()), drawn_requests(4)
SEEDS = range(30)


def removal(problem: Any, **fields: Any) -> RuinAndRecreate:
    return RuinAndRecreate(problem.nearest(6), problem.orders, **fields)


def perturbed(part: RuinAndRecreate, problem: Any, seed: int) -> tuple[Any, Any, int]:
    start = evaluated(problem, solution_of(problem, seed))
    found, count = part.perturb({}, Walk(Key(seed), start, start, iteration=6), start, NumpyEvaluator(problem))
    assert found.cost == problem.cost(found.solution)
    return start.solution, found.solution, count


@pytest.mark.parametrize("problem", [TIMES, LOADS], ids=lambda each: type(each).__name__)
@pytest.mark.parametrize(
    "fields",
    [
        {"blinks": 0.01},
        {"blinks": 0.3, "tails": True},
        {"blinks": 0.3, "tails": True, "beside": 2},
        {"blinks": 0.3, "lists": 2},
        {"blinks": 0.3, "lists": 3, "tails": True, "beside": 2},
    ],
    ids=repr,
)
def test_searches_walk_the_same_way(problem: Any, fields: dict[str, Any], compiling: Device) -> None:
    kinds = problem.kinds if fields.get("lists") == 3 else np.array([-1])
    part = removal(problem, average=4, longest=4, kinds=kinds, **fields)
    check_search(IteratedLocalSearch(NoSearch(), part, Annealed(50, 0.1)), problem, devices=[compiling.name])


def test_one_item_goes_to_the_best_of_all_places() -> None:
    part, moved = removal(TIMES, average=1, longest=1, blinks=0.0), 0
    space = TIMES.representation
    for seed in SEEDS:
        before, after, evaluations = perturbed(part, TIMES, seed)
        assert evaluations == space.length - 1
        lists, costs = space.split(after), []
        item = Random(Key(seed), Stream.PERTURBATION, 7).integer(0, 0, 8)  # the first draw
        rest = _without(space, before, item)
        for k, one in enumerate(rest):
            for at in range(len(one) + 1):
                costs.append(TIMES.cost(space.join([*rest[:k], [*one[:at], item, *one[at:]], *rest[k + 1 :]])))
        assert TIMES.cost(after) == min(costs)
        moved += lists != space.split(before)
    assert moved > 5


def test_an_item_goes_beside_its_first_candidate_or_an_end_where_another_one_is_or_to_an_empty_list() -> None:
    space, part, far = TIMES.representation, removal(TIMES, average=1, longest=1, blinks=0.0, beside=1), 0
    for seed in SEEDS:
        before, after, evaluations = perturbed(part, TIMES, seed)
        assert evaluations == 3
        item = Random(Key(seed), Stream.PERTURBATION, 7).integer(0, 0, 8)  # the first draw
        others, costs = part.candidates[item].tolist(), []
        rest = _without(space, before, item)
        for k, one in enumerate(rest):
            for at in range(len(one) + 1):
                ends = one[:1] * (at == 0) + one[-1:] * (at == len(one))
                first_of_last = at == 0 and k == len(rest) - 1
                if others[0] in one[max(at - 1, 0) : at + 1] or {*ends} & {*others} or not one or first_of_last:
                    costs.append(TIMES.cost(space.join([*rest[:k], [*one[:at], item, *one[at:]], *rest[k + 1 :]])))
                else:
                    far += 1
        assert TIMES.cost(after) == min(costs)
    assert far


def _without(space: Lists, x: Any, item: int) -> list[list[int]]:
    return [[each for each in one if each != item] for one in space.split(x)]


@pytest.mark.parametrize("beside", [0, 2])
def test_no_more_lists_than_wanted_get_items(beside: int) -> None:
    """Where three of four lists may have some, empty ones are tried while but one has, and the last one always."""
    space, opened = TIMES.representation, set()
    starts = [[[*range(9)], [], [], []], [[0, 1, 2, 3, 4], [5, 6, 7, 8], [], []], [[0, 1, 2, 3], [4, 5, 6], [7, 8], []]]
    for lists in starts:
        start = evaluated(TIMES, space.join(lists))
        for seed, most in product(SEEDS, (0, 3)):
            part = removal(TIMES, average=2, longest=2, beside=beside, lists=most)
            walk = Walk(Key(seed), start, start, iteration=6)
            x, back, random, draws = part.ruined(walk, start, TIMES)
            left = sum(map(bool, space.split(x)[:-1]))
            found, _ = part.recreated(x, back[:1], random, draws, NumpyEvaluator(TIMES))
            (into,) = (k for k, one in enumerate(space.split(found)) if back[0] in one)
            opens = not space.split(x)[into]
            opened.add((most, left, opens and into < 3))
            assert not (most and left >= 2 and opens and into < 3)
    assert {(0, 2, True), (3, 1, True)} <= opened


def test_all_items_come_back_and_lists_lose_a_string_each() -> None:
    part, counts = removal(LOADS, average=3, longest=2), set()
    for seed in SEEDS:
        before, after, evaluations = perturbed(part, LOADS, seed)
        assert sorted(each for one in after.lists for each in one) == [*range(7)]
        counts.add(evaluations // before.size)
    assert len(counts) > 2  # different numbers of items are taken out


@pytest.mark.parametrize("problem", [TIMES, LOADS], ids=lambda each: type(each).__name__)
def test_two_lists_exchange_what_is_behind_their_strings_where_that_costs_least(problem: Any) -> None:
    part, space, exchanged = removal(problem, average=3, longest=3, tails=True), problem.representation, 0
    for seed in SEEDS:
        start = evaluated(problem, solution_of(problem, seed))
        walk = Walk(Key(seed), start, start, iteration=6)
        x, out = part.taken(start.solution, space, walk.random(Stream.PERTURBATION), count())
        before, after = space.split(start.solution), space.split(x)
        heads = {  # what is before the first item that is out, of lists that lost some
            k: after[k][: next(at for at, item in enumerate(one) if item in out)]
            for k, one in enumerate(before)
            if {*one} & {*out}
        }
        options = []
        for i, j in combinations(heads, 2):
            if heads[i] == after[i] and heads[j] == after[j]:
                continue
            lists = list(after)
            lists[i] = heads[i] + after[j][len(heads[j]) :]
            lists[j] = heads[j] + after[i][len(heads[i]) :]
            options.append(_linked(space, lists))
        found, *_ = part.ruined(walk, start, problem)
        best = min((problem.cost(each) for each in options), default=start.cost)
        exchanged += best < start.cost
        assert problem.cost(found) == (best if best < start.cost else problem.cost(x))
    assert 3 < exchanged < len(SEEDS)


def _linked(space: Lists, lists: list[list[int]]) -> Any:
    """The solution with some lists; the other items are out."""
    x = np.arange(space.length)
    for k, one in enumerate(lists):
        ring = [space.items + k, *one]
        x[ring] = np.roll(ring, -1)
    return x


def test_what_does_not_fit_is_refused() -> None:
    part = removal(TIMES)
    with pytest.raises(
        InputError, match="asks for the `delta` of a TailsMove, but `moves` of PickupAndDelivery has none"
    ):
        removal(REQUESTS, tails=True).require_lists(REQUESTS)
    with pytest.raises(InputError, match="exchanges tails of lists, which parts pairs"):
        RuinAndRecreatePairs(removal(REQUESTS, tails=True), REQUESTS.pairs)
    with pytest.raises(InputError, match=r"`RuinAndRegret\.ruin` must try all empty lists, but `lists` is 3"):
        RuinAndRegret(removal(TIMES, lists=3))
    with pytest.raises(InputError, match="`orders` must have a row or more"):
        RuinAndRecreate(TIMES.nearest(3), np.zeros((1, 4)))
    with pytest.raises(InputError, match="acts on lists"):
        part.require(QAP(np.ones((9, 9)), np.ones((9, 9))))
    with pytest.raises(InputError, match="a row for each of 7 items, but has 9"):
        part.require(LOADS)
    assert not isinstance(TIMES.representation, Permutation)


def test_one_of_several_empty_lists_that_are_alike_is_looked_at() -> None:
    space = TIMES.representation
    x = space.join([[*range(9)], [], [], []])
    heads = np.arange(space.items, space.length)
    for kinds, looked_at in (((0, 0, 0, 0), [0, 1, 3]), ((0, 1, 2, 2), [0, 1, 2, 3]), ((0, 1, 1, 2), [0, 1, 3])):
        part = removal(TIMES, kinds=np.array(kinds))
        assert np.flatnonzero(~part.repeated(x)[heads]).tolist() == looked_at
    assert not removal(TIMES).repeated(x).any()
    with pytest.raises(InputError, match="`kinds` must have a number for each of 4 lists"):
        removal(TIMES, kinds=np.zeros(3, np.int32)).require(TIMES)
