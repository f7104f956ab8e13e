"""TSP: lengths of tours and changes of length against sums over all edges, for every formula and storage."""

from collections.abc import Mapping
from math import isqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaheur import Key, Neighborhood, Permutation, Random
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.evaluators.device import DeviceEvaluator
from metaheur.evaluators.numpy import NumpyEvaluator
from metaheur.neighborhoods import Insertion, OrOpt, Swap, SwapMove, ThreeOpt, TwoOpt, TwoOptMove, Union
from metaheur.problems.formats.tsplib import TSPInstance, read_tour, read_tsp, write_tsp
from metaheur.problems.tsp import TSP
from metaheur.testing import check_problem
from tests.helpers import evaluated
from tests.problems.formats.test_fuzz import FORMATS

PLACES = np.random.default_rng(1).integers(0, 1000, (9, 2))
DISTANCES = np.random.default_rng(2).integers(0, 100, (9, 9))

INSTANCES = {
    "whole coordinates": TSP.from_coordinates(PLACES),
    "coordinates": TSP.from_coordinates(PLACES + 0.25, matrix_up_to=0),
    "rounded up": TSP.from_coordinates(PLACES, "CEIL_2D", matrix_up_to=0),
    "pseudo-Euclidean": TSP.from_coordinates(PLACES, "ATT", matrix_up_to=0),
    "Manhattan": TSP.from_coordinates(PLACES + 0.5, "MAN_2D", matrix_up_to=0),
    "maximum": TSP.from_coordinates(PLACES + 0.5, "MAX_2D", matrix_up_to=0),
    "geographical": TSP.from_coordinates(PLACES / 10, "GEO"),
    "matrix": TSP.from_matrix(DISTANCES + DISTANCES.T),
    "asymmetric": TSP.from_matrix(DISTANCES),
    "asymmetric, large": TSP.from_matrix(DISTANCES * 2**30),
}
METRICS = ("rounded up", "pseudo-Euclidean", "Manhattan", "maximum", "geographical")
NEIGHBORHOODS: list[Neighborhood] = [TwoOpt(), OrOpt(), ThreeOpt(), Swap(), Insertion()]


def tables(tsp: TSP) -> Mapping[str, np.ndarray]:
    return tsp.tables(tsp.representation)


def length_by_loop(tsp: TSP, x: Any) -> int:
    """The sum over the edges of a tour, of distances by TSPLIB's formula in whole numbers where it is Euclidean."""
    cities = [(int(x[k - 1]), int(x[k])) for k in range(len(x))]
    if tsp.instance.matrix is not None:
        return sum(int(tsp.instance.matrix[a, b]) for a, b in cities)
    squares = [int(((PLACES[a] - PLACES[b]) ** 2).sum()) for a, b in cities]
    return sum((isqrt(4 * square) + 1) // 2 for square in squares)


@pytest.mark.parametrize("name", ["whole coordinates", "matrix", "asymmetric", "asymmetric, large"])
def test_the_cost_is_the_sum_of_the_edges(name: str) -> None:
    tsp = INSTANCES[name]
    rows = np.stack([tsp.representation.random(Random(Key(seed), 0, 0)) for seed in range(5)])
    assert [tsp.cost(row) for row in rows] == [length_by_loop(tsp, row) for row in rows]
    assert tsp.costs(rows).tolist() == [length_by_loop(tsp, row) for row in rows]


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.thorough) if name in METRICS else name for name in INSTANCES]
)
def test_every_change_of_length_is_that_of_two_tours(name: str) -> None:
    check_problem(INSTANCES[name], *NEIGHBORHOODS, devices=[])


@pytest.mark.parametrize("name", METRICS)
def test_the_cpp_half_knows_every_metric(name: str, compiling: Device) -> None:
    check_problem(INSTANCES[name], TwoOpt(), devices=[compiling.name])


@pytest.mark.parametrize("symmetric", [False, True])
def test_tours_of_a_few_cities_have_the_same_rules(symmetric: bool, compiling: Device) -> None:
    for n in (1, 2, 3, 4, 5):
        matrix = DISTANCES[:n, :n]
        tsp = TSP.from_matrix(matrix + matrix.T if symmetric else matrix)
        check_problem(tsp, *NEIGHBORHOODS, devices=[])
        check_problem(tsp, Union(*NEIGHBORHOODS), devices=[compiling.name])


def test_a_single_city_is_a_tour_without_a_way() -> None:
    assert TSP.from_matrix([[7]]).cost(np.array([0])) == 0


def places_where_rounding_turns(radii: range, side: int) -> list[tuple[int, int]]:
    """Whole (x, y), 0 ... side, with x² + y² = r² + r, the last to be rounded to r, or one more."""
    found = []
    for r in radii:
        x = np.arange(min(r, side) + 1)
        for square in (r * r + r, r * r + r + 1):
            y = np.sqrt(square - x * x).astype(np.int64)
            exact = (x * x + y * y == square) & (y <= side)
            found += list(zip(x[exact].tolist(), y[exact].tolist(), strict=True))
    return found


@pytest.mark.parametrize("radii", [range(1, 60), range(4050, 4110), range(30_000, 30_400)])
def test_whole_coordinates_round_exactly_where_rounding_turns(compiling: Device, radii: range) -> None:
    places = [(0, 0), *places_where_rounding_turns(radii, 23_169)]
    tsp, x = TSP.from_coordinates(places), np.arange(len(places))
    assert tables(tsp)["points"].dtype == np.int32
    assert len(places) > 20
    found = DeviceEvaluator(tsp, compiling).of(TwoOpt()).deltas(evaluated(tsp, x))
    assert np.array_equal(found, NumpyEvaluator(tsp).of(TwoOpt()).deltas(evaluated(tsp, x)))


def test_symmetric_tours_are_cyclic_and_asymmetric_ones_are_not() -> None:
    assert INSTANCES["matrix"].representation == Permutation(9, cyclic=True)
    assert INSTANCES["asymmetric"].representation == Permutation(9)


def test_large_instances_need_no_matrix() -> None:
    tsp = TSP.from_coordinates(np.random.default_rng(1).uniform(0, 1e6, (1001, 2)))
    assert tables(tsp)["matrix"].shape == (1, 1)
    assert tables(TSP.from_coordinates(tsp.instance.coordinates, matrix_up_to=1001))["matrix"].shape == (1001, 1001)


def test_changes_of_length_take_int32_where_they_fit() -> None:
    assert INSTANCES["whole coordinates"].cost_type == "int32"
    assert INSTANCES["asymmetric"].cost_type == "int32"
    assert INSTANCES["asymmetric, large"].cost_type == "int64"
    longest = TSP.from_matrix(np.full((9, 9), 2**28 - 1))
    assert longest.change_type((TwoOptMove, SwapMove)) == "int32"
    assert longest.change_type(()) == longest.cost_type == "int64"
    assert TSP.from_matrix(np.full((9, 9), 2**28)).change_type((TwoOptMove,)) == "int64"


def test_the_same_seed_gives_the_same_random_instance() -> None:
    one, same, other = (tables(TSP.random(20, seed))["points"] for seed in (1, 1, 2))
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


@pytest.mark.parametrize(("n", "seed"), [(0, 1), (2.5, 1), (True, 1), (5, -1), (5, "x")])
def test_a_random_instance_without_size_or_seed_is_refused(n: Any, seed: Any) -> None:
    with pytest.raises(InputError, match="must be a whole number"):
        TSP.random(n, seed)


def test_fixed_edges_are_refused() -> None:
    instance = TSPInstance("two", "EUC_2D", coordinates=np.eye(2), fixed_edges=np.array([[0, 1]]))
    with pytest.raises(InputError, match="must not have fixed edges, but two has 1"):
        TSP(instance)


@pytest.mark.parametrize("most", [-1, 1.5, True, 30_001])
def test_a_matrix_of_no_size_is_refused(most: Any) -> None:
    with pytest.raises(InputError, match=r"`TSP\.matrix_up_to` must be a whole number in 0 \.\.\. 30000, but is"):
        TSP.from_coordinates(PLACES, matrix_up_to=most)


LENGTHS = {
    "att48": 10628,
    "bayg29": 1610,
    "berlin52": 7542,
    "eil51": 426,
    "gr48": 5046,
    "kroA100": 21282,
    "pr2392": 378032,
    "ulysses22": 7013,
}


@pytest.mark.parametrize("name", LENGTHS)
def test_published_tours_have_their_published_lengths(data_folder: Path, name: str) -> None:
    tsp = TSP.from_file(data_folder / "tsplib" / f"{name}.tsp")
    assert tsp.cost(read_tour(data_folder / "tsplib" / f"{name}.opt.tour")) == LENGTHS[name]


@pytest.mark.parametrize("scale", [1.0, 5.0])
def test_distances_that_rounding_makes_small_are_warned_of(tmp_path: Path, scale: float) -> None:
    places = scale * np.random.default_rng(3).random((30, 2))
    with pytest.warns(UserWarning, match=r"rounded to whole numbers, and the longest one of `coordinates` is [1-7]"):
        TSP.from_coordinates(places)
    (tmp_path / "cities").write_text("\n".join(f"{x} {y}" for x, y in places.tolist()))
    with pytest.warns(UserWarning, match=r"(?s)longest one of .*cities is .*Maybe multiply the coordinates, by 10000"):
        TSP.from_file(tmp_path / "cities", layout="coordinates")


def test_grids_in_files_are_warned_of_where_their_distances_are_rounded(tmp_path: Path) -> None:
    grid = [(x, y) for x in range(3) for y in range(3)]
    TSP.from_coordinates(grid)  # no warning: whoever writes whole coordinates in Python means them
    text = "NAME : grid\nTYPE : TSP\nDIMENSION : 9\nEDGE_WEIGHT_TYPE : {}\nNODE_COORD_SECTION\n{}\nEOF\n"
    rows = "\n".join(f"{k} {x} {y}" for k, (x, y) in enumerate(grid, 1))
    (tmp_path / "exact.tsp").write_text(text.format("MAN_2D", rows))
    TSP.from_file(tmp_path / "exact.tsp")
    (tmp_path / "grid.tsp").write_text(text.format("EUC_2D", rows))
    with pytest.warns(UserWarning, match=r"longest one of .*grid\.tsp is 3"):
        TSP.from_file(tmp_path / "grid.tsp")


def test_an_exact_instance_is_written_as_one(tmp_path: Path) -> None:
    path = tmp_path / "exact"
    exact = TSPInstance("a", "EUC_2D", coordinates=np.array([[0.0, 0.0], [1500.0, 2000.0]]), factor=1000)
    write_tsp(path, exact)
    assert "EXACT_2D" in path.read_text()
    assert np.array_equal(np.asarray(read_tsp(path).coordinates), np.asarray(exact.coordinates))
    tsp = TSP.from_file(path)
    assert tsp.displayed(tsp.cost(np.arange(2))) == 5.0


def test_fixed_edges_are_refused_in_the_words_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "fixed"
    path.write_bytes(FORMATS["tsplib fixed edges"][1])
    with pytest.raises(InputError, match=r"holds the section FIXED_EDGES_SECTION with 1 edges"):
        TSP.from_file(path)
