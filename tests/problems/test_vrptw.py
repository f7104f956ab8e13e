"""Vehicle routing with time windows: costs by the clock, exact changes of cost, starts, files and runs."""

from __future__ import annotations

import os
from itertools import permutations
from math import isqrt
from pathlib import Path

import numpy as np
import pytest

from metaheur import SimulatedAnnealing, run, solve, stop
from metaheur.command.main import main
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.lists import CrossExchange, Granular, Relocate, TwoOptStar
from metaheur.neighborhoods import Union
from metaheur.problems import VRPTW, HierarchicalVRPTW, problem_from_file
from metaheur.problems.formats.cvrplib import read_routes, write_routes
from metaheur.problems.formats.vrptw import read_vrptw
from metaheur.random import START, Key, Random
from metaheur.testing import check_problem, check_search
from tests.problems.formats.test_fuzz import SOLOMON
from tests.problems.formats.test_fuzz import VRPTW as CVRPLIB

MOVES = (Relocate(), CrossExchange(2, reverse=True), TwoOptStar())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file that is not there yet."""
    return tmp_path / "instance"


def drawn(c: int = 7, seed: int = 1, vehicles: int = 4) -> VRPTW:
    """Customers in the plane, with windows of different lengths."""
    random = np.random.default_rng(seed)
    at = random.integers(0, 60, (c + 1, 2))
    opens = np.append(random.integers(0, 150, c), 0)
    windows = np.stack([opens, opens + np.append(random.integers(20, 150, c), 900)], 1)
    ways = np.abs(at[:, None] - at).sum(2)
    return VRPTW(random.integers(1, 10, c), windows, random.integers(0, 15, c), ways, 20, vehicles)


def by_clock(problem: VRPTW, routes: list[list[int]]) -> int:
    """Drive along each route: who is early waits, who is late pays, and goes back in time."""
    depot, cost = len(problem.demands), 0
    for route in routes:
        place, now = depot, int(problem.windows[depot, 0])
        for there in [*route, depot]:
            opens, closes = problem.windows[there].tolist()
            way = int(problem.distances[place, there])
            now = max(now + way, opens)
            cost += way + problem.weight * max(0, now - closes)
            now = min(now, closes) + (0 if there == depot else int(problem.service[there]))
            place = there
        cost += problem.weight * max(0, int(problem.demands[route].sum()) - problem.capacity)
    return cost


def checked(path: Path, routes: list[list[int]]) -> int:
    """The length of routes in tenths, if they obey the file of Solomon's form; read without the project."""
    text = path.read_text().split()
    begin = text.index("NO.")
    rows = [[int(each) for each in text[k : k + 7]] for k in range(text.index("0", begin), len(text), 7)]
    number, capacity = (int(text[text.index("CAPACITY") + k]) for k in (1, 2))
    assert len(routes) <= number
    assert sorted(each for route in routes for each in route) == [*range(1, len(rows))]
    length = 0
    for route in routes:
        assert sum(rows[k][3] for k in route) <= capacity
        now = place = 0
        for there in [*route, 0]:
            x, y = (rows[place][k] - rows[there][k] for k in (1, 2))
            way = isqrt(100 * (x * x + y * y))
            now, length = max(now + way, 10 * rows[there][4]), length + way
            assert now <= 10 * rows[there][5]
            now, place = now + 10 * rows[there][6], there
    return length


def test_a_cost_is_what_driving_along_the_routes_costs() -> None:
    problem = drawn()
    assert problem.weight == 11 * problem.distances.max() + 1
    for seed in range(20):
        x = problem.representation.random(Random(Key(seed), START, 0))
        assert problem.cost(x) == by_clock(problem, problem.routes(x))
        assert problem.is_feasible(x) == (problem.cost(x) < problem.weight)


@pytest.mark.parametrize("moves", [*MOVES, Granular(TwoOptStar(), drawn().nearest(3))], ids=repr)
def test_changes_of_cost_are_exact(moves: Union, compiling: Device) -> None:
    assert "never used" not in str(check_problem(drawn(), moves, devices=[compiling.name]))


def test_searches_walk_the_same_way(compiling: Device) -> None:
    problem = drawn()
    union = Union(*(Granular(each, problem.nearest(4)) for each in MOVES), Relocate(1))
    check_search(SimulatedAnnealing(union, 20.0), problem, devices=[compiling.name])


def test_near_customers_are_near_in_time_too() -> None:
    ways = np.array([[0, 1, 2, 5], [1, 0, 1, 5], [2, 1, 0, 5], [5, 5, 5, 0]])
    problem = VRPTW(np.ones(3), np.array([[0, 9], [900, 999], [0, 9], [0, 2000]]), np.zeros(3), ways, 9, 3)
    assert problem.nearest(2).tolist() == [[2, 1], [0, 2], [0, 1]]  # 1 is nearer to both, but opens later
    assert problem.nearest(9).shape == (3, 2)


def few_vehicles_first(factor: int = 1) -> HierarchicalVRPTW:
    """The same instance with levels."""
    known = drawn()
    windows, ways = factor * known.windows, factor * known.distances
    return HierarchicalVRPTW(known.demands, windows, factor * known.service, ways, 20, 4, factor=factor)


def test_levels_are_the_excess_the_vehicles_and_the_length() -> None:
    problem, plain = few_vehicles_first(), drawn()
    for seed in range(20):
        x = problem.representation.random(Random(Key(seed), START, 0))
        excess, vehicles, length = problem.cost(x)
        assert vehicles == len(problem.routes(x))
        assert length + plain.weight * excess == by_clock(plain, plain.routes(x))
    assert few_vehicles_first(10).displayed(few_vehicles_first(10).cost(x)) == (excess, vehicles, length)


@pytest.mark.parametrize("moves", [Union(*MOVES), Granular(Relocate(), drawn().nearest(3))], ids=repr)
def test_changes_of_levels_are_exact(moves: Union, compiling: Device) -> None:
    check_problem(few_vehicles_first(), moves, devices=[compiling.name])


def test_few_vehicles_come_first_if_a_command_says_so(path: Path) -> None:
    path.write_bytes(SOLOMON)
    found = problem_from_file(path, levels=("vehicles", "distance"))
    assert isinstance(found, HierarchicalVRPTW)
    assert isinstance(problem_from_file(path, levels=("distance",)), VRPTW)
    with pytest.raises(InputError, match="`levels` must be"):
        problem_from_file(path, levels=("distance", "vehicles"))
    assert main(["solve", str(path), "--levels", "vehicles,distance", "--work", "200", "--quiet"]) == 0
    with pytest.raises(InputError, match="`levels` is not an option"):
        problem_from_file(path, layout="tsplib", levels=("distance",))


def test_fewest_vehicles_are_found() -> None:
    plain = drawn(12, 3, 8)
    problem = HierarchicalVRPTW(plain.demands, plain.windows, plain.service, plain.distances, 20, 8)
    found = solve(problem, work=100_000, seed=1)
    start = problem.construct(Random(Key(1), START, 0))
    assert found.cost[0] == 0
    assert len(problem.routes(found.solution)) <= len(problem.routes(start))
    cheapest = solve(plain, work=100_000, seed=1)
    assert found.cost[1] <= len(plain.routes(cheapest.solution))
    assert found.cost[2] >= cheapest.cost


@pytest.mark.parametrize("vehicles", [12, 3])
def test_constructed_routes_serve_all_within_their_windows_where_vehicles_suffice(vehicles: int) -> None:
    problem = drawn(30, 3, 30)
    problem = VRPTW(problem.demands + 0, problem.windows, problem.service, problem.distances, 60, vehicles)
    for seed in range(3):
        x = problem.construct(Random(Key(seed), START, 0))
        assert sorted(each for route in problem.routes(x) for each in route) == [*range(30)]
        assert problem.is_feasible(x) == (vehicles == 12)


def test_a_brute_force_optimum_is_found() -> None:
    problem = drawn(6, 5, 3)
    best = min(
        by_clock(problem, [list(order[:i]), list(order[i:j]), list(order[j:])])
        for order in permutations(range(6))
        for i in range(7)
        for j in range(i, 7)
    )
    found = run(SimulatedAnnealing(Union(*MOVES), 30.0), problem, stop=stop.iterations(4000), seed=1, parallel="numpy")
    assert found.cost == best


def test_both_forms_of_files_are_read(path: Path) -> None:
    path.write_bytes(SOLOMON)
    found = read_vrptw(path)
    assert (found.routing.vehicles, found.routing.capacity, found.routing.demands.tolist()) == (3, 20, [0, 20, 3])
    assert (found.windows[1].tolist(), found.service.tolist()) == ([145, 175], [0, 10, 10])
    problem = problem_from_file(path)
    assert isinstance(problem, VRPTW)
    assert (problem.distances[0, 1], problem.windows[1, 0], problem.factor) == (104, 500, 10)
    path.write_bytes(CVRPLIB)
    assert read_vrptw(path).service.tolist() == [0, 10]
    assert VRPTW.from_file(path).distances[0, 1] == 14
    assert VRPTW.from_file(path, decimals=3).distances[0, 1] == 1414
    path.write_bytes(
        CVRPLIB.replace(b"SERVICE_TIME : 10\n", b"").replace(b"DEPOT_S", b"SERVICE_TIME_SECTION\n1 0\n2 4\nDEPOT_S")
    )
    assert VRPTW.from_file(path).service.tolist() == [40]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("  3         20\n", "  3\n", "expected 2 numbers: vehicles, and what each holds"),
        (" 2 22", " 3 22", "place 2 is expected, but 3 is found"),
        ("50 80 10\n", "50 80\n", "expected 21 numbers, 7 for each of 3 places, found 20"),
        ("50 80", "90 80", "the window of place 2 ends at 80, but begins at 90"),
        ("25 85 20", "25 85 21", "The demand of place 1 must be in 0"),
        ("145 175", "145.5 175", "is not an integer"),
    ],
)
def test_a_broken_file_is_refused_in_words(path: Path, old: str, new: str, words: str) -> None:
    assert old in SOLOMON.decode()
    path.write_text(SOLOMON.decode().replace(old, new))
    with pytest.raises(InputError, match=words):
        VRPTW.from_file(path)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"windows": [[0, 9]]}, r"`windows` must have the shape \(2, 2\)"),
        ({"windows": [[9, 0], [0, 9]]}, r"that of place 0 is \[9, 0\]"),
        ({"service": [-1]}, "must be at least 0"),
        ({"demands": [6]}, "The demand of customer 0"),
        ({"weight": 0}, "`weight` must be at least 1"),
        ({"weight": 2**61}, "overflows int64"),
    ],
)
def test_wrong_fields_are_refused(fields: dict[str, object], words: str) -> None:
    whole = {"demands": [1], "windows": [[0, 9], [0, 9]], "service": [1], "distances": [[0, 1], [1, 0]]}
    with pytest.raises(InputError, match=words):
        VRPTW(**{**whole, "capacity": 5, "vehicles": 1, **fields})  # type: ignore[arg-type]


def test_routes_are_written_and_read_back(path: Path) -> None:
    write_routes(path, [[2, 0], [], [1]], 12.5)
    assert path.read_text() == "Route #1: 3 1\nRoute #2: 2\nCost 12.5\n"
    assert read_routes(path) == ([[2, 0], [1]], 12.5)


def test_routes_are_drawn(path: Path) -> None:
    pytest.importorskip("matplotlib")
    from matplotlib.figure import Figure

    path.write_bytes(SOLOMON)
    problem = VRPTW.from_file(path)
    axes = Figure().subplots()
    problem.draw(problem.solution([[0], [1]]), axes)
    assert len(axes.lines) == 5  # two of each route, and the depot
    with pytest.raises(InputError, match="VRPTW has no coordinates"):
        drawn().draw(drawn().solution([[*range(7)]]), axes)


def test_solve_anneals_granular_moves() -> None:
    problem = drawn(12, 2, 8)
    found = solve(problem, work=50_000, seed=1)
    assert problem.is_feasible(found.solution)
    assert found.cost == by_clock(problem, problem.routes(found.solution))
    assert drawn(3).recommended_within(100, 1) is None
    assert drawn(3).recommended()


@pytest.mark.skipif("METAHEUR_DATA" not in os.environ, reason="METAHEUR_DATA names no folder of instances")
@pytest.mark.parametrize("name", ["RC101", "C201"])
def test_published_files_are_solved_by_one_command(name: str, tmp_path: Path) -> None:
    folder = Path(os.environ["METAHEUR_DATA"]) / "routing" / "vrptw"
    problem = VRPTW.from_file(folder / f"{name}.txt")
    routes, cost = read_routes(folder / f"{name}.sol")
    assert problem.displayed(problem.cost(problem.solution(routes))) == cost
    out = tmp_path / "found.sol"
    assert main(["solve", str(folder / f"{name}.txt"), "--work", "300000", "--quiet", "--out", str(out)]) == 0
    routes, stated = read_routes(out)
    length = checked(folder / f"{name}.txt", [[each + 1 for each in route] for route in routes])
    assert stated == length / 10 < 1.2 * cost  # type: ignore[operator]
    assert main(["show", str(out), str(folder / f"{name}.txt")]) == 0
