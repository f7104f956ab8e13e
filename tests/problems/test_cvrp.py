"""Capacitated vehicle routing: costs and insertions against loops, and an instance whose optimum is published."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attrs import evolve

from metaheur import run, solve, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.loops import NoSearch
from metaheur.parts import Rebuild
from metaheur.problems import CVRP
from metaheur.problems.cvrp_starts import pairs_of, savings
from metaheur.problems.formats.cvrplib import CVRPInstance
from metaheur.problems.formats.tsplib_instance import TSPInstance
from metaheur.random import START, Key, Random
from metaheur.searches import IteratedLocalSearch
from metaheur.testing import check_search

PLACES = [
    *[[30, 40], [37, 52], [49, 49], [52, 64], [31, 62], [52, 33], [42, 41], [52, 41]],
    *[[57, 58], [62, 42], [42, 57], [27, 68], [43, 67], [58, 48], [58, 27], [37, 69]],
]
DEMANDS = [0, 19, 30, 16, 23, 11, 31, 15, 28, 8, 8, 7, 14, 6, 19, 11]
AUGERAT = CVRPInstance(TSPInstance("P-n16-k8", "EUC_2D", coordinates=PLACES), DEMANDS, 35)  # type: ignore[arg-type, unused-ignore]
"""An instance of P. Augerat et al., "Computational results with a branch and cut code for the capacitated vehicle
routing problem", Université Joseph Fourier, Grenoble, 1995; the optimum is 450."""


def random_routes(scale: int = 1) -> CVRP:
    generator = np.random.default_rng(4)
    half = np.triu(generator.integers(1, 50, (8, 8)), 1)
    return CVRP(generator.integers(0, 9, 7) * scale, (half + half.T) * scale, 12 * scale, 4)


def savings_by_loops(problem: CVRP, shape: int) -> list[list[int]]:
    """Join routes at their ends, the junction that saves most first, as long as the vehicle holds both."""
    c, d = len(problem.demands), problem.distances.tolist()
    routes = {i: [i] for i in range(c)}
    pairs = [(i, j) for i in range(c) for j in range(i + 1, c)]
    for i, j in sorted(pairs, key=lambda p: shape * d[p[0]][p[1]] - 16 * (d[p[0]][c] + d[p[1]][c])):
        a, b = (next(r for r in routes.values() if k in r) for k in (i, j))
        saves = 16 * (d[i][c] + d[j][c]) > shape * d[i][j]
        load = sum(problem.demands[k] for k in a + b)
        if a is b or not saves or load > problem.capacity or i not in (a[0], a[-1]) or j not in (b[0], b[-1]):
            continue
        joined = (a if a[-1] == i else a[::-1]) + (b if b[0] == j else b[::-1])
        routes = {k: r for k, r in routes.items() if r not in (a, b)} | {joined[0]: joined}
    return sorted(route if route[0] < route[-1] else route[::-1] for route in routes.values())


@pytest.mark.parametrize("shape", [10, 16, 22])
@pytest.mark.parametrize("problem", [CVRP.of(AUGERAT), random_routes()], ids=["Augerat", "random"])
def test_savings_join_the_routes_that_save_most(problem: CVRP, shape: int) -> None:
    pairs = pairs_of(problem.nearest(99))
    found = savings(problem.demands, problem.distances, problem.capacity, pairs, shape)
    assert sorted(route if route[0] < route[-1] else route[::-1] for route in found) == savings_by_loops(problem, shape)


def test_constructed_routes_are_near_the_optimum_and_use_no_more_vehicles_than_there_are() -> None:
    problem = CVRP.of(AUGERAT)
    constructed = [problem.construct(Random(Key(1, w), START, 0)) for w in range(8)]
    assert all(problem.is_feasible(x) and problem.cost(x) < 1.15 * 450 for x in constructed)
    assert len({x.tobytes() for x in constructed}) > 1
    few = CVRP(problem.demands, problem.distances, problem.capacity, 3)
    x = few.representation.validate(few.construct(Random(Key(1), START, 0)))
    assert len(few.routes(x)) == 3


def cost_by_loops(problem: CVRP, x: list[int]) -> int:
    """The length of all routes, and the penalty of what is above the capacity."""
    depot = len(problem.demands)
    place, load, cost, over = depot, 0, 0, 0
    for item in [*x, depot]:
        there = min(item, depot)
        cost += int(problem.distances[place, there])
        load += int(problem.demands[there]) if there < depot else 0
        if there == depot:
            over, load = over + max(0, load - problem.capacity), 0
        place = there
    return cost + over * (2 * int(problem.distances[-1].max()) + 1)


def test_the_cost_is_the_length_and_the_penalty() -> None:
    problem, generator = random_routes(), np.random.default_rng(1)
    rows = np.array([generator.permutation(10) for _ in range(200)])
    costs = [cost_by_loops(problem, x) for x in rows.tolist()]
    assert problem.costs(rows).tolist() == costs
    assert [problem.cost(x) for x in rows] == costs
    lengths = [cost_by_loops(CVRP(problem.demands, problem.distances, 99, 4), x) for x in rows.tolist()]
    assert [problem.is_feasible(x) for x in rows] == [a == b for a, b in zip(costs, lengths, strict=True)]
    assert {problem.is_feasible(x) for x in rows} == {False, True}


def test_routes_are_the_customers_between_returns() -> None:
    assert random_routes().routes(np.array([7, 3, 1, 8, 9, 0, 2, 4, 5, 6])) == [[3, 1], [0, 2, 4, 5, 6]]


@pytest.mark.parametrize("length", range(10))
def test_insertions_cost_what_the_partial_permutations_do(length: int) -> None:
    problem = random_routes()
    *partial, item = np.random.default_rng(length).permutation(10)[: length + 1].tolist()
    costs = problem.insertions(np.array(partial, np.int32), item)
    assert costs.tolist() == [cost_by_loops(problem, [*partial[:k], item, *partial[k:]]) for k in range(length + 1)]


@pytest.mark.parametrize("scale", [1, 10**5])
def test_customers_and_returns_are_inserted_alike_everywhere(scale: int, compiling: Device) -> None:
    problem = random_routes(scale)
    assert problem.cost_type == ("int32" if scale == 1 else "int64")
    check_search(IteratedLocalSearch(NoSearch(), Rebuild(5)), problem, iterations=60, devices=[compiling.name])


def test_it_pays_to_give_an_unused_vehicle_a_customer_of_an_overloaded_one() -> None:
    problem = random_routes()
    everything = np.array([*range(7), 7, 8, 9])
    apart = np.array([*range(6), 7, 6, 8, 9])
    assert not problem.is_feasible(everything)
    assert problem.demands[6] > 0
    assert problem.cost(apart) < problem.cost(everything)


def test_the_published_optimum_is_found() -> None:
    problem = CVRP.of(AUGERAT, 8)
    (best,) = problem.recommended()
    result = run(best.search, problem, stop=stop.target(450) | stop.iterations(4000), seed=1, start=best.start)
    assert result.cost == 450
    assert problem.is_feasible(result.solution)


def test_a_file_is_read_and_solved(tmp_path: Path) -> None:
    lines = [f"{k} {x} {y}" for k, (x, y) in enumerate(PLACES, 1)]
    text = "TYPE : CVRP\nDIMENSION : 16\nCAPACITY : 35\nEDGE_WEIGHT_TYPE : EUC_2D\nNODE_COORD_SECTION\n"
    text += "\n".join(lines) + "\nDEMAND_SECTION\n" + "\n".join(f"{k} {q}" for k, q in enumerate(DEMANDS, 1))
    (tmp_path / "P-n16-k8.vrp").write_text(text + "\nDEPOT_SECTION\n1\n-1\nEOF\n")
    problem = CVRP.from_file(tmp_path / "P-n16-k8.vrp")
    assert problem.vehicles == 11  # the demands need 8
    assert (problem.distances == CVRP.of(AUGERAT).distances).all()
    assert solve(tmp_path / "P-n16-k8.vrp", work=100_000, seed=1, report=False).cost < 500


def test_the_nearest_customers_come_first() -> None:
    problem = random_routes()
    nearest = problem.nearest(99)
    assert nearest.shape == (7, 6)
    for customer, line in enumerate(nearest.tolist()):
        others = sorted(set(range(7)) - {customer}, key=lambda k: (problem.distances[customer, k], k))
        assert line == others
    assert (problem.nearest(2) == nearest[:, :2]).all()


def test_few_customers_are_recommended_what_suits_permutations() -> None:
    problem = CVRP(np.ones(2, int), np.ones((3, 3), int), 1, 3)
    assert all("string" not in each.name for each in problem.recommended())


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"demands": []}, "must have at least one customer"),
        ({"demands": [1, 2]}, r"`distances` must have the shape \(3, 3\).*\(4, 4\)"),
        ({"demands": [1, 2, -1]}, r"The demand of customer 2 must be in 0 \.\.\. 9"),
        ({"demands": [10, 2, 1]}, r"The demand of customer 0 must be in 0 \.\.\. 9"),
        ({"capacity": 0}, "`capacity` and `vehicles` must be at least 1, but are 0 and 2"),
        ({"vehicles": 0}, "`capacity` and `vehicles` must be at least 1, but are 9 and 0"),
        ({"distances": -np.ones((4, 4), int)}, "`distances` must be at least 0"),
        ({"distances": np.triu(np.ones((4, 4), int))}, "the same in both directions"),
        ({"distances": np.full((4, 4), 2**31 - 1), "demands": [2**30] * 3, "capacity": 2**30}, "overflows int64"),
    ],
)
def test_what_does_not_fit_is_named(fields: dict[str, Any], reason: str) -> None:
    given = {"demands": [1, 2, 3], "distances": np.ones((4, 4), int), "capacity": 9, "vehicles": 2, **fields}
    if given["demands"] == []:
        given["distances"] = np.ones((1, 1), int)
    with pytest.raises(InputError, match=reason):
        CVRP(**given)


def test_there_are_vehicles_enough_for_demands_of_which_no_two_fit_in_one() -> None:
    instance = evolve(AUGERAT, demands=np.append(0, np.full(len(AUGERAT.demands) - 1, 51)), capacity=100, vehicles=None)
    customers = len(AUGERAT.demands) - 1
    assert CVRP.of(instance).vehicles == customers + customers // 20 + 2
    assert CVRP.of(evolve(instance, demands=instance.demands // 51)).vehicles == 1 + 1 + 2
    assert CVRP.of(evolve(instance, vehicles=customers)).vehicles == customers
