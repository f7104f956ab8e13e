"""Vehicles that load again on their way: costs by the clock, exact changes, removals with visits, files and runs."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest

from metaheur import IteratedLocalSearch, solve
from metaheur.command.main import main
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.evaluators import NumpyEvaluator
from metaheur.lists import CrossExchange, Relocate, RuinAndRecreate, RuinAndRecreateVisits, TwoOptStar
from metaheur.loops import NoSearch
from metaheur.neighborhoods import Union
from metaheur.parts import Annealed
from metaheur.problems import FleetRouting, MultiTripRouting, problem_from_file
from metaheur.problems.solutions import solution_from_file
from metaheur.random import START, Key, Random, Stream
from metaheur.testing import check_problem, check_search
from metaheur.walk import Walk
from tests.helpers import evaluated
from tests.problems.formats.test_fuzz import FLEET, TRIPS

MOVES = Union(Relocate(), CrossExchange(2, reverse=True), TwoOptStar())


def drawn(c: int = 7, seed: int = 1, depots: int = 2, **more: Any) -> MultiTripRouting:
    """Two vehicles, and two reloads at each depot; customers have windows, and loads that are released."""
    random = np.random.default_rng(seed)
    at = random.integers(0, 30, (c + depots, 2))
    opens = np.append(random.integers(0, 150, c), [0, 10][:depots])
    windows = np.stack([opens, opens + np.append(random.integers(60, 300, c), [900, 700][:depots])], 1)
    loads, service, released = random.integers(1, 10, c), random.integers(0, 15, c), random.integers(0, 80, c)
    ways, homes, reloads = np.abs(at[:, None] - at).sum(2), np.array([0, depots - 1]), np.arange(2 * depots) % depots
    return MultiTripRouting(loads, windows, service, released, ways, homes, reloads, 15, **more)


def by_clock(problem: MultiTripRouting, routes: list[list[int]]) -> int:
    """Drive along each route, begun at the best time: who is early waits, who is late pays, and goes back in time."""
    c = len(problem.demands)
    cost = 1000 * problem.weight * (c - sum(k < c for route in routes for k in route))
    for depot, route in zip(problem.depots.tolist(), routes, strict=True):
        stops = [c + depot, *(k if k < c else c + int(problem.reloads[k - c]) for k in route), c + depot]
        trips, over = [0], 0
        for k in range(len(stops) - 1):  # which trip each stop begins or is on
            trips.append(trips[-1] + (stops[k + 1] >= c))
        for trip in set(trips):
            load = sum(
                int(problem.demands[k]) for k, number in zip(stops, trips, strict=True) if number == trip and k < c
            )
            over += max(0, load - problem.capacity)
        ways = [int(problem.distances[a, b]) for a, b in pairwise(stops)]
        drives = []
        for begin in range(problem.windows[stops[0], 0], problem.windows[stops[0], 1] + 1):
            now, spent, late = begin, 0, 0
            for k, stop in enumerate(stops):
                if k:
                    takes = ways[k - 1] + (int(problem.service[stops[k - 1]]) if stops[k - 1] < c else 0)
                    now, spent = now + takes, spent + takes
                opens, closes = problem.windows[stop].tolist()
                if stop >= c:
                    on_trip = [
                        each for each, number in zip(stops, trips, strict=True) if number == trips[k] and each < c
                    ]
                    opens = max(opens, *problem.released[on_trip].tolist(), 0)
                wait = max(0, opens - now)
                back = max(0, now + wait - closes)
                now, spent, late = now + wait - back, spent + wait - back, late + back
            drives.append((late, spent))
        late, spent = min(drives)  # the least delay, and for it the least time
        again = max(0, sum(k >= c for k in stops) - 2 - problem.most_reloads)
        cost += sum(ways) + problem.weight * (late + over + max(0, spent - problem.shift) + again)
    return cost


def test_a_cost_is_what_driving_along_the_routes_costs() -> None:
    problem, feasible = drawn(shift=300, most_reloads=1), 0
    for seed in range(60):
        x = problem.representation.random(Random(Key(seed), START, 0))
        if seed % 3 == 0:
            x = problem.construct(Random(Key(seed), START, 0))
        cost = by_clock(problem, problem.representation.split(x))
        assert problem.cost(x) == cost
        obeys = cost == by_clock(attrs.evolve(problem, weight=problem.weight + 1), problem.representation.split(x))
        assert problem.is_feasible(x) == obeys
        feasible += obeys
        assert by_clock(problem, problem.routes(x)) <= cost
    assert feasible


def test_changes_of_cost_are_exact(compiling: Device) -> None:
    assert "never used" not in str(check_problem(drawn(shift=300, most_reloads=1), MOVES, devices=[compiling.name]))


def removal(problem: MultiTripRouting, **fields: Any) -> RuinAndRecreateVisits:
    ruin = RuinAndRecreate(problem.nearest(5), problem.orders, kinds=problem.kinds, **fields)
    return RuinAndRecreateVisits(ruin, problem.reloads)


@pytest.mark.parametrize("beside", [0, 3])
def test_searches_walk_the_same_way(beside: int, compiling: Device) -> None:
    part = removal(drawn(), average=3, longest=3, beside=beside, blinks=0.2, tails=beside > 0)
    check_search(IteratedLocalSearch(NoSearch(), part, Annealed(60, 0.2)), drawn(), devices=[compiling.name])


def test_a_customer_comes_back_alone_or_with_a_reload_to_the_best_of_all_places() -> None:
    problem, part, with_reload = drawn(), removal(drawn(), average=1, longest=1, blinks=0.0), 0
    space, c = problem.representation, 7
    for seed in range(40):
        start = evaluated(problem, problem.construct(Random(Key(seed), START, 0)))
        found, _ = part.perturb({}, Walk(Key(seed), start, start, iteration=6), start, NumpyEvaluator(problem))
        assert found.cost == problem.cost(found.solution)
        item = Random(Key(seed), Stream.PERTURBATION, 7).integer(0, 0, space.items - 1)  # the first draw
        rest = [[k for k in one if k != item] for one in space.split(start.solution)]
        used, costs = {k for one in rest for k in one}, list[int]()
        if item >= c:
            costs.append(problem.cost(space.join(rest)))
        free = [next((k for k in range(c + depot, c + 4, 2) if k not in used), None) for depot in (0, 1)]
        strings = [[item]] + [each for k in free if k is not None and item < c for each in ([k, item], [item, k])]
        for k, one in enumerate(rest):
            for at in range(len(one) + 1):
                for string in strings:
                    whole = [*rest[:k], [*one[:at], *string, *one[at:]], *rest[k + 1 :]]
                    costs.append(problem.cost(space.join(whole)))
        assert found.cost == min(costs)
        with_reload += len({k for one in space.split(found.solution) for k in one if k >= c} - used) and item < c
    assert with_reload


def test_files_of_trips_are_read_and_written(tmp_path: Path) -> None:
    path, out = tmp_path / "trips.vrp", tmp_path / "found.sol"
    path.write_bytes(TRIPS)
    problem = problem_from_file(path)
    assert isinstance(problem, MultiTripRouting)
    assert (problem.capacity, problem.shift, problem.most_reloads) == (10, 900, 2)
    assert (problem.released.tolist(), problem.depots.tolist()) == ([0, 50], [0, 0])
    assert (problem.distances[0].tolist(), problem.windows.tolist()[2]) == ([0, 50, 30], [0, 900])
    assert len(problem.reloads) == 2
    assert problem_from_file(path, reloads=1).reloads.tolist() == [0]  # type: ignore[attr-defined]
    found = solve(problem, work=3000, seed=1)
    assert by_clock(problem, problem.representation.split(found.solution)) == problem.cost(found.solution) == 140
    assert main(["solve", str(path), "--work", "3000", "--quiet", "--out", str(out)]) == 0
    assert main(["show", str(out), str(path)]) == 0
    _, stated, x = solution_from_file(out, problem)
    assert (stated, problem.cost(x), problem.is_feasible(x)) == (14, 140, True)
    out.write_text("Route #1: 1 0 2\nRoute #2:\nCost 14\n")
    _, _, x = solution_from_file(out, problem)
    assert (problem.cost(x), problem.in_file(x)) == (140, [[1, 0, 2], []])
    out.write_text("Route #1: 1 0 2 0 0\n")
    with pytest.raises(InputError, match="more than 2 reloads at depot 0"):
        solution_from_file(out, problem)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (b"1 1\n2 1\nDEPOT", b"1 1\n2 2\nDEPOT", "must list the same depots for each vehicle"),
        (b"1 1\n2 1\nDEPOT", b"1 2\n2 2\nDEPOT", r"must list depots, 1 \.\.\. 1"),
        (b"RELOADS : 2", b"RELOADS : many", "VEHICLES_MAX_RELOADS must be in"),
        (b"DEPOT_SECTION\n1\n", b"PRIZE_SECTION\n1 0\n2 5\n3 0\nDEPOT_SECTION\n1\n", "has customers with prizes"),
    ],
)
def test_a_broken_file_is_refused_in_words(tmp_path: Path, old: bytes, new: bytes, words: str) -> None:
    assert old in TRIPS
    path = tmp_path / "trips.vrp"
    path.write_bytes(TRIPS.replace(b"DEPOT_SECTION\n1 1", b"DEPOT_SECTION\n1 1").replace(old, new))
    with pytest.raises(InputError, match=words):
        problem_from_file(path)


def test_other_problems_refuse_reloads(tmp_path: Path) -> None:
    path = tmp_path / "trips.vrp"
    path.write_bytes(TRIPS)
    with pytest.raises(InputError, match="has reloads or times of release, which FleetRouting does not"):
        FleetRouting.from_file(path)
    assert b"RELEASE" not in FLEET


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"windows": [[0, 9]]}, r"`windows` must have the shape \(2, 2\)"),
        ({"demands": [6]}, r"`demands` must be in 0 \.\.\. 5"),
        ({"reloads": [1]}, r"`reloads` must be numbers of depots, 0 \.\.\. 0"),
        ({"depots": []}, "1 customers, 1 depots and 0 vehicles"),
        ({"shift": -1}, "`shift` must be at least 0"),
        ({"weight": 2**61}, "overflows int64"),
    ],
)
def test_wrong_fields_are_refused(fields: dict[str, Any], words: str) -> None:
    whole: dict[str, Any] = {"demands": [1], "windows": [[0, 9], [0, 9]], "service": [1], "released": [0]}
    whole |= {"distances": [[0, 1], [1, 0]], "depots": [0], "reloads": [0], "capacity": 5}
    with pytest.raises(InputError, match=words):
        MultiTripRouting(**{**whole, **fields})


def test_visits_that_do_not_fit_are_refused() -> None:
    problem = drawn()
    ruin = removal(problem).ruin
    for visits in ([], [0] * 11, [-1]):
        with pytest.raises(InputError, match=r"`visits` must have the kind, 0 or more, of 1 \.\.\. 10 of the 11 items"):
            RuinAndRecreateVisits(ruin, np.array(visits, np.int32))
