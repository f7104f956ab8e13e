"""Pickup and delivery: costs by the clock, pairs that stay together, moves and removals of pairs, files and runs."""

from __future__ import annotations

from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaheur import HillClimbing, IteratedLocalSearch, SimulatedAnnealing, run, solve, stop
from metaheur.command.main import main
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.evaluators import NumpyEvaluator
from metaheur.lists import Lists, PairRelocate, PairsMove, Relocate, RuinAndRecreate, RuinAndRecreatePairs
from metaheur.loops import NoSearch
from metaheur.parts import Annealed, RandomMoves
from metaheur.problems import HierarchicalPickupAndDelivery, PickupAndDelivery, problem_from_file
from metaheur.problems.formats.li_lim import PickupInstance, read_li_lim, write_li_lim
from metaheur.problems.formats.tsplib_instance import TSPInstance
from metaheur.random import START, Key, Random, Stream
from metaheur.testing import check_neighborhood, check_problem, check_search
from metaheur.walk import Walk
from tests.helpers import evaluated
from tests.problems.formats.test_fuzz import LI_LIM


def drawn_instance(requests: int = 4, seed: int = 1, vehicles: int = 3) -> PickupInstance:
    """Requests in the plane, whose pickups and deliveries are numbered at random."""
    random, n = np.random.default_rng(seed), 2 * requests + 1
    at, pairs = random.integers(0, 60, (n, 2)), random.permutation(2 * requests).reshape(-1, 2)
    opens, demands = np.append(0, random.integers(0, 150, n - 1)), np.zeros(n, np.int64)
    demands[1 + pairs[:, 0]] = random.integers(1, 10, requests)
    demands[1 + pairs[:, 1]] = -demands[1 + pairs[:, 0]]
    opens[1 + pairs[:, 1]] = opens[1 + pairs[:, 0]] + random.integers(40, 90, requests)
    windows = np.stack([opens, opens + np.append(900, random.integers(60, 250, n - 1))], 1)
    service = np.append(0, random.integers(0, 15, n - 1))
    places = TSPInstance("drawn", "EUC_2D", coordinates=at.astype(float))
    return PickupInstance(places, demands, windows, service, pairs, 12, vehicles)


def drawn(requests: int = 4, seed: int = 1, vehicles: int = 3, **options: Any) -> PickupAndDelivery:
    return PickupAndDelivery.of(drawn_instance(requests, seed, vehicles), **{"decimals": 0, **options})


def constructed_by_definition(problem: PickupAndDelivery) -> list[list[int]]:
    """Each request where it fits at the least length, all places of all routes tried."""

    def length(route: list[int]) -> int:
        stops = [len(problem.demands), *route, len(problem.demands)] if route else []
        return sum(int(problem.distances[a, b]) for a, b in pairwise(stops))

    routes: list[list[int]] = [[] for _ in range(problem.vehicles)]
    for pickup, delivery in problem.pairs[np.argsort(problem.windows[problem.pairs[:, 0], 1], kind="stable")].tolist():
        tried = [
            (length(new) - length(route), number, i, j, new)
            for number, route in enumerate(routes)
            for i in range(len(route) + 1)
            for j in range(i, len(route) + 1)
            for new in ([*route[:i], pickup, *route[i:j], delivery, *route[j:]],)
            if problem._obeys(new)
        ]
        shortest = min(range(len(routes)), key=lambda number: len(routes[number]))
        _, number, *_, new = min(tried, default=(0, shortest, 0, 0, [*routes[shortest], pickup, delivery]))
        routes[number] = new
    return [route for route in routes if route]


def test_requests_go_where_they_fit_at_the_least_length() -> None:
    for seed in range(40):
        problem = drawn(2 + seed % 9, seed, 1 + seed % 5)
        made = problem.routes(problem.construct(Random(Key(1), START, 0)))
        assert made == constructed_by_definition(problem)


def by_clock(problem: PickupAndDelivery, routes: list[list[int]]) -> int:
    """Drive along each route: who is early waits, who is late pays, and goes back in time."""
    depot, cost = len(problem.demands), 0
    for route in routes:
        place, now, load, most = depot, int(problem.windows[depot, 0]), 0, 0
        for there in [*route, depot]:
            opens, closes = problem.windows[there].tolist()
            way = int(problem.distances[place, there])
            now = max(now + way, opens)
            cost += way + problem.weight * max(0, now - closes)
            now = min(now, closes) + (0 if there == depot else int(problem.service[there]))
            load += 0 if there == depot else int(problem.demands[there])
            most, place = max(most, load), there
        cost += problem.weight * max(0, most - problem.capacity) + (problem.fixed if route else 0)
    return cost


def test_a_cost_is_what_driving_along_the_routes_costs() -> None:
    problem, wrong = drawn(fixed=7), 0
    for seed in range(20):
        x = problem.representation.random(Random(Key(seed), START, 0))
        assert problem.cost(x) == by_clock(problem, problem.routes(x))
        places = {item: (k, rank) for k, route in enumerate(problem.routes(x)) for rank, item in enumerate(route)}
        pairs = [(places[a], places[b]) for a, b in problem.pairs.tolist()]
        broken = sum(a[0] != b[0] or a[1] > b[1] for a, b in pairs)
        assert problem.violations(x) == broken
        wrong += broken
    assert wrong


def feasible_routes(problem: PickupAndDelivery, seed: int = 1) -> Any:
    return problem.construct(Random(Key(seed), START, 0))


MOVES = PairRelocate(drawn().pairs, 3)


def test_moves_of_pairs(compiling: Device) -> None:
    check_neighborhood(PairRelocate(np.array([[0, 3], [4, 2]]), 2), Lists(6, 2), devices=[compiling.name])


def test_moves_of_pairs_are_those_of_plain_lists() -> None:
    space, moves = Lists(5, 2), PairRelocate(np.array([[3, 1], [0, 4]]), 9)
    groups = [k for g in range(moves.groups(space)) for k in moves.group(space, g)]
    assert groups == list(range(moves.size(space)))
    for seed in range(8):
        x = space.random(Random(Key(seed), START, 0))
        expected = set()
        for first, second in ((3, 1), (0, 4)):
            lists = space.split(x)
            if not any(first in one and second in one and one.index(first) < one.index(second) for one in lists):
                continue
            rest = [[each for each in one if each not in (first, second)] for one in lists]
            for k, one in enumerate(rest):
                for i in range(len(one) + 1):
                    for j in range(i, len(one) + 1):
                        put = [list(each) for each in rest]
                        put[k] = [*one[:i], first, *one[i:j], second, *one[j:]]
                        expected.add(str(put))
        together = [move for move in moves.moves(space) if _together(space, x, move)]
        found = {str(space.split(move.apply(x))) for move in together if move.resolve(x) is not None}
        assert found == expected - {str(space.split(x))}
        for move in together:
            made = move.resolve(x)
            if made is not None:
                assert (made.inverse().apply(made.apply(x)) == x).all()


def _together(space: Lists, x: Any, move: Any) -> bool:
    both = [one for one in space.split(x) if move.first in one and move.second in one]
    return bool(both) and both[0].index(move.first) < both[0].index(move.second)


def test_changes_of_cost_are_exact(compiling: Device) -> None:
    assert "never used" not in str(check_problem(drawn(), MOVES, devices=[compiling.name]))


def removal(problem: PickupAndDelivery, **fields: Any) -> RuinAndRecreatePairs:
    return RuinAndRecreatePairs(RuinAndRecreate(problem.nearest(5), problem.orders, **fields), problem.pairs)


@pytest.mark.parametrize("blinks", [0.01, 0.3])
def test_searches_walk_the_same_way(blinks: float, compiling: Device) -> None:
    problem = drawn()
    part = removal(problem, average=3, longest=3, blinks=blinks)
    check_search(IteratedLocalSearch(NoSearch(), part, Annealed(50, 0.1)), problem, devices=[compiling.name])


def test_kicked_descents_walk_the_same_way(compiling: Device) -> None:
    search = IteratedLocalSearch(HillClimbing(MOVES), RandomMoves(MOVES, 2))
    check_search(search, drawn(), devices=[compiling.name])


def test_a_pair_goes_to_the_best_of_all_places() -> None:
    problem, moved = drawn(), 0
    part = removal(problem, average=1, longest=1, blinks=0.0)
    for seed in range(20):
        start = evaluated(problem, feasible_routes(problem, seed))
        found, _ = part.perturb({}, Walk(Key(seed), start, start, iteration=6), start, NumpyEvaluator(problem))
        item = Random(Key(seed), Stream.PERTURBATION, 7).integer(0, 0, 7)  # the first draw
        pair = next(each for each in problem.pairs.tolist() if item in each)
        rest = [[each for each in one if each not in pair] for one in problem.representation.split(start.solution)]
        costs = []
        for k, one in enumerate(rest):
            for i in range(len(one) + 1):
                for j in range(i, len(one) + 1):
                    whole = [*rest[:k], [*one[:i], pair[0], *one[i:j], pair[1], *one[j:]], *rest[k + 1 :]]
                    costs.append(by_clock(problem, whole))
        assert found.cost == min(costs)
        assert not problem.violations(found.solution)
        moved += bool((found.solution != start.solution).any())
    assert moved


def test_a_brute_force_optimum_is_found() -> None:
    problem = drawn(3, 2, 2)
    best = np.inf
    for order in permutations(range(6)):
        for cut in range(7):
            routes = [list(order[:cut]), list(order[cut:])]
            x = problem.solution(routes)
            if not problem.violations(x):
                best = min(best, by_clock(problem, routes))
                assert problem.is_feasible(x) == (problem.cost(x) < problem.weight)
    moves = PairRelocate(problem.pairs, 5)
    found = run(
        SimulatedAnnealing(moves, 30.0),
        problem,
        stop=stop.iterations(1500),
        seed=1,
        parallel="numpy",
        start="construct",
    )
    assert found.cost == best


def test_files_are_written_and_read_back(tmp_path: Path) -> None:
    path, known = tmp_path / "lc101.txt", drawn_instance(5, 3)
    write_li_lim(path, known)
    found = read_li_lim(path)
    for name in ("demands", "windows", "service"):
        assert (getattr(found, name) == getattr(known, name)).all()
    assert sorted(found.pairs.tolist()) == sorted(known.pairs.tolist())
    assert (found.capacity, found.vehicles) == (12, 3)
    problem = problem_from_file(path, decimals=0)
    assert isinstance(problem, PickupAndDelivery)
    assert (problem.distances == drawn(5, 3).distances).all()
    path.write_bytes(LI_LIM)
    assert problem_from_file(path).displayed(250) == 2.5


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (b"2 10 1", b"0 10 1", "states 0 vehicles"),
        (b"\n2 5 5", b"\n3 5 5", "place 2 is expected, but 3 is found"),
        (b"20 30 5 0 2", b"40 30 5 0 2", "the window of place 1 ends at 30, but begins at 40"),
        (b"5 0 2", b"5 0 1", "must name its pickup or its delivery, which must name it"),
        (b"0 2\n2", b"0\n2", "expected 27 numbers"),
        (b"3 4 7", b"3 4 8", "Task 0 collects 8 and task 1 delivers 7"),
    ],
)
def test_a_broken_file_is_refused_in_words(tmp_path: Path, old: bytes, new: bytes, words: str) -> None:
    assert old in LI_LIM
    path = tmp_path / "broken"
    path.write_bytes(LI_LIM.replace(old, new))
    with pytest.raises(InputError, match=words):
        PickupAndDelivery.from_file(path)


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(InputError, match="must name items, each once"):
        PairRelocate(np.array([[0, 1], [1, 2]]))
    with pytest.raises(InputError, match="puts items anywhere, but PickupAndDelivery has hard constraints"):
        removal(drawn()).ruin.require(drawn())
    with pytest.raises(InputError, match="must hold each of 8 items once, but holds 4"):
        RuinAndRecreatePairs(RuinAndRecreate(drawn().nearest(3), drawn().orders), np.array([[0, 1], [2, 3]]))
    with pytest.raises(InputError, match="`pairs` must hold each of 2 tasks once"):
        PickupAndDelivery([1, -1], [[0, 0]], [[0, 9]] * 3, [0, 0], np.ones((3, 3)), 5, 1)  # type: ignore[arg-type]
    assert Relocate().move_types != (PairsMove,)
    assert not PairRelocate(np.array([[0, 9]])).supports(Lists(9, 2))


def test_one_command_brings_all_goods(tmp_path: Path) -> None:
    path, out = tmp_path / "lc101.txt", tmp_path / "found.sol"
    write_li_lim(path, drawn_instance(12, 5, 8))
    problem = PickupAndDelivery.from_file(path)
    start = problem.cost(feasible_routes(problem))
    found = solve(problem, work=20_000, seed=1)
    assert found.cost < problem.displayed(start)
    assert problem.is_feasible(found.solution)
    assert round(100 * found.cost) == by_clock(problem, problem.routes(found.solution))
    assert main(["solve", str(path), "--work", "2000", "--quiet", "--out", str(out)]) == 0
    assert main(["show", str(out), str(path)]) == 0
    assert problem.recommended()


def test_few_vehicles_come_first(tmp_path: Path, compiling: Device) -> None:
    plain, problem = drawn(5, 3), HierarchicalPickupAndDelivery.of(drawn_instance(5, 3), decimals=0)
    for seed in range(10):
        x = feasible_routes(plain, seed)
        excess, vehicles, length = problem.cost(x)
        assert vehicles == len(plain.routes(x))
        assert length + plain.weight * excess == plain.cost(x)
    check_problem(problem, PairRelocate(problem.pairs), devices=[compiling.name])
    path = tmp_path / "lr101.txt"
    write_li_lim(path, drawn_instance(8, 2, 8))
    found = problem_from_file(path, levels=("vehicles", "distance"))
    assert isinstance(found, HierarchicalPickupAndDelivery)
    few, short = (solve(each, work=20_000, seed=1) for each in (found, problem_from_file(path)))
    assert few.cost[0] == 0
    assert few.cost[1] == len(found.routes(few.solution)) <= len(found.routes(short.solution))
    with pytest.raises(InputError, match="`fixed` is not an option"):
        problem_from_file(path, levels=("vehicles", "distance"), fixed=3)


@pytest.mark.parametrize("requests", [1, 2])
def test_few_requests_are_moved_in_pairs(requests: int) -> None:
    problem = drawn(requests)
    (recommended,) = problem.recommended()
    assert recommended.name == "iterated descents, PairRelocate"
    found = solve(problem, work=2000, seed=1)
    assert problem.is_feasible(found.solution)
    every = [problem.representation.random(Random(Key(seed), START, 0)) for seed in range(300)]
    assert found.cost == min(problem.cost(x) for x in every if not problem.violations(x))


def test_every_route_of_two_pairs_is_reached() -> None:
    space, pairs = Lists(4, 2), np.array([[0, 1], [2, 3]])
    moves, reached, new = PairRelocate(pairs, 3), set(), [space.join([[0, 1, 2, 3], []])]
    while new:
        x = new.pop()
        if str(x.lists) not in reached:
            reached.add(str(x.lists))
            new += [space.view(move.apply(x)) for move in moves.moves(space)]
    orders = [order for order in permutations(range(4)) if order.index(0) < order.index(1)]
    orders = [order for order in orders if order.index(2) < order.index(3)]
    assert len(reached) == 2 * len(orders) + 2  # both pairs in one list, or each in its own
