"""Vehicle routing on lists: costs against giant tours, exact changes of cost, searches and files."""

from __future__ import annotations

import os
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attrs import evolve

from metaheur import (
    HillClimbing,
    IteratedLocalSearch,
    MemeticAlgorithm,
    Neighborhood,
    Search,
    SimulatedAnnealing,
    TabuSearch,
    run,
    solve,
    stop,
)
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.lists import CrossExchange, Granular, Relocate, TwoOptStar
from metaheur.lists.linked import LinkedLists
from metaheur.neighborhoods import Union
from metaheur.parallel import Islands, Multistart
from metaheur.parts import Limit, RandomMoves, SolutionMemory
from metaheur.problems import CVRP, VehicleRouting
from metaheur.problems.formats.tsplib_instance import TSPInstance, distance_matrix
from metaheur.problems.tsp_near import METRICS
from metaheur.random import START, Key, Random
from metaheur.testing import check_problem, check_search
from tests.problems.test_cvrp import AUGERAT, random_routes

SMALL = VehicleRouting.of(random_routes())
MOVES = [Relocate(), CrossExchange(2, reverse=True), TwoOptStar()]


def test_costs_are_those_of_giant_tours() -> None:
    giant = CVRP.of(AUGERAT)
    problem = VehicleRouting.of(giant)
    for seed in range(20):
        x = giant.representation.random(Random(Key(seed), START, 0))
        assert problem.cost(problem.solution(giant.routes(x))) == giant.cost(x)


@pytest.mark.parametrize("moves", [*MOVES, Granular(TwoOptStar(), SMALL.nearest(3))], ids=repr)
def test_changes_of_cost_are_exact(moves: Neighborhood, compiling: Device) -> None:
    check_problem(SMALL, moves, devices=[compiling.name])


def test_changes_of_cost_are_exact_where_they_are_long(compiling: Device) -> None:
    problem = VehicleRouting.of(random_routes(10**4))
    assert problem.cost_type == "int64"
    check_problem(problem, Union(*MOVES), devices=[compiling.name])


PLANE = np.array([[0, 0], [3.5, 1], [7, 9], [2, 8], [2, 8], [9.25, 4], [5, 5], [1, 1]])


@pytest.mark.parametrize("kind", METRICS)
def test_distances_are_computed_from_places_as_a_matrix_has_them(kind: str) -> None:
    places = TSPInstance("plane", kind, coordinates=30 * PLANE)
    computed, looked_up = (
        VehicleRouting(np.arange(7) % 3 + 1, ways, 6, 4) for ways in (places, distance_matrix(places))
    )
    assert isinstance(computed.distances, TSPInstance)
    assert computed.penalty == looked_up.penalty
    assert (computed.nearest(4) == looked_up.nearest(4)).all()
    assert (computed.orders == looked_up.orders).all()
    assert (computed.construct(Random(Key(1), START, 0)) == looked_up.construct(Random(Key(1), START, 0))).all()
    assert computed.giant_tour.distances.tolist() == looked_up.giant_tour.distances.tolist()
    xs = np.stack([computed.representation.random(Random(Key(seed), START, 0)) for seed in range(9)])
    assert (computed.costs(xs) == looked_up.costs(xs)).all()


@pytest.mark.parametrize(("kind", "scale"), [("EUC_2D", 4), ("ATT", 1)])
def test_changes_of_computed_cost_are_exact(kind: str, scale: int, compiling: Device) -> None:
    places = TSPInstance("plane", kind, coordinates=scale * PLANE)  # whole numbers, and others
    check_problem(VehicleRouting(np.arange(7) % 3 + 1, places, 6, 4), Union(*MOVES), devices=[compiling.name])


def test_places_on_the_globe_have_a_matrix() -> None:
    places = TSPInstance("globe", "GEO", coordinates=np.array([[16.47, 96.1], [16.47, 94.44], [20.09, 92.54]]))
    assert isinstance(VehicleRouting(np.ones(2, int), places, 2, 2).distances, np.ndarray)


def test_a_file_of_many_customers_has_no_matrix(tmp_path: Path) -> None:
    n, path = 3000, tmp_path / "many.vrp"
    at = np.random.default_rng(1).integers(0, 9999, (n, 2)).tolist()
    places = "".join(f"{k} {x} {y}\n" for k, (x, y) in enumerate(at, 1))
    demands = "".join(f"{k} {k > 1:d}\n" for k in range(1, n + 1))
    path.write_text(
        f"NAME : many\nTYPE : CVRP\nDIMENSION : {n}\nEDGE_WEIGHT_TYPE : EUC_2D\nCAPACITY : 90\n"
        f"NODE_COORD_SECTION\n{places}DEMAND_SECTION\n{demands}DEPOT_SECTION\n1\n-1\nEOF\n"
    )
    tracemalloc.start()
    problem = VehicleRouting.from_file(path)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert isinstance(problem.distances, TSPInstance)
    assert most < n * n  # a byte for each distance


UNION = Union(*(Granular(each, SMALL.nearest(4)) for each in MOVES), Relocate(1))


@pytest.mark.parametrize(
    "search",
    [
        SimulatedAnnealing(UNION, 20.0),
        TabuSearch(Relocate(1)),
        TabuSearch(TwoOptStar(), memory=SolutionMemory()),
        IteratedLocalSearch(HillClimbing(UNION), RandomMoves(CrossExchange(), 2)),
    ],
)
def test_searches_walk_the_same_way(search: Search[Any], compiling: Device) -> None:
    check_search(search, SMALL, devices=[compiling.name])


def test_constructed_routes_are_those_of_the_giant_tour() -> None:
    problem = VehicleRouting.of(CVRP.of(AUGERAT))
    x = problem.construct(Random(Key(1), START, 0))
    assert problem.is_feasible(x)
    assert problem.routes(x) == problem.giant_tour.routes(problem.giant_tour.construct(Random(Key(1), START, 0)))


def test_annealing_finds_the_optimum_of_a_published_instance() -> None:
    problem = VehicleRouting.of(CVRP.of(AUGERAT))
    found = run(SimulatedAnnealing(Union(*MOVES), 30.0), problem, stop=stop.iterations(60_000), seed=1)
    assert found.cost == 450
    assert problem.is_feasible(found.solution)
    assert isinstance(found.solution, LinkedLists)
    assert found.solution.lists == problem.representation.split(found.solution)


def test_solve_anneals_granular_moves_for_as_long_as_it_may() -> None:
    problem = VehicleRouting.of(CVRP.of(AUGERAT))
    found = solve(problem, work=100_000, seed=1)
    assert (found.cost, problem.is_feasible(found.solution)) == (450, True)
    (chosen,) = problem.recommended()
    assert chosen.of_length(5000).length <= 5000 < chosen.length
    assert problem.recommended_within(10**5, 1) is not None
    assert VehicleRouting(*_three(), 5, 2).recommended_within(10**5, 1) is None  # too few customers for candidates
    assert VehicleRouting(*_three(), 5, 2).recommended()


def test_routes_of_few_customers_are_exchanged_where_there_is_time_for_many_children() -> None:
    problem = VehicleRouting.of(CVRP.of(AUGERAT))
    found = [problem.recommended_within(steps, 1) for steps in (10**4, 10**6)]
    one, many = (each.search for each in found if each is not None)
    assert isinstance(one, MemeticAlgorithm)
    assert isinstance(many, MemeticAlgorithm)
    assert one.limit.iterations == 10**4  # the first member takes all of them
    assert many.limit.iterations is not None
    assert 20 * many.limit.iterations <= 10**6
    check_search(evolve(many, limit=Limit(6)), problem, iterations=80)
    large = VehicleRouting(np.ones(201, int), np.abs(np.subtract.outer(np.arange(202), np.arange(202))), 9, 30)
    annealed = large.recommended_within(10**7, 1)
    assert annealed is not None
    assert isinstance(annealed.search, IteratedLocalSearch)


def test_a_route_fewer_is_tried_while_the_demands_may_fit_in() -> None:
    problem = VehicleRouting.of(random_routes())
    assert problem.fewest == np.ceil(problem.demands.sum() / problem.capacity) == 3
    packed = [problem.packed(most) for most in range(1, 5)]
    assert [len(problem.routes(x)) for x in packed] == [1, 2, 3, 4]
    assert [problem.is_feasible(x) for x in packed] == [False, False, False, True]
    assert all(problem.representation.split(x)[-1] for x in packed)  # the last vehicle is used
    with pytest.raises(InputError, match=r"`routes` must be a whole number in 1 \.\.\. 4, but is 5"):
        problem.packed(5)
    chosen = problem.recommended_within(10**5, 2)
    assert chosen is not None
    assert chosen.instead is not None
    other = chosen.instead(packed[3])
    assert other is not None
    assert (other.name, other.length, other.walks) == ("routes exchanged, 3 routes", 10**5, 2)
    assert np.array_equal(other.start, packed[2])
    assert "lists=3" in repr(other.search)
    assert "lists=3" in repr(other.of_length(10**6).search)
    assert other.instead is not None
    assert other.instead(packed[2]) is None  # two vehicles are too few


def _three() -> tuple[np.ndarray, np.ndarray]:
    return np.array([1, 2, 3]), np.abs(np.subtract.outer(np.arange(4), np.arange(4)))


@pytest.mark.parametrize("model", [Multistart(3, device="numpy"), Islands(Multistart(4, device="numpy"), 5)], ids=repr)
def test_models_take_lists(model: Any) -> None:
    found = run(SimulatedAnnealing(Relocate(), 20.0), SMALL, stop=stop.iterations(60), seed=1, parallel=model)
    assert found.cost == SMALL.cost(found.solution)


def test_a_lower_weight_makes_overloaded_routes_cheaper() -> None:
    light, heavy = (VehicleRouting.of(random_routes(), weight) for weight in (2, None))
    x = light.solution([[*range(7)]])
    over = int(light.demands.sum()) - light.capacity
    assert over > 0
    assert heavy.cost(x) - light.cost(x) == over * (heavy.penalty - 2)
    with pytest.raises(InputError, match=r"weight"):
        VehicleRouting.of(random_routes(), heavy.penalty + 1)


def test_what_giant_tours_refuse_is_refused() -> None:
    with pytest.raises(InputError, match="The demand of customer 0"):
        VehicleRouting(np.array([9]), np.array([[0, 1], [1, 0]]), 8, 1)
    with pytest.raises(InputError, match="There are 5 routes, but 4 vehicles"):
        SMALL.solution([[0], [1], [2], [3], [4, 5, 6]])


@pytest.mark.skipif("METAHEUR_DATA" not in os.environ, reason="METAHEUR_DATA names no folder of instances")
def test_a_published_solution_has_its_cost() -> None:
    from metaheur.problems.solutions import solution_from_file

    folder = Path(os.environ["METAHEUR_DATA"]) / "routing" / "cvrp"
    problem = VehicleRouting.from_file(folder / "X-n101-k25.vrp")
    problem, cost, x = solution_from_file(folder / "X-n101-k25.sol", problem)  # type: ignore[assignment]
    assert problem.cost(x) == cost == 27591
    assert problem.is_feasible(x)
