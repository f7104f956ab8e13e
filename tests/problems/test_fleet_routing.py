"""Unlike vehicles from several depots, optional customers: costs by the clock, exact changes, files and runs."""

from __future__ import annotations

import os
from itertools import pairwise, permutations
from math import dist
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest

from metaheur import IteratedLocalSearch, SimulatedAnnealing, run, solve, stop
from metaheur.command.main import main
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.lists import CrossExchange, Relocate, RuinAndRecreate, TwoOptStar
from metaheur.loops import NoSearch
from metaheur.neighborhoods import Union
from metaheur.parts import Annealed
from metaheur.problems import FleetRouting, problem_from_file
from metaheur.problems.formats.fleets import read_fleet
from metaheur.problems.solutions import solution_from_file
from metaheur.random import START, Key, Random
from metaheur.testing import check_problem, check_search
from tests.problems.formats.test_fuzz import FLEET

MOVES = Union(Relocate(), CrossExchange(2, reverse=True), TwoOptStar())


def drawn(c: int = 7, seed: int = 1, prizes: bool = True) -> FleetRouting:
    """Two depots, three unlike vehicles, customers with windows, demands or collections, some of them optional."""
    random = np.random.default_rng(seed)
    at = random.integers(0, 60, (c + 2, 2))
    opens = np.append(random.integers(0, 150, c), [0, 10])
    windows = np.stack([opens, opens + np.append(random.integers(20, 200, c), [900, 900])], 1)
    ways = np.abs(at[:, None] - at).sum(2)
    collects = random.integers(0, 2, c)
    loads, service = random.integers(1, 10, c), random.integers(0, 15, c)
    prize = np.where(random.integers(0, 3, c) > 0, random.integers(10, 90, c), -1) if prizes else np.full(c, -1)
    fleet = np.array([[20, 0, 30, 1, 300, 150], [12, 1, 10, 2, 900, 400], [25, 1, 60, 1, 200, 900]])
    return FleetRouting(loads * (1 - collects), loads * collects, windows, service, prize, ways, fleet)


def by_clock(problem: FleetRouting, routes: list[list[int]]) -> int:
    """Drive along each route, begun at the best time: who is early waits, who is late pays, and goes back in time."""
    c, cost = len(problem.demands), 0
    served = {each for route in routes for each in route}
    for k in set(range(c)) - served:
        cost += int(problem.prizes[k]) if problem.prizes[k] >= 0 else 1000 * problem.weight
    for (capacity, depot, fixed, each, time, length), route in zip(problem.fleet.tolist(), routes, strict=True):
        if not route:
            continue
        stops = [c + depot, *route, c + depot]
        ways = [int(problem.distances[a, b]) for a, b in pairwise(stops)]
        opens, closes = problem.windows[stops].T.tolist()
        takes = [0, *problem.service[route].tolist(), 0]
        drives = []
        for begin in range(opens[0], closes[0] + 1):
            now, spent, late = begin, 0, 0
            for k, way in enumerate(ways):
                arrives = now + takes[k] + way
                waits = max(0, opens[k + 1] - arrives)
                back = max(0, arrives - closes[k + 1])
                spent, late, now = spent + takes[k] + way + waits - back, late + back, arrives + waits - back
            drives.append((late, spent))
        late, spent = min(drives)  # the least delay, and for it the least time
        load = most = int(problem.demands[route].sum())
        for k in route:
            most = max(most, load + int(problem.collected[k]))
            load += int(problem.collected[k] - problem.demands[k])
            most = max(most, load)
        beyond = late + max(0, most - capacity) + max(0, spent - time) + max(0, sum(ways) - length)
        cost += fixed + each * sum(ways) + problem.weight * beyond
    return cost


@pytest.mark.parametrize("prizes", [True, False])
def test_a_cost_is_what_driving_along_the_routes_costs(prizes: bool) -> None:
    problem, feasible = drawn(prizes=prizes), 0
    for seed in range(60):
        x = problem.representation.random(Random(Key(seed), START, 0))
        routes = problem.routes(x) if seed % 3 else [[each] if k < 3 else [] for k, each in enumerate([seed % 7, 3, 5])]
        if seed % 3 == 0 and (not prizes or len({seed % 7, 3, 5}) < 3):
            continue
        x = problem.solution(routes)
        cost = by_clock(problem, routes)
        assert problem.cost(x) == cost
        obeys = cost == by_clock(attrs.evolve(problem, weight=problem.weight + 1), routes)
        assert problem.is_feasible(x) == obeys
        feasible += problem.is_feasible(x)
    assert feasible or not prizes


def test_changes_of_cost_are_exact(compiling: Device) -> None:
    assert "never used" not in str(check_problem(drawn(), MOVES, devices=[compiling.name]))


def test_searches_walk_the_same_way(compiling: Device) -> None:
    problem = drawn()
    ruin = RuinAndRecreate(problem.nearest(4), problem.orders, average=3, longest=3)
    check_search(IteratedLocalSearch(NoSearch(), ruin, Annealed(60, 0.2)), problem, devices=[compiling.name])


def test_a_brute_force_optimum_is_found() -> None:
    problem = drawn(4, 3)
    best = min(
        by_clock(problem, [list(order[:i]), list(order[i:j]), list(order[j:])])
        for size in range(5)
        for order in permutations(range(4), size)
        for i in range(size + 1)
        for j in range(i, size + 1)
    )
    found = run(SimulatedAnnealing(MOVES, 40.0), problem, stop=stop.iterations(3000), seed=1, parallel="numpy")
    assert found.cost == best


def test_all_that_files_say_is_read(tmp_path: Path) -> None:
    path = tmp_path / "two.vrp"
    path.write_bytes(FLEET)
    found = read_fleet(path)
    assert (found.kind, found.depots, found.longest_time) == ("MDVRPTW", 2, 80)
    assert found.vehicles.tolist() == [[10, 0, 7, 1], [12, 1, 7, 3]]
    problem = problem_from_file(path)
    assert isinstance(problem, FleetRouting)
    assert problem.windows.tolist() == [[20_000, 30_000], [0, 90_000], [0, 90_000]]
    assert (problem.distances[0].tolist(), problem.service.tolist()) == ([0, 1414, 2000], [10_000])
    assert (problem.prizes.tolist(), problem.fleet[1].tolist()[:5]) == ([-1], [12, 1, 7000, 3, 80_000])
    some = FLEET.replace(b"DEPOT_SECTION\n1\n2", b"PRIZE_SECTION\n1 0\n2 0\n3 5\nDEPOT_SECTION\n1\n2")
    path.write_bytes(some)
    assert FleetRouting.from_file(path, decimals=0, open_routes=True).distances.tolist()[0] == [0, 0, 0]
    assert FleetRouting.from_file(path, decimals=0).prizes.tolist() == [5]
    routes = tmp_path / "two.sol"
    routes.write_text("Route #1:\nRoute #2: 2\nCost 5\n")
    _, stated, x = solution_from_file(routes, problem)
    assert (stated, problem.routes(x)) == (5, [[], [0]])


def test_who_collects_comes_behind_who_is_served(tmp_path: Path) -> None:
    path = tmp_path / "back.vrp"
    path.write_bytes(
        b"NAME : b\nTYPE : VRPB\nDIMENSION : 3\nCAPACITY : 5\nEDGE_WEIGHT_TYPE : EUC_2D\nNODE_COORD_SECTION\n1 0 0\n"
        b"2 3 0\n3 0 4\nDEMAND_SECTION\n1 0\n2 5\n3 0\nBACKHAUL_SECTION\n1 0\n2 0\n3 4\nDEPOT_SECTION\n1\n-1\nEOF\n"
    )
    problem = FleetRouting.from_file(path)
    costs = {}
    for routes in ([[0, 1], [], []], [[1, 0], [], []], [[0], [1], []]):
        x = problem.solution(routes[:2])
        costs[str(routes)] = problem.is_feasible(x), problem.cost(x) < 20
    assert list(costs.values()) == [(True, True), (False, False), (False, False)]


def test_forbidden_ways_change_neither_the_temperature_nor_the_orders_of_a_search(tmp_path: Path) -> None:
    rows = [(k, 7 * k * k % 31, 11 * k % 29, 3 * (k % 3), 2 * (k % 3 == 0)) for k in range(2, 11)]
    at = "".join(f"{k} {x} {y}\n" for k, x, y, _, _ in rows)
    brought = "".join(f"{k} {load}\n" for k, _, _, load, _ in rows)
    taken = "".join(f"{k} {load}\n" for k, _, _, _, load in rows)
    found = []
    for kind in ("VRPB", "CVRP"):
        path = tmp_path / f"{kind}.vrp"
        path.write_text(
            f"NAME : b\nTYPE : {kind}\nDIMENSION : 10\nCAPACITY : 9\nEDGE_WEIGHT_TYPE : EUC_2D\n"
            f"NODE_COORD_SECTION\n1 9 9\n{at}DEMAND_SECTION\n1 0\n{brought}BACKHAUL_SECTION\n1 0\n{taken}"
            "DEPOT_SECTION\n1\n-1\nEOF\n"
        )
        problem = FleetRouting.from_file(path)
        search: Any = problem.recommended_within(1000, 1)
        found.append((int(problem.distances.max()), search.search.search.acceptance, problem.orders.tolist()))
    assert found[0][0] > found[1][0]  # no vehicle can take some ways of the first problem
    assert found[0][1:] == found[1][1:]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (b"DEPOT_SECTION\n1\n2\n", b"DEPOT_SECTION\n2\n1\n", "must list the first places"),
        (b"1 10\n2 12", b"1 10\n1 12", "CAPACITY_SECTION|listed twice|vehicle"),
        (b"3 20 30", b"3 20 10", "the window of place 3 ends at 10, but begins at 20"),
        (b"1 1\n2 2\nTIME", b"1 1\n2 3\nTIME", r"each vehicle's depot must be in 1 \.\.\. 2"),
        (b"CAPACITY_SECTION", b"CAPACITIES_SECTION", "holds the section CAPACITIES_SECTION, which is not supported"),
    ],
)
def test_a_broken_file_is_refused_in_words(tmp_path: Path, old: bytes, new: bytes, words: str) -> None:
    assert old in FLEET
    path = tmp_path / "two.vrp"
    path.write_bytes(FLEET.replace(old, new))
    with pytest.raises(InputError, match=words):
        FleetRouting.from_file(path)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"windows": [[0, 9]]}, r"`windows` must have the shape \(2, 2\)"),
        ({"windows": [[9, 0], [0, 9]]}, r"that of place 0 is \[9, 0\]"),
        ({"service": [-1]}, "`service` must be at least 0"),
        ({"prizes": [-2]}, "`prizes` must be at least 0, or -1"),
        ({"fleet": [[1, 1, 0, 1, 9, 9]]}, r"must be in 0 \.\.\. 0"),
        ({"distances": [[0]], "windows": [[0, 9]]}, "1 customers, 0 depots and 1 vehicles"),
        ({"weight": 0}, "`weight` must be at least 1"),
        ({"weight": 2**61}, "overflows int64"),
    ],
)
def test_wrong_fields_are_refused(fields: dict[str, Any], words: str) -> None:
    whole: dict[str, Any] = {"demands": [1], "collected": [0], "windows": [[0, 9], [0, 9]], "service": [1]}
    whole |= {"prizes": [-1], "distances": [[0, 1], [1, 0]], "fleet": [[5, 0, 0, 1, 9, 9]]}
    with pytest.raises(InputError, match=words):
        FleetRouting(**{**whole, **fields})


def test_solve_serves_a_fleet_and_says_so_in_a_file(tmp_path: Path) -> None:
    problem = drawn(9, 4)
    found = solve(problem, work=30_000, seed=1)
    assert found.cost == by_clock(problem, problem.routes(found.solution)) < problem.weight
    assert problem.recommended()
    path, out = tmp_path / "two.vrp", tmp_path / "found.sol"
    path.write_bytes(FLEET)
    assert main(["solve", str(path), "--work", "100", "--quiet", "--out", str(out)]) == 0
    assert out.read_text() == "Route #1: 2\nRoute #2: \nCost 9.828\n"
    assert main(["show", str(out), str(path)]) == 0


POINTS = [(3, 4, 10), (0, 5, 7), (6, 1, 12), (2, 2, 3), (9, 9, 99), (5, 5, 8)]
START_AND_END = [(0, 0, 0), (7, 3, 0)]


def collected(paths: list[list[int]], longest: float) -> int:
    """The prizes of paths that are not too long and share no point, else -1; by the coordinates alone."""
    visited = [k for path in paths for k in path]
    if len(set(visited)) < len(visited):
        return -1
    for path in paths:
        stops = [START_AND_END[0], *(POINTS[k] for k in path), START_AND_END[1]]
        if path and sum(dist(a[:2], b[:2]) for a, b in pairwise(stops)) > longest:
            return -1
    return sum(POINTS[k][2] for k in visited)


@pytest.mark.parametrize(("paths", "longest"), [(1, 13.0), (2, 10.5)])
def test_paths_collect_as_much_as_can_be(tmp_path: Path, paths: int, longest: float) -> None:
    files = {
        "orienteering": (f"n 8\nm {paths}\ntmax {longest}\n", [START_AND_END[0], *POINTS, START_AND_END[1]]),
        "tsiligirides": (f"{longest} {paths}\n", [*START_AND_END, *POINTS]),
    }
    every = [list(path) for size in range(5) for path in permutations(range(6), size)]
    alone = [path for path in every if collected([path], longest) >= 0]
    best = max(collected([one, other], longest) for one in alone for other in (alone if paths == 2 else [[]]))
    for layout, (head, points) in files.items():
        path, out = tmp_path / layout, tmp_path / "found.sol"
        path.write_text(head + "".join(f"{x} {y} {prize}\n" for x, y, prize in points))
        problem = problem_from_file(path, layout=layout)
        assert isinstance(problem, FleetRouting)
        found = solve(problem, work=20_000, seed=1)
        assert collected(problem.routes(found.solution), longest) == problem.prize(found.solution) == best
        assert found.cost == sum(prize for *_, prize in POINTS) - best
        assert main(["solve", str(path), "--layout", layout, "--work", "2000", "--quiet", "--out", str(out)]) == 0
        assert main(["show", str(out), str(path), "--layout", layout]) == 0


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("n 4\nm 1\ntmax 9\n0 0 0\n1 1 5\n", "expected 12 numbers|12 numbers"),
        ("n 3\nm 1\ntmax 9\n0 0 0\n1 1 5\n2 2 0\n3 3 3\n", "the 3 points"),
        ("n 2\nm 1\ntmax 9\n0 0 0\n1 1 0\n", "there must be a point with a prize"),
        ("n 3\nm 0\ntmax 9\n0 0 0\n1 1 5\n2 2 0\n", "a number must be"),
        ("n 3\nm 1\n0 0 0\n1 1 5\n2 2 0\n", "must begin with lines"),
    ],
)
def test_broken_files_of_points_are_refused_in_words(tmp_path: Path, content: str, words: str) -> None:
    path = tmp_path / "broken"
    path.write_text(content)
    with pytest.raises(InputError, match=words):
        problem_from_file(path, layout="orienteering")


def test_routes_of_several_depots_are_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    from matplotlib.figure import Figure

    path = tmp_path / "two.vrp"
    path.write_bytes(FLEET)
    problem, axes = FleetRouting.from_file(path), Figure().subplots()
    problem.draw(problem.solution([[], [0]]), axes)
    assert np.asarray(axes.lines[0].get_xydata())[:2].tolist() == [[2.0, 0.0], [0.0, 0.0]]


@pytest.mark.skipif("METAHEUR_DATA" not in os.environ, reason="METAHEUR_DATA names no folder of instances")
@pytest.mark.parametrize(
    ("name", "scale"),
    [("hfvrp/X101-FSMFD", 100), ("mdvrptw/PR11B", 0.001), ("pcvrptw/C1_10_1", 0.1), ("vrpb/X-n1001-50-k22", 1)],
)
def test_published_solutions_cost_what_their_files_say(name: str, scale: float) -> None:
    folder = Path(os.environ["METAHEUR_DATA"]) / "routing"
    problem = problem_from_file(folder / f"{name}.vrp")
    assert isinstance(problem, FleetRouting)
    _, stated, x = solution_from_file(folder / f"{name}.sol", problem)
    assert problem.displayed(problem.cost(x)) == pytest.approx(scale * stated, rel=1e-6)
    assert problem.is_feasible(x)
    start = problem.construct(Random(Key(1), START, 0))
    assert sorted(problem.routes(start)) != sorted(problem.routes(x))
