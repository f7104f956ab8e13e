"""Candidate lists: the nearest cities by definition, whichever way they are found."""

import numpy as np
import pytest

from metaheur.errors import InputError
from metaheur.problems import TSP
from metaheur.problems.formats import tsplib
from metaheur.problems.tsp_candidates import nearest, quadrants
from metaheur.problems.tsp_near import near_cities

GENERATOR = np.random.default_rng(1)
CLUSTERS = GENERATOR.integers(0, 5, (400, 1)) * 500 + GENERATOR.integers(0, 20, (400, 2))
PLACES = {
    "uniform": GENERATOR.integers(0, 1000, (400, 2)),
    "clusters": CLUSTERS,
    "a line": np.column_stack([np.arange(400), np.zeros(400)]),
    "one place": np.full((400, 2), 7),
}


def ordered(tsp: TSP, city: int) -> list[int]:
    """All other cities, by distance and number."""
    apart = tsplib.distances(tsp.instance, np.full(400, city), np.arange(400))
    return [other for other in np.lexsort((np.arange(400), apart)).tolist() if other != city]


def in_quadrants(tsp: TSP, city: int, k: int) -> list[int]:
    """By definition."""
    places, nearest = np.asarray(tsp.instance.coordinates), ordered(tsp, city)
    groups: dict[int, list[int]] = {0: [], 1: [], 2: [], 3: []}
    for other in nearest:
        dx, dy = places[other] - places[city]
        if dx or dy:
            which = 0 if dx >= 0 and dy > 0 else 1 if dx < 0 and dy >= 0 else 2 if dx <= 0 and dy < 0 else 3
            groups[which].append(other)
    chosen = [other for group in groups.values() for other in group[: k // 4]]
    chosen += [other for other in nearest if other not in chosen][: k - len(chosen)]
    return sorted(chosen, key=nearest.index)


@pytest.mark.parametrize("places", PLACES)
@pytest.mark.parametrize("kind", ["EUC_2D", "CEIL_2D", "MAN_2D", "MAX_2D", "ATT"])
def test_candidates_are_those_of_the_definition(places: str, kind: str) -> None:
    tsp = TSP.from_coordinates(PLACES[places], kind)
    near, around = tsp.nearest(9), tsp.quadrants(9)
    for city in range(0, 400, 29):
        assert near[city].tolist() == ordered(tsp, city)[:9]
        assert around[city].tolist() == in_quadrants(tsp, city, 9)
    for k in (4, 9, 12):
        assert np.array_equal(nearest(tsp.instance, k, grid_from=1), nearest(tsp.instance, k))
        assert np.array_equal(quadrants(tsp.instance, k, grid_from=1), quadrants(tsp.instance, k))


def test_cities_of_one_group_are_no_candidates() -> None:
    places = GENERATOR.integers(0, 30, (200, 2)).astype(float)
    groups = GENERATOR.integers(0, 3, 200)
    found = near_cities(places, "EUC_2D", 150, groups=groups)
    tsp = TSP.from_coordinates(places)
    for city in range(0, 200, 17):
        apart = tsplib.distances(tsp.instance, np.full(200, city), np.arange(200))
        others = [other for other in np.lexsort((np.arange(200), apart)) if groups[other] != groups[city]]
        assert found[city].tolist() == (others + [-1] * 150)[:150]


def test_cities_without_coordinates_have_no_quadrants() -> None:
    with pytest.raises(InputError, match="matrix has no coordinates, so that its cities have no quadrants"):
        TSP.from_matrix(np.ones((9, 9), int)).quadrants(4)


def test_numbers_of_candidates_have_their_range() -> None:
    for k in (3, 9):
        with pytest.raises(InputError, match=r"`k` must be a whole number in 4 \.\.\. 8"):
            TSP.random(9, 1).quadrants(k)
