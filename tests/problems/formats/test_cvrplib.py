"""CVRPLIB's instances are read, and broken ones refused in words."""

from pathlib import Path

import numpy as np
import pytest

from metaheur.errors import InputError
from metaheur.problems.cvrp import CVRP as Routing  # noqa: N811 - CVRP is a text here
from metaheur.problems.formats.cvrplib import CVRPInstance, read_cvrp
from metaheur.problems.formats.tsplib import TSPInstance, distance_matrix
from tests.problems.formats.test_fuzz import CVRP

TEXT = CVRP.decode()


def test_places_demands_capacity_and_depot_are_read(path: Path) -> None:
    path.write_text(TEXT)
    found = read_cvrp(path)
    assert (found.name, found.capacity, found.depot) == ("four", 10, 1)
    assert found.demands.tolist() == [7, 0, 3, 10]
    assert found.depot_last.tolist() == [0, 2, 3, 1]
    assert distance_matrix(found.places)[0].tolist() == [0, 3, 5, 4]


def test_a_matrix_may_say_the_distances(path: Path) -> None:
    begin, _, rest = TEXT.partition("EDGE_WEIGHT_TYPE")
    matrix = "EDGE_WEIGHT_TYPE : EXPLICIT\nEDGE_WEIGHT_FORMAT : LOWER_ROW\nEDGE_WEIGHT_SECTION\n1\n2 3\n4 5 6\n"
    path.write_text(begin + matrix + rest[rest.index("DEMAND") :])
    assert distance_matrix(read_cvrp(path).places)[3].tolist() == [4, 5, 6, 0]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("TYPE : CVRP", "TYPE : TSP", "TYPE must be CVRP, but is 'TSP'"),
        ("CAPACITY : 10\n", "", "does not state the CAPACITY"),
        ("CAPACITY : 10", "CAPACITY : 9.5", "CAPACITY must be in 1 ... 9{18}, but is '9.5'"),
        ("CAPACITY : 10", "CAPACITY : 9", "demand of place 3 must be in 0 ... 9, the capacity of a vehicle, but is 10"),
        ("CAPACITY : 10", "CAPACITY : 10\nDISTANCE : 80", "states a DISTANCE, which bounds the lengths"),
        ("2 0\n3 3", "2 1\n3 3", "demand of the depot, place 1, must be 0, but is 1"),
        ("3 3\n4 10", "3 3\n3 10", "a place is 3, which is listed twice, and 4 is missing"),
        ("3 3\n4 10", "3 3", "expected 8 numbers: a place and its demand"),
        ("2\n-1", "2\n3\n-1", "DEPOT_SECTION must hold one place and a last -1, but holds 3 numbers"),
        ("2\n-1", "5\n-1", "the depot must be in 1 ... 4, but is 5"),
        ("DEPOT_SECTION", "TOUR_SECTION", "holds the section TOUR_SECTION, which a CVRP does not have"),
    ],
)
def test_a_broken_file_is_refused_in_words(path: Path, old: str, new: str, words: str) -> None:
    assert old in TEXT
    path.write_text(TEXT.replace(old, new))
    with pytest.raises(InputError, match=words):
        read_cvrp(path)


@pytest.mark.parametrize(
    ("demands", "capacity", "depot", "words"),
    [
        ([0, 1], 5, 0, "has 3 places, but 2 demands"),
        ([0, 1.5, 2], 5, 0, "must be a vector of whole numbers, but is an array of float64"),
        ([0, 1, 2], 0, 0, "capacity` must be"),
        ([0, 1, 2], 5, 3, "`depot` must be in 0 ... 2, but is 3"),
        ([0, 2**61, 2**61], 2**61, 0, "sum of the demands of three overflows"),
    ],
)
def test_wrong_fields_are_refused(demands: list[int], capacity: int, depot: int, words: str) -> None:
    places = TSPInstance("three", "EXPLICIT", matrix=np.ones((3, 3), np.int64))
    with pytest.raises(InputError, match=words):
        CVRPInstance(places, demands, capacity, depot)


def test_the_number_of_vehicles_is_obeyed_or_refused(path: Path) -> None:
    text = TEXT.replace("TYPE : CVRP", "TYPE : CVRP\nVEHICLES : 2")
    path.write_text(text)
    assert read_cvrp(path).vehicles == 2
    assert Routing.from_file(path).vehicles == 2
    path.write_text(text.replace("VEHICLES : 2", "VEHICLES : 1"))
    with pytest.raises(InputError, match="add up to 20, but its 1 vehicles hold 10 each"):
        Routing.from_file(path)
    path.write_text(text.replace("VEHICLES : 2", "VEHICLES : few"))
    with pytest.raises(InputError, match="VEHICLES must be in 1"):
        read_cvrp(path)


def test_exact_distances_are_right_to_three_decimals(path: Path) -> None:
    path.write_text(TEXT.replace("EUC_2D", "EXACT_2D").replace("3 3 4", "3 4 4"))
    problem = Routing.from_file(path)
    x = problem.solution([[0], [1], [2]])
    assert (problem.cost_factor, problem.displayed(problem.cost(x))) == (1000, 24.246)
