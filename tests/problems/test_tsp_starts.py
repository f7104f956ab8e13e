"""Constructive heuristics: tours by their definitions."""

from typing import Any

import numpy as np
import pytest

from metaheur import CandidateDescent, HillClimbing, iterate, run, stop
from metaheur.errors import InputError
from metaheur.neighborhoods import Hamming, TwoOpt
from metaheur.problems import PPP, TSP
from metaheur.problems.formats import tsplib
from metaheur.problems.formats.tsplib import TSPInstance
from metaheur.problems.tsp_near import METRICS
from metaheur.problems.tsp_paths import CompiledPaths, PlainPaths
from metaheur.problems.tsp_starts import nearest_neighbour as nearest_neighbour_in_python
from metaheur.problems.tsp_starts import nearest_neighbours

INSTANCES = {
    "uniform": TSP.random(300, 1),
    "ties": TSP.from_coordinates(np.random.default_rng(1).integers(0, 12, (150, 2))),
    "one place": TSP.from_coordinates(np.zeros((20, 2))),
    "one city": TSP.random(1, 1),
    "two cities": TSP.random(2, 1),
    "matrix": TSP.from_matrix(np.random.default_rng(1).integers(1, 99, (20, 20))),
}
SYMMETRIC = [name for name in INSTANCES if name != "matrix"]


def nearest_neighbour(tsp: TSP, first: int) -> list[int]:
    tour, left = [first], set(range(tsp.instance.dimension)) - {first}
    while left:
        rest = sorted(left)
        apart = tsplib.distances(tsp.instance, np.full(len(rest), tour[-1]), np.array(rest))
        tour.append(rest[int(np.argmin(apart))])
        left.remove(tour[-1])
    return tour


@pytest.mark.parametrize("name", INSTANCES)
def test_nearest_neighbour_goes_to_the_nearest_city_that_is_left(name: str) -> None:
    tsp = INSTANCES[name]
    for first in (0, tsp.instance.dimension // 2):
        assert tsp.nearest_neighbour(first).tolist() == nearest_neighbour(tsp, first)


@pytest.mark.parametrize("kind", METRICS)
def test_compiled_tours_are_those_in_python(kind: str) -> None:
    """Cities of a coarse grid, so that many are equally near; and clusters, where a tour ends far away."""
    generator = np.random.default_rng(3)
    places = np.concatenate([generator.integers(0, 30, (700, 2)), generator.integers(900, 930, (400, 2))])
    instance = TSPInstance("clusters", kind, coordinates=places)  # type: ignore[arg-type, unused-ignore]
    firsts = [5, 800, 5]
    expected = [nearest_neighbour_in_python(instance, first).tolist() for first in firsts]
    assert nearest_neighbours(instance, firsts).tolist() == expected


@pytest.mark.parametrize("name", SYMMETRIC)
def test_greedy_edges_and_the_curve_visit_every_city(name: str) -> None:
    tsp = INSTANCES[name]
    for tour in (tsp.greedy_edge(), tsp.space_filling_curve()):
        tsp.representation.validate(tour)


def test_greedy_edge_takes_the_shortest_edges_first() -> None:
    tsp = TSP.random(60, 2)
    lengths = {(a, b): int(tsp.edge(np.array(a), np.array(b))) for a in range(60) for b in range(a)}
    degree, root, chosen = [0] * 60, list(range(60)), []
    for (a, b), length in sorted(lengths.items(), key=lambda item: (item[1], item[0][1], item[0][0])):
        if degree[a] < 2 and degree[b] < 2 and root[a] != root[b]:
            chosen.append(length)
            degree[a], degree[b] = degree[a] + 1, degree[b] + 1
            root = [root[a] if each == root[b] else each for each in root]
    ends = [city for city in range(60) if degree[city] < 2]
    assert tsp.cost(tsp.greedy_edge()) == sum(chosen) + lengths[ends[1], ends[0]]


def test_a_greedy_tour_joins_candidates_first() -> None:
    """A ring of cities, each with one candidate: the next one but one. The even and the odd cities are two paths."""
    angles = np.arange(20) * np.pi / 10
    tsp = TSP.from_coordinates(np.round(1000 * np.column_stack([np.cos(angles), np.sin(angles)])))
    tour = tsp.greedy_edge((np.arange(20)[:, None] + 2) % 20)
    assert np.count_nonzero(np.isin(np.abs(np.diff(np.append(tour, tour[0]))), (2, 18))) == 18


@pytest.mark.parametrize(
    ("near", "message"),
    [([[1], [0]], "each of 3 cities"), ([1, 2, 0], "each of 3 cities"), ([[1], [1], [0]], "candidates of item 1")],
)
def test_candidates_of_a_greedy_tour_are_other_cities(near: list[Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        TSP.from_coordinates([[0, 0], [10, 0], [0, 20]]).greedy_edge(np.array(near))


def test_their_tours_are_as_good_as_the_literature_says() -> None:
    tsp = INSTANCES["uniform"]
    short = tsp.cost(run(CandidateDescent(TwoOpt(), tsp.nearest(8)), tsp, stop=stop.iterations(1)).solution)
    assert tsp.cost(tsp.greedy_edge()) < tsp.cost(tsp.nearest_neighbour()) < 1.5 * short
    assert tsp.cost(tsp.space_filling_curve()) < 1.6 * short


def test_the_curve_goes_from_each_place_of_a_grid_to_the_next() -> None:
    grid = TSP.from_coordinates([(i, j) for i in range(16) for j in range(16)])
    assert grid.cost(grid.space_filling_curve()) == 255 + 15


def test_a_run_starts_where_the_constructive_heuristic_leads() -> None:
    tsp = INSTANCES["uniform"]
    starts = []
    for seed in (1, 1, 2):
        first = next(iter(iterate(HillClimbing(TwoOpt()), tsp, seed=seed, start="construct", parallel="numpy")))
        starts.append(first.walk.current.solution.tolist())
    assert starts[0] == starts[1] != starts[2]
    assert starts[0] == tsp.nearest_neighbour(starts[0][0]).tolist()


@pytest.mark.parametrize(
    ("start", "reason"),
    [
        ("construct", "PPP has no constructive heuristic"),
        ("nearest", "`start` must be solutions or \"construct\", but is 'nearest'"),
    ],
)
def test_a_start_that_is_not_there_is_named(start: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        run(HillClimbing(Hamming()), PPP.random(3, 5, 1), stop=stop.iterations(1), start=start)


def test_what_has_no_directions_or_places_is_refused() -> None:
    with pytest.raises(InputError, match="matrix is not symmetric, but greedy edge has no directions"):
        INSTANCES["matrix"].greedy_edge()
    with pytest.raises(InputError, match="matrix has no coordinates, so that no curve visits them"):
        INSTANCES["matrix"].space_filling_curve()
    with pytest.raises(InputError, match=r"`first` must be a whole number in 0 \.\.\. 299"):
        INSTANCES["uniform"].nearest_neighbour(300)


@pytest.mark.parametrize("seed", range(4))
def test_compiled_paths_grow_as_those_in_python_do(seed: int) -> None:
    generator, n = np.random.default_rng(seed), 40
    plain, compiled = PlainPaths(n), CompiledPaths(n)
    while plain.count > 1:
        edges = generator.integers(0, n, (30, 2))
        edges = edges[edges[:, 0] != edges[:, 1]]
        for paths in (plain, compiled):
            paths.join(edges)
        assert compiled.count == plain.count
        assert compiled.ends().tolist() == plain.ends().tolist()
        assert compiled.roots(np.arange(n)).tolist() == plain.roots(np.arange(n)).tolist()
    assert compiled.tour().tolist() == plain.tour().tolist()
    assert compiled.paths() == plain.paths() == [plain.tour().tolist()]


@pytest.mark.parametrize("seed", range(4))
def test_paths_with_loads_stay_within_the_capacity(seed: int) -> None:
    generator, n = np.random.default_rng(seed), 40
    loads, edges = generator.integers(0, 9, n), generator.integers(0, n, (300, 2))
    edges = edges[edges[:, 0] != edges[:, 1]]
    plain, compiled = PlainPaths(n, loads, 20), CompiledPaths(n, loads, 20)
    for paths in (plain, compiled):
        paths.join(edges)
    routes = plain.paths()
    assert compiled.paths() == routes
    assert sorted(city for path in routes for city in path) == [*range(n)]
    assert len(routes) == plain.count == compiled.count
    assert all(loads[path].sum() <= 20 for path in routes)
    assert max(map(len, routes)) > 2
